import { withoutPassword } from '../../db/engines/database-name.ts'
import { createClient } from '../../http/client/client.ts'
import { openPlatformClock } from '../../http/client/platform-clock.ts'
import { keyInHeader } from '../../http/client/signers.ts'
import { realSleep } from '../../http/client/sleep.ts'
import {
  inProcess,
  isRepeatable,
  observed,
  overHttp,
  retrying,
  signed,
  type Transport,
} from '../../http/client/transport.ts'
import type { Client } from '../../http/contract/contract.ts'
import { realAmbient } from '../../kit/ambient.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { gateway as gatewayContract } from '../../services/gateway/api/contract.ts'
import { scopeOf } from '../../services/gateway/api/scopes.ts'
import { badConfiguration, type Config } from '../config/config.ts'
import { attemptsOf, httpOptions, timeoutOf } from '../config/http-options.ts'
import { type GatewayAccess, type LocalProfile, type NamedProfile, noSection } from '../config/profile-schema.ts'
import type { ClientOptions } from './casino.ts'

export type GatewayClient = Client<typeof gatewayContract>
export type GatewayEndpoint = keyof typeof gatewayContract.endpoints & string

/** The typed client of a profile's payment gateway, and its transport. */
export interface GatewayClients {
  /** Retries where that is safe. Adds the token if the endpoint needs one, and uses the payout key if required. */
  readonly gateway: GatewayClient
  /** Transport of an endpoint without retries: with its key and token only. */
  transportFor(name: GatewayEndpoint): Transport
  /** Gateway and environment: an order is never sent again to a different one. */
  readonly target: string
  /** Returns the 2FA code of this half minute, or of a later one, if the profile has its secret. */
  code(later?: number): Promise<string | undefined>
  /** Returns the platform's time, for ages; sends a request if no response has contained it yet. */
  now(): Promise<number>
  /**
   * Returns the URL at which a process serves the local world, as its database records it. Null if none is recorded or
   * the profile is remote.
   */
  servedAt(): Promise<string | null>
  close(): Promise<void>
}

/** Opens the gateway of a profile: at its address, or in this process on the profile's database. */
export async function openGatewayClients(
  named: NamedProfile,
  config: Config,
  options: ClientOptions = {},
): Promise<GatewayClients> {
  const { profile } = named
  if (profile.kind === 'local') return openLocal(profile, config, options)
  const access = profile.gateway
  if (!access) throw noSection(named, 'gateway')
  const http = overHttp(access.baseUrl, httpOptions(config))
  const ends = { servedAt: async () => null, close: () => http.close() }
  return clientsOn(
    http,
    access,
    `${access.baseUrl} ${profile.environment}`,
    { ...options, ...attemptsOf(config) },
    ends,
  )
}

/** Loads the service's own code. Acts for the world's demo merchant. */
async function openLocal(profile: LocalProfile, config: Config, options: ClientOptions): Promise<GatewayClients> {
  const { closeWorld, demoCredentials, openLocalWorld } = await import('./local-gateway.ts')
  const world = options.world ?? (await openLocalWorld(profile, config))
  const isOwn = options.world === undefined
  try {
    const environment = profile.environment === 'sandbox' ? 'sandbox' : 'production'
    const access = await demoCredentials(world.gateway, environment)
    if (!access)
      throw badConfiguration(
        `The world has no demo merchant in ${environment}: create one (countroom help console merchants create), then add its document (countroom help profiles add)`,
        { environment },
      )
    const transport = inProcess(world.server, {
      timeoutMs: timeoutOf(config),
      ...(environment === 'sandbox' ? { basePath: '/sandbox' } : {}),
    })
    const ends = {
      now: () => world.clock.now(),
      servedAt: world.servedAt,
      close: async () => (isOwn ? closeWorld(world) : undefined),
    }
    return clientsOn(
      transport,
      access,
      `${withoutPassword(profile.db)} ${environment}`,
      { ...options, ...attemptsOf(config) },
      ends,
    )
  } catch (error) {
    if (isOwn) await world.close()
    throw error
  }
}

type Access = Omit<GatewayAccess, 'baseUrl'>

function clientsOn(
  bare: Transport,
  access: Access,
  target: string,
  { onRetry, onExchange, stop, attempts }: ClientOptions & { attempts?: number },
  {
    now: worldNow,
    servedAt,
    close,
  }: Pick<GatewayClients, 'servedAt' | 'close'> & { readonly now?: () => Promise<number> },
): GatewayClients {
  const { now } = realAmbient()
  const clock = openPlatformClock(now, () => trying(keyed.usual).status({}))
  const platformNow = worldNow ?? clock.now
  const dated = clock.observing(bare)
  const observable = onExchange === undefined ? dated : observed(dated, onExchange)
  const payoutKey = access.payoutApiKey ?? access.apiKey
  const keyed = { usual: withKey(observable, access.apiKey), payouts: withKey(observable, payoutKey) }
  const trying = (transport: Transport) =>
    createClient(
      gatewayContract,
      retrying(transport, {
        sleep: realSleep,
        now,
        random: Math.random,
        repeatable: isSafe,
        ...maybe(onRetry),
        ...(stop ? { stop } : {}),
        ...(attempts === undefined ? {} : { attempts }),
      }),
    )
  const token = tokenFrom(trying(keyed.usual), access)
  const ways = {
    usual: { key: keyed.usual, user: bearing(keyed.usual, token) },
    payouts: { key: keyed.payouts, user: bearing(keyed.payouts, token) },
  }
  const transportFor = (name: GatewayEndpoint): Transport => {
    const endpoint = gatewayContract.endpoints[name]
    const way = scopeOf(endpoint) === 'payouts' ? ways.payouts : ways.usual
    return endpoint.access === 'user' ? way.user : way.key
  }
  const clients = new Map<Transport, GatewayClient>()
  const clientFor = (transport: Transport): GatewayClient => {
    const known = clients.get(transport) ?? trying(transport)
    clients.set(transport, known)
    return known
  }
  const names = Object.keys(gatewayContract.endpoints) as GatewayEndpoint[]
  const calls = names.map((name) => [name, clientFor(transportFor(name))[name]])
  return {
    // Built by name from the same list as the type.
    gateway: Object.fromEntries(calls) as GatewayClient,
    transportFor,
    target,
    code: (later = 0) => codeOf(access.totpSecret, platformNow, later),
    now: platformNow,
    servedAt,
    close,
  }
}

const maybe = (onRetry: ClientOptions['onRetry']) => (onRetry ? { observe: onRetry } : {})
const withKey = (transport: Transport, key: string): Transport => signed(transport, keyInHeader('x-api-key', key))

/** Requesting a token can be repeated; creating endpoints have their own key; other POSTs are not repeated. */
const isSafe: typeof isRepeatable = (request) => isRepeatable(request) || request.path.endsWith('/auth')

/** Returns the token of this run: requested on first use, and again when it is refused. */
function tokenFrom(client: GatewayClient, { email, password }: Access) {
  let current: Promise<string> | undefined
  return {
    async get(): Promise<string> {
      if (email === undefined || password === undefined)
        throw badConfiguration('Endpoints that move or hold funds need "email" and "password" in the gateway section', {
          outcome: 'none',
        })
      current ??= client.auth({ body: { email, password } }).then(
        (reply) => reply.token,
        (error) => {
          // The request that needed the token was not sent.
          throw isProblem(error) ? new Problem(error.code, error.message, { ...error.detail, outcome: 'none' }) : error
        },
      )
      try {
        return await current
      } catch (error) {
        // A refusal is not cached: the next request retries.
        current = undefined
        throw error
      }
    },
    forget() {
      current = undefined
    },
  }
}

/** Adds the token. Requests a new one once if it is refused. */
function bearing(transport: Transport, token: ReturnType<typeof tokenFrom>): Transport {
  const send: Transport = async (request) =>
    transport({ ...request, headers: { ...request.headers, authorization: `Bearer ${await token.get()}` } })
  return async (request) => {
    const reply = await send(request)
    if (reply.status !== 401 || !reply.body.includes('INVALID_TOKEN')) return reply
    token.forget()
    return send(request)
  }
}

const stepSeconds = 30

async function codeOf(secret: string | undefined, now: () => Promise<number>, later: number) {
  if (secret === undefined) return undefined
  const { generateSync } = await import('otplib')
  return generateSync({ secret, epoch: Math.floor((await now()) / 1000) + later * stepSeconds })
}
