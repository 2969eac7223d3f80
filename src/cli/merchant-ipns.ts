import { Problem } from '../kit/problem.ts'
import type { MerchantRow } from '../store/tables/gateway.ts'
import type { NamedProfile } from '../world/profiles.ts'
import type { World } from '../world/world.ts'
import { Args } from './flags.ts'

/** What the commands about a merchant's callbacks have in common. */

export const merchantArg = {
  merchant: Args.string({
    description: "The merchant's id; the demo merchant of the profile's environment if not given",
  }),
}

/** The id of the merchant that was named, else the demo's in the environment of the profile. */
export async function merchantId(world: World, named: string | undefined, { profile }: NamedProfile): Promise<string> {
  if (named !== undefined) return named
  const { demoCredentials } = await import('../gateway/demo.ts')
  const environment = profile.environment === 'sandbox' ? 'sandbox' : 'production'
  const demo = await demoCredentials(world.gateway, environment)
  if (demo) return demo.merchantId
  throw new Problem('INVALID_USAGE', `The world has no demo merchant in ${environment}: name one`, { environment })
}

/** How a merchant is told, as the Console shows it. */
export function ipnView(row: MerchantRow, usualAttempts: number) {
  return {
    merchant: row.id,
    environment: row.environment,
    url: row.ipn_url,
    attempts: row.ipn_attempts ?? usualAttempts,
    compat: row.compat === 1,
    compatHeader: row.compat_header,
  }
}

export async function ipnViewSchema() {
  const { Type } = await import('typebox')
  return Type.Object({
    merchant: Type.String(),
    environment: Type.Enum(['production', 'sandbox']),
    url: Type.Union([Type.String(), Type.Null()], { description: 'For whatever names no place of its own' }),
    attempts: Type.Integer({ description: 'After how many a callback is given up' }),
    compat: Type.Boolean({ description: 'Whether the signature is sent under compatHeader too' }),
    compatHeader: Type.String(),
  })
}
