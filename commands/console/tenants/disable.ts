import { dryRunFlag } from '../../../src/cli/flags.ts'
import { tenantArg, tenantStateCommand, tenantStateSchema } from '../../../src/cli/tenant-state.ts'
import { WorldCommand } from '../../../src/cli/world-command.ts'

export default class ConsoleTenantsDisable extends WorldCommand {
  static override summary = 'Switch a tenant off, whatever its account says'
  static override examples = ['countroom console tenants disable ACME']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = { ...dryRunFlag }
  static override data = tenantStateSchema

  override async run() {
    const { args } = await this.parse(ConsoleTenantsDisable)
    const { casino } = await this.world()
    const tenant = await tenantStateCommand(casino, args.code, 'DISABLED')
    this.fields(tenant)
    return tenant
  }
}
