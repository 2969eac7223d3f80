import { listFlags } from '../../../src/cli/framework/flags.ts'
import { RatesCommand } from '../../../src/cli/topics/gateway/rates-command.ts'
import { ratesSchema } from '../../../src/cli/topics/gateway/rates-view.ts'

export default class SimRatesShow extends RatesCommand {
  static override summary = 'Show the prices of the gateway and their age'
  static override examples = ['countroom sim rates show']
  static override flags = { ...listFlags }
  static override data = ratesSchema

  override async run() {
    await this.parse(SimRatesShow)
    const { gateway } = await this.services.world()
    const { readRates } = await import('../../../src/services/gateway/rates/rates.ts')
    const view = await this.told(await readRates(gateway))
    this.log()
    this.table(view.prices, ['asset', { key: 'usd', kind: 'amount' }, { key: 'setByHand', title: 'set by hand' }])
    return view
  }
}
