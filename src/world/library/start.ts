import type { FaultKind, FaultStatus, FaultyService } from '../../domain/faults.ts'
import { inProcess, overHttp, type Transport } from '../../http/client/transport.ts'
import { isLoopback, publicUrlFault, publicUrlOf } from '../../http/server/public-url.ts'
import { durationMs } from '../../kit/duration.ts'
import { silentLog } from '../../kit/log.ts'
import { Problem } from '../../kit/problem.ts'
import type { DemoCredentials } from '../../services/gateway/admin/demo-data.ts'
import { unservedUrl } from '../clock.ts'
import { environmentOf } from '../config/config.ts'
import { pathsOf } from '../config/paths.ts'
import { ensureDemoWorld } from '../demo-data.ts'
import { deskRoutes } from '../desk/routes.ts'
import type { SetFault } from '../faults.ts'
import { homeRoutes } from '../home/routes.ts'
import { readyDocument } from '../ready-file.ts'
import type { RequestFilter } from '../requests/filter.ts'
import type { RequestDetail } from '../requests/recorded-requests.ts'
import { startScheduler } from '../scheduler.ts'
import { openWorld, type World, type WorldRecords } from '../world.ts'
import {
  type AgentClient,
  agentOn,
  type CasinoClient,
  type ChatClient,
  casinoOn,
  chatOn,
  type GatewayClient,
  gatewayOn,
  type WidgetClient,
  widgetOn,
} from './connect.ts'
import { loadInto, snapshotOf, type WorldSnapshot } from './snapshot.ts'

/** Options of a world. Without any, it is in memory with the demo data, and does not listen. */
export interface StartOptions {
  /** A file, `:memory:` (the default), or postgres://… */
  readonly db?: string
  /** Makes every generated id, key, deal and name repeatable. */
  readonly seed?: number | string
  /** Start time of the world's clock: epoch milliseconds, a Date, or ISO text. */
  readonly clock?: number | string | Date
  /** True if the services enforce their rate limits. Default: true. */
  readonly rateLimits?: boolean
  /**
   * Opens a port, with `true` any free one on this machine; due work then runs automatically, as with `countroom
   * serve`.
   */
  readonly listen?: boolean | { readonly host?: string; readonly port?: number }
  /** Base of every public URL (launch links, hosted pages, files), as with `serve --public-url`. */
  readonly publicUrl?: string
  /** Timeout of its clients: milliseconds, or a duration such as `500ms`. Default: 15 seconds. */
  readonly timeout?: number | string
  /** Allows faults although `listen` names an address that other machines can reach. */
  readonly allowFaults?: boolean
  /** Content to start with: a snapshot of another world, or the file that `sim snapshot save --out` or you have written. */
  readonly snapshot?: WorldSnapshot | string
}

/** Selects recorded requests. `since` is a time of the world's clock. */
export type RequestsFilter = Omit<RequestFilter, 'since' | 'age'> & { readonly since?: number | string | Date }

/** Clients of the demo data, in process or over HTTP. They do not retry: a test wants to see refusals. */
export interface ServiceClients {
  readonly casino: { readonly live: CasinoClient; readonly sandbox: CasinoClient }
  readonly gateway: { readonly production: GatewayAccess; readonly sandbox: GatewayAccess }
  readonly chat: {
    /** The demo's bot, on Pro. */
    readonly bot: ChatClient
    /** Bot of the merchant on the free plan, which has no tickets. */
    readonly freeBot: ChatClient
    readonly agent: AgentClient
    readonly widget: WidgetClient
  }
}

/** One environment of the gateway. */
export interface GatewayAccess {
  readonly client: GatewayClient
  /** Client with the payout key. Its allowlist includes this machine. */
  readonly payouts: GatewayClient
  /** Returns the header for endpoints that move or hold funds: a new token, valid for 5 minutes. */
  bearer(): Promise<{ readonly authorization: string }>
  /** Returns the current 2FA code, which verifies a payout. */
  code(): Promise<string>
}

export interface StartedClock {
  now(): Promise<Date>
  /** Sets the clock, forward or back, without running anything. */
  set(to: number | string | Date): Promise<void>
  /** Advances the clock, by `26h` or to a time, and runs everything due on the way, each at its own time. */
  advance(by: number | string | Date): Promise<{ readonly steps: number; readonly done: number }>
}

/** A fault to set. Times are milliseconds or durations such as `3s`. */
export interface FaultToSet {
  readonly kind: FaultKind
  /** Service; default: all. */
  readonly service?: FaultyService
  /** An endpoint's name as the clients have it, a method and path such as `POST /wallet/*`, or a callback's event. */
  readonly endpoint?: string
  /** Maximum number of hits, every Nth request only, and probability from 0 to 1. */
  readonly times?: number
  readonly every?: number
  readonly chance?: number
  /** Time of the world's clock, or duration from now, at which it expires. */
  readonly until?: number | string | Date
  /** Delay or duration: of a response by this machine's clock, of a callback by the world's. */
  readonly for?: number | string
  readonly status?: FaultStatus
  /** Error code of a `refuse`: one that the endpoint can return. */
  readonly code?: string
  /** Seconds. */
  readonly retryAfter?: number
}

/** Injected faults of the world, as with `countroom sim faults`. */
export interface StartedFaults {
  /** Sets a fault, effective from the next request. */
  set(fault: FaultToSet): Promise<SetFault>
  list(): Promise<SetFault[]>
  /** Removes one fault, or all; returns their number. */
  clear(id?: number): Promise<number>
}

/** The three services in this process, with keys, clients and a clock. */
export interface StartedWorld extends ServiceClients {
  /** Base URL; null when it does not listen. */
  readonly baseUrl: string | null
  /** Keys and addresses, as in the ready file of `countroom serve`. */
  readonly credentials: Credentials
  /** Returns the same clients in process, or over HTTP if the world listens. */
  over(way: 'process' | 'http'): ServiceClients
  readonly clock: StartedClock
  readonly faults: StartedFaults
  /**
   * Returns the requests that the services received and the callbacks they sent, newest first. Each has headers and
   * bodies (secrets masked), the outcome, and for a refused signature its explanation. The last 10,000 are kept.
   */
  requests(filter?: RequestsFilter): Promise<RequestDetail[]>
  /** Copies the whole world as it is now: for `startWorld({ snapshot })`, `load`, or a file. */
  snapshot(): Promise<WorldSnapshot>
  /** Replaces the content of this world, and its clock. Requests that are being answered run again afterwards. */
  load(snapshot: WorldSnapshot | string): Promise<void>
  /** Runs what is due now; returns how much was done. */
  settle(): Promise<number>
  /** Closes the world; repeated calls have no effect. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type { WorldSnapshot }

type Ready = Awaited<ReturnType<typeof readyDocument>>
export type Credentials = Required<Pick<Ready, 'casino' | 'gateway' | 'chat'>>

/**
 * Starts a world for tests of code that uses the services, with the demo data and its clients. In process nothing is
 * mocked: signatures, limits and refusals are the served world's own, only the socket is missing.
 */
export async function startWorld(options: StartOptions = {}): Promise<StartedWorld> {
  const {
    db = ':memory:',
    seed,
    clock,
    rateLimits = true,
    listen = false,
    allowFaults = false,
    timeout = 15_000,
    publicUrl,
  } = options
  const timeoutMs = msOf(timeout)
  const world = await openWorld({
    db,
    dataFolder: pathsOf(environmentOf()).data,
    seed: seed === undefined ? undefined : String(seed),
    startAt: clock === undefined ? undefined : momentOf(clock),
    rateLimits,
    allowsFaults: allowFaults,
    publicUrl: publicUrl === undefined ? undefined : checkedPublicUrl(publicUrl),
    records: recordsFor(listen),
  })
  try {
    if (options.snapshot !== undefined) await loadInto(world, options.snapshot)
    if (options.snapshot !== undefined && clock !== undefined) await world.clock.set(momentOf(clock))
    await ensureDemoWorld(world)
    const bindAddress = listen === true ? { port: 0 } : listen
    const baseUrl = bindAddress === false ? null : (await world.server.listen(bindAddress)).url
    return await startedOn(world, { db, baseUrl, timeoutMs })
  } catch (error) {
    await world.close()
    throw error
  }
}

/** A world that listens on this machine only has a desk. */
function recordsFor(listen: NonNullable<StartOptions['listen']>): WorldRecords {
  const hasDesk = listen !== false && isLoopback(hostOf(listen))
  return { requests: true, hasDesk, desk: hasDesk ? deskRoutes : undefined, home: homeRoutes }
}

/** Returns the started world: with clients, and with a scheduler if it listens. */
async function startedOn(
  world: World,
  { db, baseUrl, timeoutMs }: { db: string; baseUrl: string | null; timeoutMs: number },
): Promise<StartedWorld> {
  const credentials = await demoCredentials(world, baseUrl, db)
  const now = async () => new Date(await world.clock.now())
  const parts = { credentials, now }
  const waits = { headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs }
  const http =
    baseUrl === null
      ? undefined
      : { production: overHttp(baseUrl, waits), sandbox: overHttp(`${baseUrl}/sandbox`, waits) }
  const served = http && clientsOver(http.production, http.sandbox, parts)
  const inside = clientsOver(
    inProcess(world.server, { timeoutMs }),
    inProcess(world.server, { timeoutMs, basePath: '/sandbox' }),
    parts,
  )
  // Started last: after a failed start it would never be stopped.
  const scheduler = baseUrl === null ? undefined : startScheduler(world.jobs, silentLog, undefined, world.metrics?.jobs)
  let closing: Promise<void> | undefined
  const shut = async () => {
    await scheduler?.stop()
    // Closed concurrently: a client waits for its last responses, and closing the world ends those that a fault delays.
    await Promise.all([world.close(), http?.production.close(), http?.sandbox.close()])
  }
  const close = () => (closing ??= shut())
  return {
    ...(served ?? inside),
    baseUrl,
    credentials,
    over(way) {
      if (way === 'process') return inside
      if (served) return served
      throw new Problem('INVALID_USAGE', 'The world does not listen: start it with listen: true')
    },
    clock: {
      now,
      set: (to) => world.clock.set(momentOf(to)),
      advance: async (by) => world.clock.advance(await laterBy(by, world.clock.now)),
    },
    faults: startedFaults(world),
    requests: ({ since, ...filter } = {}) =>
      world.requests.details({ ...filter, since: since === undefined ? undefined : momentOf(since) }),
    snapshot: () => snapshotOf(world),
    load: (snapshot) => loadInto(world, snapshot),
    settle: world.settle,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const hostOf = (listen: true | { readonly host?: string }) =>
  listen === true ? '127.0.0.1' : (listen.host ?? '127.0.0.1')

async function demoCredentials(world: World, baseUrl: string | null, db: string): Promise<Credentials> {
  const { casino, gateway, chat } = await readyDocument(world, baseUrl ?? unservedUrl, db)
  if (casino && gateway && chat) return { casino, gateway, chat }
  throw new Problem('BAD_CONFIGURATION', `The database ${db} contains a world other than the demo world`)
}

function startedFaults({ faults, clock }: World): StartedFaults {
  return {
    set: async ({ for: lasts, retryAfter, until, ...input }) =>
      faults.set({
        ...input,
        retryAfterSeconds: retryAfter,
        forMs: lasts === undefined ? undefined : msOf(lasts),
        until: until === undefined ? undefined : await laterBy(until, clock.now),
      }),
    list: () => faults.list(),
    clear: (id) => faults.clear(id === undefined ? undefined : [id]),
  }
}

function checkedPublicUrl(text: string): string {
  const fault = publicUrlFault(text)
  if (fault !== undefined) throw new Problem('INVALID_USAGE', `publicUrl ${fault}`)
  return publicUrlOf(text)
}

function clientsOver(
  bare: Transport,
  sandbox: Transport,
  { credentials, now }: { credentials: Credentials; now(): Promise<Date> },
): ServiceClients {
  const { casino, gateway, chat } = credentials
  return {
    casino: { live: casinoOn(bare, casino.live), sandbox: casinoOn(bare, casino.sandbox) },
    gateway: {
      production: gatewayAccess(bare, gateway.production, now),
      sandbox: gatewayAccess(sandbox, gateway.sandbox, now),
    },
    chat: {
      bot: chatOn(bare, chat.apiKey),
      freeBot: chatOn(bare, chat.freePlanApiKey),
      agent: agentOn(bare, chat.agentToken),
      widget: widgetOn(bare, chat.tenantKey),
    },
  }
}

function gatewayAccess(
  bare: Transport,
  { apiKey, payoutApiKey, email, password, totpSecret }: DemoCredentials,
  now: () => Promise<Date>,
): GatewayAccess {
  const client = gatewayOn(bare, apiKey)
  return {
    client,
    payouts: gatewayOn(bare, payoutApiKey),
    async bearer() {
      const { token } = await client.auth({ body: { email, password } })
      return { authorization: `Bearer ${token}` }
    },
    async code() {
      const { generate } = await import('otplib')
      return generate({ secret: totpSecret, epoch: Math.floor((await now()).getTime() / 1000) })
    },
  }
}

/** Returns the target time of the clock: a time, or a duration from now. A plain number is a time, as everywhere. */
async function laterBy(by: number | string | Date, now: () => Promise<number>): Promise<number> {
  const span = typeof by === 'string' ? durationMs(by) : undefined
  return span === undefined ? momentOf(by) : (await now()) + span
}

function momentOf(at: number | string | Date): number {
  const moment = typeof at === 'number' ? at : at instanceof Date ? at.getTime() : Date.parse(at)
  if (Number.isSafeInteger(moment)) return moment
  throw new Problem('INVALID_USAGE', `${String(at)} is neither a time nor a duration such as 26h`)
}

function msOf(span: number | string): number {
  const ms = typeof span === 'number' ? span : durationMs(span)
  if (ms !== undefined && Number.isSafeInteger(ms) && ms > 0) return ms
  throw new Problem('INVALID_USAGE', `${span} is not a duration such as 500ms or 3s`)
}
