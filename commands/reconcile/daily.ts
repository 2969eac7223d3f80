import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { keepHeapSmall } from '../../src/kit/heap-limits.ts'

const dateForm = "YYYY-MM-DD, today or yesterday, in the tenant's time zone"

export default class ReconcileDaily extends CountroomCommand {
  static override summary = "Reconcile a day: the platform's summary against the book"
  static override description = [
    "The day is in the tenant's time zone, and has 23 or 25 hours when the clocks change. A slip counts on the day of its first settlement, with its highest revision. Voided slips count only in the number of slips.",
    'The verdict is balanced, differences or inconclusive. Equal figures are inconclusive if the summary has the maximum of 1,000 players, the day is not over, the book does not cover the whole day, or the platform may have deleted bets of the day. A difference that none of these explains is reported as a difference.',
    'A platform may assign slips to days differently than documented. If a day does not balance, it is also counted by first settlement, by latest revision and by each revision, in the time zone of the tenant and in UTC. The day rule (its day boundary) that gives the figures of the platform is named. The book remembers that rule for later runs; every run and "reconcile explain" state it. --day-rule documented forgets it.',
    'If figures differ, the records of the day are read from the platform again and compared with the book, to name the slips. No bet is changed on either side.',
  ].join('\n\n')
  static override examples = [
    { command: 'countroom reconcile daily', description: "Reconcile yesterday, in the tenant's time zone" },
    {
      command: 'countroom reconcile daily 2026-03-29 --report day.html --csv day.csv',
      description: 'Write an HTML report and a CSV file of all figures',
    },
    {
      command: 'countroom reconcile daily --from 2026-03-01 --to 2026-03-31',
      description: 'Reconcile a month; the worst day decides the exit code',
    },
    {
      command: 'countroom reconcile daily 2026-03-29 --day-rule documented',
      description: 'Forget the remembered day boundary',
    },
  ]
  static override audits = 'changes' as const
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive'] as const
  static override files = [
    'the book (COUNTROOM_BOOK): bets are read; verdict and breaks are recorded',
    '--report, --csv: written atomically; existing files only with --force. A folder, or {date} in the name, gives a new name per day',
  ]
  static override args = {
    date: Args.string({ description: `${dateForm} (default: yesterday)` }),
  }
  static override completes = { metrics: 'files' }
  static override flags = {
    from: Flags.string({
      summary: 'First day of a range; each day gets its own verdict',
      helpValue: 'DATE',
    }),
    to: Flags.string({
      summary: 'Last day of the range (default: yesterday)',
      helpValue: 'DATE',
      dependsOn: ['from'],
    }),
    ...bookFlag,
    report: Flags.string({
      summary: 'HTML report to write, with verdict, differences and plots',
      helpValue: 'FILE.html|DIR',
    }),
    csv: Flags.string({ summary: 'CSV file to write, one row per player and figure', helpValue: 'FILE|DIR' }),
    force: Flags.boolean({ summary: 'Overwrite existing --report and --csv files' }),
    'day-rule': Flags.string({
      summary: 'Day boundary: documented, or first-settlement, latest-revision or each-revision, with @ZONE',
      helpValue: 'RULE',
    }),
    trace: Flags.boolean({
      summary: 'If figures differ, read the records of the platform again to name the slips (default: yes)',
      default: true,
      allowNo: true,
    }),
    keep: Flags.boolean({
      summary: 'Record the verdict and the breaks in the book (default: yes)',
      default: true,
      allowNo: true,
    }),
    'trace-pages': Flags.integer({
      summary: 'Maximum number of pages of 1,000 records per day',
      default: 200,
      min: 1,
      max: 100_000,
      helpValue: 'N',
    }),
    ...jobFlags,
  }
  static override data = ({ Type, daily }: Shapes) => {
    const file = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      ...Type.Partial(daily.DayResult).properties,
      verdict: daily.DayResult.properties.verdict,
      timezone: daily.DayResult.properties.timezone,
      files: Type.Object({ report: file, csv: file }),
      kept: Type.Union(
        [
          Type.Object({
            runId: Type.String(),
            breaks: Type.Array(Type.Object({ id: Type.String(), state: Type.String(), isNew: Type.Boolean() })),
            cleared: Type.Array(Type.String()),
            dayRule: Type.Union([Type.String(), Type.Null()], {
              description:
                'Day rule that this run remembered, or "documented" if it forgot one. Null if nothing changed.',
            }),
          }),
          Type.Null(),
        ],
        { description: 'What was recorded in the book. Null with --no-keep, or if recording failed.' },
      ),
      from: Type.Optional(
        Type.String({
          description: 'With --from, like to and days. Each entry of days then has the fields of a single day.',
        }),
      ),
      to: Type.Optional(Type.String()),
      days: Type.Optional(Type.Array(daily.DayResult)),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ReconcileDaily)
    // Before the import: the limits apply to the modules of the job too.
    keepHeapSmall()
    const { reconcileDays } = await import('../../src/cli/topics/reconcile/daily.ts')
    return reconcileDays(this, args.date, flags)
  }
}
