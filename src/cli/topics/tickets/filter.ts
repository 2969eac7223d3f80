import type { LeftOut } from '../../../domain/tickets/bulk-plan.ts'
import { isSnoozed, isWanted, type Queued, queueOf, type TriageFilter } from '../../../domain/tickets/priority.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { allTickets, listTickets } from '../../../operator/tickets/list.ts'
import { type KnownStatuses, openTickets } from '../../../operator/tickets/open-tickets.ts'
import type { DeskTicket } from '../../../operator/tickets/parse.ts'
import type { TicketDesk, TicketListQuery } from '../../../operator/tickets/tickets-api.ts'
import { nearest } from '../../../world/config/did-you-mean.ts'
import { durationMs } from '../../arguments/moments.ts'
import { Flags } from '../../framework/flags.ts'
import { listedAgent } from '../chat/agent-name.ts'
import { checkedStatus, priorityFrom } from '../chat/command.ts'
import { checkedIds } from '../chat/ids.ts'
import { priorityNames } from './view.ts'

/** Which tickets are meant, as a line of terms: `status=open form=general stale=24h needs-reply keyword="lost card"`. */

export interface TicketFilter {
  /** None: all that are not done. */
  readonly statuses: readonly string[]
  readonly formCode: string | undefined
  readonly customerAccount: string | undefined
  readonly keyword: string | undefined
  readonly priorities: readonly number[]
  /** Ids or numbers; empty: any. */
  readonly ids: readonly string[]
  readonly olderMs: number | undefined
  /** Whose they are, as it was said: a name or an id, me or none. */
  readonly assignee: string | undefined
  readonly rest: TriageFilter
}

export const filterHelp =
  'Terms of a filter, all of which must hold: status=CODE[,CODE] form=CODE account=NAME keyword="WORDS" priority=high,urgent id=12,15 older=48h stale=24h assignee=AGENT mine unassigned needs-reply reopened snoozed. An agent is named by name or id, me or none. Without status= all that are not done are meant, and none that sleeps: status=CODE,CODE means done ones too, snoozed those asleep and no others. id= means every ticket it names, done or asleep, unless another term does not hold of it; each that is left out is named with the reason.'

const withValue = ['status', 'form', 'account', 'keyword', 'priority', 'id', 'older', 'stale', 'assignee'] as const
const alone = ['mine', 'unassigned', 'needs-reply', 'reopened', 'snoozed'] as const

/** The terms people type most, as flags of their own. */
export const filterFlags = {
  'needs-reply': Flags.boolean({ summary: 'Only those whose customer waits for an answer' }),
  unassigned: Flags.boolean({ summary: 'Only those nobody has taken', exclusive: ['mine'] }),
  mine: Flags.boolean({ summary: 'Only those of the agent the profile speaks for' }),
  snoozed: Flags.boolean({ summary: 'Only those asleep, which are left out otherwise' }),
  reopened: Flags.boolean({ summary: 'Only those that were done once' }),
  stale: Flags.string({ summary: 'Only those untouched for so long', helpValue: 'DURATION' }),
}

/** What such flags say, as terms. */
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

/** Reads the terms; several lines add up. */
export function filterFrom(lines: readonly string[]): TicketFilter {
  const values = new Map<string, string>()
  const flags = new Set<string>()
  for (const term of lines.flatMap(termsIn)) {
    const at = term.indexOf('=')
    const name = at < 0 ? term : term.slice(0, at)
    const isKnown = (at < 0 ? alone : withValue).some((known) => known === name)
    if (!isKnown) throw unknownTerm(name, at >= 0)
    const value = term.slice(at + 1)
    if (at >= 0 && /^[,\s]*$/.test(value))
      throw new Problem('INVALID_USAGE', `The filter's ${name}= has nothing after it`)
    if (at < 0) flags.add(name)
    else if (values.has(name)) throw new Problem('INVALID_USAGE', `The filter says ${name}= twice`)
    else values.set(name, value)
  }
  const list = (name: string) => (values.get(name) ?? '').split(',').flatMap((each) => each.trim() || [])
  const span = (name: string) => {
    const text = values.get(name)
    const ms = text === undefined ? undefined : durationMs(text)
    if (text !== undefined && ms === undefined)
      throw new Problem('INVALID_USAGE', `The filter's ${name}= wants a duration such as 24h, not ${text}`)
    return ms
  }
  const staleMs = span('stale')
  if (flags.has('mine') && values.has('assignee'))
    throw new Problem('INVALID_USAGE', 'The filter says mine and assignee= together: say one of them')
  if (values.has('id') && values.has('keyword'))
    throw new Problem(
      'INVALID_USAGE',
      'The filter says id= and keyword=: a keyword is looked for by the instance, in all tickets',
    )
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
      ...(flags.has('snoozed') ? { snoozed: true } : values.has('id') ? { asleepToo: true } : {}),
      ...(staleMs === undefined ? {} : { staleMs }),
    },
  }
}

/** Splits at spaces that are not within double quotes, and takes the quotes off. */
function termsIn(line: string): string[] {
  if ((line.match(/"/g)?.length ?? 0) % 2 === 1)
    throw new Problem('INVALID_USAGE', `A quote in the filter is not closed: ${line}`)
  return [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([term]) => term.replaceAll('"', ''))
}

function unknownTerm(name: string, hasValue: boolean): Problem {
  const known: readonly string[] = [...withValue, ...alone]
  const isMisused = known.includes(name)
  const near = nearest(name, known, 1)[0]
  const hint = isMisused
    ? hasValue
      ? `${name} stands alone, without =`
      : `${name} wants a value: ${name}=…`
    : near === undefined
      ? `there are ${known.join(', ')}`
      : `did you mean ${near}?`
  return new Problem('INVALID_USAGE', `The filter has no term "${name}"; ${hint}`, { term: name, nearest: near })
}

export interface Found {
  readonly tickets: readonly DeskTicket[]
  /** False where the list moved whenever it was read, so that some may be missing. */
  readonly isWhole: boolean
  /** The statuses that were looked in. */
  readonly statuses: readonly string[]
  /** What is still to be looked at, whose they are among it. */
  readonly rest: TriageFilter
  /** What may be a slip of the hand, where the instance does not let it be known before. */
  readonly doubts: readonly string[]
  /** Of those named one by one, the ones there are not. */
  readonly missing: readonly string[]
}

/** What is meant of the tickets that were found, the most urgent first, and which of those named one by one are left out. */
export function meantOf(
  { tickets, missing, rest }: Found,
  asked: TicketFilter,
  at: number,
): { readonly queued: readonly Queued<DeskTicket>[]; readonly leftOut: readonly LeftOut[]; readonly asleep: number } {
  const filter = { ...asked, rest }
  const isOld = ({ createdAt }: DeskTicket) => filter.olderMs === undefined || at - createdAt >= filter.olderMs
  if (filter.ids.length === 0) {
    const { snoozed, ...awake } = filter.rest
    const either = queueOf(tickets, { ...awake, asleepToo: true }, at).filter(({ ticket }) => isOld(ticket))
    const queued = either.filter(({ ticket }) => isSnoozed(ticket, at) === (snoozed ?? false))
    return { queued, leftOut: [], asleep: snoozed ? 0 : either.length - queued.length }
  }
  const reasons = new Map(tickets.map((ticket) => [ticket, againstIt(ticket, filter, at).join(', ')]))
  return {
    queued: queueOf(
      tickets.filter((ticket) => reasons.get(ticket) === ''),
      { asleepToo: true },
      at,
    ),
    leftOut: [
      ...missing.map(
        (id): LeftOut => ({ ticketId: id, ticketNumber: null, why: 'not-found', text: 'there is no such ticket' }),
      ),
      ...[...reasons].flatMap(([ticket, text]): LeftOut[] =>
        text === '' ? [] : [{ ...nameIn(ticket), why: 'other-term', text }],
      ),
    ],
    asleep: 0,
  }
}

/** The same told to a person. */
export const leftOutText = (leftOut: readonly LeftOut[]): string =>
  `Named and left out: ${leftOut.map(({ ticketId, ticketNumber, text }) => `${ticketNumber === null ? ticketId : `#${ticketNumber}`} (${text})`).join(', ')}`

export const nameIn = ({ ticketId, ticketNumber }: DeskTicket) => ({
  ticketId,
  ticketNumber: ticketNumber === 0 ? null : ticketNumber,
})

/** Which terms do not hold of a ticket. */
function againstIt(ticket: DeskTicket, filter: TicketFilter, at: number): string[] {
  const { statuses, formCode, customerAccount, priorities, olderMs, rest } = filter
  const is = (part: Partial<TicketFilter>) => isMeant(ticket, { ...noFilter, ...part })
  const does = (part: TriageFilter) => isWanted(ticket, { asleepToo: true, ...part }, at)
  return [
    is({ statuses }) ? '' : `its status is ${ticket.status}`,
    is({ formCode }) ? '' : `its form is ${ticket.formCode}`,
    is({ customerAccount }) ? '' : `it is of ${ticket.customerAccount}`,
    is({ priorities }) ? '' : `its priority is ${priorityNames[ticket.priority - 1] ?? ticket.priority}`,
    olderMs === undefined || at - ticket.createdAt >= olderMs ? '' : 'it is not that old',
    rest.needsReply && !does({ needsReply: true }) ? 'its customer does not wait for an answer' : '',
    rest.staleMs !== undefined && !does({ staleMs: rest.staleMs }) ? 'it was touched since' : '',
    rest.unassigned && !does({ unassigned: true }) ? 'somebody has it' : '',
    rest.assigneeId !== undefined && !does({ assigneeId: rest.assigneeId })
      ? 'it is with somebody else, or nobody'
      : '',
    rest.reopened && !does({ reopened: true }) ? 'it was never reopened' : '',
    rest.snoozed && !isSnoozed(ticket, at) ? 'it is not asleep' : '',
  ].filter((text) => text !== '')
}

/** All tickets a filter means, or all that it names one by one, whatever else it says: asked for by what the document's list can be asked, the rest looked at here. */
export async function findTickets(
  desk: TicketDesk,
  filter: TicketFilter,
  onPage: (read: number) => void = () => {},
): Promise<Found> {
  const whose = await whoseFrom(filter, desk)
  const found = await readTickets(desk, filter, onPage)
  if (!(whose instanceof Problem) && whose !== 'not-told')
    return { ...found, rest: { ...filter.rest, ...whose }, doubts: [] }
  const said = filter.assignee ?? ''
  const of = found.tickets.find((ticket) => isWith(ticket, said))
  const rest = { ...filter.rest, assigneeId: of?.assigneeId ?? said }
  if (of) return { ...found, rest, doubts: [] }
  if (whose instanceof Problem) throw whose
  const names = [...new Set(found.tickets.flatMap(({ assigneeId, assigneeName }) => assigneeName ?? assigneeId ?? []))]
  const there = names.length === 0 ? 'nobody has one' : `there are ${names.slice(0, mostNamed).join(', ')}`
  return { ...found, rest, doubts: [`Nobody called ${said} has a ticket here: ${there}`] }
}

const mostNamed = 20

const isWith = ({ assigneeId, assigneeName }: DeskTicket, said: string): boolean =>
  assigneeId === said || assigneeName?.toLowerCase() === said.trim().toLowerCase()

/**
 * Whose tickets are meant; where the instance does not list its agents, only its tickets can tell. So they do of somebody it
 * does not list: who has left may have left tickets behind. Where they have none, the refusal says who there is.
 */
async function whoseFrom({ assignee }: TicketFilter, desk: TicketDesk): Promise<TriageFilter | Problem | 'not-told'> {
  if (assignee === undefined) return {}
  if (assignee !== 'me' && assignee !== 'none' && (await desk.agents()) === undefined) return 'not-told'
  const agent = await listedAgent(assignee, desk)
  if (agent instanceof Problem) return agent
  return agent === null ? { unassigned: true } : { assigneeId: agent.agentId }
}

async function readTickets(
  desk: TicketDesk,
  filter: TicketFilter,
  onPage: (read: number) => void,
): Promise<Omit<Found, 'rest' | 'doubts'>> {
  if (filter.ids.length > 0) {
    const tickets = new Map<string, DeskTicket>()
    const missing = new Set<string>()
    for (const id of filter.ids) {
      const ticket = await readIfThere(desk, id)
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
  const known = await knownStatuses(desk, about)
  if (known === undefined) return { tickets: [], statuses: filter.statuses, isWhole: true, missing: [] }
  const asked = filter.statuses.map((status) => checkedStatus(status, known.codes))
  const { tickets, isWhole, statuses } =
    asked.length === 0
      ? await openTickets(desk, about, known, { onPage })
      : { ...(await allTickets(desk, queriesFor(about, asked), { onPage })), statuses: asked }
  const meant = tickets.filter((ticket) => isMeant(ticket, { ...filter, statuses }))
  return { tickets: meant, statuses, isWhole, missing: [] }
}

const queriesFor = (about: TicketListQuery, statuses: readonly string[]): TicketListQuery[] =>
  statuses.map((status) => ({ ...about, status }))

async function readIfThere(desk: TicketDesk, id: string): Promise<DeskTicket | undefined> {
  try {
    return await desk.read(id)
  } catch (error) {
    if (isProblem(error) && error.detail['status'] === 404) return undefined
    throw error
  }
}

/** An instance that passes over a query it does not know still gives no ticket that is not meant. */
function isMeant(ticket: DeskTicket, { statuses, formCode, customerAccount, priorities }: TicketFilter): boolean {
  if (statuses.length > 0 && !statuses.includes(ticket.status)) return false
  if (formCode !== undefined && ticket.formCode !== null && ticket.formCode !== formCode) return false
  if (customerAccount !== undefined && ticket.customerAccount !== null && ticket.customerAccount !== customerAccount)
    return false
  return priorities.length === 0 || priorities.includes(ticket.priority)
}

/** The status codes tickets can have here: of the forms where they can be read, else of the first ticket's workflow. */
export async function knownStatuses(desk: TicketDesk, about: TicketListQuery): Promise<KnownStatuses | undefined> {
  const forms = (await desk.forms())?.items
  if (forms) {
    const meant = about.formCode === undefined ? forms : [formNamed(about.formCode, forms)]
    const statuses = meant.flatMap((form) => form.workflow.statuses)
    const codes = [...new Set(statuses.map(({ code }) => code))]
    // A code that is done in one form and open in another is looked in: better one ticket too many than one missed.
    const open = new Set(
      statuses.filter(({ category }) => category !== 'resolved' && category !== 'closed').map(({ code }) => code),
    )
    return { codes, done: codes.filter((code) => !open.has(code)) }
  }
  const [first] = (await listTickets(desk, { formCode: about.formCode }, 1)).tickets
  return first === undefined ? undefined : desk.workflowOf(first)
}

/** The form of that code, or the refusal that names the nearest one. */
export function formNamed<F extends { readonly formCode: string }>(formCode: string, forms: readonly F[]): F {
  const form = forms.find((each) => each.formCode === formCode)
  if (form) return form
  throw noForm(
    formCode,
    forms.map((each) => each.formCode),
  )
}

/** Refuses a status nothing can have and a form there is not: what is asked for with a slip of the hand finds nothing. */
export async function checkCodes(
  desk: TicketDesk,
  { status, form }: { readonly status?: string | undefined; readonly form?: string | undefined },
): Promise<void> {
  if (status === undefined && form === undefined) return
  const known = await knownStatuses(desk, { formCode: form })
  if (known) for (const each of status?.split(',') ?? []) checkedStatus(each.trim(), known.codes)
}

function noForm(formCode: string, codes: readonly string[]): Problem {
  const near = nearest(formCode, codes, 1)
  const hint = near.length > 0 ? `did you mean "${near[0]}"?` : `there are ${codes.join(', ')}`
  return new Problem('INVALID_USAGE', `There is no form "${formCode}"; ${hint}`, {
    formCode,
    nearest: near,
    forms: codes,
  })
}
