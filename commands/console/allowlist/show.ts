import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'

export default class ConsoleAllowlistShow extends CountroomCommand {
  static override summary = 'Show the IP allowlist of a tenant'
  static override examples = ['countroom console allowlist show DEMO']
  static override exits = ['not-found'] as const
  static override args = tenantArg
  static override data = ({ Type }: Shapes) =>
    Type.Object({ companyCode: Type.String(), allowlist: Type.Array(Type.String()) })

  override async run() {
    const { args } = await this.parse(ConsoleAllowlistShow)
    const { casino } = await this.services.world()
    const { readAllowlist } = await import('../../../src/services/casino/admin/index.ts')
    const result = await readAllowlist(casino, args.code)
    this.fields({ tenant: result.companyCode, allowlist: result.allowlist.join(', ') || 'any address' })
    return result
  }
}
