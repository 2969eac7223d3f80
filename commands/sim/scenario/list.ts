import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { listFlags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class SimScenarioList extends CountroomCommand {
  static override summary = 'List the built-in scenarios'
  static override examples = ['countroom sim scenario list']
  static override flags = { ...listFlags }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      scenarios: Type.Array(
        Type.Object({ name: Type.String(), steps: Type.Integer(), checks: Type.Integer(), summary: Type.String() }),
      ),
    })

  override async run() {
    await this.parse(SimScenarioList)
    const { listScenarios } = await import('../../../src/cli/topics/sim/scenarios.ts')
    return listScenarios(this)
  }
}
