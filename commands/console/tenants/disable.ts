import { TenantStateCommand } from '../../../src/cli/topics/console/tenant-state.ts'

export default class ConsoleTenantsDisable extends TenantStateCommand {
  static override summary = 'Switch a tenant off, whatever its account says'
  static override examples = ['countroom console tenants disable ACME']

  protected readonly to = 'DISABLED'
}
