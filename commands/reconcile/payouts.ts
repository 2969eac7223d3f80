import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { ledgerArgs, ledgerPeriodFlags } from '../../src/cli/topics/reconcile/flags.ts'
import { payoutResults } from '../../src/domain/reconcile/payouts.ts'

export default class ReconcilePayouts extends CountroomCommand {
  static override summary = 'Reconcile your ledger of payouts with the payment gateway'
  static override description = [
    'The ledger is a CSV file with the columns payout_id or external_id or both, currency, amount, and optionally address, status (paid, pending, failed or a status of the gateway) and time; other columns are ignored. Without a status, a payout counts as paid. Every row is compared with the payout of the gateway by ID, else by external_id, whenever it was created.',
    'The result of a payout is matched, different, missing at the gateway, missing in the ledger or undecided. A payout that is not final is undecided, and so is a missing one for --fresh after its time. Refunds and returned deposits are payouts too. Failed and rejected payouts moved no money, so the ledger can omit them.',
    'Payouts missing in the ledger are searched for between its first and last time, or between --since and --until; without times, among all payouts. Differences are recorded as breaks in the book.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile payouts payouts.csv',
    {
      command:
        'countroom reconcile payouts payouts.csv --since 2026-03-01T00:00:00Z --until 2026-04-01T00:00:00Z --csv march.csv',
      description: 'Check a whole month and write one row per payout',
    },
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive'] as const
  static override audits = 'changes' as const
  static override files = [
    'the book (COUNTROOM_BOOK): breaks are recorded',
    '--csv: written atomically; an existing file only with --force. A folder, or {date} in the name, gives a new name per day',
  ]
  static override completes = { metrics: 'files', file: 'files', csv: 'files', book: 'files' }
  static override args = ledgerArgs
  static override flags = {
    ...ledgerPeriodFlags,
    fresh: Flags.string({
      summary: 'Time during which a missing payout may still be on its way',
      default: '15m',
      helpValue: 'DURATION',
    }),
    csv: Flags.string({ summary: 'CSV file to write, one row per payout', helpValue: 'FILE|DIR' }),
    force: Flags.boolean({ summary: 'Overwrite an existing --csv file' }),
    ...bookFlag,
    ...jobFlags,
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    const Gateway = Type.Object({
      currency: Type.String(),
      amount: Type.String(),
      address: Type.String(),
      status: Type.String(),
      at: Type.String(),
    })
    const Payout = Type.Object({
      payoutId: text,
      externalId: text,
      result: Type.Enum([...payoutResults]),
      line: Type.Union([Type.Integer(), Type.Null()], { description: 'Line number in the ledger.' }),
      currency: Type.String(),
      amount: Type.String(),
      address: text,
      status: text,
      at: text,
      gateway: Type.Union([Gateway, Type.Null()]),
      differences: Type.Array(Type.Object({ field: Type.String(), ledger: Type.String(), gateway: Type.String() })),
      message: Type.String(),
    })
    return Type.Object({
      verdict: Type.Enum(['balanced', 'differences', 'cannot-conclude']),
      counts: Type.Object(Object.fromEntries(payoutResults.map((result) => [result, Type.Integer()]))),
      listed: Type.Integer({ description: 'Number of payouts that the gateway listed.' }),
      span: Type.Union([Type.Object({ from: Type.String(), to: Type.String() }), Type.Null()], {
        description: 'Time range in which payouts that the ledger lacks were searched; null for all.',
      }),
      payouts: Type.Array(Payout, { description: 'Payouts that are not matched; --csv has all.' }),
      doubts: Type.Array(Type.String(), {
        description: 'Reasons for an inconclusive result besides undecided payouts.',
      }),
      breaks: Type.Array(Type.String(), { description: 'Open breaks of this run.' }),
      file: text,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ReconcilePayouts)
    const { reconcilePayoutLedger } = await import('../../src/cli/topics/reconcile/payouts/reconcile.ts')
    return reconcilePayoutLedger(this, args.file, flags)
  }
}
