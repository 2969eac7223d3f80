import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsFund extends CountroomCommand {
  static override summary = 'Credit funds to a merchant without a deposit'
  static override examples = ['countroom console merchants fund usdttrc20 1000 --environment sandbox']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = {
    coin: Args.string({ required: true, description: 'Coin code' }),
    amount: Args.string({ required: true, description: 'Amount in the coin' }),
  }
  static override flags = { ...dryRunFlag, ...merchantFlags }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      id: Type.String(),
      coin: Type.String(),
      amount: Type.String(),
      available: Type.String({ description: 'Available balance after the credit' }),
    })

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsFund)
    const { gateway } = await this.services.world()
    const { fundMerchant } = await import('../../../src/services/gateway/admin/merchant.ts')
    const id = await merchantOf(this, flags)
    const available = await fundMerchant(gateway, id, args.coin, args.amount)
    const result = { id, coin: args.coin.toLowerCase(), amount: args.amount, available }
    this.fields(result)
    return result
  }
}
