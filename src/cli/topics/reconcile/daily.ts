import { type DayRule, dayBases, documentedRule, parseDayRule } from '../../../domain/reconcile/day-rules.ts'
import type { Day } from '../../../domain/time/day.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText, partText } from '../../../kit/text/count-text.ts'
import type { Book } from '../../../operator/book/book.ts'
import { keepDays, type RecordedDays } from '../../../operator/reconcile/breaks/record.ts'
import { dayRuleWord, keepDayRule, shownRule } from '../../../operator/reconcile/daily/day-rule.ts'
import { daysOfRange } from '../../../operator/reconcile/daily/days.ts'
import { type Reconciled, reconcileDays as reconcileAll } from '../../../operator/reconcile/daily/reconcile-day.ts'
import { type DaysVerdict, verdictCategories, verdictOfDays } from '../../../operator/reconcile/daily/verdict.ts'
import { bookUrlOf } from '../../../world/clients/book-location.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { warnOfClock } from '../../context/clock-warning.ts'
import type { CommandContext } from '../../context/context.ts'
import { noBook } from '../../context/no-book.ts'
import { checkDay, dayFrom } from '../../framework/day.ts'
import { exitOf, problemOf } from '../../outcome/exit-codes.ts'
import { printDays } from './daily-view.ts'
import { notifyingOfBreaks } from './notify-of-breaks.ts'
import { checkOutputFiles, outputFiles } from './output-files.ts'
import { restatedPeriods } from './periods/restated-periods.ts'

interface DailyFlags {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly report: string | undefined
  readonly csv: string | undefined
  readonly force: boolean
  readonly trace: boolean
  readonly keep: boolean
  readonly 'trace-pages': number
  readonly 'day-rule': string | undefined
}

/** Clients and book of a run, with the platform's time at its start. */
interface DailyRun {
  readonly book: Book
  readonly clients: Clients
  readonly now: number
  /** Rule of --day-rule. */
  readonly rule: DayRule | undefined
}

/** Reconciles a day or each day of a range, writes the files, and records the verdict and the breaks. */
export async function reconcileDays(context: CommandContext, date: string | undefined, flags: DailyFlags) {
  checkDays(date, flags)
  checkOutputFiles(flags)
  const book = await openBookOfDays(context)
  const clients = await context.services.casino()
  const { timezone } = clients.casinoAccess
  const run = { book, clients, now: await clients.now(), rule: dayRuleFrom(flags['day-rule'], timezone) }
  const dates = datesFrom(date, flags, run.now, timezone)
  const files = outputFiles(flags, {
    job: context.words,
    tenant: clients.casinoAccess.companyCode,
    date: [...new Set([dates.at(0), dates.at(-1)])].join('_'),
  })
  const days = await compareDays(context, run, dates, flags)
  warnOfClock(context, clients, dayWords(date, flags))
  if (files.report !== null || files.csv !== null) {
    // Loaded only for those who ask for files: the report and its plots are a third of what a run loads.
    const { writeDailyFiles } = await import('./daily-files.ts')
    await writeDailyFiles({ book: await context.services.book(), days, madeAt: run.now, madeBy: context.tool }, files)
  }
  const results = days.map(({ result }) => result)
  printDays(context, results)
  const verdict = verdictOfDays(results)
  conclude(context, verdict, results.length)
  const record = flags.keep ? await recordDays(context, run, days, verdict) : null
  const [first] = results
  const whole =
    flags.from === undefined ? { ...first } : { timezone, from: dates.at(0), to: dates.at(-1), days: results }
  return { ...whole, verdict: verdict.verdict, files, kept: record }
}

function checkDays(date: string | undefined, { from, to }: DailyFlags): void {
  if (date !== undefined && from !== undefined)
    throw new Problem('INVALID_USAGE', 'Pass either DATE, or a range with --from and --to')
  for (const text of [date, from, to]) if (text !== undefined) checkDay(text)
}

/** Returns the days as they were typed, or their defaults. */
function dayWords(date = 'yesterday', { from, to = 'yesterday' }: Pick<DailyFlags, 'from' | 'to'>): string[] {
  return from === undefined ? [date] : [...new Set([from, to])]
}

/** Returns the requested days in order. */
function datesFrom(date: string | undefined, flags: DailyFlags, now: number, zone: string): Day[] {
  const [from = 'yesterday', to = from] = dayWords(date, flags)
  const first = dayFrom(from, now, zone)
  return flags.from === undefined ? [first] : daysOfRange(first, dayFrom(to, now, zone))
}

/** Opens the existing book. It is never created here: a mistyped path would give a new, empty book. */
async function openBookOfDays({ services, settings, profile }: CommandContext): Promise<Book> {
  const book = await services.bookIfThere()
  if (!book) throw noBook('CANNOT_CONCLUDE', bookUrlOf(settings, profile), settings)
  return book
}

async function compareDays(
  context: CommandContext,
  { book, clients, now, rule }: DailyRun,
  dates: readonly Day[],
  { trace, 'trace-pages': tracePages }: DailyFlags,
): Promise<Reconciled[]> {
  const isRange = dates.length > 1
  const progress = context.progress(
    `Reconciling ${dates[0]}${isRange ? ` to ${dates.at(-1)}` : ''}`,
    isRange ? dates.length : undefined,
  )
  const { casino: platform, casinoAccess: tenant } = clients
  let done = 0
  const onStep = (step: string) => progress.update(done, step)
  const onDay = (count: number) => {
    done = count
  }
  try {
    const days = await reconcileAll(
      { platform, book, now: () => now, signal: context.stop, onStep },
      dates.map((date) => ({ date, tenant, trace, tracePages, rule })),
      onDay,
    )
    return days.map((day) => ({ ...day, result: context.screen.complete(day.result) }))
  } finally {
    progress.end(`${partText(done, dates.length, 'day')} compared`)
  }
}

/** Sets the exit code by the worst day. */
function conclude(context: CommandContext, { verdict, dates, isStale }: DaysVerdict, count: number): void {
  const named = dates.length > 3 ? partText(dates.length, count, 'day') : dates.join(', ')
  const detail = { verdict, dates }
  if (isStale)
    context.endWith('STALE', `The book is out of date for ${named}. Run first: countroom bets sync --out bets`, detail)
  else if (verdict === 'differences') context.endWith('DIFFERENCES', `Differences found on ${named}`, detail)
  else if (verdict === 'cannot-conclude') context.endWith('CANNOT_CONCLUDE', `Inconclusive for ${named}`, detail)
}

/** Returns the rule of --day-rule in the tenant's time zone, unless it names another. */
function dayRuleFrom(text: string | undefined, timezone: string): DayRule | undefined {
  if (text === undefined) return undefined
  const rule = text === 'documented' ? documentedRule(timezone) : parseDayRule(text, timezone)
  if (rule) return rule
  throw new Problem(
    'INVALID_PARAMETER',
    `--day-rule ${JSON.stringify(text.slice(0, 60))} must be documented, or ${dayBases.join(', ')}, with @ and a time zone if it is not the tenant's: each-revision@UTC`,
    { remoteCode: null },
  )
}

/** Records the result. A failure is a warning and does not change the verdict: the book may be read-only for this user. */
async function recordDays(
  context: CommandContext,
  { book, clients, rule }: DailyRun,
  days: readonly Reconciled[],
  { verdict }: DaysVerdict,
): Promise<(RecordedDays & { dayRule: string | null }) | null> {
  try {
    const run = { id: realAmbient().id(), who: context.words, exit: exitOf(verdictCategories[verdict]) }
    const { timezone } = clients.casinoAccess
    const shown = shownRule(days, rule)
    const dates = [...new Set([days.at(0), days.at(-1)])].map((day) => day?.result.date).join(' to ')
    const ruleFlag = shown === null ? '' : `--day-rule ${dayRuleWord(shown.rule, timezone)}`
    await context.services.auditChanges(dates, ruleFlag)
    const record = await notifyingOfBreaks(context, book, () => keepDays(book, run, days))
    const dayRule = shown === null ? null : await keepDayRule(book, shown, { by: context.words, timezone })
    if (dayRule !== null)
      context.footnote(
        dayRule === 'documented'
          ? 'Forgot the remembered day boundary: slips count by first settlement again'
          : `Remembered the day boundary ${dayRule}: the next run compares by it. To forget it: countroom reconcile daily ${days.at(-1)?.result.date} --day-rule documented`,
      )
    await restatedPeriods(context, book)
    const open = record.breaks.filter(({ state }) => state === 'open').length
    if (open > 0)
      context.footnote(`Recorded ${countText(open, 'break')}. To list them: countroom reconcile breaks list`)
    return { ...record, dayRule }
  } catch (error) {
    const { code, message } = problemOf(error)
    context.warn(`Could not record the result in the book: ${message} (${code})`)
    return null
  }
}
