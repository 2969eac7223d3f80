import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class ConsoleSharingOn extends CountroomCommand {
  static override summary = 'Enable table sharing between merchants'
  static override description =
    'Sharing is enabled by default. After it was disabled, each tenant has to enable its shared tables again.'
  static override examples = ['countroom console sharing on']
  static override writes = true
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ sharing: Type.Boolean() })

  override async run() {
    await this.parse(ConsoleSharingOn)
    const { casino } = await this.services.world()
    const { setSharing } = await import('../../../src/services/casino/admin/index.ts')
    const result = await setSharing(casino, true)
    this.fields(result)
    return result
  }
}
