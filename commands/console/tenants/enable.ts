import { dryRunFlag } from '../../../src/cli/flags.ts'
import { tenantArg, tenantStateCommand, tenantStateSchema } from '../../../src/cli/tenant-state.ts'
import { WorldCommand } from '../../../src/cli/world-command.ts'

export default class ConsoleTenantsEnable extends WorldCommand {
  static override summary = 'Let a suspended, closed or disabled tenant in again'
  static override examples = ['countroom console tenants enable ACME']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = { ...dryRunFlag }
  static override data = tenantStateSchema

  override async run() {
    const { args } = await this.parse(ConsoleTenantsEnable)
    const { casino } = await this.world()
    const tenant = await tenantStateCommand(casino, args.code, 'ENABLED')
    this.fields(tenant)
    return tenant
  }
}
