import { durationMs } from '../../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { ratesSchema } from '../../../src/cli/topics/gateway/rates-view.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class SimRatesAge extends CountroomCommand {
  static override summary = 'Set the age of the prices; prices older than 10 minutes are not used'
  static override description =
    'Simulates a price source that stopped that long ago. The age grows with the clock of the world. Above 10 minutes, requests that need a price fail with RATE_UNAVAILABLE, until "countroom sim rates reset".'
  static override examples = [
    { command: 'countroom sim rates age 1h', description: 'Cause RATE_UNAVAILABLE at once' },
    { command: 'countroom sim rates age 0s', description: 'Cause RATE_UNAVAILABLE in 10 minutes' },
  ]
  static override writes = true
  static override args = { age: Args.string({ required: true, description: 'Duration, such as 0s, 5m or 1h' }) }
  static override flags = { ...dryRunFlag }
  static override data = ratesSchema

  override async run() {
    const { args } = await this.parse(SimRatesAge)
    const ageMs = durationMs(args.age)
    if (ageMs === undefined)
      throw new Problem('INVALID_USAGE', `The age must be a duration such as 0s, 5m or 1h; received ${args.age}`)
    const { changeAge } = await import('../../../src/cli/topics/sim/rates.ts')
    return changeAge(this, ageMs)
  }
}
