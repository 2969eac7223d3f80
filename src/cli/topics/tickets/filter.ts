import type { LeftOut } from '../../../domain/tickets/bulk-plan.ts'
import { isSnoozed, isWanted, type Queued, queueOf, type TriageFilter } from '../../../domain/tickets/priority.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { allTickets, listTickets } from '../../../operator/tickets/list.ts'
import { type KnownStatuses, openTickets } from '../../../operator/tickets/open-tickets.ts'
import type { RemoteTicket } from '../../../operator/tickets/parse.ts'
import type { TicketListQuery, TicketsApi } from '../../../operator/tickets/tickets-api.ts'
import { nearest } from '../../../world/config/did-you-mean.ts'
import { durationMs } from '../../arguments/moments.ts'
import { Flags } from '../../framework/flags.ts'
import { listedAgent } from '../chat/agent-name.ts'
import { checkedStatus, priorityFrom } from '../chat/arguments.ts'
import { checkedIds } from '../chat/ids.ts'
import { priorityNames } from './view.ts'

/** A ticket filter, as a line of terms: `status=open form=general stale=24h needs-reply keyword="lost card"`. */

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

export const filterHelp = `Filter terms (all must match):
    status=CODE[,CODE]    status; default: all that are not done
    form=CODE             form
    account=NAME          customer account
    keyword="TEXT"        search term
    priority=high,urgent  priority
    id=12,15              ticket numbers or IDs
    older=48h             created at least this long ago
    stale=24h             unchanged for at least this long
    assignee=AGENT        agent name or ID, me or none
    mine                  assigned to the agent of the profile
    unassigned            without assignee
    needs-reply           customer waits for a reply
    reopened              was done before
    snoozed               snoozed only; other filters exclude snoozed tickets

  id= selects tickets in any status, also snoozed ones. If another term does not match, the ticket is skipped and listed with the reason.`

const withValue = ['status', 'form', 'account', 'keyword', 'priority', 'id', 'older', 'stale', 'assignee'] as const
const alone = ['mine', 'unassigned', 'needs-reply', 'reopened', 'snoozed'] as const

/** Frequent terms as flags. */
export const filterFlags = {
  'needs-reply': Flags.boolean({ summary: 'Tickets whose customer waits for a reply only' }),
  unassigned: Flags.boolean({ summary: 'Tickets without an assignee only', exclusive: ['mine'] }),
  mine: Flags.boolean({ summary: 'Tickets of the agent of the profile only' }),
  snoozed: Flags.boolean({ summary: 'Snoozed tickets only (default: excluded)' }),
  reopened: Flags.boolean({ summary: 'Reopened tickets only' }),
  stale: Flags.string({ summary: 'Tickets unchanged for at least this long only', helpValue: 'DURATION' }),
}

/** Converts the flags to terms. */
export function termsOfFlags(
  flags: {
    readonly [Name in keyof typeof filterFlags]?: boolean | string | undefined
  },
): string[] {
  const said = alone.filter((name) => flags[name] === true)
  return flags.stale === undefined ? said : [...said, `stale=${flags.stale}`]
}

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

/** Parses the terms of one or more lines. */
export function filterFrom(lines: readonly string[]): TicketFilter {
  const values = new Map<string, string>()
  const flags = new Set<string>()
  for (const term of lines.flatMap(termsIn)) {
    const at = term.indexOf('=')
    const name = at < 0 ? term : term.slice(0, at)
    const isKnown = (at < 0 ? alone : withValue).some((known) => known === name)
    if (!isKnown) throw unknownTerm(name, at >= 0)
    const value = term.slice(at + 1)
    if (at >= 0 && /^[,\s]*$/.test(value)) throw new Problem('INVALID_USAGE', `The filter term ${name}= has no value`)
    if (at < 0) flags.add(name)
    else if (values.has(name)) throw new Problem('INVALID_USAGE', `The filter has the term ${name}= twice`)
    else values.set(name, value)
  }
  const list = (name: string) => (values.get(name) ?? '').split(',').flatMap((each) => each.trim() || [])
  const span = (name: string) => {
    const text = values.get(name)
    const ms = text === undefined ? undefined : durationMs(text)
    if (text !== undefined && ms === undefined)
      throw new Problem('INVALID_USAGE', `The filter term ${name}= must be a duration such as 24h; received ${text}`)
    return ms
  }
  const staleMs = span('stale')
  if (flags.has('mine') && values.has('assignee'))
    throw new Problem('INVALID_USAGE', 'The filter has both mine and assignee=; use one of them')
  if (values.has('id') && values.has('keyword'))
    throw new Problem('INVALID_USAGE', 'The filter has both id= and keyword=; a keyword searches all tickets')
  return {
    statuses: list('status'),
    formCode: values.get('form'),
    customerAccount: values.get('account'),
    keyword: values.get('keyword'),
    priorities: list('priority').map(priorityFrom),
    ids: checkedIds(list('id'), 'ticket'),
    olderMs: span('older'),
    assignee: flags.has('mine') ? 'me' : values.get('assignee'),
    rest: {
      ...(flags.has('needs-reply') ? { needsReply: true } : {}),
      ...(flags.has('unassigned') ? { unassigned: true } : {}),
      ...(flags.has('reopened') ? { reopened: true } : {}),
      ...(flags.has('snoozed') ? { snoozed: true } : values.has('id') ? { includesSnoozed: true } : {}),
      ...(staleMs === undefined ? {} : { staleMs }),
    },
  }
}

/** Splits at spaces outside double quotes, and removes the quotes. */
function termsIn(line: string): string[] {
  if ((line.match(/"/g)?.length ?? 0) % 2 === 1)
    throw new Problem('INVALID_USAGE', `The filter has an unclosed quote: ${line}`)
  return [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([term]) => term.replaceAll('"', ''))
}

function unknownTerm(name: string, hasValue: boolean): Problem {
  const known: readonly string[] = [...withValue, ...alone]
  const isMisused = known.includes(name)
  const near = nearest(name, known, 1)[0]
  const hint = isMisused
    ? hasValue
      ? `${name} takes no value`
      : `${name} needs a value: ${name}=…`
    : near === undefined
      ? `valid terms: ${known.join(', ')}`
      : `did you mean ${near}?`
  return new Problem('INVALID_USAGE', `Invalid filter term "${name}"; ${hint}`, { term: name, nearest: near })
}

export interface Found {
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
export function meantOf(
  { tickets, missing, rest }: Found,
  asked: TicketFilter,
  at: number,
): {
  readonly queued: readonly Queued<RemoteTicket>[]
  readonly leftOut: readonly LeftOut[]
  readonly snoozedCount: number
} {
  const filter = { ...asked, rest }
  const isOld = ({ createdAt }: RemoteTicket) => filter.olderMs === undefined || at - createdAt >= filter.olderMs
  if (filter.ids.length === 0) {
    const { snoozed, ...awake } = filter.rest
    const either = queueOf(tickets, { ...awake, includesSnoozed: true }, at).filter(({ ticket }) => isOld(ticket))
    const queued = either.filter(({ ticket }) => isSnoozed(ticket, at) === (snoozed ?? false))
    return { queued, leftOut: [], snoozedCount: snoozed ? 0 : either.length - queued.length }
  }
  const reasons = new Map(tickets.map((ticket) => [ticket, againstIt(ticket, filter, at).join(', ')]))
  return {
    queued: queueOf(
      tickets.filter((ticket) => reasons.get(ticket) === ''),
      { includesSnoozed: true },
      at,
    ),
    leftOut: [
      ...missing.map((id): LeftOut => ({ ticketId: id, ticketNumber: null, why: 'not-found', text: 'not found' })),
      ...[...reasons].flatMap(([ticket, text]): LeftOut[] =>
        text === '' ? [] : [{ ...nameIn(ticket), why: 'other-term', text }],
      ),
    ],
    snoozedCount: 0,
  }
}

/** Describes the skipped tickets. */
export const leftOutText = (leftOut: readonly LeftOut[]): string =>
  `Skipped: ${leftOut.map(({ ticketId, ticketNumber, text }) => `${ticketNumber === null ? ticketId : `#${ticketNumber}`} (${text})`).join(', ')}`

export const nameIn = ({ ticketId, ticketNumber }: RemoteTicket) => ({
  ticketId,
  ticketNumber: ticketNumber === 0 ? null : ticketNumber,
})

/** Describes the terms that a ticket does not match. */
function againstIt(ticket: RemoteTicket, filter: TicketFilter, at: number): string[] {
  const { statuses, formCode, customerAccount, priorities, olderMs, rest } = filter
  const is = (part: Partial<TicketFilter>) => isMeant(ticket, { ...noFilter, ...part })
  const does = (part: TriageFilter) => isWanted(ticket, { includesSnoozed: true, ...part }, at)
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
      ? 'assigned to somebody else or unassigned'
      : '',
    rest.reopened && !does({ reopened: true }) ? 'never reopened' : '',
    rest.snoozed && !isSnoozed(ticket, at) ? 'not snoozed' : '',
  ].filter((text) => text !== '')
}

/** Finds the tickets of a filter, or all that it names by ID. The list API filters what it can; the rest is checked here. */
export async function findTickets(
  ticketsApi: TicketsApi,
  filter: TicketFilter,
  onPage: (read: number) => void = () => {},
): Promise<Found> {
  const whose = await whoseFrom(filter, ticketsApi)
  const found = await readTickets(ticketsApi, filter, onPage)
  if (!(whose instanceof Problem) && whose !== 'not-told')
    return { ...found, rest: { ...filter.rest, ...whose }, doubts: [] }
  const said = filter.assignee ?? ''
  const of = found.tickets.find((ticket) => isWith(ticket, said))
  const rest = { ...filter.rest, assigneeId: of?.assigneeId ?? said }
  if (of) return { ...found, rest, doubts: [] }
  if (whose instanceof Problem) throw whose
  const names = [...new Set(found.tickets.flatMap(({ assigneeId, assigneeName }) => assigneeName ?? assigneeId ?? []))]
  const there = names.length === 0 ? 'no ticket has an assignee' : `assignees: ${names.slice(0, mostNamed).join(', ')}`
  return { ...found, rest, doubts: [`No ticket is assigned to ${said}; ${there}`] }
}

const mostNamed = 20

const isWith = ({ assigneeId, assigneeName }: RemoteTicket, said: string): boolean =>
  assigneeId === said || assigneeName?.toLowerCase() === said.trim().toLowerCase()

/**
 * Resolves the assignee. If the instance does not list its agents, only tickets can show them, including former agents. If
 * no ticket matches, the problem lists the known names.
 */
async function whoseFrom(
  { assignee }: TicketFilter,
  ticketsApi: TicketsApi,
): Promise<TriageFilter | Problem | 'not-told'> {
  if (assignee === undefined) return {}
  if (assignee !== 'me' && assignee !== 'none' && (await ticketsApi.agents()) === undefined) return 'not-told'
  const agent = await listedAgent(assignee, ticketsApi)
  if (agent instanceof Problem) return agent
  return agent === null ? { unassigned: true } : { assigneeId: agent.agentId }
}

async function readTickets(
  ticketsApi: TicketsApi,
  filter: TicketFilter,
  onPage: (read: number) => void,
): Promise<Omit<Found, 'rest' | 'doubts'>> {
  if (filter.ids.length > 0) {
    const tickets = new Map<string, RemoteTicket>()
    const missing = new Set<string>()
    for (const id of filter.ids) {
      const ticket = await readIfThere(ticketsApi, id)
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
  const asked = filter.statuses.map((status) => checkedStatus(status, known.codes))
  const { tickets, isWhole, statuses } =
    asked.length === 0
      ? await openTickets(ticketsApi, about, known, { onPage })
      : { ...(await allTickets(ticketsApi, queriesFor(about, asked), { onPage })), statuses: asked }
  const meant = tickets.filter((ticket) => isMeant(ticket, { ...filter, statuses }))
  return { tickets: meant, statuses, isWhole, missing: [] }
}

const queriesFor = (about: TicketListQuery, statuses: readonly string[]): TicketListQuery[] =>
  statuses.map((status) => ({ ...about, status }))

async function readIfThere(ticketsApi: TicketsApi, id: string): Promise<RemoteTicket | undefined> {
  try {
    return await ticketsApi.read(id)
  } catch (error) {
    if (isProblem(error) && error.detail['status'] === 404) return undefined
    throw error
  }
}

/** Filters locally too, because an instance may ignore a query parameter that it does not know. */
function isMeant(ticket: RemoteTicket, { statuses, formCode, customerAccount, priorities }: TicketFilter): boolean {
  if (statuses.length > 0 && !statuses.includes(ticket.status)) return false
  if (formCode !== undefined && ticket.formCode !== null && ticket.formCode !== formCode) return false
  if (customerAccount !== undefined && ticket.customerAccount !== null && ticket.customerAccount !== customerAccount)
    return false
  return priorities.length === 0 || priorities.includes(ticket.priority)
}

/** Returns the possible status codes: those of the forms if they can be read, else of the first ticket's workflow. */
export async function knownStatuses(
  ticketsApi: TicketsApi,
  about: TicketListQuery,
): Promise<KnownStatuses | undefined> {
  const forms = (await ticketsApi.forms())?.items
  if (forms) {
    const meant = about.formCode === undefined ? forms : [formNamed(about.formCode, forms)]
    const statuses = meant.flatMap((form) => form.workflow.statuses)
    const codes = [...new Set(statuses.map(({ code }) => code))]
    // A code that is done in one form and open in another is included: an extra ticket is better than a missing one.
    const open = new Set(
      statuses.filter(({ category }) => category !== 'resolved' && category !== 'closed').map(({ code }) => code),
    )
    return { codes, done: codes.filter((code) => !open.has(code)) }
  }
  const [first] = (await listTickets(ticketsApi, { formCode: about.formCode }, 1)).tickets
  return first === undefined ? undefined : ticketsApi.workflowOf(first)
}

/** Returns the form with that code, or throws with the nearest one. */
export function formNamed<F extends { readonly formCode: string }>(formCode: string, forms: readonly F[]): F {
  const form = forms.find((each) => each.formCode === formCode)
  if (form) return form
  throw noForm(
    formCode,
    forms.map((each) => each.formCode),
  )
}

/** Rejects unknown statuses and forms, because a mistyped filter would find nothing. */
export async function checkCodes(
  ticketsApi: TicketsApi,
  { status, form }: { readonly status?: string | undefined; readonly form?: string | undefined },
): Promise<void> {
  if (status === undefined && form === undefined) return
  const known = await knownStatuses(ticketsApi, { formCode: form })
  if (known) for (const each of status?.split(',') ?? []) checkedStatus(each.trim(), known.codes)
}

function noForm(formCode: string, codes: readonly string[]): Problem {
  const near = nearest(formCode, codes, 1)
  const hint = near.length > 0 ? `did you mean "${near[0]}"?` : `available forms: ${codes.join(', ')}`
  return new Problem('INVALID_USAGE', `Form "${formCode}" not found; ${hint}`, {
    formCode,
    nearest: near,
    forms: codes,
  })
}
