import type { Config } from '../config/config.ts'
import { type NamedProfile, noSection } from '../config/profile-schema.ts'

/** Returns the secret that signs callbacks to a profile's merchant, if known. */
export async function ipnSecretOf({ name, profile }: NamedProfile, config: Config): Promise<string | undefined> {
  if (profile.kind === 'remote') {
    if (!profile.gateway) throw noSection({ name, profile }, 'gateway')
    return profile.gateway.ipnSecret
  }
  const { demoCredentials, openLocalWorld } = await import('./local-gateway.ts')
  const world = await openLocalWorld(profile, config)
  try {
    const demo = await demoCredentials(world.gateway, profile.environment === 'sandbox' ? 'sandbox' : 'production')
    return demo?.ipnSecret
  } finally {
    await world.close()
  }
}
