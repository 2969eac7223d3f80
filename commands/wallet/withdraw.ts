import { CountroomCommand } from '../../src/cli/framework/command.ts'
import {
  transferArgs,
  transferExits,
  transferFiles,
  transferFlags,
  transferSchema,
} from '../../src/cli/topics/wallet/transfer-flags.ts'

export default class WalletWithdraw extends CountroomCommand {
  static override summary = 'Withdraw money from a player'
  static override description = [
    'The transfer gets an ID and is written to the book before it is sent. Every attempt uses this ID, so it is carried out once. If the response is lost, the transfer is looked up. If its outcome stays unknown, the command exits with 10 and prints the command that is safe to run next.',
    'The available balance is the limit; stakes of unsettled bets are already deducted from it. An amount above the setting approvalAbove is rejected: use "wallet plan", which needs a second person.',
  ].join('\n\n')
  static override examples = [
    'countroom wallet withdraw amy 100 USD',
    {
      command: 'countroom wallet withdraw amy 100 USD --txn cashout-4711',
      description: 'Use your own transfer ID, so that it is safe to run again',
    },
    { command: 'countroom wallet withdraw amy 100 USD --dry-run', description: 'Show the request without sending it' },
  ]
  static override writes = true
  static override exits = transferExits
  static override files = transferFiles
  static override args = transferArgs
  static override flags = { ...transferFlags }
  static override data = transferSchema

  override async run() {
    const { args, flags } = await this.parse(WalletWithdraw)
    const { moveMoney } = await import('../../src/cli/topics/wallet/move-money.ts')
    return moveMoney(this, 'out', { ...args, txn: flags.txn, create: false })
  }
}
