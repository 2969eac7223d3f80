import { type GatewayEnvironment, gatewayEnvironments } from '../../../domain/chains/networks.ts'
import { Flags } from '../../framework/flags.ts'
import { WorldCommand } from './command.ts'

export const environmentFlag = {
  environment: Flags.string({
    summary: 'Environment of the gateway (default: that of the profile, else production)',
    options: [...gatewayEnvironments],
  }),
}

export const merchantFlags = {
  merchant: Flags.string({ summary: 'Merchant ID (default: the demo merchant, or the only one)', helpValue: 'ID' }),
  ...environmentFlag,
}

interface MerchantFlags {
  readonly merchant?: string | undefined
  readonly environment?: string | undefined
}

/** Base class of commands about a merchant. */
export abstract class MerchantCommand extends WorldCommand {
  protected environmentOf({ environment }: MerchantFlags): GatewayEnvironment {
    const said = gatewayEnvironments.find((known) => known === environment)
    const { profile } = this.profile
    return said ?? (profile.environment === 'sandbox' ? 'sandbox' : 'production')
  }

  protected async merchantId(flags: MerchantFlags): Promise<string> {
    if (flags.merchant !== undefined) return flags.merchant
    const { gateway } = await this.world()
    const { usualMerchant } = await import('../../../services/gateway/admin/merchant.ts')
    return usualMerchant(gateway, this.environmentOf(flags))
  }

  /** For commands that apply to both environments unless one is named: the demo merchant is one operator with two accounts. */
  protected async merchantIds(flags: MerchantFlags): Promise<string[]> {
    const { profile } = this.profile
    if (flags.merchant !== undefined || flags.environment !== undefined || profile.environment !== undefined)
      return [await this.merchantId(flags)]
    return Promise.all(gatewayEnvironments.map((environment) => this.merchantId({ environment })))
  }
}
