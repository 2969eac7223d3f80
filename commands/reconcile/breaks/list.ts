import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { bookFlag, Flags, listFlags } from '../../../src/cli/framework/flags.ts'
import { jobFlags } from '../../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { breakKinds, breakStates } from '../../../src/domain/reconcile/breaks.ts'

export default class ReconcileBreaksList extends CountroomCommand {
  static override summary = 'List breaks, oldest first'
  static override description =
    'Reads the book only. A difference is one break, however often it is found. A later run that no longer finds it clears the break. A break closed by a person stays closed unless it is found with other figures. The age counts from the last opening. Snoozed breaks are omitted and counted.'
  static override examples = [
    'countroom reconcile breaks list',
    {
      command: 'countroom reconcile breaks list --fail-if-older 48h --quiet',
      description: 'Exit with 9 in a cron job if a break is older than 48 hours',
    },
    'countroom reconcile breaks list --state all --player amy --csv',
    {
      command: 'countroom reconcile breaks list --aged',
      description: 'Sum the open breaks by age and currency',
    },
  ]
  static override exits = ['differences'] as const
  static override files = ['the book (COUNTROOM_BOOK), if it exists: read only']
  static override completes = { metrics: 'files', book: 'files', player: 'users' }
  static override flags = {
    state: Flags.string({
      summary: 'Breaks in this state only',
      options: [...breakStates, 'all'],
      default: 'open',
    }),
    kind: Flags.string({ summary: 'Breaks of this kind only (repeatable)', options: [...breakKinds], multiple: true }),
    player: Flags.string({ summary: 'Breaks of this player only', helpValue: 'USER' }),
    date: Flags.string({ summary: "Breaks of this day only, in the tenant's time zone", helpValue: 'YYYY-MM-DD' }),
    owner: Flags.string({
      summary: 'Breaks assigned to this person only; "nobody" for unassigned ones',
      helpValue: 'NAME',
    }),
    older: Flags.string({ summary: 'Only breaks open for at least this long', helpValue: 'DURATION' }),
    'fail-if-older': Flags.string({
      summary: 'Exit with 9 if a listed break has been open for longer',
      helpValue: 'DURATION',
    }),
    snoozed: Flags.boolean({ summary: 'Snoozed breaks only (default: excluded)' }),
    aged: Flags.boolean({
      summary: 'Show the number and amounts of open breaks by age, in days of the tenant',
      exclusive: ['fail-if-older', 'limit', 'snoozed'],
    }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 200, min: 1, max: 100_000, helpValue: 'N' }),
    ...bookFlag,
    ...listFlags,
    ...jobFlags,
  }
  static override data = ({ Type, breaks }: Shapes) =>
    Type.Object({
      breaks: Type.Array(breaks.BreakView),
      count: Type.Integer({ description: 'Number of matching breaks, including those beyond --limit.' }),
      oldestMs: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Age of the oldest listed break, in milliseconds.',
      }),
      snoozed: Type.Integer({ description: 'Number of matching breaks that are snoozed.' }),
      aged: Type.Optional(Type.Array(breaks.AgeBucketShown, { description: 'Set with --aged; breaks is then empty.' })),
      timezone: Type.Optional(Type.String({ description: "The tenant's time zone. Set with --aged." })),
    })

  override async run() {
    const { flags } = await this.parse(ReconcileBreaksList)
    const { listBreaks } = await import('../../../src/cli/topics/reconcile/breaks/list-breaks.ts')
    return listBreaks(this, flags)
  }
}
