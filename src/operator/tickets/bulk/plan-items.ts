import type { BulkItem, SkippedTicket, TriageAction } from '../../../domain/tickets/bulk-action.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { RemoteTicket } from '../parse.ts'
import { checkedStatus } from '../statuses.ts'
import { type TextSource, textFor } from '../text/phrases.ts'
import type { TicketsApi } from '../tickets-api.ts'
import { nameIn } from './filter.ts'

/** The changes to make on every matching ticket. */
export interface BulkChange {
  readonly status: string | undefined
  readonly comment: TextSource | undefined
  /** File of its macro, for error messages. */
  readonly macroFile: string | null
  readonly visibility: 'internal' | 'public'
  readonly priority: number | undefined
  readonly assigneeId: string | null | undefined
  readonly until: number | null | undefined
}

/**
 * Plans the changes of each ticket, and returns the tickets that are skipped. Errors of a macro are collected over all tickets
 * and reported together.
 */
export async function planItems(
  ticketsApi: Pick<TicketsApi, 'form' | 'workflowOf'>,
  tickets: readonly RemoteTicket[],
  change: BulkChange,
): Promise<{ readonly items: readonly BulkItem[]; readonly leftOut: readonly SkippedTicket[] }> {
  const items: BulkItem[] = []
  const leftOut: SkippedTicket[] = []
  const unfilled: Problem[] = []
  for (const ticket of tickets) {
    const actions = await actionsFor(ticketsApi, ticket, change).catch((error: unknown) => {
      if (!isProblem(error) || error.detail['macro'] === undefined) throw error
      unfilled.push(error)
      return []
    })
    if (actions === 'not-allowed')
      leftOut.push({
        ...nameIn(ticket),
        why: 'not-allowed',
        text: `its workflow does not allow the status ${change.status}`,
      })
    else if (actions.length === 0 && unfilled.length === 0)
      leftOut.push({ ...nameIn(ticket), why: 'nothing-to-do', text: `no change: already ${ticket.status}` })
    else {
      const { ticketId, ticketNumber, version, status } = ticket
      items.push({ ticketId, ticketNumber, version, status, actions })
    }
  }
  if (unfilled.length > 0) throw unfilledProblem(unfilled)
  return { items, leftOut }
}

async function actionsFor(
  ticketsApi: Pick<TicketsApi, 'form' | 'workflowOf'>,
  ticket: RemoteTicket,
  change: BulkChange,
): Promise<TriageAction[] | 'not-allowed'> {
  const actions: TriageAction[] = []
  const { status, comment, visibility, priority, assigneeId, until } = change
  if (comment !== undefined) {
    const content = await textFor(comment, ticket, ticketsApi, change.macroFile)
    if (content.trim() === '') throw new Problem('INVALID_USAGE', 'The comment is empty')
    actions.push({ kind: 'comment', content, visibility })
  }
  if (priority !== undefined && ticket.priority !== priority) actions.push({ kind: 'priority', priority })
  if (assigneeId !== undefined && ticket.assigneeId !== assigneeId) actions.push({ kind: 'assign', assigneeId })
  if (status !== undefined && ticket.status !== status) {
    checkedStatus(status, (await ticketsApi.workflowOf(ticket)).codes)
    if (ticket.allowedTransitions !== null && !ticket.allowedTransitions.includes(status)) return 'not-allowed'
    actions.push({ kind: 'status', status })
  }
  // Last, because every change of status ends the snooze.
  if (until !== undefined) actions.push({ kind: 'snooze', until })
  return actions
}

/** Maximum number of tickets in the message about macros that cannot be filled; the error details have all. */
const maxInMessage = 5

function unfilledProblem(unfilled: readonly Problem[]): Problem {
  const [first] = unfilled
  if (first !== undefined && unfilled.length === 1) return first
  const texts = unfilled.slice(0, maxInMessage).map(({ message, detail }) => `${detail['ticketId']}: ${message}`)
  const more = unfilled.length > maxInMessage ? ` … and ${unfilled.length - maxInMessage} more` : ''
  return new Problem(
    'INVALID_USAGE',
    `Cannot fill the macro for ${unfilled.length} tickets: ${texts.join('. ')}${more}`,
    { macro: first?.detail['macro'], tickets: unfilled.map(({ detail }) => detail) },
  )
}
