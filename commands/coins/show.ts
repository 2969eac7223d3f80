import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class CoinsShow extends CountroomCommand {
  static override summary = 'Show the network, contract and decimals of a coin'
  static override examples = ['countroom coins show usdttrc20']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = { coin: Args.string({ required: true, description: 'Coin code' }) }
  static override data = ({ gateway }: Shapes) => gateway.CurrencyDetail

  override async run() {
    const { args } = await this.parse(CoinsShow)
    const { gateway } = await this.services.gateway()
    const coin = await gateway.currency({ params: { code: args.coin } })
    this.fields(coin, [
      'code',
      'name',
      'network',
      { key: 'smart_contract', title: 'contract', whole: true },
      { key: 'network_precision', title: 'decimals' },
      { key: 'enable', title: 'enabled' },
      { key: 'wallet_regex', title: 'address pattern' },
    ])
    return coin
  }
}
