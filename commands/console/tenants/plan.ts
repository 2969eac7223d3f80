import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'
import { plans } from '../../../src/domain/account/state.ts'

export default class ConsoleTenantsPlan extends CountroomCommand {
  static override summary = 'Change the subscription plan of a tenant at once'
  static override description =
    'On the free plan, tables beyond the quota are disabled; those enabled the longest stay enabled.'
  static override examples = ['countroom console tenants plan ACME paid']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = {
    ...tenantArg,
    plan: Args.string({ required: true, description: 'Subscription plan', options: [...plans] }),
  }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ companyCode: Type.String(), plan: Type.Enum([...plans]), state: Type.String() })

  override async run() {
    const { args } = await this.parse(ConsoleTenantsPlan)
    const { casino } = await this.services.world()
    const { setPlan } = await import('../../../src/services/casino/admin/index.ts')
    const tenant = await setPlan(casino, args.code, args.plan === 'paid' ? 'paid' : 'free')
    const result = { companyCode: tenant.code, plan: tenant.plan, state: tenant.state }
    this.fields(result)
    return result
  }
}
