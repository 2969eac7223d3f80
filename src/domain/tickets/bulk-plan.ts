/** What is to be done to tickets, as a plan that is shown first and carried out later, each part once. */

export type TriageAction =
  | { readonly kind: 'status'; readonly status: string }
  | { readonly kind: 'comment'; readonly content: string; readonly visibility: 'internal' | 'public' }
  | { readonly kind: 'priority'; readonly priority: number }
  | { readonly kind: 'assign'; readonly assigneeId: string | null }
  | { readonly kind: 'snooze'; readonly until: number | null }

export interface PlanItem {
  readonly ticketId: string
  readonly ticketNumber: number
  /** The ticket's version when the plan was made; `null` where the instance tells none. */
  readonly version: number | null
  readonly status: string
  readonly actions: readonly TriageAction[]
}

export interface TriagePlan {
  readonly planId: string
  readonly madeAt: number
  readonly items: readonly PlanItem[]
  /** How far a queue was gone through, where it is decided ticket by ticket. */
  readonly position?: number
  /** What was named when it was made and is not in it, so that whoever goes on with it is told as well. */
  readonly leftOut?: readonly LeftOut[]
}

/** A ticket that was named and is not worked on. */
export interface LeftOut {
  /** As it was named, where there is none such; its id otherwise. */
  readonly ticketId: string
  readonly ticketNumber: number | null
  readonly why: 'not-found' | 'other-term' | 'nothing-to-do' | 'not-allowed' | 'limit'
  /** The reason in words. */
  readonly text: string
}

/** A ticket as it is when the plan is carried out. */
export interface PlannedTicket {
  readonly ticketId: string
  readonly version: number | null
  readonly status: string
  readonly priority: number
  readonly assigneeId: string | null
  readonly snoozedUntil: number | null
}

export type Step =
  | { readonly step: 'do'; readonly actions: readonly { readonly action: TriageAction; readonly key: string }[] }
  /** All of it is as it should be already. */
  | { readonly step: 'no-op' }
  /** The ticket is no longer the one the plan was made for. */
  | { readonly step: 'conflict'; readonly planned: string; readonly now: string }
  | { readonly step: 'gone' }

/**
 * What is left to do for one item. `done` names the actions that the journal knows to be done: their own effect on the
 * ticket is no conflict, and none of them is done again.
 */
export function nextStep(
  plan: TriagePlan,
  item: PlanItem,
  ticket: PlannedTicket | undefined,
  done: ReadonlySet<string>,
): Step {
  if (!ticket) return { step: 'gone' }
  const keyed = item.actions.map((action, i) => ({ action, key: keyOf(plan, item, i) }))
  const hasBegun = keyed.some(({ key }) => done.has(key))
  if (!hasBegun && isChanged(item, ticket))
    return { step: 'conflict', planned: stateText(item), now: stateText(ticket) }
  const left = keyed.filter(({ action, key }) => !done.has(key) && !isSo(action, ticket))
  return left.length === 0 ? { step: 'no-op' } : { step: 'do', actions: left }
}

function isChanged(item: PlanItem, ticket: PlannedTicket): boolean {
  if (item.version !== null && ticket.version !== null) return item.version !== ticket.version
  return item.status !== ticket.status
}

function stateText({ status, version }: { status: string; version: number | null }): string {
  return version === null ? status : `${status} (version ${version})`
}

/** Whether a ticket is so already. A comment is never so: whether it was written is the journal's to know. */
export function isSo(action: TriageAction, ticket: PlannedTicket): boolean {
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

/** The key under which an action is done once, the same for the same plan every time it is carried out. */
export function keyOf({ planId }: TriagePlan, { ticketId }: PlanItem, index: number): string {
  return `${planId}:${ticketId}:${index}`
}

/** `failed`: nothing of it was done, for now. `unknown`: it was sent and no answer came, so it may be done; carried out again, that is found out. */
export type ItemOutcome = 'applied' | 'no-op' | 'conflict' | 'rejected' | 'failed' | 'unknown'

/** How a plan went, and whether that is all of it. */
export function tally(outcomes: readonly ItemOutcome[]): Record<ItemOutcome, number> & { isComplete: boolean } {
  const counts = { applied: 0, 'no-op': 0, conflict: 0, rejected: 0, failed: 0, unknown: 0 }
  for (const outcome of outcomes) counts[outcome]++
  return { ...counts, isComplete: counts.applied + counts['no-op'] === outcomes.length }
}

/** An action in a few words for a person; an agent by name where it is known. */
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
      return action.until === null ? 'awake' : `asleep until ${new Date(action.until).toISOString()}`
  }
}
