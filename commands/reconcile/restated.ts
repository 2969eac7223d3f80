import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { asFlag, bookFlag, dryRunFlag, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { breakReasonCodes } from '../../src/domain/reconcile/breaks.ts'

export default class ReconcileRestated extends CountroomCommand {
  static override summary = 'List days whose figures changed after they were reconciled'
  static override description = [
    'A correction or void belongs to the day of the first settlement of its slip, so it changes a day that was already reconciled. Each day is compared with the figures of its first reconciliation or, after --accept, with the accepted ones. Another run of "reconcile daily" accepts nothing.',
    'Uses the book only, so run "bets sync" first. Each restated day is recorded as a break.',
    '--accept accepts the current figures and records who did it and why. To accept some days only, name them with --day.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile restated',
    { command: 'countroom reconcile restated --days 35 --csv', description: 'Print one row per day and player' },
    { command: 'countroom reconcile restated --per slip --csv', description: 'Print one row per slip' },
    'countroom reconcile restated --accept --day 2026-03-29 --note "Booked with March, voucher 311"',
  ]
  static override exits = ['not-found', 'differences', 'inconclusive'] as const
  static override audits = 'changes' as const
  static override files = ['the book (COUNTROOM_BOOK): bets are read; breaks are recorded']
  static override completes = { metrics: 'files', book: 'files' }
  static override flags = {
    since: Flags.string({ summary: 'Days on or after this day only', helpValue: 'DATE', exclusive: ['days'] }),
    days: Flags.integer({
      summary: 'Number of past days to check (default: all reconciled days)',
      min: 1,
      max: 100_000,
      helpValue: 'N',
    }),
    day: Flags.string({ summary: 'This day only (repeatable)', multiple: true, helpValue: 'DATE' }),
    per: Flags.string({
      summary: 'One row per player and day, or per slip',
      options: ['player', 'slip'],
      default: 'player',
    }),
    accept: Flags.boolean({ summary: 'Accept the current figures of restated days' }),
    reason: Flags.string({
      summary: 'With --accept: reason (default late-correction)',
      options: [...breakReasonCodes],
      dependsOn: ['accept'],
    }),
    note: Flags.string({
      summary: 'With --accept: note for the history',
      helpValue: 'TEXT',
      dependsOn: ['accept'],
    }),
    ...asFlag,
    ...dryRunFlag,
    ...bookFlag,
    ...listFlags,
    ...jobFlags,
  }
  static override data = ({ Type, breaks }: Shapes) =>
    Type.Object({
      days: Type.Integer({ description: 'Number of reconciled days that were checked.' }),
      restated: Type.Array(breaks.RestatedDay),
      accepted: Type.Array(Type.String(), { description: 'Days accepted by this run.' }),
      periods: Type.Array(Type.String(), { description: 'Closed periods with undecided changes.' }),
      dryRun: Type.Boolean(),
    })

  override async run() {
    const { flags } = await this.parse(ReconcileRestated)
    const { reconcileRestated } = await import('../../src/cli/topics/reconcile/restated.ts')
    return reconcileRestated(this, flags)
  }
}
