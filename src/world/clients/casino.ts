import { withoutPassword } from '../../db/engines/database-name.ts'
import type { Environment } from '../../domain/account/state.ts'
import { createClient, toRequest } from '../../http/client/client.ts'
import { openPlatformClock } from '../../http/client/platform-clock.ts'
import { tenantSigner } from '../../http/client/signers.ts'
import { realSleep } from '../../http/client/sleep.ts'
import {
  type Exchange,
  inProcess,
  observed,
  overHttp,
  type Retry,
  retrying,
  signed,
  type Transport,
} from '../../http/client/transport.ts'
import type { Client } from '../../http/contract/contract.ts'
import { realAmbient } from '../../kit/ambient.ts'
import { Problem } from '../../kit/problem.ts'
import { casino as casinoContract } from '../../services/casino/api/contract.ts'
import { badConfiguration, type Config } from '../config/config.ts'
import { existingDb } from '../config/local-db.ts'
import { type LocalProfile, type NamedProfile, noSection, type RemoteProfile } from '../config/profile-schema.ts'
import { attemptsOf, httpPatience, timeoutOf } from '../config/timeouts.ts'
import type { World } from '../world.ts'

/** Tenant of a profile's casino clients. */
export interface CasinoIdentity {
  readonly companyCode: string
  readonly environment: Environment
  /** IANA time zone of the tenant's days. */
  readonly timezone: string
  /** Target of the requests; in process, the file or address of the database. */
  readonly target: string
}

/** Typed clients of a profile's services, opened and closed together. */
export interface Clients {
  /** Retries on 429, 5xx and timeouts; each attempt is signed again. */
  readonly casino: Client<typeof casinoContract>
  /** Without retries, for requests that must not be repeated, such as a launch. */
  readonly casinoOnce: Client<typeof casinoContract>
  /** Transport of the client without retries: it only signs. */
  readonly casinoTransport: Transport
  readonly casinoAccess: CasinoIdentity
  /** Returns the platform's time, for days and ages; sends a request if no response has contained it yet. */
  now(): Promise<number>
  /**
   * Returns the lead of the platform's time over this machine's in milliseconds, from the responses so far; `undefined`
   * before any.
   */
  aheadMs(): number | undefined
  /** Returns the platform's time from the responses so far; this machine's before any. Sends no request. */
  platformNow(): number
  /** Returns the URL at which the local world is being served; null if it is not served or not local. */
  servedAt(): Promise<string | null>
  close(): Promise<void>
}

export interface ClientOptions {
  /** Maximum total wait between the attempts of one request; default: a number of attempts. */
  readonly maxWaitMs?: number
  /** Called before every retry. */
  readonly onRetry?: (retry: Retry) => void
  /** Called after every response. */
  readonly onExchange?: (exchange: Exchange) => void
}

/** Opens the services of a profile: at their addresses, or in this process on its database. */
export function openClients(named: NamedProfile, config: Config, options: ClientOptions = {}): Promise<Clients> {
  const { profile } = named
  return profile.kind === 'local'
    ? openLocal(profile, config, options)
    : openRemote(named.name, profile, config, options)
}

async function openRemote(
  name: string,
  profile: RemoteProfile,
  config: Config,
  given: ClientOptions,
): Promise<Clients> {
  const access = profile.casino
  if (!access) throw noSection({ name, profile }, 'casino')
  const http = overHttp(access.baseUrl, httpPatience(config))
  const { companyCode, timezone, baseUrl } = access
  const identity = { companyCode, timezone, environment: profile.environment, target: baseUrl }
  const options = { ...given, ...attemptsOf(config) }
  return clientsOn(http, access, identity, options, { servedAt: async () => null, close: () => http.close() })
}

/** Loads the service's own code, which remote profiles do not need. */
async function openLocal(profile: LocalProfile, config: Config, options: ClientOptions): Promise<Clients> {
  const [{ sandboxCode }, { credentialsOf }] = await Promise.all([
    import('../../services/casino/admin/index.ts'),
    import('../demo-data.ts'),
  ])
  const world = await openLocalWorld(profile, config)
  try {
    const environment = profile.environment ?? 'live'
    const { code, timezone } = await tenantIn(world, profile)
    const keys = await credentialsOf(world.casino, code)
    const key = keys?.[environment]
    if (!key?.apiKey) throw badConfiguration(`${code} has no active ${environment} key`, { tenant: code })
    const companyCode = environment === 'live' ? code : sandboxCode(code)
    const identity = { companyCode, environment, timezone, target: withoutPassword(profile.db) }
    const ends = { now: () => world.clock.now(), servedAt: world.servedAt, close: () => closeWorld(world) }
    return clientsOn(
      inProcess(world.server, { timeoutMs: timeoutOf(config) }),
      key,
      identity,
      { ...options, ...attemptsOf(config) },
      ends,
    )
  } catch (error) {
    await world.close()
    throw error
  }
}

/** Opens the world of a local profile, which must exist: a typo in a path must not create a new, empty one. */
export async function openLocalWorld(
  profile: LocalProfile,
  config: Config,
  options: { isRehearsal?: boolean } = {},
): Promise<World> {
  const db = existingDb(profile)
  const [{ openWorld }, { openLog }] = await Promise.all([import('../world.ts'), import('../../kit/log.ts')])
  const { logLevel } = config.settings
  const { isRehearsal = false } = options
  return openWorld({
    db,
    dataFolder: config.paths.data,
    isRehearsal,
    ...(logLevel === 'debug' ? { log: await openLog('debug') } : {}),
  })
}

/** Closes a world after a single command: what became due during it is run first. */
export async function closeWorld(world: World): Promise<void> {
  try {
    await world.settle()
  } finally {
    await world.close()
  }
}

/** Returns the live tenant of a local profile: the one it names, the demo's, or the only one. */
export async function tenantIn(world: World, profile: LocalProfile): Promise<{ code: string; timezone: string }> {
  const [{ allTenants }, { demoCode }] = await Promise.all([
    import('../../services/casino/queries/tenants.ts'),
    import('../demo-data.ts'),
  ])
  const tenants = (await world.store.read(allTenants)).filter((tenant) => tenant.environment === 'live')
  const wanted = profile.tenant?.toUpperCase()
  const found =
    wanted === undefined
      ? (tenants.find((tenant) => tenant.code === demoCode) ?? (tenants.length === 1 ? tenants[0] : undefined))
      : tenants.find((tenant) => tenant.code === wanted)
  if (found) return found
  const codes = tenants.map((tenant) => tenant.code)
  throw new Problem(
    'BAD_CONFIGURATION',
    wanted === undefined
      ? `The world has ${codes.length === 0 ? 'no tenant' : `the tenants ${codes.join(', ')}`}: the profile must name one`
      : `The world has no tenant ${wanted}`,
    { tenants: codes },
  )
}

function clientsOn(
  bare: Transport,
  key: { readonly apiKey: string; readonly secret: string },
  casinoAccess: CasinoIdentity,
  { onRetry, onExchange, attempts }: ClientOptions & { attempts?: number },
  { now: worldNow, servedAt, close }: Pick<Clients, 'servedAt' | 'close'> & { readonly now?: () => Promise<number> },
): Clients {
  const { now, random } = realAmbient()
  // Any response contains the time, even a refusal; the account is the cheapest request of the API.
  const clock = openPlatformClock(now, () => trying(toRequest(casinoContract, 'account', {})))
  const dated = clock.observing(bare)
  const observable = onExchange === undefined ? dated : observed(dated, onExchange)
  const casinoTransport = signed(observable, tenantSigner({ apiKey: key.apiKey, secret: key.secret, now, random }))
  const trying = retrying(casinoTransport, {
    sleep: realSleep,
    now,
    random: Math.random,
    ...(attempts === undefined ? {} : { attempts }),
    // Transfers have their own key in the body, and repeating the other writes changes nothing.
    repeatable: () => true,
    ...(onRetry ? { observe: onRetry } : {}),
  })
  return {
    casino: createClient(casinoContract, trying),
    casinoOnce: createClient(casinoContract, casinoTransport),
    casinoTransport,
    casinoAccess,
    now: worldNow ?? clock.now,
    aheadMs: clock.aheadMs,
    platformNow: () => now() + (clock.aheadMs() ?? 0),
    servedAt,
    close,
  }
}
