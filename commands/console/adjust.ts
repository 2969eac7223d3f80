import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { WorldCommand } from '../../src/cli/topics/console/command.ts'

export default class ConsoleAdjust extends WorldCommand {
  static override summary = "Correct a player's balance by hand, once per transfer id"
  static override description =
    'An amount below zero takes money away, never below a balance of 0; write it after "--".'
  static override examples = [
    'countroom console adjust DEMO amy 25 --txn goodwill-17',
    'countroom console adjust DEMO amy --txn fix-18 -- -12.5',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = {
    code: Args.string({ required: true, description: 'The company code' }),
    user: Args.string({ required: true, description: 'The player' }),
    amount: Args.string({ required: true, description: 'By how much, at most 4 decimals' }),
  }
  static override flags = {
    ...dryRunFlag,
    txn: Flags.string({ summary: 'The transfer id', required: true, helpValue: 'T' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      txnId: Type.String(),
      username: Type.String(),
      balance: Type.String(),
      duplicate: Type.Boolean(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleAdjust)
    const { casino } = await this.world()
    const { adjust } = await import('../../src/services/casino/admin/index.ts')
    const result = await adjust(casino, args.code, args.user, args.amount, flags.txn)
    this.fields(result)
    return result
  }
}
