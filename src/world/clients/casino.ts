import { withoutPassword } from '../../db/engines/database-name.ts'
import type { Environment } from '../../domain/account/state.ts'
import { createClient, toRequest } from '../../http/client/client.ts'
import { openPlatformClock } from '../../http/client/platform-clock.ts'
import { tenantSigner } from '../../http/client/signers.ts'
import { realSleep } from '../../http/client/sleep.ts'
import {
  type Exchange,
  inProcess,
  overHttp,
  patient,
  type Retry,
  signed,
  type Transport,
  watched,
} from '../../http/client/transport.ts'
import type { Client } from '../../http/contract/contract.ts'
import { realAmbient } from '../../kit/ambient.ts'
import { Problem } from '../../kit/problem.ts'
import { casino as casinoContract } from '../../services/casino/api/contract.ts'
import { badConfiguration, type Config } from '../config/config.ts'
import { existingDb } from '../config/local-db.ts'
import type { LocalProfile, NamedProfile, RemoteProfile } from '../config/profile-schema.ts'
import { attemptsOf, httpPatience, timeoutOf } from '../config/timeouts.ts'
import type { World } from '../world.ts'

/** Who the clients of a profile speak for at the casino. */
export interface CasinoIdentity {
  readonly companyCode: string
  readonly environment: Environment
  /** The tenant's IANA zone: its days are counted in it. */
  readonly timezone: string
  /** Where the requests go; in process, the file or address of the database. */
  readonly target: string
}

/** The typed clients of a profile's services, opened together and closed together. */
export interface Clients {
  /** Tries again on 429, 5xx and silence; each attempt is signed afresh. */
  readonly casino: Client<typeof casinoContract>
  /** The same without trying again, for what must not be done twice unasked, such as a launch. */
  readonly casinoOnce: Client<typeof casinoContract>
  /** What the once-client stands on: signed, and nothing else. */
  readonly casinoTransport: Transport
  readonly casinoAccess: CasinoIdentity
  /** Returns the platform's time, by which days and ages are told; asks for it where no response has told it yet. */
  now(): Promise<number>
  /** How far the platform's time is ahead of this machine's, in milliseconds, by the responses so far; `undefined` before any. */
  aheadMs(): number | undefined
  /** Returns the platform's time as the responses so far tell it; this machine's before any. Asks for nothing. */
  platformNow(): number
  /** The address at which the world opened here is served at the moment; null when nobody serves it, or it is elsewhere. */
  servedAt(): Promise<string | null>
  close(): Promise<void>
}

export interface ClientOptions {
  /** How long in all to wait between the attempts of one request; a number of attempts where it is not said. */
  readonly maxWaitMs?: number
  /** Told of every attempt that will be made again. */
  readonly onRetry?: (retry: Retry) => void
  /** Told of every request when it has been answered. */
  readonly onExchange?: (exchange: Exchange) => void
}

/** Opens what the profile names: services at their addresses, or the ones in this process on its database. */
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
  if (!access) throw badConfiguration(`The profile "${name}" has no casino section`, { profile: name })
  const http = overHttp(access.baseUrl, httpPatience(config))
  const { companyCode, timezone, baseUrl } = access
  const identity = { companyCode, timezone, environment: profile.environment, target: baseUrl }
  const options = { ...given, ...attemptsOf(config) }
  return clientsOn(http, access, identity, options, { servedAt: async () => null, close: () => http.close() })
}

/** The service's own code is loaded for this alone: whoever speaks to an address has no use for it. */
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
    if (!key?.apiKey) throw badConfiguration(`${code} has no working ${environment} key`, { tenant: code })
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

/** Opens the world of a local profile, which must exist: a typo in a path must not make a new, empty one. */
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

/** Ends a one-shot use of a world: what fell due meanwhile is done first. */
export async function closeWorld(world: World): Promise<void> {
  try {
    await world.settle()
  } finally {
    await world.close()
  }
}

/** The live tenant a local profile speaks for: the one it names, the demo's, or the only one there is. */
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
  // Any response tells the time, also a refusal; the account is the lightest of what the documents have.
  const clock = openPlatformClock(now, () => trying(toRequest(casinoContract, 'account', {})))
  const dated = clock.observing(bare)
  const told = onExchange === undefined ? dated : watched(dated, onExchange)
  const casinoTransport = signed(told, tenantSigner({ apiKey: key.apiKey, secret: key.secret, now, random }))
  const trying = patient(casinoTransport, {
    sleep: realSleep,
    now,
    random: Math.random,
    ...(attempts === undefined ? {} : { attempts }),
    // Transfers carry their own key in the body, and the other writes leave the same state when done twice.
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
