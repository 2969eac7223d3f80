import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { ratesSchema } from '../../../src/cli/topics/gateway/rates-view.ts'

export default class SimRatesSet extends CountroomCommand {
  static override summary = 'Set or remove the US dollar price of a coin or fiat currency'
  static override description =
    'Applies to both environments of the gateway, from the next request on. A payment keeps its quote until it expires. Without a price, requests that need it fail with RATE_UNAVAILABLE. A price is per asset: usdt is used for usdttrc20 and usdtbsc; eth for eth, etharb, ethbase and ethop.'
  static override examples = [
    'countroom sim rates set btc 95000',
    { command: 'countroom sim rates set sol none', description: 'Remove the price of SOL' },
  ]
  static override writes = true
  static override args = {
    asset: Args.string({
      required: true,
      description: 'Asset, such as btc or eur ("countroom sim rates show" lists them)',
    }),
    usd: Args.string({ required: true, description: 'Price of one unit in US dollars, or "none"' }),
  }
  static override flags = { ...dryRunFlag }
  static override data = ratesSchema

  override async run() {
    const { args } = await this.parse(SimRatesSet)
    const { changeRate } = await import('../../../src/cli/topics/sim/rates.ts')
    return changeRate(this, args.asset, args.usd === 'none' ? null : args.usd)
  }
}
