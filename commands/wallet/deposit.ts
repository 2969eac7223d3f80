import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags } from '../../src/cli/framework/flags.ts'
import {
  transferArgs,
  transferExits,
  transferFiles,
  transferFlags,
  transferSchema,
} from '../../src/cli/topics/wallet/transfer-flags.ts'

export default class WalletDeposit extends CountroomCommand {
  static override summary = 'Deposit money to a player'
  static override description = [
    'The transfer gets an ID and is written to the book before it is sent. Every attempt uses this ID, so it is carried out once. If the response is lost, the transfer is looked up. If its outcome stays unknown, the command exits with 10 and prints the command that is safe to run next.',
    'An unknown player is rejected, because the platform would create one for a mistyped name; to create the player, pass --create. An amount above the setting approvalAbove is rejected: use "wallet plan", which needs a second person.',
  ].join('\n\n')
  static override examples = [
    'countroom wallet deposit amy 100 USD',
    {
      command: 'countroom wallet deposit amy 100 USD --txn bonus-2026-03-amy',
      description: 'Use your own transfer ID, so that it is safe to run again',
    },
    { command: 'countroom wallet deposit zoe 50.25 EUR --create', description: 'Create the player too' },
    {
      command: 'countroom wallet deposit amy 100 USD --profile house --yes --confirm-total 100:USD',
      description: 'Move real money from a script',
    },
  ]
  static override writes = true
  static override exits = transferExits
  static override files = transferFiles
  static override args = transferArgs
  static override flags = {
    create: Flags.boolean({ summary: 'Create the player if the name does not exist' }),
    ...transferFlags,
  }
  static override data = transferSchema

  override async run() {
    const { args, flags } = await this.parse(WalletDeposit)
    const { moveMoney } = await import('../../src/cli/topics/wallet/move-money.ts')
    return moveMoney(this, 'in', { ...args, txn: flags.txn, create: flags.create === true })
  }
}
