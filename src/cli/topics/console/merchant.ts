import { type GatewayEnvironment, gatewayEnvironments } from '../../../domain/chains/networks.ts'
import type { CommandContext } from '../../context/context.ts'
import { Flags } from '../../framework/flags.ts'

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

export interface MerchantFlags {
  readonly merchant?: string | undefined
  readonly environment?: string | undefined
}

/** Returns the environment of the gateway: the named one, else that of the profile. */
export function environmentOf(
  { profile: { profile } }: CommandContext,
  { environment }: MerchantFlags,
): GatewayEnvironment {
  const match = gatewayEnvironments.find((known) => known === environment)
  return match ?? (profile.environment === 'sandbox' ? 'sandbox' : 'production')
}

/** Returns the merchant: the named one, else the demo merchant or the only one. */
export async function merchantOf(context: CommandContext, flags: MerchantFlags): Promise<string> {
  if (flags.merchant !== undefined) return flags.merchant
  const { gateway } = await context.services.world()
  const { defaultMerchant } = await import('../../../services/gateway/admin/merchant.ts')
  return defaultMerchant(gateway, environmentOf(context, flags))
}

/** For commands that apply to both environments unless one is named: the demo merchant is one operator with two accounts. */
export async function merchantsOf(context: CommandContext, flags: MerchantFlags): Promise<string[]> {
  const { profile } = context.profile
  if (flags.merchant !== undefined || flags.environment !== undefined || profile.environment !== undefined)
    return [await merchantOf(context, flags)]
  return Promise.all(gatewayEnvironments.map((environment) => merchantOf(context, { environment })))
}
