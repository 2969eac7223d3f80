import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class ReconcileExplain extends CountroomCommand {
  static override summary = 'Explain a difference: its slips, possible causes and next steps'
  static override description = [
    'The subject is a day (all players with differences, or one with --player), a slip ID or a break ID.',
    'Prints one screen: the cause, both versions of the slips concerned, and the next command. With --all, prints everything.',
    'For a day, both sides are compared as in "reconcile daily", and the slips of each player are listed with their revisions: when each was written, its number in its month and in the book, and the day it changed. For a slip, the current round of the platform is added. For a wallet break, all movements since the previous reading are listed.\n\nIf the platform does not respond for a part, that part is named and the exit code is 11. Changes no bet, transfer or break.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile explain 2026-03-29 --player amy',
    'countroom reconcile explain 01K7Q2M3V4W5X6Y7Z8A9B0C1D2',
    'countroom reconcile explain daily-3fa91c07be',
    'countroom reconcile explain daily-3fa91c07be --all',
  ]
  static override exits = ['permission', 'not-found', 'conflict', 'temporary', 'inconclusive'] as const
  static override files = ['the book (COUNTROOM_BOOK): read only']
  static override completes = { book: 'files', player: 'users', subject: 'breaks' }
  static override args = {
    subject: Args.string({ description: 'Day (YYYY-MM-DD, today, yesterday), slip ID or break ID', required: true }),
  }
  static override flags = {
    player: Flags.string({ summary: 'With a day: differences of this player only', helpValue: 'USER' }),
    all: Flags.boolean({ summary: 'Print everything: figures, all slips with their revisions, movements, history' }),
    offline: Flags.boolean({ summary: 'Use the book only, for a slip or a break' }),
    'trace-pages': Flags.integer({
      summary: 'Maximum number of pages of 1,000 records per day',
      default: 200,
      min: 1,
      max: 100_000,
      helpValue: 'N',
    }),
    ...bookFlag,
  }
  static override data = ({ explain }: Shapes) => explain.Explained

  override async run() {
    const { args, flags } = await this.parse(ReconcileExplain)
    const { explainSubject } = await import('../../src/cli/topics/reconcile/explain/explain-subject.ts')
    return explainSubject(this, args.subject, flags)
  }
}
