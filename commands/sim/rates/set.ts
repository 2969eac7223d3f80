import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { RatesCommand } from '../../../src/cli/topics/gateway/rates-command.ts'
import { ratesSchema } from '../../../src/cli/topics/gateway/rates-view.ts'

export default class SimRatesSet extends RatesCommand {
  static override summary = 'Set what a coin or fiat currency is worth in dollars, or take its price away'
  static override description =
    'For both sides of the gateway, and in a running serve from the next request on: estimate, min-amount and new payments agree. A payment keeps its quote until it runs out. Without a price, what needs one is refused with RATE_UNAVAILABLE. A price is of an asset: usdt stands for usdttrc20 and usdtbsc, eth for eth, etharb, ethbase and ethop.'
  static override examples = [
    'countroom sim rates set btc 95000',
    { command: 'countroom sim rates set sol none', description: 'No price of SOL, and so no payment in it' },
  ]
  static override writes = true
  static override args = {
    asset: Args.string({ required: true, description: 'As "countroom sim rates show" lists it, such as btc or eur' }),
    usd: Args.string({ required: true, description: 'Dollars for one whole unit, or none' }),
  }
  static override flags = { ...dryRunFlag }
  static override data = ratesSchema

  override async run() {
    const { args } = await this.parse(SimRatesSet)
    const { gateway } = await this.world()
    const { setRate } = await import('../../../src/services/gateway/rates/rates.ts')
    return this.told(await setRate(gateway, args.asset, args.usd === 'none' ? null : args.usd))
  }
}
