import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class SimSnapshotDelete extends CountroomCommand {
  static override summary = 'Delete a snapshot of the world'
  static override examples = ['countroom sim snapshot delete before-checkout']
  static override exits = ['not-found', 'locked'] as const
  static override writes = true
  static override completes = { name: 'snapshots' }
  static override args = { name: Args.string({ required: true, description: 'Name of the snapshot' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ deleted: Type.String() })

  override async run() {
    const { args } = await this.parse(SimSnapshotDelete)
    const { deleteSnapshot } = await import('../../../src/cli/topics/sim/snapshots/snapshots.ts')
    return deleteSnapshot(this, args.name)
  }
}
