import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { bookFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { periodArg, periodFiles } from '../../../src/cli/topics/reconcile/periods/flags.ts'

export default class ReconcilePeriodsShow extends CountroomCommand {
  static override summary = 'Show a day or a month: state, figures, breaks, and the report to sign'
  static override description = [
    'Shows who closed and approved the period, the totals by currency (for a closed period, those at the close), the days that keep it open, and what changed after the close by player and currency. A closed period is compared with the book first; if its figures changed, it is restated and the command exits with 9.',
    '--report writes a page to print and sign: totals by currency, game, table and day with the gross gaming revenue of the house, breaks with their causes, hashes of the files, history, report ID, page numbers and a signature block. --csv writes the totals by day, game, table and currency.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile periods show 2026-03',
    {
      command: 'countroom reconcile periods show 2026-03 --report period.html --csv period.csv',
      description: 'Write the report to sign',
    },
  ]
  static override exits = ['not-found', 'conflict', 'differences', 'inconclusive'] as const
  static override files = [...periodFiles, '--report, --csv: written atomically; existing files only with --force']
  static override completes = { period: 'periods', report: 'files', csv: 'files', book: 'files' }
  static override args = periodArg
  static override flags = {
    report: Flags.string({ summary: 'HTML report to write, to print and sign', helpValue: 'FILE.html' }),
    csv: Flags.string({ summary: 'CSV file to write, one row per day, game, table and currency', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite existing --report and --csv files' }),
    ...bookFlag,
  }
  static override data = ({ Type, periods }: Shapes) => {
    const file = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      ...periods.PeriodDetails.properties,
      lines: Type.Array(periods.PeriodLine, { description: 'Figures by day, game, table and currency.' }),
      files: Type.Object({ report: file, csv: file }),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ReconcilePeriodsShow)
    const { showPeriodNamed } = await import('../../../src/cli/topics/reconcile/periods/show.ts')
    return showPeriodNamed(this, args.period, flags)
  }
}
