import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { openBreaksSchema } from '../../src/cli/topics/reconcile/open-breaks-schema.ts'

const monthFlag = (summary: string) => Flags.string({ summary, helpValue: 'YYYY-MM' })

export default class ReconcileBilling extends CountroomCommand {
  static override summary = 'Reconcile the bill: daily usage, monthly charges, statements and credit'
  static override description = [
    'Compares the usage of each UTC day with the charges of its statement. Each statement must add up and open with the closing balance of the previous one. Each daily table fee must be pro rata of the table price, to the cent. The current credit must not be lower than the last closing balance less the usage since then.',
    'The verdict is balanced, differences or inconclusive. It is inconclusive if there is no statement yet, the last one is late, or usage for charged days is missing. Months that started midway, added or removed tables and partial days are explained; they are not differences.',
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
  static override audits = 'changes' as const
  static override files = [
    'the book (COUNTROOM_BOOK), if it exists: breaks are recorded in it',
    '--report, --csv: written atomically; existing files only with --force. A folder, or {date} in the name, gives a new name per day',
  ]
  static override completes = { metrics: 'files', report: 'files', csv: 'files', book: 'files' }
  static override flags = {
    from: monthFlag('First month (default: the oldest statement)'),
    to: monthFlag('Last month; skips the check of the current credit (default: the newest statement)'),
    'table-price': Flags.string({
      summary: 'Agreed price of a table per month, in US dollars',
      default: '100',
      helpValue: 'USD',
    }),
    report: Flags.string({
      summary: 'HTML report to write, with the charges of each day',
      helpValue: 'FILE.html|DIR',
    }),
    csv: Flags.string({ summary: 'CSV file to write, with every compared figure', helpValue: 'FILE|DIR' }),
    force: Flags.boolean({ summary: 'Overwrite existing --report and --csv files' }),
    ...bookFlag,
    ...jobFlags,
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
    const { reconcileBill } = await import('../../src/cli/topics/reconcile/billing.ts')
    return reconcileBill(this, flags)
  }
}
