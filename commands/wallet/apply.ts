import { planArg } from '../../src/cli/topics/wallet/batch-command.ts'
import { runFlags, WalletRunCommand } from '../../src/cli/topics/wallet/batch-run-command.ts'

export default class WalletApply extends WalletRunCommand {
  static override summary = 'Carry out an approved plan of many transfers, each row once'
  static override description = [
    'Every row is written into the book before it is sent, is sent under the txnId that was approved, and is done once however often it has to be tried and however often this is run. Several players are worked on at once; the rows of one player keep their order, and behind one whose end is not known nothing of that player is sent.',
    'A platform that says "not now" (429) is asked more slowly from then on, and each request waits for it as often as --attempts says, up to 30 s each time; --deadline is an end to all waiting, whatever for. The run ends by itself when three rows in a row had no answer, when the platform refuses requests as such, and on the first signal, which lets what is under way come to its end. "wallet resume" goes on. Exit 0: all done. 8: some rows were refused or left. 10: of some rows it is not known whether they were done. When none was done, the worst row speaks for all.',
  ].join('\n\n')
  static override examples = [
    'countroom wallet apply 01JQ7Z6Y3V8T2M9K4H5N0B1C2D',
    {
      command: 'countroom wallet apply 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --profile house --out result.csv --deadline 50m',
      description: 'With a result for the accountant, ending before the next hour',
    },
    { command: 'countroom wallet apply 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --dry-run', description: 'Only look at it' },
  ]
  static override args = planArg
  static override flags = { ...runFlags }

  override async run() {
    const { args, flags } = await this.parse(WalletApply)
    return this.carryOut((book) => this.keptPlan(book, args.plan), flags, 'wallet apply')
  }
}
