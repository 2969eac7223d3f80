import { withoutPassword } from '../../db/engines/database-name.ts'
import type { Store } from '../../db/store.ts'
import type { Environment } from '../../domain/account/state.ts'
import { type FileStream, fileOverHttp } from '../../http/client/download.ts'
import { openPlatformClock } from '../../http/client/platform-clock.ts'
import { keyInHeader } from '../../http/client/signers.ts'
import { realSleep } from '../../http/client/sleep.ts'
import { type ServerEvent, type StreamEnd, streamOverHttp } from '../../http/client/sse-client.ts'
import {
  inProcess,
  observed,
  overHttp,
  retrying,
  signed,
  type Transport,
  type WireRequest,
} from '../../http/client/transport.ts'
import type { Server } from '../../http/server/server.ts'
import { Problem } from '../../kit/problem.ts'
import type { Chat } from '../../services/chat/service.ts'
import { badConfiguration, type Config } from '../config/config.ts'
import { existingDb } from '../config/local-db.ts'
import { type LocalProfile, type NamedProfile, noSection, type RemoteProfile } from '../config/profile-schema.ts'
import { attemptsOf, httpPatience, timeoutOf } from '../config/timeouts.ts'
import type { ClientOptions } from './casino.ts'

/** One chat API with its key. */
export interface ChatLine {
  /** Sends each request once. */
  readonly once: Transport
  /** Retries on 429, 5xx and timeouts if repeating is safe; never a comment or a message. */
  readonly retrying: Transport
}

/** Start of an agents' stream, and its callback. */
export interface AgentStream {
  /** Cursor of the last processed event; undefined starts at the present. */
  readonly after: string | undefined
  readonly take: (event: ServerEvent) => void
  readonly signal: AbortSignal
}

/** Clients of a profile's chat, opened and closed together. */
export interface ChatClients {
  /** The bot and ticket API (3-chat-api). */
  readonly bot: ChatLine
  /** The agents' API, which is our own; undefined if the profile has no agent's token. */
  readonly agent: ChatLine | undefined
  /** Subscribes to the agents' events until the stream ends; undefined without an agent's token. */
  readonly listen: ((stream: AgentStream) => Promise<StreamEnd>) | undefined
  /** Reads the file of a message's link; a local world has the file itself, served or not. */
  readonly fetchFile: <T>(
    file: { readonly link: string },
    read: (stream: FileStream) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>
  readonly access: ChatIdentity
  /** Returns the platform's time, for ages; sends a request if no response has contained it yet. */
  now(): Promise<number>
  close(): Promise<void>
}

export interface ChatIdentity {
  /** Merchant, if the profile names it. */
  readonly tenant: string | null
  readonly environment: Environment | null
  /** Target of the requests; in process, the file or address of the database. */
  readonly target: string
  readonly isLocal: boolean
}

/** Opens the chat of a profile: at its address, or in this process on its database. */
export function openChatClients(
  named: NamedProfile,
  config: Config,
  options: ClientOptions = {},
): Promise<ChatClients> {
  const { profile } = named
  return profile.kind === 'local'
    ? openLocal(profile, config, options)
    : openRemote(named.name, profile, config, options)
}

async function openRemote(
  name: string,
  profile: RemoteProfile,
  config: Config,
  options: ClientOptions,
): Promise<ChatClients> {
  const access = profile.chat
  if (!access) throw noSection({ name, profile }, 'chat')
  const { baseUrl, apiKey, agentToken } = access
  const http = overHttp(baseUrl, httpPatience(config))
  // Any response contains the time, even a refusal: below Pro there are no forms.
  const clock = openPlatformClock(Date.now, async () => {
    const [{ toRequest }, { chat }] = await Promise.all([
      import('../../http/client/client.ts'),
      import('../../services/chat/api/contract.ts'),
    ])
    return lines.bot.retrying(toRequest(chat, 'forms', {}))
  })
  const lines = linesOn(clock.observing(http), { apiKey, agentToken }, { ...options, ...attemptsOf(config) })
  return {
    ...lines,
    listen:
      agentToken === undefined
        ? undefined
        : ({ after, take, signal }) =>
            streamOverHttp(
              baseUrl,
              {
                path: '/api/agent/v1/events',
                headers: {
                  'x-chat-agenttoken': agentToken,
                  ...(after === undefined ? {} : { 'last-event-id': after }),
                },
                signal,
              },
              take,
            ),
    fetchFile: ({ link }, read, signal) => fileOverHttp(new URL(link), read, { signal }),
    access: { tenant: null, environment: profile.environment, target: baseUrl, isLocal: false },
    now: clock.now,
    close: () => http.close(),
  }
}

async function openLocal(profile: LocalProfile, config: Config, options: ClientOptions): Promise<ChatClients> {
  const world = await openHere(profile, config)
  try {
    const { chatCredentials } = await import('../../services/chat/admin.ts')
    const tenant = await chatTenantIn(world, profile)
    const keys = await chatCredentials(world.chat, tenant)
    if (!keys?.apiKey) throw badConfiguration(`${tenant} has no active API key of the chat`, { tenant })
    const here = inProcess(world.server, { timeoutMs: timeoutOf(config) })
    let hasWritten = false
    const observable: Transport = (request) => {
      hasWritten ||= request.method !== 'GET'
      return here(request)
    }
    return {
      ...linesOn(
        observable,
        { apiKey: keys.apiKey, agentToken: keys.agentToken },
        { ...options, ...attemptsOf(config) },
      ),
      listen: keys.agentToken === undefined ? undefined : (stream) => listenHere(world.chat, tenant, stream),
      fetchFile: async ({ link }, read, signal) => {
        const { fileBehind } = await import('../../services/chat/media/fetch.ts')
        return fileBehind(world.chat, new URL(link), read, signal)
      },
      access: { tenant, environment: null, target: withoutPassword(profile.db), isLocal: true },
      now: () => world.now(),
      close: () => world.close(hasWritten),
    }
  } catch (error) {
    await world.close(false)
    throw error
  }
}

interface Here {
  readonly store: Store
  readonly chat: Chat
  readonly server: Pick<Server, 'inject'>
  now(): Promise<number>
  /** Runs what became due first if something was changed. */
  close(isToSettle: boolean): Promise<void>
}

/** Opens the chat of a local world: by itself if possible, else with the whole world. */
async function openHere(profile: LocalProfile, config: Config): Promise<Here> {
  const db = existingDb(profile)
  const isDebug = config.settings.logLevel === 'debug'
  const [{ openChatWorld }, kit] = await Promise.all([
    import('../chat-only-world.ts'),
    isDebug ? import('../../kit/log.ts') : undefined,
  ])
  const log = kit && { log: await kit.openLog('debug') }
  const alone = await openChatWorld({ db, dataFolder: config.paths.data, ...log })
  if (alone)
    return {
      ...alone,
      async close(isToSettle) {
        try {
          if (isToSettle) await alone.settle()
        } finally {
          await alone.close()
        }
      },
    }
  const { openLocalWorld, closeWorld } = await import('./casino.ts')
  const world = await openLocalWorld(profile, config)
  const { store, chat, server, clock } = world
  return {
    store,
    chat,
    server,
    now: () => clock.now(),
    close: (isToSettle) => (isToSettle ? closeWorld(world) : world.close()),
  }
}

/** Same events as over a socket, including those of other processes on this database. */
async function listenHere(chat: Chat, code: string, { after, take, signal }: AgentStream): Promise<StreamEnd> {
  const { subscribeToTenant } = await import('../../services/chat/events/in-process-feed.ts')
  await subscribeToTenant(chat, code, { after, take, signal })
  return { end: 'closed' }
}

/** Returns the merchant of a local profile: the one with its tenant's name, the demo's, or the only one. */
export async function chatTenantIn(world: Pick<Here, 'store'>, profile: LocalProfile): Promise<string> {
  const [{ allChatTenants }, { demoChatCode }] = await Promise.all([
    import('../../services/chat/queries/tenants.ts'),
    import('../../services/chat/server/demo-data.ts'),
  ])
  const codes = (await world.store.read(allChatTenants)).map(({ code }) => code)
  const wanted = profile.tenant?.toUpperCase() ?? demoChatCode
  if (codes.includes(wanted)) return wanted
  const [only] = codes
  if (only !== undefined && codes.length === 1) return only
  throw new Problem(
    'BAD_CONFIGURATION',
    codes.length === 0
      ? 'The world has no chat tenant. To create one: countroom console chat tenants create CODE'
      : `The world has the chat tenants ${codes.join(', ')}: the profile must name one`,
    { tenants: codes },
  )
}

function linesOn(
  bare: Transport,
  keys: { readonly apiKey: string; readonly agentToken: string | undefined },
  { onRetry, onExchange, attempts, maxWaitMs }: ClientOptions & { attempts?: number },
): Pick<ChatClients, 'bot' | 'agent'> {
  const observable = onExchange === undefined ? bare : observed(bare, onExchange)
  const line = (header: string, key: string): ChatLine => {
    const once = signed(observable, keyInHeader(header, key))
    return {
      once,
      retrying: retrying(once, {
        sleep: realSleep,
        now: Date.now,
        random: Math.random,
        repeatable: isSafeTwice,
        firstWaitMs: 500,
        ...(attempts === undefined ? {} : { attempts }),
        ...(maxWaitMs === undefined ? {} : { mostWaitMs: maxWaitMs }),
        ...(onRetry ? { observe: onRetry } : {}),
      }),
    }
  }
  return {
    bot: line('x-chat-apikey', keys.apiKey),
    agent: keys.agentToken === undefined ? undefined : line('x-chat-agenttoken', keys.agentToken),
  }
}

/**
 * Returns whether a request with an unknown outcome can be repeated: reads, opening a room (one per customer account),
 * a status (repeating changes nothing) and what agents set. Whether a remote instance supports idempotency keys of
 * comments and messages is unknown, so those are looked up before they are sent again.
 */
function isSafeTwice({ method, path }: WireRequest): boolean {
  const [route = ''] = path.split('?')
  if (method !== 'POST') return true
  return /\/rooms$|\/status$|\/(?:read|unread|assign|close|reopen)$/.test(route)
}
