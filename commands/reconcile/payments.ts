import { momentFrom } from '../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { outFile, writeOut } from '../../src/cli/terminal/out-file.ts'
import { readBytes } from '../../src/cli/terminal/read-input.ts'
import { keepFindingsIn, openBreaksSchema } from '../../src/cli/topics/reconcile/record-breaks.ts'
import type { FoundBreak } from '../../src/domain/reconcile/breaks.ts'
import { findingKinds } from '../../src/domain/reconcile/payments.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { ListRange } from '../../src/operator/callbacks/list-payments.ts'
import type { PaymentsReconciled } from '../../src/operator/reconcile/payments/reconcile.ts'

export default class ReconcilePayments extends CountroomCommand {
  static override summary = 'Reconcile the payments of the gateway with received IPNs and your orders'
  static override description = [
    'Reads the whole payment list of the gateway. A payment is "missing" if no IPN of it arrived, "stale" if only older ones arrived, "underpaid" or "overpaid" if the amount differs from the amount due. An IPN without a payment, or money without an order, is "unknown". "countroom ipn heal" delivers missing and stale IPNs.',
    'The orders are a CSV file with the columns order_id, amount, currency and optionally paid (yes or no). Each order is compared with its finished payments: their sum, and whether it counts as paid.',
    'The verdict is balanced, differences or inconclusive. Without a book, or while IPNs may still be on their way, no differences means inconclusive. Nothing is changed on any side.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile payments',
    {
      command:
        'countroom reconcile payments --since 2026-03-01 --orders orders.csv --report payments.html --csv findings.csv',
      description: 'Compare with the orders, and write a report',
    },
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive'] as const
  static override files = [
    'the book (COUNTROOM_BOOK): IPNs are read; breaks are recorded',
    '--report, --csv: written atomically; existing files only with --force',
  ]
  static override completes = { orders: 'files', report: 'files', csv: 'files', book: 'files' }
  static override flags = {
    orders: Flags.string({ summary: 'CSV file of your orders, or - for stdin', helpValue: 'FILE|-' }),
    since: Flags.string({ summary: 'Created at or after this time', helpValue: 'ISO' }),
    until: Flags.string({ summary: 'Created before this time', helpValue: 'ISO' }),
    'min-age': Flags.integer({
      summary: 'Seconds after a change during which a missing IPN is not reported',
      default: 60,
      min: 0,
      max: 86_400,
      helpValue: 'S',
    }),
    report: Flags.string({
      summary: 'HTML report to write, with verdict and findings',
      helpValue: 'FILE.html',
    }),
    csv: Flags.string({ summary: 'CSV file to write, one row per finding', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite existing --report and --csv files' }),
    ...bookFlag,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const text = Type.Union([Type.String(), Type.Null()])
    const finding = Type.Object({
      kind: Type.Enum([...findingKinds]),
      paymentId: text,
      orderId: text,
      message: Type.String(),
      expected: text,
      found: text,
    })
    return Type.Object({
      verdict: Type.Enum(['balanced', 'differences', 'cannot-conclude']),
      payments: Type.Integer(),
      callbacks: Type.Integer(),
      orders: Type.Union([Type.Integer(), Type.Null()]),
      counts: Type.Object(Object.fromEntries(findingKinds.map((kind) => [kind, Type.Integer()]))),
      findings: Type.Array(finding),
      doubts: Type.Array(Type.String()),
      files: Type.Object({ report: text, csv: text }),
      breaks: openBreaksSchema(shapes),
    })
  }

  override async run() {
    const { flags } = await this.parse(ReconcilePayments)
    const [csv, report] = [outFile(flags.csv, flags.force), outFile(flags.report, flags.force)]
    if (csv !== null && csv === report)
      throw new Problem('INVALID_USAGE', '--report and --csv must name different files')
    const iso = (text: string | undefined) =>
      text === undefined ? undefined : new Date(momentFrom(text)).toISOString()
    const range = { from: iso(flags.since), to: iso(flags.until) }
    const [{ ordersFromCsv }, { reconcilePayments }] = await Promise.all([
      import('../../src/operator/reconcile/payments/orders-csv.ts'),
      import('../../src/operator/reconcile/payments/reconcile.ts'),
    ])
    const orders = flags.orders === undefined ? undefined : await ordersFromCsv(await readBytes(flags.orders))
    const book = await this.services.bookIfThere()
    const clients = await this.services.gateway()
    const progress = this.progress('Reading payments')
    const result = await reconcilePayments({
      source: clients.gateway,
      book,
      orders,
      range,
      before: (await clients.now()) - flags['min-age'] * 1000,
      onChecked: (count) => progress.update(count),
    })
    progress.end(`${result.payments} ${result.payments === 1 ? 'payment' : 'payments'} read`)
    await this.#write(result, { csv, report, range, madeAt: await clients.now() })
    const findings = {
      found: breaksOf(result),
      looked: [{ kind: 'payments' as const, covers: coveredBy(result, range) }],
    }
    const warn = (text: string) => void this.warn(text)
    const breaks = book ? await keepFindingsIn(book, 'reconcile payments', findings, warn) : []
    return { ...this.#conclude(result), files: { report, csv }, breaks }
  }

  async #write(
    result: PaymentsReconciled,
    { csv, report, range, madeAt }: { csv: string | null; report: string | null; range: ListRange; madeAt: number },
  ): Promise<void> {
    if (csv === null && report === null) return
    if (csv !== null) {
      const { findingsCsv } = await import('../../src/operator/reconcile/payments/csv.ts')
      writeOut(csv, await findingsCsv(result.findings))
    }
    if (report === null) return
    const { paymentsPage } = await import('../../src/operator/report/payments-page.ts')
    const madeBy = this.tool
    writeOut(report, paymentsPage({ result, range: rangeText(range), madeAt, madeBy }))
  }

  #conclude(result: PaymentsReconciled) {
    const { ofOrders: _, ...told } = result
    const { verdict, findings, doubts } = told
    const counted = findingKinds.map((kind) => [kind, findings.filter((each) => each.kind === kind).length] as const)
    const counts = Object.fromEntries(counted)
    const columns = ['kind', 'paymentId', 'orderId', 'message', 'expected', 'found']
    this.table(
      findings.map((each) => ({ ...each })),
      columns,
      `${result.payments === 1 ? '1 payment' : `${result.payments} payments`}, no findings.`,
    )
    for (const doubt of doubts) this.warn(doubt)
    const about = counted.filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`)
    if (verdict === 'differences') this.endWith('DIFFERENCES', `Differences found: ${about.join(', ')}`, counts)
    if (verdict === 'cannot-conclude') this.endWith('CANNOT_CONCLUDE', `Inconclusive: ${doubts.join('; ')}`)
    return { ...told, counts }
  }
}

/** Returns one break for each finding about a payment or an order. Both sides can report the same payment. */
function breaksOf({ findings, ofOrders }: PaymentsReconciled): FoundBreak[] {
  return findings.map(({ kind, paymentId, orderId, message, expected, found }, i) => {
    const side = i < findings.length - ofOrders ? 'payments' : 'orders'
    const named = [paymentId && `payment ${paymentId}`, orderId && `order ${orderId}`]
    return {
      kind: 'payments',
      subject: `${side} ${kind} ${paymentId ?? '-'} ${orderId ?? '-'}`,
      date: null,
      player: null,
      currency: null,
      amount: null,
      message: [message, ...named].filter(Boolean).join(', '),
      fingerprint: JSON.stringify([expected, found]),
      detail: { side, kind, paymentId, orderId, expected, found },
    }
  })
}

/** A finding is gone only if the run read all payments without doubts, and the orders if they caused it. */
function coveredBy(
  { orders, doubts }: PaymentsReconciled,
  { from, to }: ListRange,
): (row: { detail: string }) => boolean {
  if (doubts.length > 0 || from !== undefined || to !== undefined) return () => false
  return ({ detail }) => orders !== null || JSON.parse(detail).side === 'payments'
}

function rangeText({ from, to }: ListRange): string {
  if (from === undefined && to === undefined) return 'All payments'
  // For midnight the date is enough.
  const short = (text: string | undefined) => text?.replace('T00:00:00.000Z', '')
  return ['Payments', from && `since ${short(from)}`, to && `until ${short(to)}`].filter(Boolean).join(' ')
}
