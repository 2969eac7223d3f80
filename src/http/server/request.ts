import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Arrival, type Departure, RequestGone } from './handle.ts'

/** What a service is asked and answers, taken off a connection and put on it. */

/** What is known of a request beside what it says. */
export interface Visit {
  /** Names it in the log and in its answer. */
  readonly id: string
  /** Where it came from: the other end of the connection or, behind a proxy that is trusted, what that one says. */
  readonly address: string
  /** The base of the URLs it is answered with, where it is not the usual one. */
  readonly publicUrl?: string | undefined
}

export function arrivalOf(raw: IncomingMessage, url: string, { id: requestId, address, publicUrl }: Visit): Arrival {
  return {
    method: raw.method ?? 'GET',
    url,
    headers: textHeaders(raw.headers),
    address: plainAddress(address),
    requestId,
    publicUrl,
    readBody: (limit) => readBody(raw, limit),
  }
}

/** An IPv4 address that arrived on a socket for both families, as IPv4. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

export function textHeaders(headers: Readonly<Record<string, string | string[] | number | undefined>>) {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) texts[name] = Array.isArray(value) ? value.join(', ') : String(value)
  }
  return texts
}

/** How much of a body over the limit is still taken off the wire, so that its sender gets to read the refusal. */
const drainBytes = 8 * 1024 * 1024
const drainMs = 2_000

export function readBody(raw: IncomingMessage, limit: number): Promise<Uint8Array | 'too-large'> {
  const length = raw.headers['content-length']
  if (raw.headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) {
    return Promise.resolve(new Uint8Array())
  }
  // Its sender hung up while something else was waited for: nothing more will be heard of it, neither its end nor its closing.
  if (raw.destroyed) return Promise.reject(new RequestGone())
  if (Number(length) > limit) {
    drain(raw)
    return Promise.resolve('too-large')
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return void chunks.push(chunk)
      raw.off('data', take)
      drain(raw)
      resolve('too-large')
    }
    raw.on('data', take)
    raw.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    raw.once('error', () => reject(new RequestGone()))
    // Every request closes in the end; only one that closes before its body is whole is gone.
    raw.once('close', () => {
      if (!raw.readableEnded) reject(new RequestGone())
    })
  })
}

/** Lets the rest of a body go by unread; a sender that does not come to an end is cut off. */
function drain(raw: IncomingMessage): void {
  let size = 0
  const cut = () => raw.socket.destroy()
  const timer = setTimeout(cut, drainMs)
  raw.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > drainBytes) cut()
  })
  raw.once('error', () => clearTimeout(timer))
  raw.once('close', () => clearTimeout(timer))
  raw.once('end', () => clearTimeout(timer))
  raw.resume()
}

export function send(raw: IncomingMessage, out: ServerResponse, { status, headers, body }: Departure): void {
  if (out.destroyed || out.headersSent) return
  const hasBody = status !== 204 && status !== 304
  out.writeHead(status, { ...headers, ...(hasBody ? { 'content-length': Buffer.byteLength(body) } : {}) })
  out.end(raw.method === 'HEAD' ? undefined : body)
}
