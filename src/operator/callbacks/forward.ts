import { type OpenTransport, overHttp } from '../../http/client/transport.ts'
import { isProblem } from '../../kit/problem.ts'
import type { HandingOn } from './inbox.ts'
import type { Captured } from './parse.ts'

/** How handing a callback on ended: the status, or why there was no answer. */
export type HandedOn = Pick<HandingOn, 'status' | 'error'>

/** Hands callbacks on to one URL, with the bytes and headers they came with. */
export interface Forwarder {
  readonly to: string
  send(captured: Captured, signal?: AbortSignal): Promise<HandedOn>
  close(): Promise<void>
}

/** What belongs to one connection and not to the message. */
const hopHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Opens the way to a URL: https, or this machine. */
export function openForwarder(to: string): Forwarder {
  const url = new URL(to)
  const transport: OpenTransport = overHttp(url.origin, {
    headersTimeoutMs: 10_000,
    cutsReply: true,
    largestReply: 4_096,
  })
  return {
    to,
    async send({ body, headers }, signal) {
      try {
        const sent = headers.filter(([name]) => !hopHeaders.has(name.toLowerCase()))
        const { status } = await transport({
          method: 'POST',
          path: url.pathname + url.search,
          headers: Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value])),
          body,
          ...(signal ? { signal } : {}),
        })
        const isGood = status >= 200 && status <= 299
        return { status, error: isGood ? null : `answered ${status}` }
      } catch (error) {
        if (signal?.aborted) return { status: null, error: 'stopped' }
        if (!isProblem(error)) throw error
        return { status: null, error: error.message }
      }
    },
    close: () => transport.close(),
  }
}
