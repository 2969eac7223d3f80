import { minuteText } from '../../kit/moment.ts'

/** A bulk action on tickets: shown first and applied later, each part once. */

export type TriageAction =
  | { readonly kind: 'status'; readonly status: string }
  | { readonly kind: 'comment'; readonly content: string; readonly visibility: 'internal' | 'public' }
  | { readonly kind: 'priority'; readonly priority: number }
  | { readonly kind: 'assign'; readonly assigneeId: string | null }
  | { readonly kind: 'snooze'; readonly until: number | null }

export interface BulkItem {
  readonly ticketId: string
  readonly ticketNumber: number
  /** Version of the ticket when the bulk action was made; `null` if the instance has no versions. */
  readonly version: number | null
  readonly status: string
  readonly actions: readonly TriageAction[]
}

export interface BulkAction {
  readonly planId: string
  readonly madeAt: number
  readonly items: readonly BulkItem[]
  /** Position in the queue when tickets are decided one by one. */
  readonly position?: number
  /** Tickets that were named but skipped, so that a resumed run can report them too. */
  readonly leftOut?: readonly SkippedTicket[]
}

/** A named ticket that is skipped. */
export interface SkippedTicket {
  /** Ticket id; the given text if no such ticket exists. */
  readonly ticketId: string
  readonly ticketNumber: number | null
  readonly why: 'not-found' | 'other-term' | 'nothing-to-do' | 'not-allowed' | 'limit'
  /** Reason for display. */
  readonly text: string
}

/** A ticket when the bulk action is applied. */
export interface CurrentTicket {
  readonly ticketId: string
  readonly version: number | null
  readonly status: string
  readonly priority: number
  readonly assigneeId: string | null
  readonly snoozedUntil: number | null
}

export type Step =
  | { readonly step: 'do'; readonly actions: readonly { readonly action: TriageAction; readonly key: string }[] }
  /** All of it is already so. */
  | { readonly step: 'no-op' }
  /** The ticket changed since the bulk action was made. */
  | { readonly step: 'conflict'; readonly planned: string; readonly now: string }
  | { readonly step: 'gone' }

/**
 * Returns the remaining actions for an item. `done` lists the actions that the journal has as applied: their effect on
 * the ticket is not a conflict, and none is repeated.
 */
export function nextStep(
  bulk: BulkAction,
  item: BulkItem,
  ticket: CurrentTicket | undefined,
  done: ReadonlySet<string>,
): Step {
  if (!ticket) return { step: 'gone' }
  const keyed = item.actions.map((action, i) => ({ action, key: keyOf(bulk, item, i) }))
  const hasBegun = keyed.some(({ key }) => done.has(key))
  if (!hasBegun && isChanged(item, ticket))
    return { step: 'conflict', planned: stateText(item), now: stateText(ticket) }
  const left = keyed.filter(({ action, key }) => !done.has(key) && !isApplied(action, ticket))
  return left.length === 0 ? { step: 'no-op' } : { step: 'do', actions: left }
}

function isChanged(item: BulkItem, ticket: CurrentTicket): boolean {
  if (item.version !== null && ticket.version !== null) return item.version !== ticket.version
  return item.status !== ticket.status
}

function stateText({ status, version }: { status: string; version: number | null }): string {
  return version === null ? status : `${status} (version ${version})`
}

/**
 * Returns whether a ticket already has the result of an action. Never true for a comment: only the journal knows
 * whether it was written.
 */
export function isApplied(action: TriageAction, ticket: CurrentTicket): boolean {
  switch (action.kind) {
    case 'status':
      return ticket.status === action.status
    case 'priority':
      return ticket.priority === action.priority
    case 'assign':
      return ticket.assigneeId === action.assigneeId
    case 'snooze':
      return ticket.snoozedUntil === action.until
    case 'comment':
      return false
  }
}

/** Returns the idempotency key of an action, the same each time the bulk action is applied. */
export function keyOf({ planId }: BulkAction, { ticketId }: BulkItem, index: number): string {
  return `${planId}:${ticketId}:${index}`
}

/**
 * `failed`: nothing was applied. `unknown`: sent without a response, so it may have been applied; applying the bulk action
 * again finds out.
 */
export type ItemOutcome = 'applied' | 'no-op' | 'conflict' | 'rejected' | 'failed' | 'unknown'

/** Counts the outcomes of a bulk action, and returns whether it is complete. */
export function tally(outcomes: readonly ItemOutcome[]): Record<ItemOutcome, number> & { isComplete: boolean } {
  const counts = { applied: 0, 'no-op': 0, conflict: 0, rejected: 0, failed: 0, unknown: 0 }
  for (const outcome of outcomes) counts[outcome]++
  return { ...counts, isComplete: counts.applied + counts['no-op'] === outcomes.length }
}

/** Describes an action for display; an agent by name if known. */
export function actionText(action: TriageAction, from: string, names?: ReadonlyMap<string, string>): string {
  switch (action.kind) {
    case 'status':
      return `${from} → ${action.status}`
    case 'comment': {
      const [line = ''] = action.content.split('\n')
      const short = line.length > 60 ? `${line.slice(0, 60)}…` : line
      return `${action.visibility === 'public' ? 'to the customer' : 'note'}: ${short}`
    }
    case 'priority':
      return `priority ${['low', 'normal', 'high', 'urgent'][action.priority - 1] ?? action.priority}`
    case 'assign':
      return action.assigneeId === null ? 'to nobody' : `to ${names?.get(action.assigneeId) ?? action.assigneeId}`
    case 'snooze':
      return action.until === null ? 'awake' : `snoozed until ${minuteText(action.until)}`
  }
}
