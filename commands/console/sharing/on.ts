import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { WorldCommand } from '../../../src/cli/topics/console/command.ts'

export default class ConsoleSharingOn extends WorldCommand {
  static override summary = 'Let merchants share their tables with each other'
  static override description =
    'As long as the platform has not said otherwise they may. A table that was closed when sharing ended is before its tenants again, and each enables it anew.'
  static override examples = ['countroom console sharing on']
  static override writes = true
  static override flags = { ...dryRunFlag }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ sharing: Type.Boolean() })
  }

  override async run() {
    await this.parse(ConsoleSharingOn)
    const { casino } = await this.world()
    const { setSharing } = await import('../../../src/services/casino/admin/index.ts')
    const result = await setSharing(casino, true)
    this.fields(result)
    return result
  }
}
