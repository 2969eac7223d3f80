import { TenantStateCommand } from '../../../src/cli/topics/console/tenant-state.ts'

export default class ConsoleTenantsDisable extends TenantStateCommand {
  static override summary = 'Disable a tenant in any account state'
  static override examples = ['countroom console tenants disable ACME']

  protected readonly to = 'DISABLED'
}
