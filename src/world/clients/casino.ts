import type { Environment } from '../../domain/account/state.ts'
import { createClient, toRequest } from '../../http/client/client.ts'
import { openPlatformClock } from '../../http/client/platform-clock.ts'
import { tenantSigner } from '../../http/client/signers.ts'
import { realSleep } from '../../http/client/sleep.ts'
import {
  inProcess,
  type OnExchange,
  observed,
  overHttp,
  type Retry,
  retrying,
  signed,
  type Transport,
} from '../../http/client/transport.ts'
import type { Client } from '../../http/contract/contract.ts'
import { realAmbient } from '../../kit/ambient.ts'
import { casino as casinoContract } from '../../services/casino/api/contract.ts'
import type { Config } from '../config/config.ts'
import { attemptsOf, httpOptions, timeoutOf } from '../config/http-options.ts'
import { type LocalProfile, type NamedProfile, noSection, type RemoteProfile } from '../config/profile-schema.ts'
import type { World } from '../world.ts'

/** Tenant of a profile's casino clients. */
export interface CasinoIdentity {
  readonly companyCode: string
  readonly environment: Environment
  /** IANA time zone of the tenant's days. */
  readonly timezone: string
  /** Target of the requests; in process, the file or address of the database. */
  readonly target: string
  /** Name of the profile, if it is remote: it has a time zone of its own, which can be wrong. */
  readonly profile?: string
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
  /**
   * Returns the URL at which a process serves the local world, as its database records it. Null if none is recorded or
   * the profile is remote.
   */
  servedAt(): Promise<string | null>
  close(): Promise<void>
}

export interface ClientOptions {
  /** Maximum total wait between the attempts of one request; default: a number of attempts. */
  readonly maxWaitMs?: number
  /** Aborted when the run is to end: then it does not wait for another attempt of what had no effect. */
  readonly stop?: AbortSignal
  /** Called before every retry. */
  readonly onRetry?: (retry: Retry) => void
  /** Called after every response. */
  readonly onExchange?: OnExchange
  /** Open world of a local profile, which stays open. Default: each service opens the world and closes it. */
  readonly world?: World | undefined
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
  clientOptions: ClientOptions,
): Promise<Clients> {
  const access = profile.casino
  if (!access) throw noSection({ name, profile }, 'casino')
  const http = overHttp(access.baseUrl, httpOptions(config))
  const { companyCode, timezone, baseUrl } = access
  const identity = { companyCode, timezone, environment: profile.environment, target: baseUrl, profile: name }
  const options = { ...clientOptions, ...attemptsOf(config) }
  return clientsOn(http, access, identity, options, { servedAt: async () => null, close: () => http.close() })
}

/** Loads the service's own code, which remote profiles do not need. */
async function openLocal(profile: LocalProfile, config: Config, options: ClientOptions): Promise<Clients> {
  const { closeWorld, openTenantWorld } = await import('./local-world.ts')
  const { world, identity, key } = await openTenantWorld(profile, config, options.world)
  const close = async () => (options.world ? undefined : closeWorld(world))
  const ends = { now: () => world.clock.now(), servedAt: world.servedAt, close }
  return clientsOn(
    inProcess(world.server, { timeoutMs: timeoutOf(config) }),
    key,
    identity,
    { ...options, ...attemptsOf(config) },
    ends,
  )
}

function clientsOn(
  bare: Transport,
  key: { readonly apiKey: string; readonly secret: string },
  casinoAccess: CasinoIdentity,
  { onRetry, onExchange, stop, attempts }: ClientOptions & { attempts?: number },
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
    ...(stop ? { stop } : {}),
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
