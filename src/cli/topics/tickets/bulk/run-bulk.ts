import type { BulkAction, SkippedTicket } from '../../../../domain/tickets/bulk-action.ts'
import { minuteText } from '../../../../kit/moment.ts'
import { quoted } from '../../../../kit/shell-quote.ts'
import { countText } from '../../../../kit/text/count-text.ts'
import type { ItemResult } from '../../../../operator/tickets/apply-bulk-action.ts'
import { type BulkFile, publicTexts } from '../../../../operator/tickets/bulk/bulk-file.ts'
import { leftOutText } from '../../../../operator/tickets/bulk/filter.ts'
import { bulkReport } from '../../../../operator/tickets/bulk/report.ts'
import { endBulkAction, openBulkAction, storeBulkAction } from '../../../../operator/tickets/bulk-journal.ts'
import { readPhrases, refuseGuarded } from '../../../../operator/tickets/text/phrases.ts'
import { writeWhole } from '../../../../world/config/atomic-write.ts'
import type { CommandContext } from '../../../context/context.ts'
import { outFile } from '../../../terminal/out-file.ts'
import { filterFrom } from '../filter-terms.ts'
import { applyBulk } from './apply-bulk.ts'
import { BookServices } from './book-services.ts'
import { type ChangeFlags, changeFrom, orderText, refuseEmptyFilter, termsWithIds } from './bulk-change.ts'
import { newBulkCommand } from './incomplete.ts'
import { type PlannedBulk, planBulk } from './plan-bulk.ts'
import { confirmTexts, printReport } from './print-report.ts'

interface BulkFlags extends ChangeFlags {
  readonly filter: readonly string[]
  readonly macros?: string | undefined
  readonly 'allow-guard'?: readonly string[] | undefined
  readonly apply?: boolean
  readonly new?: boolean
  readonly limit?: number | undefined
  readonly out?: string | undefined
  readonly force?: boolean
  readonly actor?: string | undefined
  readonly wait?: string | undefined
  readonly yes: boolean
}

/** A bulk action on its target, with the flags of the run. */
interface BulkRun {
  readonly services: BookServices
  readonly flags: BulkFlags
  readonly target: string
  readonly order: string
  /** Command that starts a new bulk action like this one. */
  readonly newCommand: string
}

/** Previews a bulk action, writes it to a file, or applies it. */
export async function runBulk(context: CommandContext, flags: BulkFlags, argv: readonly string[]) {
  const services = new BookServices(context)
  refuseEmptyFilter(flags.filter)
  const out = context.isDryRun ? null : outFile(flags.out, flags.force === true)
  const terms = await termsWithIds(flags.filter)
  const filter = filterFrom(terms)
  const phrases = await readPhrases(context.settings.paths.config, flags.macros)
  const change = await changeFrom(services, flags, phrases)
  const { access } = await context.services.chat()
  const run: BulkRun = {
    services,
    flags,
    target: access.target,
    order: orderText(terms, flags),
    newCommand: newBulkCommand(argv),
  }
  if (flags.apply) {
    const resumed = await resumeBulk(run)
    if (resumed) return resumed
  }
  const planned = await planBulk(services, filter, change, flags.limit)
  for (const { ticketId, content } of publicTexts(planned.bulk))
    refuseGuarded(content, phrases, flags['allow-guard'] ?? [], `Ticket ${ticketId}: `)
  return flags.apply ? applyNew(run, planned) : preview(run, planned, out)
}

const titlesOf = ({ tickets }: PlannedBulk): ReadonlyMap<string, string> =>
  new Map(tickets.map((ticket) => [ticket.ticketId, ticket.title]))

/** Prints the changes, and writes them to the file of `--out`. */
async function preview({ services, flags, target, order }: BulkRun, planned: PlannedBulk, out: string | null) {
  const { context } = services
  const { bulk, leftOut } = planned
  if (out !== null) writeBulkFile(out, { schemaVersion: 1, kind: 'countroom ticket plan', target, order, plan: bulk })
  const report = bulkReport(bulk, undefined, { resumed: false, out, audit: null, titles: titlesOf(planned), leftOut })
  await printReport(services, report)
  const tickets = countText(bulk.items.length, 'ticket')
  context.footnote(
    out === null
      ? `${tickets} would change; nothing was written. To make the changes, add --apply`
      : `Wrote a bulk action for ${tickets} to ${out}. To make the changes: countroom tickets apply ${quoted(flags.out ?? '')}`,
  )
  failIfMissing(context, leftOut, report.counts.tickets)
  return report
}

/** Confirms, stores and applies a new bulk action. */
async function applyNew(run: BulkRun, planned: PlannedBulk) {
  const { services, flags, target, order } = run
  const { tickets, bulk } = planned
  await confirmTexts(services.context, publicTexts(bulk, tickets), flags.yes)
  if (bulk.items.length > 0) await storeBulkAction(await services.book(), bulk, { kind: 'bulk', target, order })
  const results = await applyBulk(services, bulk, {
    actor: flags.actor,
    fresh: new Map(tickets.map((ticket) => [ticket.ticketId, ticket])),
    newCommand: run.newCommand,
  })
  return reportApplied(run, bulk, results, { resumed: false, titles: titlesOf(planned), leftOut: planned.leftOut })
}

/** Resumes the same bulk action after an interrupted run. Returns undefined if there is none, or with `--new`. */
async function resumeBulk(run: BulkRun) {
  const { services, flags, target, order } = run
  const { context } = services
  await services.lock(flags.wait)
  const book = await services.book()
  const saved = await openBulkAction(book, { kind: 'bulk', target, order })
  if (!saved) return undefined
  if (flags.new) {
    await endBulkAction(book, saved.bulk.planId)
    return undefined
  }
  const since = minuteText(saved.row.made_at)
  context.note(`Resuming the unfinished bulk action of ${since} (to start a new one, pass --new)`)
  const { bulk } = saved
  const leftOut = bulk.leftOut ?? []
  if (leftOut.length > 0) context.warn(leftOutText(leftOut))
  const results = await applyBulk(services, bulk, { actor: flags.actor, newCommand: run.newCommand })
  return reportApplied(run, bulk, results, { resumed: true, titles: new Map(), leftOut })
}

async function reportApplied(
  { services }: BulkRun,
  bulk: BulkAction,
  results: readonly ItemResult[],
  about: {
    readonly resumed: boolean
    readonly titles: ReadonlyMap<string, string>
    readonly leftOut: readonly SkippedTicket[]
  },
) {
  const report = bulkReport(bulk, results, { ...about, out: null, audit: services.auditOf(bulk.planId) })
  await printReport(services, report)
  if (isAllDone(bulk, results)) failIfMissing(services.context, about.leftOut, bulk.items.length)
  return report
}

const isAllDone = ({ items }: BulkAction, results: readonly ItemResult[]): boolean =>
  results.length === items.length && results.every(({ outcome }) => outcome === 'applied' || outcome === 'no-op')

/** A named ticket that does not exist is usually a typing error. The others are changed, and the exit code is not 0. */
function failIfMissing(context: CommandContext, leftOut: readonly SkippedTicket[], itemCount: number): void {
  const missing = leftOut.filter(({ why }) => why === 'not-found').map(({ ticketId }) => ticketId)
  if (missing.length === 0) return
  const message = `Not found: ${missing.length === 1 ? 'ticket' : 'tickets'} ${missing.join(', ')}`
  if (itemCount === 0) context.endWith('TICKET_NOT_FOUND', message, { missing })
  else context.endWith('BATCH_PARTLY', message, { category: 'partial', missing })
}

/** The file has customer data and texts, so only this user may read it. */
function writeBulkFile(path: string, bulk: BulkFile): void {
  writeWhole(path, `${JSON.stringify(bulk, null, 2)}\n`, { file: 0o600, folder: 0o700 })
}
