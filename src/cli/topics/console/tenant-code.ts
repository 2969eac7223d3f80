import type { CommandContext } from '../../context/context.ts'

/** Returns the tenant: the named one, else that of the profile. */
export async function tenantCode({ services, profile: { profile } }: CommandContext, named?: string): Promise<string> {
  const world = await services.world()
  const { loggedInTenant } = await import('../../../world/clients/local-world.ts')
  return loggedInTenant(world, profile.kind === 'local' ? profile : { kind: 'local', db: '' }, named)
}
