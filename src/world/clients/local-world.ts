import { logIntoConsole } from '../../services/casino/account/demo-idle.ts'
import type { Config } from '../config/config.ts'
import type { LocalProfile } from '../config/profile-schema.ts'
import type { World } from '../world.ts'
import { openLocalWorld, tenantIn } from './casino.ts'

export { closeWorld } from './casino.ts'

/**
 * Opens the world of a local profile for the platform's staff. A command about a tenant counts as a Console login: paused
 * tables of a demo tenant come back.
 */
export async function openWorldAsStaff(
  profile: LocalProfile,
  config: Config,
  { isRehearsal, tenant }: { isRehearsal: boolean; tenant: string | undefined },
): Promise<World> {
  const world = await openLocalWorld(profile, config, { isRehearsal })
  if (tenant !== undefined) await logIntoConsole(world.casino, tenant)
  return world
}

/** Returns the code of a tenant, the named one or that of the profile, after a Console login. */
export async function loggedInTenant(world: World, profile: LocalProfile, named: string | undefined): Promise<string> {
  const code = named?.toUpperCase() ?? (await ownTenant(world, profile))
  await logIntoConsole(world.casino, code)
  return code
}

async function ownTenant(world: World, profile: LocalProfile): Promise<string> {
  const { code } = await tenantIn(world, profile)
  return profile.environment === 'sandbox' ? `${code}-SBX` : code
}
