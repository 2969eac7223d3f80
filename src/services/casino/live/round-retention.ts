import type { Tx } from '../../../db/store.ts'
import { forgetRounds, tablesWithDueRounds } from '../queries/rounds.ts'
import { roadLength } from './views.ts'

/**
 * Tables are dealt for watchers too, some 2,700 rounds a day each, and most have no bet. Those are forgotten after their
 * time, except the newest of each table, which its road is made of. A round that somebody bet in stays: its slips tell of it.
 */
export async function forgetRoundsWithoutBets(tx: Tx, limit: number): Promise<number> {
  let forgotten = 0
  for (const table of await tablesWithDueRounds(tx))
    if (forgotten < limit) forgotten += await forgetRounds(tx, table, roadLength, limit - forgotten)
  return forgotten
}
