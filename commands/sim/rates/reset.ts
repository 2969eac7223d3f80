import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { RatesCommand } from '../../../src/cli/topics/gateway/rates-command.ts'
import { ratesSchema } from '../../../src/cli/topics/gateway/rates-view.ts'

export default class SimRatesReset extends RatesCommand {
  static override summary = 'Restore the built-in prices, which never expire'
  static override examples = ['countroom sim rates reset']
  static override writes = true
  static override flags = { ...dryRunFlag }
  static override data = ratesSchema

  override async run() {
    await this.parse(SimRatesReset)
    const { gateway } = await this.services.world()
    const { resetRates } = await import('../../../src/services/gateway/rates/rates.ts')
    return this.told(await resetRates(gateway))
  }
}
