import { request } from '../server/node-http.ts'

export interface LoopbackRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
}

/** Sends a request to a process on this machine, on a connection of its own. Loads no HTTP library, for short commands. */
export function askLoopback(
  baseUrl: string,
  { method, path, headers = {}, body, timeoutMs }: LoopbackRequest,
): Promise<{ readonly status: number; readonly body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const sent = request(new URL(path, baseUrl), {
    method,
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      ...headers,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    },
  })
  sent.once('error', reject)
  sent.once('response', (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (part: string) => {
      text += part
    })
    response.once('error', reject)
    response.once('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
  })
  sent.end(body)
  return promise
}
