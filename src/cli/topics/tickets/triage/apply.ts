import { actionText, type BulkItem, type TriageAction } from '../../../../domain/tickets/bulk-action.ts'
import type { ItemResult } from '../../../../operator/tickets/apply-bulk-action.ts'
import type { FullTicket } from '../../../../operator/tickets/parse.ts'
import {
  applyDecision,
  finishInterrupted,
  isDone,
  undoLastDecision,
} from '../../../../operator/tickets/triage/decisions.ts'
import { nameOfTicket } from '../view.ts'
import type { PromptResult } from './prompts.ts'
import type { Session } from './session.ts'

/** Applies actions to a ticket and prints the result. */
export async function act(
  session: Session,
  ticket: FullTicket,
  actions: readonly TriageAction[],
  resultOnSuccess: 'done-with' | 'stay',
  { summary, then }: { summary?: string; then?: BulkItem } = {},
): Promise<PromptResult> {
  const { print } = session
  const [result, second] = await applyDecision(session, ticket, actions, {
    then,
    onLost: () => print('No response arrived; checking whether it was done.'),
  })
  if (isDone(result)) {
    print(
      `${nameOfTicket(ticket)}: ${summary ?? actions.map((action) => actionText(action, ticket.status)).join('; ')}`,
    )
    if (then) print(secondText(then, second))
    return resultOnSuccess
  }
  // The differences are printed when the ticket is shown again.
  if (result?.outcome === 'conflict') return 'look-again'
  print(notDoneText(result))
  return 'nothing'
}

const notDoneText = (result: ItemResult | undefined): string =>
  result?.outcome === 'unknown'
    ? `Unknown whether this was done: ${result.message}. Do not repeat it: the next "countroom tickets triage" checks and finishes it.`
    : `Not done: ${result?.message ?? 'stopped'}`

const secondText = (item: BulkItem, result: ItemResult | undefined): string =>
  isDone(result)
    ? `${nameOfTicket(item)}: ${item.actions.map((action) => actionText(action, item.status)).join('; ')}`
    : result?.outcome === 'unknown'
      ? `Unknown whether ${nameOfTicket(item)} has the note: ${result.message}. The next "countroom tickets triage" checks and finishes it.`
      : `${nameOfTicket(item)} did not get the note: ${result?.message ?? 'stopped'}`

/** Finishes a decision that was interrupted, and prints its result. */
export async function finishBegun(session: Session): Promise<void> {
  const finished = await finishInterrupted(session)
  if (!finished) return
  const { item, result } = finished
  session.print(
    `${nameOfTicket(item)} had an unfinished decision: ${result?.outcome === 'applied' ? 'now done' : `not done (${result?.message ?? 'stopped'})`}.`,
  )
}

/** Undoes the last decision, prints the result, and returns the ID of its ticket. */
export async function undo({ print, ...session }: Session): Promise<string | undefined> {
  const undone = await undoLastDecision(session)
  if (!undone) {
    print('Nothing to undo.')
    return undefined
  }
  const { item, result, isUndone, restored, staying } = undone
  if (!isUndone) {
    print(`Not undone: ${result?.message ?? 'stopped'}`)
    return undefined
  }
  print(
    `${nameOfTicket(item)}: ${restored > 0 ? 'restored' : 'nothing to restore'}${staying > 0 ? '; the comment stays' : ''}.`,
  )
  return item.ticketId
}
