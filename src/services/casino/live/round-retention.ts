import type { Tx } from '../../../db/store.ts'
import { forgetRounds, tablesWithDueRounds } from '../queries/rounds.ts'
import { roadLength } from './roads.ts'

/**
 * Deletes rounds without bets after their retention, except the newest of each table: its road is not shorter after a
 * long pause.
 * Tables are dealt for viewers too, about 2,700 rounds a day each, mostly without a bet. Rounds with bets stay, because
 * slips refer to them.
 */
export async function forgetRoundsWithoutBets(tx: Tx, limit: number): Promise<number> {
  let deleted = 0
  for (const table of await tablesWithDueRounds(tx))
    if (deleted < limit) deleted += await forgetRounds(tx, table, roadLength, limit - deleted)
  return deleted
}
