import type { LocalProfile } from '../../../world/config/profile-schema.ts'
import type { CommandContext } from '../../context/context.ts'

const localWorlds = () => import('../../../world/clients/local-world.ts')

/** Returns the code of a tenant, the named one or that of the profile. */
export async function tenantCode({ services, profile: { profile } }: CommandContext, named?: string): Promise<string> {
  const world = await services.world()
  const { loggedInTenant } = await localWorlds()
  return loggedInTenant(world, profile.kind === 'local' ? profile : { kind: 'local', db: '' }, named)
}

/** Returns the code of the tenant that a profile of this world acts for. */
export async function codeOf({ services }: CommandContext, profile: LocalProfile): Promise<string> {
  const world = await services.world()
  const { ownTenant } = await localWorlds()
  return ownTenant(world, profile)
}
