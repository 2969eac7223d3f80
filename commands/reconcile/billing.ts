import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { problemOf } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { outFile, writeOut } from '../../src/cli/terminal/out-file.ts'
import { tableText } from '../../src/cli/terminal/table.ts'
import { keepFindingsIn, openBreaksSchema } from '../../src/cli/topics/reconcile/record-breaks.ts'
import { formatUsd, isUsdAmount, parseUsd } from '../../src/domain/money.ts'
import type { FoundBreak } from '../../src/domain/reconcile/breaks.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { Book } from '../../src/operator/book/book.ts'
import type { BillResult } from '../../src/operator/reconcile/billing/schema.ts'
import type { CasinoIdentity } from '../../src/world/clients/casino.ts'

const monthFlag = (summary: string) => Flags.string({ summary, helpValue: 'YYYY-MM' })

export default class ReconcileBilling extends CountroomCommand {
  static override summary = 'Reconcile the bill: daily usage, monthly charges, statements and credit'
  static override description = [
    'Compares the usage of each UTC day with the charges of its statement. Each statement must add up and open with the closing balance of the previous one. Each daily table fee must be pro rata of the table price, to the cent. The current credit must not be lower than the last statement and the usage since then give.',
    'The verdict is balanced, differences or inconclusive. It is inconclusive if there is no statement yet, the last one is late, or usage for charged days is missing. Months that started midway, tables added or removed and partial days are explained and are no differences.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile billing',
    {
      command: 'countroom reconcile billing --report bill.html --csv bill.csv',
      description: 'Write an HTML report and a CSV file',
    },
    { command: 'countroom reconcile billing --from 2026-01 --to 2026-03', description: 'Reconcile one quarter' },
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive'] as const
  static override files = [
    'the book (COUNTROOM_BOOK), if it exists: breaks are recorded in it',
    '--report, --csv: written atomically; existing files only with --force',
  ]
  static override completes = { report: 'files', csv: 'files', book: 'files' }
  static override flags = {
    from: monthFlag('First month (default: the oldest statement)'),
    to: monthFlag('Last month; skips the check of the current credit (default: the newest statement)'),
    'table-price': Flags.string({
      summary: 'Price of a table per month, if you agreed on another one',
      default: '100',
      helpValue: 'USD',
    }),
    report: Flags.string({
      summary: 'HTML report to write, with the charges of each day',
      helpValue: 'FILE.html',
    }),
    csv: Flags.string({ summary: 'CSV file to write, with every compared figure', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite existing --report and --csv files' }),
    ...bookFlag,
  }
  static override data = (shapes: Shapes) => {
    const { Type, billing } = shapes
    const file = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      ...billing.BillResult.properties,
      files: Type.Object({ report: file, csv: file }),
      breaks: openBreaksSchema(shapes),
    })
  }

  override async run() {
    const { flags } = await this.parse(ReconcileBilling)
    const [from, to] = [checkedMonth(flags.from), checkedMonth(flags.to)]
    if (from !== undefined && to !== undefined && to < from) throw new Problem('INVALID_USAGE', '--to is before --from')
    const price = flags['table-price']
    if (!isUsdAmount(price) || price.startsWith('-'))
      throw new Problem('INVALID_USAGE', '--table-price must be US dollars with at most 6 decimals')
    const files = { report: outFile(flags.report, flags.force), csv: outFile(flags.csv, flags.force) }
    if (files.report !== null && files.report === files.csv)
      throw new Problem('INVALID_USAGE', '--report and --csv must name different files')
    const { casino: platform, casinoAccess: tenant, now } = await this.services.casino()
    const book = await this.#bookToNoteIn(tenant)
    const { reconcileBilling } = await import('../../src/operator/reconcile/billing/reconcile.ts')
    const progress = this.progress('Reading usage')
    const onMonth = (read: number, of: number, period: string) => progress.update(read, `${period}, ${read} of ${of}`)
    const bill = await reconcileBilling(
      { platform, now, signal: this.stop, onMonth },
      { tenant, from, to, tablePrice: parseUsd(price) },
    ).finally(() => progress.end())
    const { result } = bill
    if (files.csv !== null) {
      const { billCsv } = await import('../../src/operator/reconcile/billing/csv.ts')
      writeOut(files.csv, await billCsv(bill))
    }
    if (files.report !== null) {
      const { billingPage } = await import('../../src/operator/report/billing-page.ts')
      writeOut(files.report, billingPage({ bill, madeBy: `countroom ${this.config.version}` }))
    }
    await this.#tell(result)
    const findings = { found: breaksOf(result), looked: [{ kind: 'billing' as const, covers: coveredBy(result) }] }
    const warn = (text: string) => void this.warn(text)
    const breaks = book ? await keepFindingsIn(book, 'reconcile billing', findings, warn) : []
    return { ...result, files, breaks }
  }

  /** Opens the book if it exists. A book of another tenant, or one that cannot be opened, only causes a warning. */
  async #bookToNoteIn(tenant: CasinoIdentity): Promise<Book | undefined> {
    const { openBookIfThere } = await import('../../src/world/clients/book-location.ts')
    try {
      const book = await openBookIfThere(this.settings, this.profile, tenant)
      if (book) this.closeLater(() => book.close())
      return book
    } catch (error) {
      const { code, message } = problemOf(error)
      this.warn(`Breaks will not be recorded in the book: ${message} (${code})`)
      return undefined
    }
  }

  async #tell(result: BillResult): Promise<void> {
    const { billText } = await import('../../src/operator/reconcile/billing/messages.ts')
    const { paintOut: paint, width } = this.screen
    this.log(paint(['bold', colours[result.verdict]], billText(result)))
    this.#list('Differences', result.findings)
    this.#list('Reasons for an inconclusive result', result.reasons)
    if (result.months.length > 0) {
      const amount = (key: string, title: string) => ({ key, title, kind: 'amount' as const })
      const columns = [
        { key: 'period', title: 'month' },
        amount('openingUsd', 'opening'),
        amount('chargesUsd', 'charges'),
        amount('paymentsUsd', 'payments'),
        amount('closingUsd', 'closing'),
        amount('usageUsd', 'usage'),
        amount('differenceUsd', 'off'),
      ]
      this.log()
      this.log(tableText(result.months, columns, { width: width(), paint, hasHeader: true }).trimEnd())
    }
    const { since } = result
    if (since !== null)
      this.log(
        `\nSince then: USD ${since.chargesUsd} charged, USD ${since.paymentsUsd} paid, USD ${since.balanceUsd} of credit.`,
      )
    this.#list('Explanations', result.explanations)
    const periods = [...new Set(result.findings.map(({ period }) => period))]
    if (result.verdict === 'differences')
      this.endWith('DIFFERENCES', `The bill does not add up in ${periods.join(', ')}`, { periods })
    else if (result.verdict === 'cannot-conclude')
      this.endWith('CANNOT_CONCLUDE', result.reasons.map(({ message }) => message).join('. '))
  }

  #list(title: string, items: readonly { readonly message: string }[]): void {
    if (items.length === 0) return
    this.log()
    this.log(this.screen.paintOut('bold', title))
    for (const { message } of items) this.log(`- ${message}`)
  }
}

/** Returns one break for each finding of a month or a day. */
function breaksOf({ findings }: BillResult): FoundBreak[] {
  return findings.map(({ code, period, day, stated, computed, message }) => ({
    kind: 'billing',
    subject: `${day ?? period} ${code}`,
    date: day ?? period,
    player: null,
    currency: 'USD',
    amount: stated !== null && computed !== null ? differenceText(stated, computed) : null,
    message,
    fingerprint: JSON.stringify([stated, computed]),
    detail: { code, period, day, stated, computed },
  }))
}

function differenceText(stated: string, computed: string): string | null {
  return isUsdAmount(stated) && isUsdAmount(computed) ? formatUsd(parseUsd(stated) - parseUsd(computed)) : null
}

/** Months that this run checked with a conclusive result. */
function coveredBy({ verdict, months }: BillResult): (row: { date: string | null }) => boolean {
  const periods = new Set(verdict === 'cannot-conclude' ? [] : months.map(({ period }) => period))
  return ({ date }) => date !== null && periods.has(date.slice(0, 7))
}

const colours = { balanced: 'green', differences: 'red', 'cannot-conclude': 'yellow' } as const

function checkedMonth(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9]{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new Problem('INVALID_USAGE', `"${text.slice(0, 40)}" is not a month; expected YYYY-MM`)
}
