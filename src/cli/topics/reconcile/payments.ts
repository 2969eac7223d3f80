import { findingKinds } from '../../../domain/reconcile/payments.ts'
import { dayOf } from '../../../domain/time/day.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { countText } from '../../../kit/text/count-text.ts'
import type { ListRange } from '../../../operator/callbacks/list-payments.ts'
import { paymentFindings } from '../../../operator/reconcile/payments/breaks.ts'
import { findingsCsv } from '../../../operator/reconcile/payments/csv.ts'
import { ordersFromCsv } from '../../../operator/reconcile/payments/orders-csv.ts'
import {
  type PaymentsReconciled,
  reconcilePayments as reconcileAll,
} from '../../../operator/reconcile/payments/reconcile.ts'
import { paymentsPage } from '../../../operator/report/payments-page.ts'
import { momentFrom } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { writeOut } from '../../terminal/out-file.ts'
import { readBytes } from '../../terminal/read-input.ts'
import { checkOutputFiles, outputFiles } from './output-files.ts'
import { recordFindings } from './record-findings.ts'
import { reportSources } from './report-sources.ts'

interface PaymentsFlags {
  readonly orders: string | undefined
  readonly since: string | undefined
  readonly until: string | undefined
  readonly 'min-age': number
  readonly report: string | undefined
  readonly csv: string | undefined
  readonly force: boolean
}

/** Reconciles the payments of the gateway, writes the files, and records the findings. */
export async function reconcilePayments(context: CommandContext, flags: PaymentsFlags) {
  checkOutputFiles(flags)
  const range = { from: isoFrom(flags.since), to: isoFrom(flags.until) }
  const ordersFile = flags.orders === undefined ? undefined : await readBytes(flags.orders)
  const orders = ordersFile === undefined ? undefined : await ordersFromCsv(ordersFile)
  const book = await context.services.bookIfThere()
  const { gateway, now } = await context.services.gateway()
  const date = dayOf(await now(), 'UTC')
  const files = outputFiles(flags, { job: context.words, tenant: context.profile.name, date })
  const progress = context.progress('Reading payments')
  const result = await reconcileAll({
    source: gateway,
    book,
    orders,
    range,
    before: (await now()) - flags['min-age'] * 1000,
    onChecked: (count) => progress.update(count),
  })
  progress.end(`${countText(result.payments, 'payment')} read`)
  const csv = files.csv === null ? '' : await findingsCsv(result.findings)
  if (files.csv !== null) writeOut(files.csv, csv)
  if (files.report !== null) {
    const sources = [
      ...(ordersFile === undefined
        ? []
        : [{ name: flags.orders ?? '', content: 'orders', sha256: sha256Hex(ordersFile) }]),
      ...(await reportSources(book && (await context.services.book()), null, {
        path: files.csv,
        text: csv,
        content: 'findings of this report',
      })),
    ]
    const page = { result, sources, range: rangeText(range), madeAt: await now(), madeBy: context.tool }
    writeOut(files.report, paymentsPage(page))
  }
  const breaks = book ? await recordFindings(context, book, paymentFindings(result, range)) : []
  return { ...conclude(context, result, range), files, breaks }
}

const isoFrom = (text: string | undefined) =>
  text === undefined ? undefined : new Date(momentFrom(text)).toISOString()

/** Prints the findings, and sets the exit code by the verdict. */
function conclude(context: CommandContext, { ofOrders: _, ...result }: PaymentsReconciled, range: ListRange) {
  const { verdict, findings, doubts, payments } = result
  const counted = findingKinds.map((kind) => [kind, findings.filter((each) => each.kind === kind).length] as const)
  const counts = Object.fromEntries(counted)
  context.table(
    findings.map((each) => ({ ...each })),
    ['kind', 'paymentId', 'orderId', 'message', 'expected', 'found'],
    payments === 0 ? noPaymentsText(range) : `${countText(payments, 'payment')}, no findings.`,
  )
  for (const doubt of doubts) context.warn(doubt)
  const countTexts = counted.filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`)
  if (verdict === 'differences') context.endWith('DIFFERENCES', `Differences found: ${countTexts.join(', ')}`, counts)
  if (verdict === 'cannot-conclude') context.endWith('CANNOT_CONCLUDE', `Inconclusive: ${doubts.join('; ')}`)
  return { ...result, counts }
}

function noPaymentsText(range: ListRange): string {
  const { from, to } = range
  if (from === undefined && to === undefined) return 'The gateway has no payments, so none was compared.'
  const limits = [from && `at or after ${from}`, to && `before ${to}`].filter(Boolean).join(' and ')
  return `The gateway has no payments created ${limits}, so none was compared.`
}

function rangeText({ from, to }: ListRange): string {
  if (from === undefined && to === undefined) return 'All payments'
  // For midnight the date is enough.
  const short = (text: string | undefined) => text?.replace('T00:00:00.000Z', '')
  return ['Payments', from && `since ${short(from)}`, to && `until ${short(to)}`].filter(Boolean).join(' ')
}
