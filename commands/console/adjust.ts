import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class ConsoleAdjust extends CountroomCommand {
  static override summary = "Adjust a player's balance manually, once per transfer ID"
  static override description =
    'A negative amount reduces the balance, but never below 0. Put a negative amount after "--".'
  static override examples = [
    'countroom console adjust DEMO amy 25 --txn goodwill-17',
    'countroom console adjust DEMO amy --txn fix-18 -- -12.5',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = {
    code: Args.string({ required: true, description: 'Company code' }),
    user: Args.string({ required: true, description: 'Player username' }),
    amount: Args.string({ required: true, description: 'Change to the balance, with at most 4 decimals' }),
  }
  static override flags = {
    ...dryRunFlag,
    txn: Flags.string({ summary: 'Transfer ID; an ID is applied only once', required: true, helpValue: 'ID' }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      txnId: Type.String(),
      username: Type.String(),
      balance: Type.String(),
      duplicate: Type.Boolean(),
    })

  override async run() {
    const { args, flags } = await this.parse(ConsoleAdjust)
    const { casino } = await this.services.world()
    const { adjust } = await import('../../src/services/casino/admin/index.ts')
    const result = await adjust(casino, args.code, args.user, args.amount, flags.txn)
    this.fields(result)
    return result
  }
}
