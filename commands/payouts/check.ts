import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class PayoutsCheck extends CountroomCommand {
  static override summary = 'Validate an address of a coin'
  static override examples = ['countroom payouts check TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa usdttrc20']
  static override exits = ['permission', 'temporary'] as const
  static override args = {
    address: Args.string({ required: true, description: 'Address' }),
    coin: Args.string({ required: true, description: 'Coin code' }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ address: Type.String(), currency: Type.String(), valid: Type.Boolean() })

  override async run() {
    const { args } = await this.parse(PayoutsCheck)
    const { gateway } = await this.services.gateway()
    await gateway.validateAddress({ body: { address: args.address, currency: args.coin } })
    const result = { address: args.address, currency: args.coin.toLowerCase(), valid: true }
    this.log(`The address is valid for ${result.currency}. This does not check the whitelist.`)
    return result
  }
}
