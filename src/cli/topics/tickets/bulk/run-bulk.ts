import type { LeftOut, TriagePlan } from '../../../../domain/tickets/bulk-plan.ts'
import { minuteText } from '../../../../kit/moment.ts'
import { quoted } from '../../../../kit/shell-quote.ts'
import { countText } from '../../../../kit/text/count-text.ts'
import type { ItemResult } from '../../../../operator/tickets/apply-plan.ts'
import { leftOutText } from '../../../../operator/tickets/bulk/filter.ts'
import { type PlanFile, publicTexts } from '../../../../operator/tickets/bulk/plan-file.ts'
import { bulkReport } from '../../../../operator/tickets/bulk/report.ts'
import { endPlan, keepPlan, openPlan } from '../../../../operator/tickets/plan-journal.ts'
import { readPhrasebook, refuseGuarded } from '../../../../operator/tickets/text/phrasebook.ts'
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
  const book = await readPhrasebook(context.settings.paths.config, flags.macros)
  const change = await changeFrom(services, flags, book)
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
  for (const { ticketId, content } of publicTexts(planned.plan))
    refuseGuarded(content, book, flags['allow-guard'] ?? [], `Ticket ${ticketId}: `)
  return flags.apply ? applyNew(run, planned) : preview(run, planned, out)
}

const titlesOf = ({ tickets }: PlannedBulk): ReadonlyMap<string, string> =>
  new Map(tickets.map((ticket) => [ticket.ticketId, ticket.title]))

/** Prints the changes, and writes them to the file of `--out`. */
async function preview({ services, flags, target, order }: BulkRun, planned: PlannedBulk, out: string | null) {
  const { context } = services
  const { plan, leftOut } = planned
  if (out !== null) writePlan(out, { schemaVersion: 1, kind: 'countroom ticket plan', target, order, plan })
  const report = bulkReport(plan, undefined, { resumed: false, out, audit: null, titles: titlesOf(planned), leftOut })
  await printReport(services, report)
  const tickets = countText(plan.items.length, 'ticket')
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
  const { tickets, plan } = planned
  await confirmTexts(services.context, publicTexts(plan, tickets), flags.yes)
  if (plan.items.length > 0) await keepPlan(await services.book(), plan, { kind: 'bulk', target, order })
  const results = await applyBulk(services, plan, {
    actor: flags.actor,
    fresh: new Map(tickets.map((ticket) => [ticket.ticketId, ticket])),
    newCommand: run.newCommand,
  })
  return reportApplied(run, plan, results, { resumed: false, titles: titlesOf(planned), leftOut: planned.leftOut })
}

/** Resumes the same bulk action after an interrupted run. Returns undefined if there is none, or with `--new`. */
async function resumeBulk(run: BulkRun) {
  const { services, flags, target, order } = run
  const { context } = services
  await services.lock(flags.wait)
  const book = await services.book()
  const savedPlan = await openPlan(book, { kind: 'bulk', target, order })
  if (!savedPlan) return undefined
  if (flags.new) {
    await endPlan(book, savedPlan.plan.planId)
    return undefined
  }
  const since = minuteText(savedPlan.row.made_at)
  context.note(`Resuming the unfinished bulk action of ${since} (to start a new one, pass --new)`)
  const { plan } = savedPlan
  const leftOut = plan.leftOut ?? []
  if (leftOut.length > 0) context.warn(leftOutText(leftOut))
  const results = await applyBulk(services, plan, { actor: flags.actor, newCommand: run.newCommand })
  return reportApplied(run, plan, results, { resumed: true, titles: new Map(), leftOut })
}

async function reportApplied(
  { services }: BulkRun,
  plan: TriagePlan,
  results: readonly ItemResult[],
  about: {
    readonly resumed: boolean
    readonly titles: ReadonlyMap<string, string>
    readonly leftOut: readonly LeftOut[]
  },
) {
  const report = bulkReport(plan, results, { ...about, out: null, audit: services.auditOf(plan.planId) })
  await printReport(services, report)
  if (isAllDone(plan, results)) failIfMissing(services.context, about.leftOut, plan.items.length)
  return report
}

const isAllDone = ({ items }: TriagePlan, results: readonly ItemResult[]): boolean =>
  results.length === items.length && results.every(({ outcome }) => outcome === 'applied' || outcome === 'no-op')

/** A named ticket that does not exist is usually a typing error. The others are changed, and the exit code is not 0. */
function failIfMissing(context: CommandContext, leftOut: readonly LeftOut[], itemCount: number): void {
  const missing = leftOut.filter(({ why }) => why === 'not-found').map(({ ticketId }) => ticketId)
  if (missing.length === 0) return
  const message = `Not found: ${missing.length === 1 ? 'ticket' : 'tickets'} ${missing.join(', ')}`
  if (itemCount === 0) context.endWith('TICKET_NOT_FOUND', message, { missing })
  else context.endWith('BATCH_PARTLY', message, { category: 'partial', missing })
}

/** The file has customer data and texts, so only this user may read it. */
function writePlan(path: string, plan: PlanFile): void {
  writeWhole(path, `${JSON.stringify(plan, null, 2)}\n`, { file: 0o600, folder: 0o700 })
}
