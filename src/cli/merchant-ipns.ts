import { gatewayEnvironments } from '../domain/chains/networks.ts'
import { Problem } from '../kit/problem.ts'
import type { NamedProfile } from '../world/profiles.ts'
import type { World } from '../world/world.ts'
import { Flags } from './flags.ts'

/** Which merchant's callbacks a command is about. */
export const ipnMerchantFlags = {
  merchant: Flags.string({ summary: 'The merchant, by id (the demo merchant if not given)', helpValue: 'ID' }),
  environment: Flags.string({
    summary: "Which side of the gateway (the profile's, else production)",
    options: [...gatewayEnvironments],
  }),
}

interface Asked {
  readonly merchant?: string | undefined
  readonly environment?: string | undefined
}

/** The id of the merchant that was named, else the demo's of the environment. */
export async function ipnMerchantId(world: World, asked: Asked, { profile }: NamedProfile): Promise<string> {
  if (asked.merchant !== undefined) return asked.merchant
  const { demoCredentials } = await import('../gateway/demo.ts')
  const said = gatewayEnvironments.find((known) => known === asked.environment)
  const environment = said ?? (profile.environment === 'sandbox' ? 'sandbox' : 'production')
  const demo = await demoCredentials(world.gateway, environment)
  if (demo) return demo.merchantId
  throw new Problem('INVALID_USAGE', `The world has no demo merchant in ${environment}: name one with --merchant`, {
    environment,
  })
}
