import { momentFrom } from '../../src/cli/arguments/moments.ts'
import { Flags } from '../../src/cli/framework/flags.ts'
import { exchangeText, retryText } from '../../src/cli/outcome/request-log.ts'
import { outFile, writeOut } from '../../src/cli/terminal/out-file.ts'
import { readBytes } from '../../src/cli/terminal/read-input.ts'
import { bookFlag, CallbackCommand } from '../../src/cli/topics/callbacks/command.ts'
import { ipnMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { keepFindingsIn, openBreaksSchema } from '../../src/cli/topics/reconcile/record-breaks.ts'
import type { FoundBreak } from '../../src/domain/reconcile/breaks.ts'
import { findingKinds } from '../../src/domain/reconcile/payments.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { ListRange } from '../../src/operator/callbacks/list-payments.ts'
import type { PaymentsReconciled } from '../../src/operator/reconcile/payments/reconcile.ts'

export default class ReconcilePayments extends CallbackCommand {
  static override summary = "Compare the gateway's payments with the callbacks that came and with your own orders"
  static override description = [
    'The gateway\'s list is read whole. A payment whose latest status or sum was never told is missing (nothing came) or stale (only older news came); one paid less or more than was due is underpaid or overpaid; a callback about no payment, or money for no order, is unknown. "countroom ipn heal" makes up for what is missing or stale.',
    'The orders are a CSV file with the columns order_id, amount, currency and, where it is known, paid (yes or no). An order is held against its finished payments: their sum, and whether it counts as paid.',
    'The verdict is balanced, differences, or cannot conclude: where there is no book, or callbacks may still be on their way, the absence of differences proves nothing. Nothing is changed on any side.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile payments',
    {
      command:
        'countroom reconcile payments --since 2026-03-01 --orders orders.csv --report payments.html --csv findings.csv',
      description: "With the merchant's orders, and a page to look at",
    },
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive'] as const
  static override files = [
    'the book (COUNTROOM_BOOK): callbacks are read and not changed; differences are noted in it',
    '--report, --csv: written whole or not at all, over a file that is there only with --force',
  ]
  static override completes = { orders: 'files', report: 'files', csv: 'files', book: 'files' }
  static override flags = {
    orders: Flags.string({ summary: "The merchant's orders, or - for stdin", helpValue: 'FILE|-' }),
    since: Flags.string({ summary: 'Only payments created since', helpValue: 'ISO' }),
    until: Flags.string({ summary: 'Only payments created until', helpValue: 'ISO' }),
    'min-age': Flags.integer({
      summary: 'Expect no callback about what changed within so many seconds',
      default: 60,
      min: 0,
      max: 86_400,
      helpValue: 'S',
    }),
    report: Flags.string({
      summary: 'Write a self-contained page with the verdict and the findings',
      helpValue: 'FILE.html',
    }),
    csv: Flags.string({ summary: 'Write the findings, a row each', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite the files of --report and --csv' }),
    ...bookFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
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
      breaks: await openBreaksSchema(),
    })
  }
  protected override readonly mail = ipnMail

  override async run() {
    const { flags } = await this.parse(ReconcilePayments)
    const [csv, report] = [outFile(flags.csv, flags.force), outFile(flags.report, flags.force)]
    if (csv !== null && csv === report) throw new Problem('INVALID_USAGE', '--report and --csv name the same file')
    const iso = (text: string | undefined) =>
      text === undefined ? undefined : new Date(momentFrom(text)).toISOString()
    const range = { from: iso(flags.since), to: iso(flags.until) }
    const [{ openGatewayClients }, { ordersFromCsv }, { reconcilePayments }] = await Promise.all([
      import('../../src/world/clients/gateway.ts'),
      import('../../src/operator/reconcile/payments/orders-csv.ts'),
      import('../../src/operator/reconcile/payments/reconcile.ts'),
    ])
    const orders = flags.orders === undefined ? undefined : await ordersFromCsv(await readBytes(flags.orders))
    const book = await this.bookIfThere()
    const clients = await openGatewayClients(this.profile, this.settings, {
      onRetry: (retry) => this.note(retryText(retry)),
      onExchange: (exchange) => this.detail(exchangeText(exchange)),
    })
    this.closeLater(() => clients.close())
    const progress = this.progress('Reading payments')
    const result = await reconcilePayments({
      source: clients.gateway,
      book,
      orders,
      range,
      before: (await clients.now()) - flags['min-age'] * 1000,
      onChecked: (count) => progress.update(count),
    })
    progress.end(`${result.payments} payments read`)
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
    const madeBy = `countroom ${this.config.version}`
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
      `${result.payments} payments, and nothing to find fault with.`,
    )
    for (const doubt of doubts) this.warn(doubt)
    const about = counted.filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`)
    if (verdict === 'differences') this.endWith('DIFFERENCES', `Differences were found: ${about.join(', ')}`, counts)
    if (verdict === 'cannot-conclude') this.endWith('CANNOT_CONCLUDE', `Nothing can be concluded: ${doubts.join('; ')}`)
    return { ...told, counts }
  }
}

/** One break for each finding about a payment, or about an order: the two sides may say a like thing of one payment. */
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

/** A run sees that a finding is gone when it looked at all payments without a doubt, and at orders where they showed it. */
function coveredBy(
  { orders, doubts }: PaymentsReconciled,
  { from, to }: ListRange,
): (row: { detail: string }) => boolean {
  if (doubts.length > 0 || from !== undefined || to !== undefined) return () => false
  return ({ detail }) => orders !== null || JSON.parse(detail).side === 'payments'
}

function rangeText({ from, to }: ListRange): string {
  if (from === undefined && to === undefined) return 'All payments'
  // A midnight says no more than its day.
  const short = (text: string | undefined) => text?.replace('T00:00:00.000Z', '')
  return ['Payments', from && `since ${short(from)}`, to && `until ${short(to)}`].filter(Boolean).join(' ')
}
