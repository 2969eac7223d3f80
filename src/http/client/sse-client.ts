import type { Dispatcher } from 'undici'
import { Problem } from '../../kit/problem.ts'
import { remoteCodes, type WireReply } from '../contract/wire-types.ts'
import { openHttpAgent } from './http-agent.ts'
import { checkedBase } from './http-transport.ts'

/** Server-sent events, read as they come. */

export interface ServerEvent {
  /** Where a reader who has this goes on; absent for what is not to be resumed. */
  readonly id?: string
  readonly event: string
  readonly data: string
}

/** How a stream came to its end: the server closed it, or refused to open it. */
export type StreamEnd = { readonly end: 'closed' } | { readonly end: 'refused'; readonly reply: WireReply }

/** More than this without a line break is no stream of events. */
const mostUnread = 4 * 1024 * 1024

/** Takes the text of a stream in pieces of any size and gives the events in it. */
export function eventReader(take: (event: ServerEvent) => void): (text: string) => void {
  let rest = ''
  let id: string | undefined
  let name = ''
  let data: string[] = []
  const line = (text: string) => {
    if (text === '') {
      if (data.length > 0)
        take({ ...(id === undefined ? {} : { id }), event: name === '' ? 'message' : name, data: data.join('\n') })
      id = undefined
      name = ''
      data = []
      return
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(text) ?? []
    if (field === 'id') id = value
    else if (field === 'event') name = value
    else if (field === 'data') data.push(value)
  }
  return (text) => {
    rest += text
    if (rest.length > mostUnread) throw new Problem(remoteCodes.unintelligible, 'That is no stream of events')
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const each of lines) line(each)
  }
}

export interface StreamOptions {
  /** Without a byte for so long the line counts as dead: a living stream sends a heartbeat. */
  readonly silenceMs?: number
  readonly connectTimeoutMs?: number
}

/** Reads one stream to its end, telling each event. Throws a Problem when the line could not be had or was lost. */
export async function streamOverHttp(
  baseUrl: string,
  request: { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
  take: (event: ServerEvent) => void,
  { silenceMs = 45_000, connectTimeoutMs = 5_000 }: StreamOptions = {},
): Promise<StreamEnd> {
  const { origin, pathname } = checkedBase(baseUrl)
  // A connection of its own: it is held for hours, and must not take the place of one that carries calls.
  const agent = await openHttpAgent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 15_000,
    bodyTimeout: silenceMs,
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
    throw new Problem(remoteCodes.lost, `The stream of ${origin} broke off`, { outcome: 'none' }, { cause: error })
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
