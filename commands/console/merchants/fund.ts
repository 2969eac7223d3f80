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
    const { fund, theMerchant } = await import('../../../src/services/gateway/admin/platform.ts')
    const { readMerchant } = await import('../../../src/services/gateway/admin/merchant.ts')
    const id = await merchantOf(this, flags)
    await gateway.store.write(async (tx) => fund(gateway, tx, await theMerchant(tx, id), args.coin, args.amount))
    const { funds } = await readMerchant(gateway, id)
    const coin = args.coin.toLowerCase()
    const held = funds.find(({ kind, currency }) => kind === 'available' && currency === coin)
    const result = { id, coin, amount: args.amount, available: held?.amount ?? '0' }
    this.fields(result)
    return result
  }
}
