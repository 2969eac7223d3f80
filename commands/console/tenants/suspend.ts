import { dryRunFlag } from '../../../src/cli/flags.ts'
import { tenantArg, tenantStateCommand, tenantStateSchema } from '../../../src/cli/tenant-state.ts'
import { WorldCommand } from '../../../src/cli/world-command.ts'

export default class ConsoleTenantsSuspend extends WorldCommand {
  static override summary = 'Suspend a tenant: every request of it is refused from now on'
  static override examples = ['countroom console tenants suspend ACME']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = { ...dryRunFlag }
  static override data = tenantStateSchema

  override async run() {
    const { args } = await this.parse(ConsoleTenantsSuspend)
    const { casino } = await this.world()
    const tenant = await tenantStateCommand(casino, args.code, 'SUSPENDED')
    this.fields(tenant)
    return tenant
  }
}
