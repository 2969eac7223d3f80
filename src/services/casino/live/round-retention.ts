import type { Tx } from '../../../db/store.ts'
import { forgetRounds, tablesWithDueRounds } from '../queries/rounds.ts'

/** Rounds that a table keeps however old they are, so that its road is not empty after a long pause. */
const keptRounds = 72

/**
 * Deletes rounds without bets after their retention, except the newest of each table.
 * Tables are dealt for viewers too, about 2,700 rounds a day each, mostly without a bet. Rounds with bets stay, because
 * slips refer to them.
 */
export async function forgetRoundsWithoutBets(tx: Tx, limit: number): Promise<number> {
  let deleted = 0
  for (const table of await tablesWithDueRounds(tx))
    if (deleted < limit) deleted += await forgetRounds(tx, table, keptRounds, limit - deleted)
  return deleted
}
