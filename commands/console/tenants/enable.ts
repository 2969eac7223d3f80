import { TenantStateCommand } from '../../../src/cli/topics/console/tenant-state.ts'

export default class ConsoleTenantsEnable extends TenantStateCommand {
  static override summary = 'Enable a suspended, closed or disabled tenant'
  static override examples = ['countroom console tenants enable ACME']

  protected readonly to = 'ENABLED'
}
