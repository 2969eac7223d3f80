import type { SkippedTicket } from '../../../domain/tickets/bulk-action.ts'
import {
  isSnoozed,
  matchesFilter,
  priorityNames,
  type Queued,
  queueOf,
  type TriageFilter,
} from '../../../domain/tickets/priority.ts'
import { Problem } from '../../../kit/problem.ts'
import { listedAgent } from '../agent-name.ts'
import { allTickets } from '../list.ts'
import { countedStatuses, openTickets, type ReadProgress } from '../open-tickets.ts'
import type { RemoteTicket } from '../parse.ts'
import { readIfExists } from '../read-if-exists.ts'
import { checkedStatus, knownStatuses } from '../statuses.ts'
import type { TicketListQuery, TicketsApi } from '../tickets-api.ts'

/** A ticket filter. */
export interface TicketFilter {
  /** Statuses; empty means all that are not done. */
  readonly statuses: readonly string[]
  readonly formCode: string | undefined
  readonly customerAccount: string | undefined
  readonly keyword: string | undefined
  readonly priorities: readonly number[]
  /** Ticket IDs or numbers; empty means any. */
  readonly ids: readonly string[]
  readonly olderMs: number | undefined
  /** Assignee as typed: a name or ID, me or none. */
  readonly assignee: string | undefined
  readonly rest: TriageFilter
}

/** A filter that selects every ticket that is not done. */
export const noFilter: TicketFilter = {
  statuses: [],
  formCode: undefined,
  customerAccount: undefined,
  keyword: undefined,
  priorities: [],
  ids: [],
  olderMs: undefined,
  assignee: undefined,
  rest: {},
}

/** Tickets read for a filter. */
export interface TicketSearch {
  readonly tickets: readonly RemoteTicket[]
  /** False if the list changed during every read, so that tickets may be missing. */
  readonly isWhole: boolean
  /** Statuses that were searched. */
  readonly statuses: readonly string[]
  /** Terms still to be checked locally, including the assignee. */
  readonly rest: TriageFilter
  /** Warnings about possible typing errors that the instance does not report. */
  readonly doubts: readonly string[]
  /** Named tickets that do not exist. */
  readonly missing: readonly string[]
}

/** Returns the selected tickets, most urgent first, and the named tickets that are skipped. */
export function selectTickets(
  { tickets, missing, rest }: TicketSearch,
  requestedFilter: TicketFilter,
  at: number,
): {
  readonly queued: readonly Queued<RemoteTicket>[]
  readonly leftOut: readonly SkippedTicket[]
  readonly snoozedCount: number
} {
  const filter = { ...requestedFilter, rest }
  const isOld = ({ createdAt }: RemoteTicket) => filter.olderMs === undefined || at - createdAt >= filter.olderMs
  if (filter.ids.length === 0) {
    const { snoozed, ...otherTerms } = filter.rest
    const either = queueOf(tickets, { ...otherTerms, includesSnoozed: true }, at).filter(({ ticket }) => isOld(ticket))
    const queued = either.filter(({ ticket }) => isSnoozed(ticket, at) === (snoozed ?? false))
    return { queued, leftOut: [], snoozedCount: snoozed ? 0 : either.length - queued.length }
  }
  const reasons = new Map(tickets.map((ticket) => [ticket, mismatchesOf(ticket, filter, at).join(', ')]))
  return {
    queued: queueOf(
      tickets.filter((ticket) => reasons.get(ticket) === ''),
      { includesSnoozed: true },
      at,
    ),
    leftOut: [
      ...missing.map(
        (id): SkippedTicket => ({ ticketId: id, ticketNumber: null, why: 'not-found', text: 'not found' }),
      ),
      ...[...reasons].flatMap(([ticket, text]): SkippedTicket[] =>
        text === '' ? [] : [{ ...nameIn(ticket), why: 'other-term', text }],
      ),
    ],
    snoozedCount: 0,
  }
}

/** Describes the skipped tickets. */
export const leftOutText = (leftOut: readonly SkippedTicket[]): string =>
  `Skipped: ${leftOut.map(({ ticketId, ticketNumber, text }) => `${ticketNumber === null ? ticketId : `#${ticketNumber}`} (${text})`).join(', ')}`

export const nameIn = ({ ticketId, ticketNumber }: RemoteTicket) => ({
  ticketId,
  ticketNumber: ticketNumber === 0 ? null : ticketNumber,
})

/** Describes the terms that a ticket does not match. */
function mismatchesOf(ticket: RemoteTicket, filter: TicketFilter, at: number): string[] {
  const { statuses, formCode, customerAccount, priorities, olderMs, rest } = filter
  const is = (part: Partial<TicketFilter>) => matchesTerms(ticket, { ...noFilter, ...part })
  const does = (part: TriageFilter) => matchesFilter(ticket, { includesSnoozed: true, ...part }, at)
  return [
    is({ statuses }) ? '' : `status is ${ticket.status}`,
    is({ formCode }) ? '' : `form is ${ticket.formCode}`,
    is({ customerAccount }) ? '' : `customer is ${ticket.customerAccount}`,
    is({ priorities }) ? '' : `priority is ${priorityNames[ticket.priority - 1] ?? ticket.priority}`,
    olderMs === undefined || at - ticket.createdAt >= olderMs ? '' : 'not that old',
    rest.needsReply && !does({ needsReply: true }) ? 'customer does not wait for a reply' : '',
    rest.staleMs !== undefined && !does({ staleMs: rest.staleMs }) ? 'changed since' : '',
    rest.unassigned && !does({ unassigned: true }) ? 'has an assignee' : '',
    rest.assigneeId !== undefined && !does({ assigneeId: rest.assigneeId })
      ? 'assigned to another agent or unassigned'
      : '',
    rest.reopened && !does({ reopened: true }) ? 'never reopened' : '',
    rest.snoozed && !isSnoozed(ticket, at) ? 'not snoozed' : '',
  ].filter((text) => text !== '')
}

/** Finds the tickets of a filter, or all that it names by ID. The list API filters what it can; the rest is checked here. */
export async function findTickets(
  ticketsApi: TicketsApi,
  filter: TicketFilter,
  progress: ReadProgress = {},
): Promise<TicketSearch> {
  const assigneeTerms = await resolveAssignee(filter, ticketsApi)
  const search = await readTickets(ticketsApi, filter, progress)
  if (!(assigneeTerms instanceof Problem) && assigneeTerms !== 'agents-unknown')
    return { ...search, rest: { ...filter.rest, ...assigneeTerms }, doubts: [] }
  const assignee = filter.assignee ?? ''
  const of = search.tickets.find((ticket) => isWith(ticket, assignee))
  const rest = { ...filter.rest, assigneeId: of?.assigneeId ?? assignee }
  if (of) return { ...search, rest, doubts: [] }
  if (assigneeTerms instanceof Problem) throw assigneeTerms
  const names = [...new Set(search.tickets.flatMap(({ assigneeId, assigneeName }) => assigneeName ?? assigneeId ?? []))]
  const there = names.length === 0 ? 'no ticket has an assignee' : `assignees: ${names.slice(0, maxNamed).join(', ')}`
  return { ...search, rest, doubts: [`No ticket is assigned to ${assignee}; ${there}`] }
}

const maxNamed = 20

const isWith = ({ assigneeId, assigneeName }: RemoteTicket, assignee: string): boolean =>
  assigneeId === assignee || assigneeName?.toLowerCase() === assignee.trim().toLowerCase()

/**
 * Resolves the assignee. If the instance does not list its agents, only tickets can show them, including former agents. If
 * no ticket matches, the problem lists the known names.
 */
async function resolveAssignee(
  { assignee }: TicketFilter,
  ticketsApi: TicketsApi,
): Promise<TriageFilter | Problem | 'agents-unknown'> {
  if (assignee === undefined) return {}
  if (assignee !== 'me' && assignee !== 'none' && (await ticketsApi.agents()) === undefined) return 'agents-unknown'
  const agent = await listedAgent(assignee, ticketsApi)
  if (agent instanceof Problem) return agent
  return agent === null ? { unassigned: true } : { assigneeId: agent.agentId }
}

async function readTickets(
  ticketsApi: TicketsApi,
  filter: TicketFilter,
  progress: ReadProgress,
): Promise<Omit<TicketSearch, 'rest' | 'doubts'>> {
  if (filter.ids.length > 0) {
    const tickets = new Map<string, RemoteTicket>()
    const missing = new Set<string>()
    for (const id of filter.ids) {
      const ticket = await readIfExists(ticketsApi, id)
      if (ticket === undefined) missing.add(id)
      else tickets.set(ticket.ticketId, ticket)
    }
    return { tickets: [...tickets.values()], statuses: filter.statuses, isWhole: true, missing: [...missing] }
  }
  const about: TicketListQuery = {
    formCode: filter.formCode,
    customerAccount: filter.customerAccount,
    keyword: filter.keyword,
  }
  const known = await knownStatuses(ticketsApi, about)
  if (known === undefined) return { tickets: [], statuses: filter.statuses, isWhole: true, missing: [] }
  const requestedStatuses = filter.statuses.map((status) => checkedStatus(status, known.codes))
  const isSelection = requestedStatuses.length > 0
  if (isSelection) await progress.onCounts?.(await countedStatuses(ticketsApi, about, requestedStatuses))
  const { tickets, isWhole, statuses } = isSelection
    ? {
        ...(await allTickets(ticketsApi, queriesFor(about, requestedStatuses), progress)),
        statuses: requestedStatuses,
      }
    : await openTickets(ticketsApi, about, known, progress)
  const matching = tickets.filter((ticket) => matchesTerms(ticket, { ...filter, statuses }))
  return { tickets: matching, statuses, isWhole, missing: [] }
}

const queriesFor = (about: TicketListQuery, statuses: readonly string[]): TicketListQuery[] =>
  statuses.map((status) => ({ ...about, status }))

/** Filters locally too, because an instance may ignore a query parameter that it does not know. */
function matchesTerms(
  ticket: RemoteTicket,
  { statuses, formCode, customerAccount, priorities }: TicketFilter,
): boolean {
  if (statuses.length > 0 && !statuses.includes(ticket.status)) return false
  if (formCode !== undefined && ticket.formCode !== null && ticket.formCode !== formCode) return false
  if (customerAccount !== undefined && ticket.customerAccount !== null && ticket.customerAccount !== customerAccount)
    return false
  return priorities.length === 0 || priorities.includes(ticket.priority)
}
