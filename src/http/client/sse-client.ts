import type { Dispatcher } from 'undici'
import { Problem } from '../../kit/problem.ts'
import { remoteCodes, type WireReply } from '../contract/wire-types.ts'
import { openStreamingAgent } from './agent/http-agent.ts'
import { type OutgoingProxy, proxyTo } from './agent/proxy.ts'
import { checkedBase } from './http-transport.ts'
import { eventReader, type ServerEvent } from './sse-parser.ts'

/** A server-sent event. */

export type { ServerEvent }

/** End of a stream: the server closed it, or refused to open it. */
export type StreamEnd = { readonly end: 'closed' } | { readonly end: 'refused'; readonly reply: WireReply }

export interface StreamOptions {
  /** Time without a byte after which the connection counts as dead: a live stream sends heartbeats. */
  readonly silenceMs?: number
  readonly connectTimeoutMs?: number
  readonly proxy?: OutgoingProxy | undefined
}

/** Reads one stream to its end and passes on each event. Throws a Problem when the connection fails or is lost. */
export async function streamOverHttp(
  baseUrl: string,
  request: { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
  take: (event: ServerEvent) => void,
  { silenceMs = 45_000, connectTimeoutMs = 5_000, proxy }: StreamOptions = {},
): Promise<StreamEnd> {
  const { origin, pathname } = checkedBase(baseUrl)
  // A separate connection: it stays open for hours, and must not occupy one of the connections for calls.
  const agent = await openStreamingAgent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 15_000,
    bodyTimeout: silenceMs,
    proxy: proxyTo(new URL(origin), proxy),
  })
  try {
    const reply = await agent.request({
      origin,
      path: pathname.replace(/\/+$/, '') + request.path,
      method: 'GET',
      headers: { accept: 'text/event-stream', 'user-agent': 'countroom', ...request.headers },
      ...(request.signal ? { signal: request.signal } : {}),
    })
    if (reply.statusCode !== 200) return { end: 'refused', reply: await wholeOf(reply) }
    const read = eventReader(take)
    const decoder = new TextDecoder()
    for await (const chunk of reply.body as AsyncIterable<Buffer>) read(decoder.decode(chunk, { stream: true }))
    return { end: 'closed' }
  } catch (error) {
    request.signal?.throwIfAborted()
    if (error instanceof Problem) throw error
    throw new Problem(
      remoteCodes.lost,
      `The stream of ${origin} was interrupted`,
      { outcome: 'none' },
      { cause: error },
    )
  } finally {
    await agent.destroy()
  }
}

async function wholeOf(reply: Dispatcher.ResponseData): Promise<WireReply> {
  const text = await reply.body.text()
  const headers = Object.fromEntries(
    Object.entries(reply.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
  return { status: reply.statusCode, headers, body: text.slice(0, 65_536) }
}
