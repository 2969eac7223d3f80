import assert from 'node:assert/strict'
import { type ClientRequest, request } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'

/** Requests of a client that retries until it succeeds, each on a connection of its own. */

export interface Reply {
  readonly status: number
  readonly body: Buffer
  /** Wait that the server requires; 0 if none. */
  readonly waitMs: number
}

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Bytes of the body that are written to the connection at once. Default: all. */
  readonly pieceBytes?: number | undefined
  /** With `pieceBytes`: returns the number of bytes that the other end of the connection has read so far, over all connections. */
  readonly taken?: () => number
  /** Called afterwards with the number of bytes that left the socket, headers included, received or not. */
  readonly weigh?: (bytes: number) => void
}

/** Sends one request. Returns `undefined` if it or its response was lost. */
export function ask(url: string, { method = 'GET', headers = {}, body, pieceBytes, taken, weigh }: RequestOptions) {
  return new Promise<Reply | undefined>((resolve) => {
    const size = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    let whole: Reply | undefined
    const sent = request(url, { method, headers: { ...headers, ...size }, agent: false }, (reply) => {
      const pieces: Buffer[] = []
      reply.on('data', (piece) => pieces.push(piece))
      reply.on('end', () => {
        const waitMs = Number(reply.headers['retry-after'] ?? 0) * 1_000
        whole = { status: reply.statusCode ?? 0, body: Buffer.concat(pieces), waitMs }
        // Refused before the whole body was sent: the rest is not needed.
        if (!sent.writableFinished) sent.destroy()
      })
      reply.on('error', () => {})
    })
    sent.on('error', () => {})
    sent.on('close', () => {
      weigh?.(sent.socket?.bytesWritten ?? 0)
      resolve(whole)
    })
    if (Buffer.isBuffer(body) && pieceBytes !== undefined) void handOut(sent, body, { pieceBytes, taken })
    else sent.end(body)
  })
}

/**
 * Sends one piece at a time, the next one after the other end has read the previous one, as over a slow connection.
 * Otherwise the kernel would accept the whole body before the first byte is read, depending on the machine.
 */
async function handOut(
  sent: ClientRequest,
  body: Buffer,
  { pieceBytes, taken }: { readonly pieceBytes: number; readonly taken: (() => number) | undefined },
): Promise<void> {
  const before = taken?.() ?? 0
  for (let at = 0; at < body.length && !sent.destroyed; at += pieceBytes) {
    await new Promise((resolve) => sent.write(body.subarray(at, at + pieceBytes), resolve))
    do await setImmediate()
    while (taken && !sent.destroyed && taken() - before < (sent.socket?.bytesWritten ?? 0))
  }
  sent.end()
}

/** Repeats the request until it succeeds. A connection may break and a server be down; a refusal is an error. */
export async function requestUntilDone(url: string, options: RequestOptions): Promise<Reply> {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    const reply = await ask(url, options)
    if (reply !== undefined && reply.status < 300) return reply
    assert(reply === undefined || reply.status >= 500, `${url} answered ${reply?.status}: ${reply?.body}`)
    // The first retry has no delay: the previous attempt may still be in progress.
    if (attempt > 0) await setTimeout(10)
  }
  throw new Error(`${url} did not answer`)
}

export async function requestJsonUntilDone(url: string, options: RequestOptions) {
  return JSON.parse((await requestUntilDone(url, options)).body.toString())
}
