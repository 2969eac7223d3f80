import type { OutgoingProxy } from '../../http/client/agent/proxy.ts'
import { type OpenTransport, overHttp } from '../../http/client/transport.ts'
import { isProblem } from '../../kit/problem.ts'
import type { ForwardAttempt } from './inbox.ts'
import type { Captured } from './parse.ts'

/** Outcome of a forward: the HTTP status of a response, and the error of a failure. */
export type ForwardResult = Pick<ForwardAttempt, 'status' | 'error'>

/** Forwards callbacks to one URL, with their original bytes and headers. */
export interface Forwarder {
  readonly to: string
  send(captured: Captured, signal?: AbortSignal): Promise<ForwardResult>
  close(): Promise<void>
}

/** Headers of the connection, which are not forwarded. */
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

/** Opens a connection to a URL: https, also through a proxy, or this machine. */
export function openForwarder(to: string, proxy?: OutgoingProxy): Forwarder {
  const url = new URL(to)
  const transport: OpenTransport = overHttp(url.origin, {
    headersTimeoutMs: 10_000,
    cutsReply: true,
    largestReply: 4_096,
    proxy,
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
        return { status, error: isGood ? null : `responded with ${status}` }
      } catch (error) {
        if (signal?.aborted) return { status: null, error: 'stopped' }
        if (!isProblem(error)) throw error
        return { status: null, error: error.message }
      }
    },
    close: () => transport.close(),
  }
}
