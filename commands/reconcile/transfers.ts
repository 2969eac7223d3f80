import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { bookJobFlags, ledgerArgs, ledgerPeriodFlags } from '../../src/cli/topics/reconcile/flags.ts'
import { transferResults, transferVerdicts } from '../../src/domain/reconcile/transfers.ts'

export default class ReconcileTransfers extends CountroomCommand {
  static override summary = 'Reconcile your ledger of transfers with the platform and the journal'
  static override description = [
    'The ledger is a CSV file with the columns txnId, username, dir (in, out or adjust), amount, currency and optionally time with its zone; other columns are ignored. Every transfer is looked up by its ID and player, which finds transfers of any age; if that fails, by its ID alone, which finds it with another player.',
    'The result of a transfer is matched, different, missing at the platform or undecided. A transfer that is not found is undecided for --fresh after its time or, without a time, after the first lookup. A transfer of the journal that is not in the ledger is missing in the ledger; this is checked between the first and the last time of the ledger, or --since and --until.',
    'Matched transfers are recorded in the book and not looked up again, so an interrupted run continues and a longer ledger costs only its new rows. Differences are recorded as breaks. If a row with a break is removed from the ledger, the break stays open until "reconcile breaks close".',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile transfers ledger.csv',
    {
      command:
        'countroom reconcile transfers ledger.csv --since 2026-03-01T00:00:00Z --until 2026-04-01T00:00:00Z --csv march.csv',
      description: 'Check a whole month and write one row per transfer',
    },
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive', 'locked'] as const
  static override audits = 'changes' as const
  static override files = [
    'the book (COUNTROOM_BOOK): the journal is read; lookups and breaks are recorded',
    '--csv: written atomically; an existing file only with --force. A folder, or {date} in the name, gives a new name per day',
  ]
  static override completes = { metrics: 'files', file: 'files', csv: 'files', book: 'files' }
  static override args = ledgerArgs
  static override flags = {
    ...ledgerPeriodFlags,
    fresh: Flags.string({
      summary: 'Time during which a missing transfer may still be on its way',
      default: '15m',
      helpValue: 'DURATION',
    }),
    recheck: Flags.boolean({ aliases: ['anew'], summary: 'Look up matched transfers again' }),
    csv: Flags.string({ summary: 'CSV file to write, one row per transfer', helpValue: 'FILE|DIR' }),
    force: Flags.boolean({ summary: 'Overwrite an existing --csv file' }),
    ...bookJobFlags,
    ...bookFlag,
    ...jobFlags,
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    const Platform = Type.Object({
      player: Type.String(),
      dir: Type.String(),
      amount: Type.String(),
      at: Type.String(),
    })
    const Transfer = Type.Object({
      txnId: Type.String(),
      result: Type.Enum([...transferResults]),
      line: Type.Union([Type.Integer(), Type.Null()], { description: 'Line number in the ledger.' }),
      player: Type.String(),
      dir: Type.String(),
      amount: Type.String(),
      currency: Type.String(),
      at: text,
      platform: Type.Union([Platform, Type.Null()]),
      differences: Type.Array(Type.Object({ field: Type.String(), ledger: Type.String(), other: Type.String() })),
      message: Type.String(),
    })
    return Type.Object({
      verdict: Type.Enum([...transferVerdicts]),
      counts: Type.Object(Object.fromEntries(transferResults.map((result) => [result, Type.Integer()]))),
      known: Type.Integer({ description: 'Number matched by an earlier run and not looked up again.' }),
      span: Type.Union([Type.Object({ from: Type.String(), to: Type.String() }), Type.Null()], {
        description: 'Time range in which the journal was searched for transfers that the ledger lacks.',
      }),
      transfers: Type.Array(Transfer, { description: 'Transfers that are not matched; --csv has all.' }),
      doubts: Type.Array(Type.String()),
      breaks: Type.Array(Type.String(), { description: 'Open breaks of this run.' }),
      file: text,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ReconcileTransfers)
    const { reconcileLedger } = await import('../../src/cli/topics/reconcile/transfers.ts')
    return reconcileLedger(this, args.file, flags)
  }
}
