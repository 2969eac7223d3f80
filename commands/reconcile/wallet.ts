import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { bookJobFlags } from '../../src/cli/topics/reconcile/flags.ts'

export default class ReconcileWallet extends CountroomCommand {
  static override summary = 'Reconcile player balances with all transfers and slips'
  static override description = [
    'Each balance is read between two reads of the end of the bet records, so that it is known which records it includes. It must equal the previous balance, plus the transfers of the journal and of reconciled ledgers (adjustments included), plus the changes by slip revisions. The proof starts with the first transfer of the player if the book reaches back that far, else with the first reading. Later runs prove the change since the last reading.',
    'Stakes of open rounds are missing from a balance and are in no record yet. A missing amount is a difference only if the player was away for longer than a session, or a later run knows the slips of those rounds. A difference is checked twice. If something may have been in progress, the result is inconclusive.',
    'Without USER, checks all players in the book. Run "bets sync" first. Differences are recorded as breaks; a closed break counts as settled.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile wallet amy',
    { command: 'countroom reconcile wallet --quiet', description: 'Check all players in an hourly job' },
    'countroom reconcile wallet --csv --columns player,verdict,balance,difference',
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive', 'locked'] as const
  static override audits = 'changes' as const
  static override files = ['the book (COUNTROOM_BOOK): bets and journal are read; balances and breaks are recorded']
  static override completes = { metrics: 'files', book: 'files', user: 'users' }
  static override args = {
    user: Args.string({ description: 'Player usernames (default: all players in the book)', multiple: true }),
  }
  static override flags = {
    complete: Flags.boolean({
      aliases: ['whole'],
      summary: 'Journal and ledgers are complete: an unexplained opening balance is a difference',
    }),
    ...bookJobFlags,
    ...bookFlag,
    ...listFlags,
    ...jobFlags,
  }
  static override data = ({ balances }: Shapes) => balances.WalletRun

  override async run() {
    const { args, flags } = await this.parse(ReconcileWallet)
    const named = (args.user ?? []) as unknown as string[]
    const { reconcilePlayers } = await import('../../src/cli/topics/reconcile/wallet.ts')
    return reconcilePlayers(this, named, flags)
  }
}
