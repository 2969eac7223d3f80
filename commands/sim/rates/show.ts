import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { listFlags } from '../../../src/cli/framework/flags.ts'
import { ratesSchema } from '../../../src/cli/topics/gateway/rates-view.ts'

export default class SimRatesShow extends CountroomCommand {
  static override summary = 'Show the prices of the gateway and their age'
  static override examples = ['countroom sim rates show']
  static override flags = { ...listFlags }
  static override data = ratesSchema

  override async run() {
    await this.parse(SimRatesShow)
    const { showRates } = await import('../../../src/cli/topics/sim/rates.ts')
    return showRates(this)
  }
}
