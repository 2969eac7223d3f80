import { dryRunFlag } from '../../../src/cli/flags.ts'
import { RatesCommand } from '../../../src/cli/rates-command.ts'
import { ratesSchema } from '../../../src/cli/rates-view.ts'

export default class SimRatesReset extends RatesCommand {
  static override summary = "Put the fixed table's own prices back, which never grow too old"
  static override examples = ['countroom sim rates reset']
  static override writes = true
  static override flags = { ...dryRunFlag }
  static override data = ratesSchema

  override async run() {
    await this.parse(SimRatesReset)
    const { gateway } = await this.world()
    const { resetRates } = await import('../../../src/gateway/rates.ts')
    return this.told(await resetRates(gateway))
  }
}
