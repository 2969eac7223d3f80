import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, asFlag, bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { openBreaksSchema } from '../../src/cli/topics/reconcile/open-breaks-schema.ts'

export default class ReconcileSettlement extends CountroomCommand {
  static override summary = 'Settle every slip of a day again by the game rules, and list differences'
  static override description = [
    'Reads the slips of the day from the book and settles each revision again from its cards: every leg, payout, hold, valid stake, rolling, win/loss, rake and balance change, corrections and voids included. Slips that the platform settled differently are listed with both figures and become breaks. Uses the book only, so run "bets sync" first.',
    'Verdict and exit code are those of "reconcile daily": balanced (0), differences (9) or inconclusive (11). It is never balanced while a slip could not be checked completely; what was not checked is counted and listed with the reason.',
    "No-limit Hold'em: a record does not state the other seats, the button, or blinds, chip and rake of the table. A hand is checked completely if all of its seats are in the book and its rake fits the stakes. Otherwise only what its own records prove is checked.",
    'Records do not contain the settings of a table. Pass them with --rule, several per table if needed; the book remembers them. Niu Niu: commission, specialHands (on or off) and holdFactor. No-limit: smallBlind, bigBlind, unit, rakeRate and rakeCapBlinds.\n\nWithout --rule, the documented defaults apply, or the values that at least 3 slips of a Niu Niu table agree on; an unknown commission makes the result inconclusive. --rule TABLE:default forgets the settings of a table.',
  ].join('\n\n')
  static override examples = [
    { command: 'countroom reconcile settlement', description: "Settle yesterday again, in the tenant's time zone" },
    {
      command: 'countroom reconcile settlement 2026-03-29 --report settlement.html --csv settlement.csv',
      description: 'Write an HTML report and a CSV file of all differing figures',
    },
    {
      command: 'countroom reconcile settlement 2026-03-29 --rule NN-03:commission=0.05 --rule NN-03:holdFactor=3',
      description: 'Pass the settings of a table, for this and later runs',
    },
  ]
  static override audits = 'changes' as const
  static override exits = ['not-found', 'differences', 'inconclusive'] as const
  static override files = [
    'the book (COUNTROOM_BOOK): bets are read; breaks and stated settings of tables are recorded',
    '--report, --csv: written atomically; existing files only with --force',
  ]
  static override completes = { report: 'files', csv: 'files', book: 'files' }
  static override args = {
    date: Args.string({
      description: "YYYY-MM-DD, today or yesterday, in the tenant's time zone (default: yesterday)",
    }),
  }
  static override flags = {
    rule: Flags.string({
      summary: 'Setting of a table, such as NN-03:commission=0.05 (repeatable)',
      multiple: true,
      helpValue: 'TABLE:NAME=VALUE',
    }),
    report: Flags.string({ summary: 'HTML report to write, with verdict and slips', helpValue: 'FILE.html' }),
    csv: Flags.string({ summary: 'CSV file to write, one row per differing figure', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite existing --report and --csv files' }),
    keep: Flags.boolean({
      summary: 'Record breaks and stated settings in the book (default: yes)',
      default: true,
      allowNo: true,
    }),
    ...asFlag,
    ...bookFlag,
    ...jobFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type, settlement } = shapes
    const file = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      ...settlement.SettlementResult.properties,
      files: Type.Object({ report: file, csv: file }),
      breaks: openBreaksSchema(shapes),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ReconcileSettlement)
    const { reconcileSettlement } = await import('../../src/cli/topics/reconcile/settlement.ts')
    return reconcileSettlement(this, args.date, flags)
  }
}
