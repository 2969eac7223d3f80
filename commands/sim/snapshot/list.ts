import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { listFlags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { snapshotSchema } from '../../../src/cli/topics/sim/snapshots/view.ts'

export default class SimSnapshotList extends CountroomCommand {
  static override summary = 'List the snapshots of the world, newest first'
  static override examples = ['countroom sim snapshot list']
  static override flags = { ...listFlags }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const loaded = Type.Object({ name: Type.String(), at: Type.String() })
    return Type.Object({
      snapshots: Type.Array(snapshotSchema(shapes)),
      loaded: Type.Union([loaded, Type.Null()], {
        description:
          'What the world was last loaded from, and when. A load that was killed before its end changed nothing.',
      }),
    })
  }

  override async run() {
    await this.parse(SimSnapshotList)
    const { listSnapshots } = await import('../../../src/cli/topics/sim/snapshots/snapshots.ts')
    return listSnapshots(this)
  }
}
