import { TenantStateCommand } from '../../../src/cli/topics/console/tenant-state.ts'

export default class ConsoleTenantsClose extends TenantStateCommand {
  static override summary = 'Close a tenant and reject all its requests'
  static override examples = ['countroom console tenants close ACME']

  protected readonly to = 'CLOSED'
}
