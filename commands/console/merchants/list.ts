import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { listFlags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { environmentFlag } from '../../../src/cli/topics/console/merchant.ts'
import { gatewayEnvironments } from '../../../src/domain/chains/networks.ts'

export default class ConsoleMerchantsList extends CountroomCommand {
  static override summary = 'List the merchants of the payment gateway'
  static override examples = ['countroom console merchants list']
  static override flags = { ...environmentFlag, ...listFlags }
  static override data = ({ Type }: Shapes) => {
    const row = Type.Object({
      id: Type.String(),
      environment: Type.String(),
      name: Type.String(),
      compat: Type.Boolean(),
      frozen: Type.Boolean(),
      verified: Type.Boolean(),
      ipnUrl: Type.Union([Type.String(), Type.Null()]),
      createdAt: Type.String(),
    })
    return Type.Object({ merchants: Type.Array(row) })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsList)
    const { gateway } = await this.services.world()
    const { listMerchants } = await import('../../../src/services/gateway/admin/merchant.ts')
    const environments = gatewayEnvironments.filter((each) => (flags.environment ?? each) === each)
    const rows = (await Promise.all(environments.map((each) => listMerchants(gateway, each)))).flat()
    const merchants = rows.map((row) => ({
      id: row.id,
      environment: row.environment,
      name: row.name,
      compat: row.compat === 1,
      frozen: row.frozen === 1,
      verified: row.verified === 1,
      ipnUrl: row.ipn_url,
      createdAt: new Date(row.created_at).toISOString(),
    }))
    this.table(merchants, ['id', 'environment', 'name', 'compat', 'frozen', 'verified', 'ipnUrl'], 'No merchants.')
    return { merchants }
  }
}
