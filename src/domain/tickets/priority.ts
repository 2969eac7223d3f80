import type { StatusCategory } from './workflow.ts'

/** Triage order of tickets. Every point of a score has a reason. */

/** Facts about a ticket that triage uses. What a remote instance does not provide is `null` and gives no reason. */
export interface TriageTicket {
  readonly ticketId: string
  readonly ticketNumber: number
  readonly title: string
  readonly description: string
  readonly status: string
  readonly statusCategory: StatusCategory | null
  readonly priority: number
  readonly customerAccount: string | null
  readonly assigneeId: string | null
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly firstResponseAt: number | null
  readonly lastPublicAuthorType: 'customer' | 'agent' | null
  readonly snoozedUntil: number | null
  readonly reopenCount: number
}

const hourMs = 3_600_000

/** Names of the priorities 1 to 4. */
export const priorityNames = ['low', 'normal', 'high', 'urgent'] as const

/** Target resolution time in hours, by priority from 1 low to 4 urgent. */
export type Targets = Readonly<Record<1 | 2 | 3 | 4, number>>
export const defaultTargets: Targets = { 1: 72, 2: 24, 3: 8, 4: 2 }

export interface Reason {
  readonly kind: 'overdue' | 'priority' | 'needs-reply' | 'reopened' | 'waiting'
  readonly points: number
  /** Short text for display. */
  readonly text: string
}

export interface Urgency {
  readonly score: number
  readonly reasons: readonly Reason[]
}

/** Maximum weight of each reason, so that none hides the others: being overdue counts most, waiting least. */
const weights = { overdue: 100, priority: 15, needsReply: 30, reopened: 10, waiting: 24 } as const

/** Scores the urgency of a ticket. The score never decreases with time. */
export function urgencyOf(ticket: TriageTicket, now: number, targets: Targets = defaultTargets): Urgency {
  const reasons: Reason[] = []
  const add = (kind: Reason['kind'], points: number, text: string) => {
    if (points > 0) reasons.push({ kind, points, text })
  }
  const priority = within(ticket.priority, 1, 4)
  const ageHours = Math.max(0, (now - ticket.createdAt) / hourMs)
  // The keys of the targets are the four priorities.
  const target = targets[priority as 1 | 2 | 3 | 4]
  const late = ageHours - target
  if (late > 0) {
    const points = Math.min(weights.overdue, Math.round(40 + (60 * late) / target))
    add('overdue', points, `${hoursText(late)} over the target of ${target} h`)
  }
  add('priority', (priority - 1) * weights.priority, `priority ${priorityNames[priority - 1]}`)
  if (needsReply(ticket)) add('needs-reply', weights.needsReply, 'the customer waits for a reply')
  add(
    'reopened',
    Math.min(3, ticket.reopenCount) * weights.reopened,
    ticket.reopenCount === 1 ? 'reopened once' : `reopened ${ticket.reopenCount} times`,
  )
  add('waiting', Math.min(weights.waiting, Math.floor(ageHours)), `${hoursText(ageHours)} old`)
  return { score: reasons.reduce((sum, { points }) => sum + points, 0), reasons }
}

/** Returns whether the next reply is ours: the latest message is the customer's, or there is no reply. */
export function needsReply(ticket: TriageTicket): boolean {
  if (ticket.statusCategory === 'resolved' || ticket.statusCategory === 'closed') return false
  return (
    ticket.lastPublicAuthorType === 'customer' ||
    (ticket.lastPublicAuthorType === null && ticket.firstResponseAt === null)
  )
}

export function isSnoozed({ snoozedUntil }: TriageTicket, now: number): boolean {
  return snoozedUntil !== null && snoozedUntil > now
}

function within(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Math.round(value)))
}

function hoursText(hours: number): string {
  return hours < 1
    ? `${Math.round(hours * 60)} min`
    : hours < 48
      ? `${Math.floor(hours)} h`
      : `${Math.floor(hours / 24)} d`
}

/** Filters of the queue. */
export interface TriageFilter {
  readonly needsReply?: boolean
  /** Minimum time since the last change. */
  readonly staleMs?: number
  readonly unassigned?: boolean
  readonly assigneeId?: string
  readonly snoozed?: boolean
  /** Includes snoozed tickets, for tickets that were named one by one. */
  readonly includesSnoozed?: boolean
  readonly reopened?: boolean
}

/** Returns whether a ticket passes the filter. Snoozed tickets pass only on request. */
export function matchesFilter(ticket: TriageTicket, filter: TriageFilter, now: number): boolean {
  if (!filter.includesSnoozed && isSnoozed(ticket, now) !== (filter.snoozed ?? false)) return false
  if (filter.needsReply && !needsReply(ticket)) return false
  if (filter.staleMs !== undefined && now - ticket.updatedAt < filter.staleMs) return false
  if (filter.unassigned && ticket.assigneeId !== null) return false
  if (filter.assigneeId !== undefined && ticket.assigneeId !== filter.assigneeId) return false
  return !filter.reopened || ticket.reopenCount > 0
}

export interface Queued<T extends TriageTicket> extends Urgency {
  readonly ticket: T
}

/** Returns the tickets that pass the filter, most urgent first, then oldest first, so that the order is stable. */
export function queueOf<T extends TriageTicket>(
  tickets: readonly T[],
  filter: TriageFilter,
  now: number,
  targets: Targets = defaultTargets,
): Queued<T>[] {
  return tickets
    .filter((ticket) => matchesFilter(ticket, filter, now))
    .map((ticket) => ({ ticket, ...urgencyOf(ticket, now, targets) }))
    .sort(
      (a, b) =>
        b.score - a.score || a.ticket.createdAt - b.ticket.createdAt || a.ticket.ticketNumber - b.ticket.ticketNumber,
    )
}
