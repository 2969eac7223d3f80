import { CountroomCommand } from '../../framework/command.ts'
import { Args, dryRunFlag } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

export const tenantArg = { code: Args.string({ required: true, description: 'Company code' }) }

/** Base class of commands that set the state of a tenant. */
export abstract class TenantStateCommand extends CountroomCommand {
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ companyCode: Type.String(), state: Type.String(), disabled: Type.Boolean() })

  protected abstract readonly to: 'SUSPENDED' | 'CLOSED' | 'ENABLED' | 'DISABLED'

  /** Sets the state of the tenant and shows it. */
  override async run() {
    const { args } = await this.parse(TenantStateCommand)
    const { casino } = await this.services.world()
    const [{ setTenantState }, { rememberNames }] = await Promise.all([
      import('../../../services/casino/admin/index.ts'),
      import('../../framework/completion.ts'),
    ])
    const tenant = await setTenantState(casino, args.code, this.to)
    rememberNames(this.settings.paths, 'tenants', [tenant.code])
    const result = { companyCode: tenant.code, state: tenant.state, disabled: tenant.disabled === 1 }
    this.fields(result)
    return result
  }
}
