import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsCoin extends CountroomCommand {
  static override summary = 'Enable or disable a coin for payments'
  static override examples = [
    'countroom console merchants coin btc off',
    'countroom console merchants coin usdttrc20 on --wallet TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa --environment sandbox',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = {
    coin: Args.string({ required: true, description: 'Coin code' }),
    state: Args.string({ required: true, description: 'New state', options: ['on', 'off'] }),
  }
  static override flags = {
    ...dryRunFlag,
    wallet: Flags.string({ summary: 'Settlement address (default: funds stay in custody)', helpValue: 'ADDRESS' }),
    ...merchantFlags,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      coin: Type.String(),
      enabled: Type.Boolean(),
      wallet: Type.Union([Type.String(), Type.Null()]),
    })

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsCoin)
    const { gateway } = await this.services.world()
    const { setCoin } = await import('../../../src/services/gateway/admin/platform.ts')
    const to = args.state === 'off' ? ('off' as const) : { wallet: flags.wallet ?? null }
    const result = await setCoin(gateway, await merchantOf(this, flags), args.coin, to)
    this.fields(result)
    return result
  }
}
