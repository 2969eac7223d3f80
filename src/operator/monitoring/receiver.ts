import type { OutgoingProxy } from '../../http/client/agent/proxy.ts'
import { overHttp } from '../../http/client/transport.ts'
import { isProblem } from '../../kit/problem.ts'

/** HTTP requests to monitoring services. Failures are returned, not thrown: monitoring must not fail a job. */

/** Timeout of one request, and of the wait for open requests at the end of a run. */
export const receiverTimeoutMs = 5_000

/** Sends a request. Returns the reason of a failure; undefined for a 2xx response. */
export async function send(
  to: URL,
  request: { readonly method: 'GET' | 'POST'; readonly body?: string; readonly contentType?: string },
  signal: AbortSignal,
  proxy: OutgoingProxy | undefined,
): Promise<string | undefined> {
  const transport = overHttp(to.origin, {
    ...{ connectTimeoutMs: receiverTimeoutMs, headersTimeoutMs: receiverTimeoutMs, bodyTimeoutMs: receiverTimeoutMs },
    ...{ cutsReply: true, largestReply: 4_096, proxy },
  })
  try {
    const { method, body, contentType = 'text/plain' } = request
    const { status } = await transport({
      method,
      path: to.pathname + to.search,
      headers: body === undefined ? {} : { 'content-type': contentType },
      ...(body === undefined ? {} : { body }),
      signal,
    })
    return status >= 200 && status <= 299 ? undefined : `it responded with ${status}`
  } catch (error) {
    if (signal.aborted) return `no response within ${receiverTimeoutMs / 1000} s`
    if (isProblem(error)) return error.message
    return error instanceof Error ? error.message : String(error)
  } finally {
    // Not awaited: a connection that does not end must not delay the run.
    transport.close().catch(() => {})
  }
}

/** Returns the URL of a ping: `/start`, `/fail` or nothing after the path. */
export function pingUrl(base: string, end: '' | '/start' | '/fail'): URL {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, '')}${end}` || '/'
  return url
}
