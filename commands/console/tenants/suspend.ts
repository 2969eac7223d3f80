import { TenantStateCommand } from '../../../src/cli/topics/console/tenant-state.ts'

export default class ConsoleTenantsSuspend extends TenantStateCommand {
  static override summary = 'Suspend a tenant and reject all its requests'
  static override examples = ['countroom console tenants suspend ACME']

  protected readonly to = 'SUSPENDED'
}
