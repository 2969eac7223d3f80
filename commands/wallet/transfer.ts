import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class WalletTransfer extends CountroomCommand {
  static override summary = 'Look up a transfer and update its state in the book'
  static override description =
    'Moves nothing. Without a player, the platform searches the current and the previous three months (UTC). For a transfer in the book the player is known, which finds any successful transfer. A transfer that is not found was not carried out or is still in progress; for a transfer in the book, the command that finishes it is printed.'
  static override examples = [
    'countroom wallet transfer 01JQ7Z6Y3V8T2M9K4H5N0B1C2D',
    'countroom wallet transfer cashout-4711 --user amy',
  ]
  static override exits = ['permission', 'not-found', 'conflict', 'temporary', 'differences'] as const
  static override files = ['the book (COUNTROOM_BOOK), if it exists']
  static override args = { txn: Args.string({ required: true, description: 'Transfer ID' }) }
  static override flags = { ...bookFlag, user: Flags.string({ summary: 'Player of the transfer', helpValue: 'USER' }) }
  static override data = ({ Type, casino }: Shapes) =>
    Type.Object({
      ...casino.TransferRecord.properties,
      ours: Type.Boolean({ description: 'True if the book has this transfer.' }),
    })

  override async run() {
    const { args, flags } = await this.parse(WalletTransfer)
    const { lookUpTransfer } = await import('../../src/cli/topics/wallet/look-up-transfer.ts')
    return lookUpTransfer(this, args.txn, flags.user)
  }
}
