import type { FaultKind, FaultStatus, FaultyService } from '../../domain/faults.ts'
import { inProcess, overHttp, type Transport } from '../../http/client/transport.ts'
import { publicUrlFault, publicUrlOf } from '../../http/server/public-url.ts'
import { durationMs } from '../../kit/duration.ts'
import { silentLog } from '../../kit/log.ts'
import { Problem } from '../../kit/problem.ts'
import type { DemoCredentials } from '../../services/gateway/admin/demo-data.ts'
import { unservedUrl } from '../clock.ts'
import { environmentOf, pathsOf } from '../config/config.ts'
import { ensureDemoWorld } from '../demo-data.ts'
import type { SetFault } from '../faults.ts'
import { readyDocument } from '../ready-file.ts'
import { startPump } from '../scheduler.ts'
import { openWorld } from '../world.ts'
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

/** What a world is started with. Nothing need be said: then it is in memory, with the demo world in it, and nothing listens. */
export interface StartOptions {
  /** A file, `:memory:` (as when nothing is said), or postgres://… */
  readonly db?: string
  /** Makes every generated id, key, deal and name the same again. */
  readonly seed?: number | string
  /** Where the world's clock stands at the start: epoch milliseconds, a Date, or ISO text. */
  readonly clock?: number | string | Date
  /** Whether the services keep their rate limits; they do unless said otherwise. */
  readonly rateLimits?: boolean
  /** Opens a port, any free one on this machine with `true`; then what falls due is done by itself, as by `countroom serve`. */
  readonly listen?: boolean | { readonly host?: string; readonly port?: number }
  /** The base of every URL that is handed out (launch links, hosted pages, files), as `serve --public-url` has it. */
  readonly publicUrl?: string
  /** How long its clients wait for an answer: milliseconds, or a duration such as `500ms`; fifteen seconds unless said otherwise. */
  readonly timeout?: number | string
  /** Lets faults be set although `listen` names an address that others than this machine reach. */
  readonly allowFaults?: boolean
}

/** The clients of the demo world, reached in one of the two ways. Each call asks once: a refusal is what a test wants to see. */
export interface ServiceClients {
  readonly casino: { readonly live: CasinoClient; readonly sandbox: CasinoClient }
  readonly gateway: { readonly production: GatewayAccess; readonly sandbox: GatewayAccess }
  readonly chat: {
    /** The demo's bot, on Pro. */
    readonly bot: ChatClient
    /** The bot of the merchant on the free plan, which tickets are refused to. */
    readonly freeBot: ChatClient
    readonly agent: AgentClient
    readonly widget: WidgetClient
  }
}

/** One environment of the gateway. */
export interface GatewayAccess {
  readonly client: GatewayClient
  /** With the key that may pay out. Its address list has this machine on it. */
  readonly payouts: GatewayClient
  /** The header that what moves or holds funds needs: a token of this moment, good for five minutes. */
  bearer(): Promise<{ readonly authorization: string }>
  /** The code of the second factor at this moment, by which a payout is verified. */
  code(): Promise<string>
}

export interface StartedClock {
  now(): Promise<Date>
  /** Sets the clock, running nothing; back as well as forth. */
  set(to: number | string | Date): Promise<void>
  /** Moves it forward, by `26h` or to a moment, and does all that falls due on the way, each thing at its own moment. */
  advance(by: number | string | Date): Promise<{ readonly steps: number; readonly done: number }>
}

/** Something to be done wrong. Times are milliseconds or durations such as `3s`. */
export interface FaultToSet {
  readonly kind: FaultKind
  /** Every service that answers, unless one is named. */
  readonly service?: FaultyService
  /** An endpoint's name as the clients have it, a method and path such as `POST /wallet/*`, or a callback's event. */
  readonly endpoint?: string
  /** How often in all, each so-manieth only, with what chance from 0 to 1. */
  readonly times?: number
  readonly every?: number
  readonly chance?: number
  /** The moment of the world's clock, or how long from now, at which it ends. */
  readonly until?: number | string | Date
  /** How late or slow an answer comes, by this machine's clock; how long a callback is held back, by the world's. */
  readonly for?: number | string
  readonly status?: FaultStatus
  /** The error code of a `refuse`: one that the endpoint can answer. */
  readonly code?: string
  /** Seconds. */
  readonly retryAfter?: number
}

/** What the world does wrong on purpose; the same as by `countroom sim faults`. */
export interface StartedFaults {
  /** From the next request on. */
  set(fault: FaultToSet): Promise<SetFault>
  list(): Promise<SetFault[]>
  /** Takes one away, or all; says how many. */
  clear(id?: number): Promise<number>
}

/** The three services in this process, with keys, clients and a clock. */
export interface StartedWorld extends ServiceClients {
  /** Where it listens; null when it does not. */
  readonly baseUrl: string | null
  /** The keys and addresses, as `countroom serve --ready-file` writes them. */
  readonly credentials: Credentials
  /** The same clients by a function call, or over HTTP where the world listens. */
  over(way: 'process' | 'http'): ServiceClients
  readonly clock: StartedClock
  readonly faults: StartedFaults
  /** Does what is due now; says how much that was. */
  settle(): Promise<number>
  /** Ends it all. Twice is as good as once. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Ready = Awaited<ReturnType<typeof readyDocument>>
export type Credentials = Required<Pick<Ready, 'casino' | 'gateway' | 'chat'>>

/**
 * Starts a world of one's own, for tests of what is built against the services: the demo world in it, its clients at hand.
 * In process nothing is pretended: signatures, limits and refusals are the served world's own, only the socket is missing.
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
  })
  try {
    await ensureDemoWorld(world)
    const where = listen === true ? { port: 0 } : listen
    const baseUrl = where === false ? null : (await world.server.listen(where)).url
    const pump = baseUrl === null ? undefined : startPump(world.passes, silentLog)
    const { casino, gateway, chat } = await readyDocument(world, baseUrl ?? unservedUrl, db)
    if (!casino || !gateway || !chat)
      throw new Problem('BAD_CONFIGURATION', `The database ${db} has a world in it that is not the demo world`)
    const credentials: Credentials = { casino, gateway, chat }
    const now = async () => new Date(await world.clock.now())
    const waits = { headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs }
    const http =
      baseUrl === null
        ? undefined
        : { production: overHttp(baseUrl, waits), sandbox: overHttp(`${baseUrl}/sandbox`, waits) }
    const parts = { credentials, now }
    const inside = clientsOver(
      inProcess(world.server, { timeoutMs }),
      inProcess(world.server, { timeoutMs, basePath: '/sandbox' }),
      parts,
    )
    const served = http && clientsOver(http.production, http.sandbox, parts)
    let closing: Promise<void> | undefined
    const shut = async () => {
      await pump?.stop()
      // Side by side: a client waits for its last answers, and the world lets go of those that a fault keeps waiting.
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
      faults: {
        set: async ({ for: lasts, retryAfter, until, ...order }) =>
          world.faults.set({
            ...order,
            retryAfterSeconds: retryAfter,
            forMs: lasts === undefined ? undefined : msOf(lasts),
            until: until === undefined ? undefined : await laterBy(until, world.clock.now),
          }),
        list: world.faults.list,
        clear: (id) => world.faults.clear(id === undefined ? undefined : [id]),
      },
      settle: world.settle,
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await world.close()
    throw error
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

/** Where the clock goes: to a moment, or by a duration from now. A bare number is a moment, as everywhere. */
async function laterBy(by: number | string | Date, now: () => Promise<number>): Promise<number> {
  const span = typeof by === 'string' ? durationMs(by) : undefined
  return span === undefined ? momentOf(by) : (await now()) + span
}

function momentOf(at: number | string | Date): number {
  const moment = typeof at === 'number' ? at : at instanceof Date ? at.getTime() : Date.parse(at)
  if (Number.isSafeInteger(moment)) return moment
  throw new Problem('INVALID_USAGE', `${String(at)} is neither a moment nor a duration such as 26h`)
}

function msOf(span: number | string): number {
  const ms = typeof span === 'number' ? span : durationMs(span)
  if (ms !== undefined && Number.isSafeInteger(ms) && ms > 0) return ms
  throw new Problem('INVALID_USAGE', `${span} is no duration such as 500ms or 3s`)
}
