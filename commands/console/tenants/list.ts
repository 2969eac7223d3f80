import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { rememberNames } from '../../../src/cli/framework/completion.ts'
import { listFlags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class ConsoleTenantsList extends CountroomCommand {
  static override summary = 'List the live and sandbox tenants of the world'
  static override examples = ['countroom console tenants list']
  static override flags = { ...listFlags }
  static override data = ({ Type }: Shapes) => {
    const row = Type.Object({
      companyCode: Type.String(),
      environment: Type.String(),
      plan: Type.String(),
      state: Type.String(),
      disabled: Type.Boolean(),
      timezone: Type.String(),
      currencies: Type.Array(Type.String()),
      balanceUsd: Type.String(),
    })
    return Type.Object({ tenants: Type.Array(row) })
  }

  override async run() {
    await this.parse(ConsoleTenantsList)
    const { casino } = await this.services.world()
    const { listTenants } = await import('../../../src/services/casino/admin/index.ts')
    const tenants = (await listTenants(casino)).map((row) => ({
      companyCode: row.code,
      environment: row.environment,
      plan: row.plan,
      state: row.state,
      disabled: row.disabled === 1,
      timezone: row.timezone,
      currencies: JSON.parse(row.currencies) as string[],
      balanceUsd: row.credit_usd,
    }))
    rememberNames(
      this.settings.paths,
      'tenants',
      tenants.map(({ companyCode }) => companyCode),
    )
    this.table(tenants, [
      'companyCode',
      'environment',
      'plan',
      'state',
      'disabled',
      'timezone',
      { key: 'balanceUsd', kind: 'amount' },
    ])
    return { tenants }
  }
}
