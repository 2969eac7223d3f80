import { Flags } from '../../src/cli/framework/flags.ts'
import { TransferCommand, transferArgs, transferFlags } from '../../src/cli/topics/wallet/transfer-command.ts'

export default class WalletDeposit extends TransferCommand {
  static override summary = 'Move money to a player, once'
  static override description =
    'The transfer gets an id and is written into the book before it is sent; every attempt bears that id, so it is carried out once however often it has to be tried. When no answer comes it is looked up. If that does not tell either, the run ends in exit code 10 and prints the one command that is safe to run next. An unknown player is refused, since a mistyped name would become a player; --create says that a new one is meant. More than the setting approvalAbove is refused: "wallet plan" has a second pair of eyes.'
  static override examples = [
    'countroom wallet deposit amy 100 USD',
    {
      command: 'countroom wallet deposit amy 100 USD --txn bonus-2026-03-amy',
      description: 'Under an id of your own, safe to run again',
    },
    { command: 'countroom wallet deposit zoe 50.25 EUR --create', description: 'To a player who is not there yet' },
    {
      command: 'countroom wallet deposit amy 100 USD --profile house --yes --confirm-total 100:USD',
      description: 'Real money, in a script',
    },
  ]
  static override args = transferArgs
  static override flags = {
    create: Flags.boolean({ summary: 'Make the player if there is none of that name' }),
    ...transferFlags,
  }

  override async run() {
    const { args, flags } = await this.parse(WalletDeposit)
    return this.move('in', { ...args, txn: flags.txn, create: flags.create === true })
  }
}
