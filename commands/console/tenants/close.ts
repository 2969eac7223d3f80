import { dryRunFlag } from '../../../src/cli/flags.ts'
import { tenantArg, tenantStateCommand, tenantStateSchema } from '../../../src/cli/tenant-state.ts'
import { WorldCommand } from '../../../src/cli/world-command.ts'

export default class ConsoleTenantsClose extends WorldCommand {
  static override summary = "Close a tenant's account: every request of it is refused from now on"
  static override examples = ['countroom console tenants close ACME']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = { ...dryRunFlag }
  static override data = tenantStateSchema

  override async run() {
    const { args } = await this.parse(ConsoleTenantsClose)
    const { casino } = await this.world()
    const tenant = await tenantStateCommand(casino, args.code, 'CLOSED')
    this.fields(tenant)
    return tenant
  }
}
