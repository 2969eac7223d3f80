import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { openBreaksSchema } from '../../src/cli/topics/reconcile/open-breaks-schema.ts'
import { findingKinds } from '../../src/domain/reconcile/payments.ts'

export default class ReconcilePayments extends CountroomCommand {
  static override summary = 'Reconcile the payments of the gateway with received IPNs and your orders'
  static override description = [
    'Reads the whole payment list of the gateway. A payment is "missing" if no IPN of it arrived, "stale" if only older ones arrived, "underpaid" or "overpaid" if the amount differs from the amount due. An IPN without a payment, or money without an order, is "unknown". "countroom ipn heal" delivers missing and stale IPNs.',
    'The orders are a CSV file with the columns order_id, amount, currency and optionally paid (yes or no). Each order is compared with its finished payments: their sum, and whether it counts as paid.',
    'The verdict is balanced, differences or inconclusive. Without a book, or while IPNs may still be on their way, no differences means inconclusive. Changes no payment and no order.',
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
  static override audits = 'changes' as const
  static override files = [
    'the book (COUNTROOM_BOOK): IPNs are read; breaks are recorded',
    '--report, --csv: written atomically; existing files only with --force. A folder, or {date} in the name, gives a new name per day',
  ]
  static override completes = { metrics: 'files', orders: 'files', report: 'files', csv: 'files', book: 'files' }
  static override flags = {
    orders: Flags.string({ summary: 'CSV file of your orders, or - for stdin', helpValue: 'FILE|-' }),
    since: Flags.string({ summary: 'Created at or after this time', helpValue: 'ISO' }),
    until: Flags.string({ summary: 'Created before this time', helpValue: 'ISO' }),
    'min-age': Flags.integer({
      summary: 'Minimum age of the last change, in seconds; later IPNs may still arrive',
      default: 60,
      min: 0,
      max: 86_400,
      helpValue: 'SECONDS',
    }),
    report: Flags.string({
      summary: 'HTML report to write, with verdict and findings',
      helpValue: 'FILE.html|DIR',
    }),
    csv: Flags.string({ summary: 'CSV file to write, one row per finding', helpValue: 'FILE|DIR' }),
    force: Flags.boolean({ summary: 'Overwrite existing --report and --csv files' }),
    ...bookFlag,
    ...jobFlags,
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
    const { reconcilePayments } = await import('../../src/cli/topics/reconcile/payments.ts')
    return reconcilePayments(this, flags)
  }
}
