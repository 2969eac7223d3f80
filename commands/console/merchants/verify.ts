import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { MerchantCommand, merchantFlags } from '../../../src/cli/topics/console/merchant-command.ts'

export default class ConsoleMerchantsVerify extends MerchantCommand {
  static override summary = "Approve a merchant's verification: until then it takes and moves no money"
  static override description =
    'An account waits for it only where it was made with --unverified, or where --revoke took it back; the sandbox verifies by itself. Meanwhile its keys read and ask prices, what creates or moves something is FORBIDDEN, and what was to go out waits.'
  static override examples = [
    'countroom console merchants verify --merchant 5000000001',
    'countroom console merchants verify --merchant 5000000001 --revoke',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override flags = {
    ...dryRunFlag,
    revoke: Flags.boolean({ summary: 'Take it back, at once' }),
    ...merchantFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ id: Type.String(), environment: Type.String(), verified: Type.Boolean() })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsVerify)
    const { gateway } = await this.world()
    const { verifyMerchant } = await import('../../../src/services/gateway/admin/merchant.ts')
    const row = await verifyMerchant(gateway, await this.merchantId(flags), flags.revoke !== true)
    const result = { id: row.id, environment: row.environment, verified: row.verified === 1 }
    this.fields(result)
    return result
  }
}
