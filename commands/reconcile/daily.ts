import { warnOfClock } from '../../src/cli/context/clock-warning.ts'
import { noBook } from '../../src/cli/context/no-book.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { checkDay, dayFrom } from '../../src/cli/framework/day.ts'
import { Args, bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { type Category, exitOf, problemOf } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { outFile, writeOut } from '../../src/cli/terminal/out-file.ts'
import { tableText } from '../../src/cli/terminal/table.ts'
import { printable } from '../../src/cli/terminal/text.ts'
import { type Verdict, worstVerdict } from '../../src/domain/reconcile/daily.ts'
import { type Day, daysBetween } from '../../src/domain/time/day.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { Book } from '../../src/operator/book/book.ts'
import type { KeptDays } from '../../src/operator/reconcile/breaks/record.ts'
import type { Reconciled } from '../../src/operator/reconcile/daily/reconcile-day.ts'
import type { DayResult } from '../../src/operator/reconcile/daily/schema.ts'
import type { Block } from '../../src/operator/reconcile/daily/terminal-view.ts'
import type { Clients } from '../../src/world/clients/casino.ts'

/** Maximum number of days in a range; more is taken for a typing error. */
const mostDays = 400

const dateForm = "YYYY-MM-DD, today or yesterday, in the tenant's time zone"

export default class ReconcileDaily extends CountroomCommand {
  static override summary = "Reconcile a day: the platform's summary against the book"
  static override description = [
    "The day is in the tenant's time zone, and has 23 or 25 hours when the clocks change. A slip counts on the day of its first settlement, with its highest revision. Voided slips count only in the number of slips.",
    'The verdict is balanced, differences or inconclusive. Equal figures are inconclusive if the summary has the maximum of 1,000 players, the day is not over, the book does not cover the whole day, or the platform may have deleted bets of the day. A difference that none of these explains is reported as a difference.',
    'If figures differ, the records of the day are read from the platform again and compared with the book, to name the slips. Nothing is changed on either side.',
  ].join('\n\n')
  static override examples = [
    { command: 'countroom reconcile daily', description: "Yesterday, in the tenant's time zone" },
    {
      command: 'countroom reconcile daily 2026-03-29 --report day.html --csv day.csv',
      description: 'Write an HTML report and a CSV file of all figures',
    },
    {
      command: 'countroom reconcile daily --from 2026-03-01 --to 2026-03-31',
      description: 'Reconcile a month; the worst day decides the exit code',
    },
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive'] as const
  static override files = [
    'the book (COUNTROOM_BOOK): bets are read; verdict and breaks are recorded',
    '--report, --csv: written atomically; existing files only with --force',
  ]
  static override args = {
    date: Args.string({ description: `${dateForm} (default: yesterday)` }),
  }
  static override flags = {
    from: Flags.string({
      summary: 'First day of a range; each day gets its own verdict',
      helpValue: 'DATE',
    }),
    to: Flags.string({
      summary: 'Last day of the range (default: yesterday)',
      helpValue: 'DATE',
      dependsOn: ['from'],
    }),
    ...bookFlag,
    report: Flags.string({
      summary: 'HTML report to write, with verdict, differences and plots',
      helpValue: 'FILE.html',
    }),
    csv: Flags.string({ summary: 'CSV file to write, one row per player and figure', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite existing --report and --csv files' }),
    trace: Flags.boolean({
      summary: 'Read the records of the platform again if figures differ, to name the slips',
      default: true,
      allowNo: true,
    }),
    keep: Flags.boolean({
      summary: 'Record the verdict and the breaks in the book',
      default: true,
      allowNo: true,
    }),
    'trace-pages': Flags.integer({
      summary: 'Maximum number of pages of 1,000 records per day',
      default: 200,
      min: 1,
      max: 100_000,
      helpValue: 'N',
    }),
  }
  static override data = ({ Type, daily }: Shapes) => {
    const file = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      ...Type.Partial(daily.DayResult).properties,
      verdict: daily.DayResult.properties.verdict,
      timezone: daily.DayResult.properties.timezone,
      files: Type.Object({ report: file, csv: file }),
      kept: Type.Union(
        [
          Type.Object({
            runId: Type.String(),
            breaks: Type.Array(Type.Object({ id: Type.String(), state: Type.String(), isNew: Type.Boolean() })),
            cleared: Type.Array(Type.String()),
          }),
          Type.Null(),
        ],
        { description: 'What was recorded in the book. Null with --no-keep, or if recording failed.' },
      ),
      from: Type.Optional(
        Type.String({
          description: 'With --from, like to and days. Each entry of days then has the fields of a single day.',
        }),
      ),
      to: Type.Optional(Type.String()),
      days: Type.Optional(Type.Array(daily.DayResult)),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ReconcileDaily)
    if (args.date !== undefined && flags.from !== undefined)
      throw new Problem('INVALID_USAGE', 'Pass either DATE, or a range with --from and --to')
    for (const text of [args.date, flags.from, flags.to]) if (text !== undefined) checkDay(text)
    const files = checkedFiles(flags)
    const book = await this.#openBook()
    const clients = await this.services.casino()
    const now = await clients.now()
    const { timezone } = clients.casinoAccess
    const dates = datesOf({ ...flags, date: args.date }, now, timezone)
    const days = await this.#reconcile({ book, clients, now }, dates, flags)
    const { date = 'yesterday', from, to = 'yesterday' } = { ...flags, ...args }
    warnOfClock(this, clients, from === undefined ? [date] : [...new Set([from, to])])
    await this.#write(book, days, { ...files, now })
    const results = days.map(({ result }) => result)
    await this.#tell(results)
    const [first] = results
    const verdict = this.#conclude(results)
    const kept = flags.keep ? await this.#keep(book, days, verdict) : null
    const isRange = flags.from !== undefined
    const whole = isRange ? { timezone, from: dates.at(0), to: dates.at(-1), days: results } : { ...first }
    return { ...whole, verdict, files, kept }
  }

  /** Opens the existing book. It is never created here: a mistyped path would give a new, empty book. */
  async #openBook(): Promise<Book> {
    const [{ bookUrlOf, isBookThere }, { openBook }] = await Promise.all([
      import('../../src/world/clients/book-location.ts'),
      import('../../src/operator/book/book.ts'),
    ])
    const url = bookUrlOf(this.settings, this.profile)
    if (!isBookThere(this.settings, this.profile)) throw noBook('CANNOT_CONCLUDE', url, this.settings)
    const book = await openBook(url)
    this.closeLater(() => book.close())
    return book
  }

  async #reconcile(
    { book, clients, now }: { book: Book; clients: Clients; now: number },
    dates: readonly Day[],
    flags: { trace: boolean; 'trace-pages': number },
  ): Promise<Reconciled[]> {
    const { reconcileDays } = await import('../../src/operator/reconcile/daily/reconcile-day.ts')
    const isRange = dates.length > 1
    const progress = this.progress(
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
      const days = await reconcileDays(
        { platform, book, now: () => now, signal: this.stop, onStep },
        dates.map((date) => ({ date, tenant, trace: flags.trace, tracePages: flags['trace-pages'] })),
        onDay,
      )
      return days.map((day) => ({ ...day, result: this.screen.complete(day.result) }))
    } finally {
      progress.end(`${done} of ${dates.length} ${dates.length === 1 ? 'day' : 'days'} compared`)
    }
  }

  /** A failure to record is a warning and does not change the verdict: the book may be read-only for this user. */
  async #keep(book: Book, days: readonly Reconciled[], verdict: Verdict): Promise<KeptDays | null> {
    const [{ keepDays }, { realAmbient }] = await Promise.all([
      import('../../src/operator/reconcile/breaks/record.ts'),
      import('../../src/kit/ambient.ts'),
    ])
    try {
      const run = { id: realAmbient().id(), who: 'reconcile daily', exit: exitOf(categoryOfVerdict[verdict]) }
      const kept = await keepDays(book, run, days)
      const open = kept.breaks.filter(({ state }) => state === 'open').length
      if (open > 0)
        this.footnote(
          `Recorded ${open === 1 ? '1 break' : `${open} breaks`}. To list them: countroom reconcile breaks list`,
        )
      return kept
    } catch (error) {
      const { code, message } = problemOf(error)
      this.warn(`Could not record the result in the book: ${message} (${code})`)
      return null
    }
  }

  async #write(book: Book, days: readonly Reconciled[], { report, csv, now }: Files & { now: number }): Promise<void> {
    if (report === null && csv === null) return
    if (csv !== null) {
      const { reconciliationCsv } = await import('../../src/operator/reconcile/daily/csv.ts')
      writeOut(csv, await reconciliationCsv(days))
    }
    const [first, last] = [days[0]?.result, days.at(-1)?.result]
    if (report === null || !first || !last) return
    const [{ reportPage }, { daysAround }] = await Promise.all([
      import('../../src/operator/report/daily-page.ts'),
      import('../../src/operator/bets/slips-by-day.ts'),
    ])
    const range = { day: first.date, lastDay: last.date, zone: first.timezone }
    const around = await book.store.read((reader) => daysAround(reader, range))
    const madeBy = `countroom ${this.config.version}`
    writeOut(report, reportPage({ days, around, madeAt: now, madeBy }))
  }

  async #tell(results: readonly DayResult[]): Promise<void> {
    const { dayBlocks, rangeBlock } = await import('../../src/operator/reconcile/daily/terminal-view.ts')
    const isRange = results.length > 1
    if (isRange) this.#print(rangeBlock(results))
    for (const day of results) {
      if (isRange && day.verdict === 'balanced') continue
      for (const [i, block] of dayBlocks(day).entries()) {
        if (i > 0 || isRange) this.log()
        this.#print(block)
      }
    }
    for (const day of results) for (const warning of day.warnings) this.warn(`${day.date}: ${warning}`)
  }

  #print(block: Block): void {
    const { paintOut: paint, width } = this.screen
    if (block.kind === 'verdict') {
      this.log(paint(['bold', colours[block.verdict]], printable(block.text)))
      return
    }
    if (block.title !== '') this.log(paint('bold', block.title))
    if (block.kind === 'list') {
      for (const [i, line] of block.lines.entries())
        this.log(`${block.isNumbered ? `${i + 1}.` : '-'} ${printable(line)}`)
      return
    }
    this.log(tableText(block.rows, block.columns, { width: width(), paint, hasHeader: true }).trimEnd())
    if (block.more > 0)
      this.log(`${block.more} more ${block.more === 1 ? 'row' : 'rows'}: see --json, --csv or --report`)
  }

  /** Sets the exit code by the worst day. */
  #conclude(results: readonly DayResult[]): Verdict {
    const verdict = worstVerdict(results.map((day) => day.verdict))
    const dates = results.filter((day) => day.verdict === verdict).map(({ date }) => date)
    const isStale = results.every((day) => day.verdict !== 'differences' || day.stale)
    const about = dates.length > 3 ? `${dates.length} of ${results.length} days` : dates.join(', ')
    if (verdict === 'differences' && isStale)
      this.endWith('STALE', `The book is out of date for ${about}. Run first: countroom bets sync --out DIR`, {
        verdict,
        dates,
      })
    else if (verdict === 'differences') this.endWith('DIFFERENCES', `Differences found on ${about}`, { verdict, dates })
    else if (verdict === 'cannot-conclude')
      this.endWith('CANNOT_CONCLUDE', `Inconclusive for ${about}`, { verdict, dates })
    return verdict
  }
}

const categoryOfVerdict = {
  balanced: 'ok',
  differences: 'differences',
  'cannot-conclude': 'inconclusive',
} as const satisfies Record<Verdict, Category>

const colours = { balanced: 'green', differences: 'red', 'cannot-conclude': 'yellow' } as const

interface Files {
  readonly report: string | null
  readonly csv: string | null
}

function checkedFiles(flags: { report?: string | undefined; csv?: string | undefined; force: boolean }): Files {
  const [report, csv] = [outFile(flags.report, flags.force), outFile(flags.csv, flags.force)]
  if (report !== null && report === csv)
    throw new Problem('INVALID_USAGE', '--report and --csv must name different files')
  return { report, csv }
}

/** Returns the requested days in order. */
function datesOf(
  asked: { date: string | undefined; from?: string | undefined; to?: string | undefined },
  now: number,
  zone: string,
): Day[] {
  const { from, to = 'yesterday', date = 'yesterday' } = asked
  if (from === undefined) return [dayFrom(date, now, zone)]
  const dates = daysBetween(dayFrom(from, now, zone), dayFrom(to, now, zone))
  if (dates.length === 0) throw new Problem('INVALID_USAGE', '--to is before --from')
  if (dates.length > mostDays) throw new Problem('INVALID_USAGE', `A range has at most ${mostDays} days`)
  return dates
}
