import { withoutPassword } from '../../db/engines/database-name.ts'
import { sandboxCode } from '../../services/casino/admin/index.ts'
import { tenantOf } from '../../services/casino/queries/tenants.ts'
import { webhookOf } from '../../services/casino/queries/webhooks.ts'
import type { Config } from '../config/config.ts'
import { type NamedProfile, noSection } from '../config/profile-schema.ts'
import type { CasinoIdentity } from './casino.ts'
import { openLocalWorld, tenantIn } from './local-world.ts'

/** Tenant of a profile's webhooks, and the secret that signs them, if known. */
export interface WebhookAccess {
  readonly identity: CasinoIdentity
  readonly secret: string | undefined
}

/** Returns a profile's webhook secret: a remote one has it stored, a local one reads it from its world. */
export async function webhookAccessOf({ name, profile }: NamedProfile, config: Config): Promise<WebhookAccess> {
  if (profile.kind === 'remote') {
    const { environment, casino } = profile
    if (!casino) throw noSection({ name, profile }, 'casino')
    const { companyCode, timezone, baseUrl, webhookSecret } = casino
    return { identity: { companyCode, environment, timezone, target: baseUrl }, secret: webhookSecret }
  }
  const world = await openLocalWorld(profile, config)
  try {
    const environment = profile.environment ?? 'live'
    const { code, timezone } = await tenantIn(world, profile)
    const companyCode = environment === 'live' ? code : sandboxCode(code)
    const hook = await world.store.read(async (reader) => {
      const tenant = await tenantOf(reader, companyCode)
      return tenant && webhookOf(reader, tenant.code)
    })
    const identity = { companyCode, environment, timezone, target: withoutPassword(profile.db) }
    return { identity, secret: hook?.secret ?? undefined }
  } finally {
    await world.close()
  }
}
