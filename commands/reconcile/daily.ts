import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { checkDay, dayFrom } from '../../src/cli/framework/day.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { type Category, exitOf, problemOf } from '../../src/cli/outcome/exit-codes.ts'
import { outFile, writeOut } from '../../src/cli/terminal/out-file.ts'
import { tableText } from '../../src/cli/terminal/table.ts'
import { printable } from '../../src/cli/terminal/text.ts'
import { bookFlag } from '../../src/cli/topics/wallet/transfer-command.ts'
import { type Verdict, worstVerdict } from '../../src/domain/reconcile/daily.ts'
import { type Day, daysBetween } from '../../src/domain/time/day.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { Book } from '../../src/operator/book/book.ts'
import type { KeptDays } from '../../src/operator/reconcile/breaks/record.ts'
import type { Reconciled } from '../../src/operator/reconcile/daily/reconcile-day.ts'
import type { DayResult } from '../../src/operator/reconcile/daily/schema.ts'
import type { Block } from '../../src/operator/reconcile/daily/terminal-view.ts'
import type { Clients } from '../../src/world/clients/casino.ts'

/** A range of more days than that is a slip of the hand. */
const mostDays = 400

const dateForm = "YYYY-MM-DD, today or yesterday, in the tenant's zone"

export default class ReconcileDaily extends CountroomCommand {
  static override summary = "Prove that a day adds up: the platform's summary against the book, figure by figure"
  static override description = [
    "The day is in the tenant's zone, 23 or 25 hours long where the clocks change. A slip counts on the day of its first settlement, by its highest revision; voided slips count in the number of slips only.",
    'The verdict is balanced, differences, or cannot conclude. Even equal figures prove nothing when the summary is full at 1,000 players, when the day is not over, when the book was not read past its end or begins within it, or when the platform may have removed bets of it. A difference that none of this can account for counts as one all the same.',
    "Where figures differ, the platform's records of the day are read again and compared with the book's, so that the slips concerned are named. Nothing is changed on either side.",
  ].join('\n\n')
  static override examples = [
    { command: 'countroom reconcile daily', description: "Yesterday in the tenant's zone" },
    {
      command: 'countroom reconcile daily 2026-03-29 --report day.html --csv day.csv',
      description: 'With a page to look at, and every figure compared',
    },
    {
      command: 'countroom reconcile daily --from 2026-03-01 --to 2026-03-31',
      description: 'A month; the worst day decides the exit code',
    },
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive'] as const
  static override files = [
    'the book (COUNTROOM_BOOK): its bets are read and not changed; the verdict and the differences are noted in it',
    '--report, --csv: written whole or not at all, over a file that is there only with --force',
  ]
  static override args = {
    date: Args.string({ description: `${dateForm}; yesterday when none is named` }),
  }
  static override flags = {
    from: Flags.string({
      summary: 'The first day of a range, each with a verdict of its own',
      helpValue: 'DATE',
    }),
    to: Flags.string({
      summary: 'The last day of the range; yesterday when none is named',
      helpValue: 'DATE',
      dependsOn: ['from'],
    }),
    ...bookFlag,
    report: Flags.string({
      summary: 'Write a self-contained page with the verdict, the differences and plots',
      helpValue: 'FILE.html',
    }),
    csv: Flags.string({ summary: 'Write every figure compared, a row per player and field', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite the files of --report and --csv' }),
    trace: Flags.boolean({
      summary: "Read the platform's records again where figures differ, to name the slips",
      default: true,
      allowNo: true,
    }),
    keep: Flags.boolean({
      summary: 'Note the verdict and the differences in the book',
      default: true,
      allowNo: true,
    }),
    'trace-pages': Flags.integer({
      summary: 'At most so many pages of 1,000 records for a day',
      default: 200,
      min: 1,
      max: 100_000,
      helpValue: 'N',
    }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const { DayResult } = await import('../../src/operator/reconcile/daily/schema.ts')
    const file = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      ...Type.Partial(DayResult).properties,
      verdict: DayResult.properties.verdict,
      timezone: DayResult.properties.timezone,
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
        { description: 'What was noted in the book; null with --no-keep, or where it could not be.' },
      ),
      from: Type.Optional(
        Type.String({
          description: 'With --from, as to and days: the fields of a single day are then in each of days',
        }),
      ),
      to: Type.Optional(Type.String()),
      days: Type.Optional(Type.Array(DayResult)),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ReconcileDaily)
    if (args.date !== undefined && flags.from !== undefined)
      throw new Problem('INVALID_USAGE', 'Name one DATE, or a range with --from and --to, not both')
    for (const text of [args.date, flags.from, flags.to]) if (text !== undefined) checkDay(text)
    const files = checkedFiles(flags)
    const book = await this.#openBook()
    const clients = await this.clients()
    const now = await clients.now()
    const { timezone } = clients.casinoAccess
    const dates = datesOf({ ...flags, date: args.date }, now, timezone)
    const days = await this.#reconcile({ book, clients, now }, dates, flags)
    const { date = 'yesterday', from, to = 'yesterday' } = { ...flags, ...args }
    await this.warnOfClock(clients, from === undefined ? [date] : [...new Set([from, to])])
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

  /** The book as it is. Where there is none, none is made: a typo would be a new, empty book. */
  async #openBook(): Promise<Book> {
    const [{ bookUrlOf, isBookThere }, { openBook }, { withoutPassword }] = await Promise.all([
      import('../../src/world/clients/book-location.ts'),
      import('../../src/operator/book/book.ts'),
      import('../../src/db/engines/database-name.ts'),
    ])
    const url = bookUrlOf(this.settings, this.profile)
    if (!isBookThere(this.settings, this.profile)) {
      const shown = withoutPassword(url)
      throw new Problem('CANNOT_CONCLUDE', `There is no book at ${shown}: "countroom bets sync" makes one`, {
        book: shown,
      })
    }
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
      return await reconcileDays(
        { platform, book, now: () => now, signal: this.stop, onStep },
        dates.map((date) => ({ date, tenant, trace: flags.trace, tracePages: flags['trace-pages'] })),
        onDay,
      )
    } finally {
      progress.end(`${done} of ${dates.length} ${isRange ? 'days' : 'day'} compared`)
    }
  }

  /** What could not be noted is said, and takes nothing from the verdict: the book may be one that this user may only read. */
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
        this.footnote(`Noted as ${open === 1 ? 'a break' : `${open} breaks`}: "countroom reconcile breaks list"`)
      return kept
    } catch (error) {
      const { code, message } = problemOf(error)
      this.warn(`What was found could not be noted in the book: ${message} (${code})`)
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
    if (block.more > 0) this.log(`${block.more} more rows: see --json, --csv or --report`)
  }

  /** How the run ends, by the worst of its days. */
  #conclude(results: readonly DayResult[]): Verdict {
    const verdict = worstVerdict(results.map((day) => day.verdict))
    const dates = results.filter((day) => day.verdict === verdict).map(({ date }) => date)
    const isStale = results.every((day) => day.verdict !== 'differences' || day.stale)
    const about = dates.length > 3 ? `${dates.length} of ${results.length} days` : dates.join(', ')
    if (verdict === 'differences' && isStale)
      this.endWith('STALE', `The book is out of date for ${about}: sync, then reconcile again`, { verdict, dates })
    else if (verdict === 'differences')
      this.endWith('DIFFERENCES', `Differences were found on ${about}`, { verdict, dates })
    else if (verdict === 'cannot-conclude')
      this.endWith('CANNOT_CONCLUDE', `Nothing can be concluded about ${about}`, { verdict, dates })
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
  if (report !== null && report === csv) throw new Problem('INVALID_USAGE', '--report and --csv name the same file')
  return { report, csv }
}

/** The days that are meant, in their order. */
function datesOf(
  asked: { date: string | undefined; from?: string | undefined; to?: string | undefined },
  now: number,
  zone: string,
): Day[] {
  const { from, to = 'yesterday', date = 'yesterday' } = asked
  if (from === undefined) return [dayFrom(date, now, zone)]
  const dates = daysBetween(dayFrom(from, now, zone), dayFrom(to, now, zone))
  if (dates.length === 0) throw new Problem('INVALID_USAGE', 'The range ends before it begins')
  if (dates.length > mostDays) throw new Problem('INVALID_USAGE', `A range has at most ${mostDays} days`)
  return dates
}
