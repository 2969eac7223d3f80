import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { tenantArg, tenantStateSchema } from '../../../src/cli/topics/console/tenant-fields.ts'

export default class ConsoleTenantsClose extends CountroomCommand {
  static override summary = 'Close a tenant and reject all its requests'
  static override description =
    'Every request is rejected with TENANT_SUSPENDED. To undo it, run "console tenants enable": the previous account state is restored.'
  static override examples = ['countroom console tenants close ACME']

  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = { ...dryRunFlag }
  static override data = tenantStateSchema

  override async run() {
    const { args } = await this.parse(ConsoleTenantsClose)
    const { changeTenantState } = await import('../../../src/cli/topics/console/tenant-state.ts')
    return changeTenantState(this, args.code, 'CLOSED')
  }
}
