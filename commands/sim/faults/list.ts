import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { listFlags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { faultColumns, faultsNote, faultView, faultViewSchema } from '../../../src/cli/topics/sim/fault-view.ts'

export default class SimFaultsList extends CountroomCommand {
  static override summary = 'List the active faults and how often each was applied'
  static override examples = ['countroom sim faults list']
  static override flags = { ...listFlags }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ faults: Type.Array(faultViewSchema(shapes)) })
  }

  override async run() {
    await this.parse(SimFaultsList)
    const world = await this.services.world()
    const set = await world.faults.list()
    if (!world.faults.areAllowed()) {
      const text = faultsNote(set, false)
      if (text !== undefined) this.warn(text)
    }
    const faults = set.map(faultView)
    this.table(faults, faultColumns, 'No faults are set.')
    return { faults }
  }
}
