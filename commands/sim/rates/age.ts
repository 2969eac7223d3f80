import { durationMs } from '../../../src/cli/arguments/moments.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { RatesCommand } from '../../../src/cli/topics/gateway/rates-command.ts'
import { ratesSchema } from '../../../src/cli/topics/gateway/rates-view.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class SimRatesAge extends RatesCommand {
  static override summary = 'Let the prices be this old; nobody trades on prices older than ten minutes'
  static override description =
    'As if the source of prices had last been heard of then. From there on they grow older by the world\'s clock, and past ten minutes what needs a price is refused with RATE_UNAVAILABLE, until "countroom sim rates reset".'
  static override examples = [
    { command: 'countroom sim rates age 1h', description: 'RATE_UNAVAILABLE at once' },
    { command: 'countroom sim rates age 0s', description: 'Fresh now, and too old in ten minutes' },
  ]
  static override writes = true
  static override args = { age: Args.string({ required: true, description: 'A duration, such as 0s, 5m or 1h' }) }
  static override flags = { ...dryRunFlag }
  static override data = ratesSchema

  override async run() {
    const { args } = await this.parse(SimRatesAge)
    const ageMs = durationMs(args.age)
    if (ageMs === undefined)
      throw new Problem('INVALID_USAGE', `The age is a duration such as 0s, 5m or 1h, not ${args.age}`)
    const { gateway } = await this.world()
    const { ageRates } = await import('../../../src/services/gateway/rates/rates.ts')
    return this.told(await ageRates(gateway, ageMs))
  }
}
