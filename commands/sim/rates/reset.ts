import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { ratesSchema } from '../../../src/cli/topics/gateway/rates-view.ts'

export default class SimRatesReset extends CountroomCommand {
  static override summary = 'Restore the built-in prices, which never expire'
  static override examples = ['countroom sim rates reset']
  static override writes = true
  static override flags = { ...dryRunFlag }
  static override data = ratesSchema

  override async run() {
    await this.parse(SimRatesReset)
    const { restoreRates } = await import('../../../src/cli/topics/sim/rates.ts')
    return restoreRates(this)
  }
}
