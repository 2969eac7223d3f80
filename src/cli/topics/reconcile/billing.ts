import { isUsdAmount, parseUsd } from '../../../domain/money.ts'
import { dayOf } from '../../../domain/time/day.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import { billFindings } from '../../../operator/reconcile/billing/breaks.ts'
import { billCsv } from '../../../operator/reconcile/billing/csv.ts'
import { billText } from '../../../operator/reconcile/billing/messages.ts'
import { reconcileBilling } from '../../../operator/reconcile/billing/reconcile.ts'
import type { BillResult } from '../../../operator/reconcile/billing/schema.ts'
import { billingPage } from '../../../operator/report/billing-page.ts'
import { openBookIfThere } from '../../../world/clients/book-location.ts'
import type { CasinoIdentity } from '../../../world/clients/casino.ts'
import type { CommandContext } from '../../context/context.ts'
import { problemOf } from '../../outcome/exit-codes.ts'
import { writeOut } from '../../terminal/out-file.ts'
import { endedAfter } from '../../terminal/progress.ts'
import { tableText } from '../../terminal/table.ts'
import { checkOutputFiles, outputFiles } from './output-files.ts'
import { recordFindings } from './record-findings.ts'
import { reportSources } from './report-sources.ts'
import { verdictColors } from './verdict-colors.ts'

interface BillingFlags {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly 'table-price': string
  readonly report: string | undefined
  readonly csv: string | undefined
  readonly force: boolean
}

/** Reconciles the bill of the months, writes the files, and records the findings. */
export async function reconcileBill(context: CommandContext, flags: BillingFlags) {
  const options = optionsFrom(flags)
  checkOutputFiles(flags)
  const { casino: platform, casinoAccess: tenant, now } = await context.services.casino()
  const date = dayOf(await now(), tenant.timezone)
  const files = outputFiles(flags, { job: context.words, tenant: tenant.companyCode, date })
  const book = await bookForBreaks(context, tenant)
  const progress = context.progress('Reading usage')
  const onMonth = (read: number, of: number, period: string) => progress.update(read, `${period}, ${read} of ${of}`)
  const work = { platform, now, signal: context.stop, onMonth }
  const bill = await endedAfter(progress, reconcileBilling(work, { tenant, ...options }))
  const { result } = bill
  const csv = files.csv === null ? '' : await billCsv(bill)
  if (files.csv !== null) writeOut(files.csv, csv)
  if (files.report !== null) {
    const sources = await reportSources(undefined, null, {
      path: files.csv,
      text: csv,
      content: 'figures of this report',
    })
    writeOut(files.report, billingPage({ bill, sources, madeBy: context.tool }))
  }
  printBill(context, result)
  conclude(context, result)
  const breaks = book ? await recordFindings(context, book, billFindings(result)) : []
  return { ...result, files, breaks }
}

function optionsFrom(flags: BillingFlags) {
  const [from, to] = [checkedMonth(flags.from), checkedMonth(flags.to)]
  if (from !== undefined && to !== undefined && to < from) throw new Problem('INVALID_USAGE', '--to is before --from')
  const price = flags['table-price']
  if (!isUsdAmount(price) || price.startsWith('-'))
    throw new Problem('INVALID_USAGE', '--table-price must be US dollars with at most 6 decimals')
  return { from, to, tablePrice: parseUsd(price) }
}

function checkedMonth(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9]{4}-(0[1-9]|1[0-2])$/.test(text)) return text
  throw new Problem('INVALID_USAGE', `"${text.slice(0, 40)}" is not a month; expected YYYY-MM`)
}

/** Opens the book if it exists. A book of another tenant, or one that cannot be opened, only causes a warning. */
async function bookForBreaks(context: CommandContext, tenant: CasinoIdentity): Promise<Book | undefined> {
  try {
    const book = await openBookIfThere(context.settings, context.profile, tenant)
    if (book) context.closeLater(() => book.close())
    return book
  } catch (error) {
    const { code, message } = problemOf(error)
    context.warn(`Breaks will not be recorded in the book: ${message} (${code})`)
    return undefined
  }
}

function printBill(context: CommandContext, result: BillResult): void {
  const { paintOut: paint, tableWidth } = context.screen
  context.log(paint(['bold', verdictColors[result.verdict]], billText(result)))
  printList(context, 'Differences', result.findings)
  printList(context, 'Reasons for an inconclusive result', result.reasons)
  if (result.months.length > 0) {
    context.log()
    context.log(tableText(result.months, monthColumns, { width: tableWidth(), paint, hasHeader: true }).trimEnd())
  }
  const { since } = result
  if (since !== null)
    context.log(
      `\nSince then: USD ${since.chargesUsd} charged, USD ${since.paymentsUsd} paid, USD ${since.balanceUsd} of credit.`,
    )
  printList(context, 'Explanations', result.explanations)
}

const amountColumn = (key: string, title: string) => ({ key, title, kind: 'amount' as const })

const monthColumns = [
  { key: 'period', title: 'month' },
  amountColumn('openingUsd', 'opening'),
  amountColumn('chargesUsd', 'charges'),
  amountColumn('paymentsUsd', 'payments'),
  amountColumn('closingUsd', 'closing'),
  amountColumn('usageUsd', 'usage'),
  amountColumn('differenceUsd', 'off'),
]

function printList(context: CommandContext, title: string, items: readonly { readonly message: string }[]): void {
  if (items.length === 0) return
  context.log()
  context.log(context.screen.paintOut('bold', title))
  for (const { message } of items) context.log(`- ${message}`)
}

/** Sets the exit code by the verdict. */
function conclude(context: CommandContext, { verdict, findings, reasons }: BillResult): void {
  const periods = [...new Set(findings.map(({ period }) => period))]
  if (verdict === 'differences')
    context.endWith('DIFFERENCES', `The bill does not add up in ${periods.join(', ')}`, { periods })
  else if (verdict === 'cannot-conclude')
    context.endWith('CANNOT_CONCLUDE', reasons.map(({ message }) => message).join('. '))
}
