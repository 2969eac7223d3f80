import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class ConsoleSharingOff extends CountroomCommand {
  static override summary = 'Disable table sharing between merchants'
  static override description =
    'A shared table is then visible to its owner only. It is disabled for the other tenants at once, and they are not billed for it from the next day.'
  static override examples = ['countroom console sharing off']
  static override writes = true
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ sharing: Type.Boolean() })

  override async run() {
    await this.parse(ConsoleSharingOff)
    const { casino } = await this.services.world()
    const { setSharing } = await import('../../../src/services/casino/admin/index.ts')
    const result = await setSharing(casino, false)
    this.fields(result)
    return result
  }
}
