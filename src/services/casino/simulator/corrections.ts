import type { RoundRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import type { Outcome } from '../../../domain/games/game.ts'
import { Problem } from '../../../kit/problem.ts'
import { cancelDealing, showChange } from '../live/dealer.ts'
import { openTable, outcomeOf, theRound } from '../rounds/rounds.ts'
import { correctRound, dispute, type RoundChange, voidRound } from '../rounds/settlement.ts'
import type { Casino } from '../service.ts'
import { buttonOf, type ExactResult, type PlayedRevision, reportOf, seatingAt, toPlayed } from './exact.ts'

/**
 * Corrects or voids a round; outside of the guardrails it is disputed instead. A round that a table is dealing at the
 * moment can be voided too: it is canceled there.
 */
export function changeRound(
  app: Casino,
  roundId: string,
  step: { readonly correct: ExactResult } | { readonly void: true },
): Promise<PlayedRevision> {
  return app.store.write(async (tx) => {
    const round = await theRound(tx, roundId)
    if ('void' in step) {
      const canceled = await cancelDealing(app, tx, round)
      return canceled ? toPlayed(canceled) : shown(tx, round, await voidRound(tx, roundId))
    }
    const table = await openTable(tx, round.environment, round.table_id)
    // The button stays where it was when only the cards were misread.
    const result = { ...buttonOf(round), ...step.correct }
    const outcome = outcomeOf(table, reportOf(result), seatingAt(table, buttonOf(result)))
    return shown(tx, round, await correctRound(tx, table, roundId, outcome), outcome)
  })
}

/** Returns a change as it was made; players who still see the round's result see the change. */
async function shown(tx: Tx, before: RoundRow, change: RoundChange, outcome?: Outcome): Promise<PlayedRevision> {
  if (change.disputed === undefined) await showChange(tx, change, outcome)
  const isUnchanged = change.disputed !== undefined && change.round.status === before.status
  return { ...toPlayed(change), ...(isUnchanged ? { isUnchanged } : {}) }
}

/** Marks a settled round as disputed, as a correction outside of the guardrails would: its result and amounts are kept. */
export function disputeRound(app: Casino, roundId: string): Promise<PlayedRevision> {
  return app.store.write(async (tx) => {
    const round = await theRound(tx, roundId)
    if (round.status !== 'settled' && round.status !== 'disputed')
      throw new Problem(
        'CONFLICT',
        `Round ${roundId} has the status ${round.status}: only a settled round can be disputed`,
      )
    return toPlayed(await dispute(tx, round, 'the source and the platform disagree'))
  })
}
