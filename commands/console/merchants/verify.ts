import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsVerify extends CountroomCommand {
  static override summary = 'Verify a merchant, or revoke the verification'
  static override description =
    'An unverified merchant cannot take or move money: its keys can read data and prices, creating or moving anything fails with FORBIDDEN, and queued payouts wait. A merchant is unverified after --unverified at creation or after --revoke. A sandbox merchant is always verified.'
  static override examples = [
    'countroom console merchants verify --merchant 5000000001',
    'countroom console merchants verify --merchant 5000000001 --revoke',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override flags = {
    ...dryRunFlag,
    revoke: Flags.boolean({ summary: 'Revoke the verification at once' }),
    ...merchantFlags,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ id: Type.String(), environment: Type.String(), verified: Type.Boolean() })

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsVerify)
    const { gateway } = await this.services.world()
    const { verifyMerchant } = await import('../../../src/services/gateway/admin/merchant.ts')
    const row = await verifyMerchant(gateway, await merchantOf(this, flags), flags.revoke !== true)
    const result = { id: row.id, environment: row.environment, verified: row.verified === 1 }
    this.fields(result)
    return result
  }
}
