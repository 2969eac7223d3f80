import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { tenantArg, tenantStateSchema } from '../../../src/cli/topics/console/tenant-fields.ts'

export default class ConsoleTenantsDisable extends CountroomCommand {
  static override summary = 'Disable a tenant in any account state'
  static override description =
    'Every request is rejected with TENANT_SUSPENDED, and the account state, such as PAID or GRACE, stays as it is. To undo it, run "console tenants enable".'
  static override examples = ['countroom console tenants disable ACME']

  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = { ...dryRunFlag }
  static override data = tenantStateSchema

  override async run() {
    const { args } = await this.parse(ConsoleTenantsDisable)
    const { changeTenantState } = await import('../../../src/cli/topics/console/tenant-state.ts')
    return changeTenantState(this, args.code, 'DISABLED')
  }
}
