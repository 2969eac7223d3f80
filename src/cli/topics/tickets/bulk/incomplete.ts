import { tally } from '../../../../domain/tickets/bulk-action.ts'
import { Problem } from '../../../../kit/problem.ts'
import { quoted } from '../../../../kit/shell-quote.ts'
import type { ItemResult } from '../../../../operator/tickets/apply-bulk-action.ts'
import { batchCategory } from '../../../outcome/exit-codes.ts'
import { nameOfTicket } from '../view.ts'
import { categoryOfResult } from './result-category.ts'

/** Returns the command of a new bulk action: that of `tickets bulk` with these words, or its general form. */
export function newBulkCommand(argv: readonly string[] = ['--filter', 'TERMS']): string {
  const own = argv.filter((word) => word !== '--new')
  return `countroom tickets bulk ${[...own, '--new'].map(quoted).join(' ')}`
}

/** Returns the problem of a bulk action that is not completely done, with the exit category of its worst result. */
export function incompleteProblem(
  results: readonly ItemResult[],
  newCommand: string = newBulkCommand(),
): Problem | undefined {
  const category = batchCategory(results.map(categoryOfResult))
  if (category === 'ok') return undefined
  const { conflict, rejected, failed, unknown } = tally(results.map(({ outcome }) => outcome))
  const message = `Not everything is done: ${[
    [conflict, 'changed in the meantime'],
    [rejected, 'rejected'],
    [failed, 'failed temporarily'],
    [unknown, 'without a response'],
  ]
    .filter(([many]) => many !== 0)
    .map(([many, label]) => `${many} ${label}`)
    .join(', ')}`
  // An outcome that no run can find out is left to a person. The bulk action stays open, so that no run sends it again.
  const unseen = results.filter(({ code }) => code === 'CANNOT_CONCLUDE').map(({ item }) => nameOfTicket(item))
  const counts = { category, conflict, rejected, failed, unknown, ...(unseen.length > 0 ? { unseen } : {}) }
  if (unknown === 0) return new Problem('BATCH_PARTLY', message, counts)
  if (unseen.length === unknown)
    return new Problem(
      'OUTCOME_UNKNOWN',
      `${message}. The instance returns no comments, so check by hand whether the comment exists on: ${unseen.join(', ')}. Add it where it is missing, then start a new bulk action: ${newCommand}`,
      counts,
    )
  return new Problem(
    'OUTCOME_UNKNOWN',
    `${message}. Unknown whether ${unknown === 1 ? 'it was done' : 'they were done'}. Run the same command again: it checks first and does nothing twice`,
    counts,
  )
}
