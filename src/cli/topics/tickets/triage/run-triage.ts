import type { BulkAction } from '../../../../domain/tickets/bulk-action.ts'
import type { Queued, Reason } from '../../../../domain/tickets/priority.ts'
import { type StakeGroup, stakeGroups, stakeText } from '../../../../domain/tickets/stake.ts'
import { realAmbient } from '../../../../kit/ambient.ts'
import { minuteText } from '../../../../kit/moment.ts'
import { Problem } from '../../../../kit/problem.ts'
import { countText, grouped, partText } from '../../../../kit/text/count-text.ts'
import {
  findTickets,
  leftOutText,
  selectTickets,
  type TicketFilter,
  type TicketSearch,
} from '../../../../operator/tickets/bulk/filter.ts'
import { endBulkAction, openBulkAction, storeBulkAction } from '../../../../operator/tickets/bulk-journal.ts'
import type { StatusCount } from '../../../../operator/tickets/open-tickets.ts'
import type { RemoteTicket } from '../../../../operator/tickets/parse.ts'
import { openRoomsApi } from '../../../../operator/tickets/rooms-api.ts'
import { openStakes, type Stakes } from '../../../../operator/tickets/stakes.ts'
import { readPhrases } from '../../../../operator/tickets/text/phrases.ts'
import { duplicatesIn, queueOf } from '../../../../operator/tickets/triage/queue.ts'
import type { CommandContext } from '../../../context/context.ts'
import { openKeyboard } from '../../../terminal/keyboard.ts'
import { manyRows } from '../../../terminal/progress.ts'
import { fold, printable } from '../../../terminal/text.ts'
import { actorName } from '../../chat/actor-name.ts'
import { undoWindowMs } from '../../chat/undo-window.ts'
import { BookServices } from '../bulk/book-services.ts'
import type { filterFlags } from '../filter-flags.ts'
import { filterFrom, termsOfFlags } from '../filter-terms.ts'
import { movedText, priorityName, ticketRow } from '../view.ts'
import { triage } from './loop.ts'

type TriageFlags = SessionFlags & {
  readonly [Name in keyof typeof filterFlags]?: boolean | string | undefined
} & {
  readonly status?: string | undefined
  readonly form?: string | undefined
  readonly filter?: readonly string[] | undefined
  readonly list?: boolean
  readonly explain?: boolean
  readonly csv?: boolean
  readonly limit?: number | undefined
}

interface SessionFlags {
  readonly wait?: string | undefined
  readonly new?: boolean
  readonly resume?: boolean
  readonly macros?: string | undefined
  readonly actor?: string | undefined
  readonly sort?: string | undefined
}

/** Maximum number of tickets in a list for people without --limit; programs get all. */
const maxListed = 100

/** Works through the queue on a terminal; elsewhere lists it. */
export async function runTriage(context: CommandContext, flags: TriageFlags) {
  const services = new BookServices(context)
  const terms = [
    ...(flags.filter ?? []),
    ...(flags.status === undefined ? [] : [`status=${flags.status}`]),
    ...(flags.form === undefined ? [] : [`form=${flags.form}`]),
    ...termsOfFlags(flags),
  ]
  const filter = filterFrom(terms)
  const isList = flags.list || context.isDryRun || context.screen.isJson || flags.csv || !context.screen.canAsk
  if (flags.resume && isList)
    throw new Problem('INVALID_USAGE', '--resume needs a terminal. To list the queue: countroom tickets triage --list')
  if (!isList) {
    await context.services.auditChanges()
    const resumed = await resume(services, flags, terms)
    if (resumed) return resumed
  }
  const isForPeople = isList && !context.screen.isJson && !context.wantsTable
  const { search, queued, groups, at, stakes } = await readQueue(services, filter, flags, isForPeople)
  const first = queued.slice(0, flags.limit ?? (isForPeople ? maxListed : undefined))
  if (isList) return listQueue(context, flags, { search, queued, groups, first, stakes, isForPeople })
  const bulk = queueOf(
    first.map(({ ticket }) => ticket),
    { planId: realAmbient().id(), madeAt: at },
  )
  return { statuses: [...search.statuses], queue: [], session: await runSession(services, bulk, flags, terms) }
}

/** Reads the tickets of a filter, most urgent first, or largest open amount first. */
async function readQueue(
  services: BookServices,
  filter: TicketFilter,
  { sort }: { readonly sort?: string | undefined },
  isForPeople: boolean,
) {
  const { context } = services
  const [ticketsApi, { now }] = await Promise.all([services.tickets(), context.services.chat()])
  const at = await now()
  // The first place can belong to the last ticket read, so people get the counts of a long queue first.
  const onCounts = isForPeople ? (counts: readonly StatusCount[]) => printCounts(context, counts) : undefined
  const search = await findTickets(ticketsApi, filter, { onCounts })
  if (!search.isWhole) context.warn(movedText)
  for (const doubt of search.doubts) context.warn(doubt)
  const { queued: urgent, leftOut } = selectTickets(search, filter, at)
  const stakes = await openStakes(await context.services.bookIfThere())
  const groups = sort === 'stake' ? stakeGroups(urgent, ({ ticket }) => stakes(ticket)) : undefined
  const queued = groups ? groups.flatMap(({ items }) => items) : urgent
  if (leftOut.length > 0) context.warn(leftOutText(leftOut))
  if (search.statuses.length > 0) context.detail(`Statuses searched: ${search.statuses.join(', ')}`)
  return { search, queued, groups, at, stakes }
}

async function printCounts(context: CommandContext, counts: readonly StatusCount[]): Promise<void> {
  const total = counts.reduce((sum, { count }) => sum + (count ?? 0), 0)
  if (total <= manyRows) return
  const parts = counts.filter(({ count }) => count !== 0).map(({ status, count }) => `${status} ${grouped(count ?? 0)}`)
  context.log(`${countText(total, 'ticket')} to sort: ${parts.join(', ')}`)
  context.log()
  await context.flush()
}

/** Lists the queue, with the tickets that each may duplicate. */
function listQueue(
  context: CommandContext,
  flags: TriageFlags,
  {
    search,
    queued,
    groups,
    first,
    stakes,
    isForPeople,
  }: {
    readonly search: TicketSearch
    readonly queued: readonly Queued<RemoteTicket>[]
    /** The queue by currency; undefined in another order. */
    readonly groups: readonly StakeGroup<Queued<RemoteTicket>>[] | undefined
    readonly first: readonly Queued<RemoteTicket>[]
    readonly stakes: Stakes
    /** True for the table with its headings and notes; programs get every field of the same rows. */
    readonly isForPeople: boolean
  },
) {
  const firstTickets = first.map(({ ticket }) => ticket)
  // The table for people does not show them, and comparing with a long queue takes as long as reading it.
  const duplicates = isForPeople ? [] : duplicatesIn(firstTickets, search.tickets)
  if (duplicates === undefined)
    context.warn(
      `Skipped the search for duplicates: comparing ${first.length} with ${search.tickets.length} tickets is too slow. Narrow it with --limit or --filter`,
    )
  const queue = first.map(({ ticket, score, reasons }, i) => ({
    ...ticketRow(ticket),
    score,
    reasons: [...reasons],
    stake: stakes(ticket),
    duplicateOf: duplicates?.[i] ?? [],
  }))
  const rows = queue.map((row) => ({
    ...row,
    atStake: row.stake === null ? '' : stakeText(row.stake),
    why: row.reasons.map((reason) => reasonText(reason, { isForPeople, isExplained: flags.explain })).join(', '),
    suspect: row.duplicateOf[0]?.ticketId ?? null,
  }))
  const columns: Parameters<CommandContext['table']>[1] = [
    { key: 'score', kind: 'count', keep: true },
    { key: 'ticketNumber', title: 'number', kind: 'count', keep: true },
    'status',
    { key: 'priority', show: priorityName },
    { key: 'title', keep: true, least: readable },
    ...(!isForPeople || queue.some(({ stake }) => stake !== null) ? [atStake] : []),
    { key: 'why', keep: true, least: readable },
    ...(isForPeople ? [] : ['ticketId', 'suspect', 'updatedAt']),
  ]
  if (groups && isForPeople && rows.length > 0) printGroups(context, groups, rows, columns)
  else context.table(rows, columns, 'No tickets in the queue.')
  if (queued.length > first.length) context.footnote(`Showing ${partText(first.length, queued.length, 'ticket')}`)
  else if (queue.length > 0) context.footnote(countText(queue.length, 'ticket'))
  return { statuses: [...search.statuses], queue, session: null }
}

/** Width at which titles and reasons take two or three lines; on a narrower screen other columns are dropped. */
const readable = 22

const atStake = { key: 'atStake', title: 'at stake', keep: true }

/** Formats a reason: with its points on request, and in few words for people, who see its column next to it. */
function reasonText(
  { kind, points, text }: Reason,
  { isForPeople, isExplained }: { readonly isForPeople: boolean; readonly isExplained: boolean | undefined },
): string {
  if (isExplained) return `${points} ${text}`
  if (!isForPeople) return text
  return kind === 'needs-reply' ? 'needs reply' : text.replace(/^priority /, '')
}

/** Prints the queue by stake with a heading for each currency, because amounts of different ones are not compared. */
function printGroups(
  context: CommandContext,
  groups: readonly StakeGroup<Queued<RemoteTicket>>[],
  rows: readonly object[],
  columns: Parameters<CommandContext['table']>[1],
): void {
  let at = 0
  const hidden: string[] = []
  for (const { currency, items } of groups) {
    const part = rows.slice(at, at + items.length)
    const name = currency ?? (currency === null ? 'Unknown currency' : 'No amount known')
    const count = countText(items.length, 'ticket')
    if (part.length === 0) hidden.push(`${name} (${count})`)
    else {
      if (at > 0) context.log()
      const order = currency === undefined ? 'most urgent first' : 'largest amount first'
      const shown = part.length < items.length ? `, showing ${part.length}` : ''
      const heading = printable(`${name}: ${count}, ${order}${shown}`)
      context.text(({ paint }) => `${paint('bold', heading)}\n`)
      context.table(part, currency === undefined ? columns.filter((column) => column !== atStake) : columns)
    }
    at += part.length
  }
  if (hidden.length > 0) context.footnote(`Not shown: ${hidden.join(', ')}`)
}

/** Name of a queue: its filter, and its order unless that is urgency. Queues of another order are others. */
const orderOf = (terms: readonly string[], { sort }: SessionFlags): string =>
  JSON.stringify(sort === 'stake' ? [...terms, 'sort=stake'] : terms)

/** Resumes an unfinished session with the same filter. Returns undefined if there is none, or with `--new`. */
async function resume(services: BookServices, flags: SessionFlags, terms: readonly string[]) {
  const { context } = services
  const [{ access }, book] = await Promise.all([context.services.chat(), services.book()])
  const queue = { target: access.target, order: orderOf(terms, flags) }
  await services.lockQueue(queue, flags.wait)
  const saved = await openBulkAction(book, { kind: 'triage', ...queue })
  if (!saved && flags.resume)
    throw new Problem('PLAN_NOT_FOUND', 'No unfinished session with this filter. To start a new one, omit --resume')
  if (!saved) return undefined
  if (flags.new) {
    await endBulkAction(book, saved.bulk.planId)
    return undefined
  }
  context.note(`Resuming the session of ${minuteText(saved.row.made_at)} (to start a new one, pass --new)`)
  return { statuses: [], queue: [], session: await runSession(services, saved.bulk, flags, terms) }
}

/** Runs a session on the terminal, and prints its summary. */
async function runSession(services: BookServices, bulk: BulkAction, flags: SessionFlags, terms: readonly string[]) {
  const { context } = services
  const phrases = await readPhrases(context.settings.paths.config, flags.macros)
  const [{ access, now }, book, clients, ticketsApi] = await Promise.all([
    context.services.chat(),
    services.book(),
    services.clients(),
    services.tickets(),
  ])
  if (bulk.items.length > 0)
    await storeBulkAction(book, bulk, { kind: 'triage', target: access.target, order: orderOf(terms, flags) })
  const keyboard = openKeyboard(process.stdin, process.stderr)
  context.closeLater(() => keyboard.close())
  const actor = await actorName(context, flags.actor)
  const summary = await triage({
    ticketsApi,
    rooms: openRoomsApi(clients),
    book,
    queue: bulk,
    target: access.target,
    keyboard,
    phrases,
    actor,
    audit: await services.audit(bulk.planId, actor),
    width: () => context.screen.width(),
    stop: services.stop,
    makeId: realAmbient().id,
    now,
    stakes: await openStakes(book),
    print: (text) => context.note(fold(printable(text), context.screen.width())),
    undoWindowMs,
  })
  keyboard.close()
  services.failIfLockLost(`${countText(summary.left, 'ticket is', 'tickets are')} left`)
  context.fields(summary)
  if (summary.decided > 0) context.footnote(`To undo this session: countroom tickets undo --session ${bulk.planId}`)
  services.printAudit(bulk.planId)
  return { sessionId: bulk.planId, audit: services.auditOf(bulk.planId), ...summary }
}
