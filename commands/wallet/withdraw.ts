import { TransferCommand, transferArgs, transferFlags } from '../../src/cli/topics/wallet/transfer-command.ts'

export default class WalletWithdraw extends TransferCommand {
  static override summary = 'Move money from a player, once'
  static override description =
    'At most the available balance: stakes of bets that are not settled yet are deducted already. The transfer gets an id and is written into the book before it is sent; every attempt bears that id, so it is carried out once however often it has to be tried. When no answer comes it is looked up. If that does not tell either, the run ends in exit code 10 and prints the one command that is safe to run next. More than the setting approvalAbove is refused: "wallet plan" has a second pair of eyes.'
  static override examples = [
    'countroom wallet withdraw amy 100 USD',
    {
      command: 'countroom wallet withdraw amy 100 USD --txn cashout-4711',
      description: 'Under an id of your own, safe to run again',
    },
    { command: 'countroom wallet withdraw amy 100 USD --dry-run', description: 'See the request, send nothing' },
  ]
  static override args = transferArgs
  static override flags = { ...transferFlags }

  override async run() {
    const { args, flags } = await this.parse(WalletWithdraw)
    return this.move('out', { ...args, txn: flags.txn, create: false })
  }
}
