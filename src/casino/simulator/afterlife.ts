import { Problem } from '../../kit/problem.ts'
import type { Casino } from '../casino.ts'
import { openTable, outcomeOf, theRound } from '../rounds.ts'
import { correctRound, dispute, voidRound } from '../settling.ts'
import { buttonOf, type ExactResult, type PlayedRevision, reportOf, seatingAt, toPlayed } from './exact.ts'

/** Corrects or voids a round that was played before; outside of the guardrails it is disputed instead. */
export function changeRound(
  app: Casino,
  roundId: string,
  step: { readonly correct: ExactResult } | { readonly void: true },
): Promise<PlayedRevision> {
  return app.store.write(async (tx) => {
    if ('void' in step) return toPlayed(await voidRound(tx, roundId))
    const round = await theRound(tx, roundId)
    const table = await openTable(tx, round.environment, round.table_id)
    const seating = seatingAt(table, buttonOf(step.correct))
    const outcome = outcomeOf(table, reportOf(step.correct), seating)
    return toPlayed(await correctRound(tx, table, roundId, outcome))
  })
}

/** Marks a settled round as disputed, as a correction outside of the guardrails would: its result and amounts stand. */
export function disputeRound(app: Casino, roundId: string): Promise<PlayedRevision> {
  return app.store.write(async (tx) => {
    const round = await theRound(tx, roundId)
    if (round.status !== 'settled' && round.status !== 'disputed')
      throw new Problem('CONFLICT', `Round ${roundId} is ${round.status}: only a settled one can be disputed`)
    return toPlayed(await dispute(tx, round, 'the source and the platform do not agree'))
  })
}
