import { withoutPassword } from '../../db/engines/database-name.ts'
import { openLog } from '../../kit/log.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { logIntoConsole } from '../../services/casino/account/demo-idle.ts'
import { sandboxCode } from '../../services/casino/admin/index.ts'
import { allTenants } from '../../services/casino/queries/tenants.ts'
import { badConfiguration, type Config } from '../config/config.ts'
import { existingDb } from '../config/local-db.ts'
import type { LocalProfile } from '../config/profile-schema.ts'
import { credentialsOf, demoCode } from '../demo-data.ts'
import { openWorld, type World } from '../world.ts'
import type { CasinoIdentity } from './casino.ts'

/** Opens the world of a local profile, which must exist: a typo in a path must not create a new, empty one. */
export async function openLocalWorld(
  profile: LocalProfile,
  config: Config,
  options: { isDryRun?: boolean } = {},
): Promise<World> {
  const db = existingDb(profile)
  const { logLevel } = config.settings
  const { isDryRun = false } = options
  return openWorld({
    db,
    dataFolder: config.paths.data,
    isDryRun,
    ...(logLevel === 'debug' ? { log: await openLog('debug') } : {}),
  })
}

/**
 * Closes a world after a single command: what became due during it is run first. Throws JOBS_NOT_RUN if the database
 * cannot be reached for that. The command's own work is committed by then, so its result stands.
 */
export async function closeWorld(world: World): Promise<void> {
  try {
    try {
      await world.settle()
    } finally {
      await world.close()
    }
  } catch (error) {
    if (!isProblem(error, 'STORE_UNAVAILABLE') && !isProblem(error, 'STORE_BUSY')) throw error
    throw new Problem(
      'JOBS_NOT_RUN',
      `Jobs that became due were not run: ${error.message}. The next command on this world runs them, or "countroom serve"`,
      {},
      { cause: error },
    )
  }
}

/** Returns the live tenant of a local profile: the one it names, the demo's, or the only one. */
export async function tenantIn(world: World, profile: LocalProfile): Promise<{ code: string; timezone: string }> {
  const tenants = (await world.store.read(allTenants)).filter((tenant) => tenant.environment === 'live')
  const tenantCode = profile.tenant?.toUpperCase()
  const match =
    tenantCode === undefined
      ? (tenants.find((tenant) => tenant.code === demoCode) ?? (tenants.length === 1 ? tenants[0] : undefined))
      : tenants.find((tenant) => tenant.code === tenantCode)
  if (match) return match
  const codes = tenants.map((tenant) => tenant.code)
  throw new Problem(
    'BAD_CONFIGURATION',
    tenantCode === undefined
      ? codes.length === 0
        ? 'The world has no tenant. To create one: countroom console tenants create DEMO'
        : `The world has the tenants ${codes.join(', ')}. Name one, for example: --profile local.${codes[0]?.toLowerCase()}`
      : `The world has no tenant ${tenantCode}. To list the tenants: countroom console tenants list`,
    { tenants: codes },
  )
}

/** Opens the world of a local profile for its tenant, or uses one that is open. */
export async function openTenantWorld(profile: LocalProfile, config: Config, open?: World) {
  const world = open ?? (await openLocalWorld(profile, config))
  try {
    const environment = profile.environment ?? 'live'
    const { code, timezone } = await tenantIn(world, profile)
    const keys = await credentialsOf(world.casino, code)
    const key = keys?.[environment]
    if (!key?.apiKey) throw badConfiguration(`${code} has no active ${environment} key`, { tenant: code })
    const companyCode = environment === 'live' ? code : sandboxCode(code)
    const identity: CasinoIdentity = { companyCode, environment, timezone, target: withoutPassword(profile.db) }
    return { world, identity, key }
  } catch (error) {
    if (!open) await world.close()
    throw error
  }
}

/**
 * Opens the world of a local profile for the platform's staff. A command about a tenant counts as a Console login: paused
 * tables of a demo tenant come back.
 */
export async function openWorldAsStaff(
  profile: LocalProfile,
  config: Config,
  { isDryRun, tenant }: { isDryRun: boolean; tenant: string | undefined },
): Promise<World> {
  const world = await openLocalWorld(profile, config, { isDryRun })
  if (tenant !== undefined) await logIntoConsole(world.casino, tenant)
  return world
}

/** Returns the code of a tenant, the named one or that of the profile, after a Console login. */
export async function loggedInTenant(world: World, profile: LocalProfile, named: string | undefined): Promise<string> {
  const code = named?.toUpperCase() ?? (await ownTenant(world, profile))
  await logIntoConsole(world.casino, code)
  return code
}

/** Returns the code of the tenant that a profile acts for; that of the sandbox has a suffix. */
export async function ownTenant(world: World, profile: LocalProfile): Promise<string> {
  const { code } = await tenantIn(world, profile)
  return profile.environment === 'sandbox' ? `${code}-SBX` : code
}
