import type { Environment } from '../../domain/account/state.ts'
import { type FileStream, fileOverHttp } from '../../http/client/download.ts'
import { openPlatformClock } from '../../http/client/platform-clock.ts'
import { keyInHeader } from '../../http/client/signers.ts'
import { realSleep } from '../../http/client/sleep.ts'
import { type ServerEvent, type StreamEnd, streamOverHttp } from '../../http/client/sse-client.ts'
import { observed, overHttp, retrying, signed, type Transport, type WireRequest } from '../../http/client/transport.ts'
import type { Config } from '../config/config.ts'
import { attemptsOf, httpOptions } from '../config/http-options.ts'
import { type NamedProfile, noSection, type RemoteProfile } from '../config/profile-schema.ts'
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
  /**
   * Returns the URL at which a process serves the local world, as its database records it. Null if none is recorded or
   * the profile is remote.
   */
  servedAt(): Promise<string | null>
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
export async function openChatClients(
  named: NamedProfile,
  config: Config,
  options: ClientOptions = {},
): Promise<ChatClients> {
  const { profile } = named
  return profile.kind === 'local'
    ? (await import('./local-chat.ts')).openLocalChat(profile, config, options)
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
  const ofHttp = httpOptions(config)
  const http = overHttp(baseUrl, ofHttp)
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
              { proxy: ofHttp.proxy },
            ),
    fetchFile: ({ link }, read, signal) => fileOverHttp(new URL(link), read, { signal, proxy: ofHttp.proxy }),
    access: { tenant: null, environment: profile.environment, target: baseUrl, isLocal: false },
    now: clock.now,
    servedAt: async () => null,
    close: () => http.close(),
  }
}

/** Returns the clients of the two APIs over a transport. */
export function linesOn(
  bare: Transport,
  keys: { readonly apiKey: string; readonly agentToken: string | undefined },
  { onRetry, onExchange, stop, attempts, maxWaitMs }: ClientOptions & { attempts?: number },
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
        ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
        ...(onRetry ? { observe: onRetry } : {}),
        ...(stop ? { stop } : {}),
      }),
    }
  }
  return {
    bot: line('x-chat-apikey', keys.apiKey),
    agent: keys.agentToken === undefined ? undefined : line('x-chat-agenttoken', keys.agentToken),
  }
}

/**
 * Returns whether a request with an unknown outcome can be repeated. That applies to reads, to opening a room (one per
 * customer account), to a status (repeating changes nothing) and to what agents set. Whether a remote instance supports
 * idempotency keys of comments and messages is unknown, so those are looked up before they are sent again.
 */
function isSafeTwice({ method, path }: WireRequest): boolean {
  const [route = ''] = path.split('?')
  if (method !== 'POST') return true
  return /\/rooms$|\/status$|\/(?:read|unread|assign|close|reopen)$/.test(route)
}
