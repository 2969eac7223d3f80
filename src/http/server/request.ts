import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Exchange } from './exchanges/exchange-log.ts'
import { ClientDisconnected, type IncomingRequest, type OutgoingResponse } from './handle.ts'

/** Requests and responses of a connection. */

/** Metadata of a request. */
export interface RequestContext {
  /** Request id for the log and the response. */
  readonly id: string
  /** IP address: the other end of the connection or, behind a trusted proxy, the forwarded one. */
  readonly address: string
  /** Base of the URLs in the response, if not the usual one. */
  readonly publicUrl?: string | undefined
}

export function incomingRequestOf(
  raw: IncomingMessage,
  url: string,
  { id: requestId, address, publicUrl }: RequestContext,
  begin: (
    request: Pick<IncomingRequest, 'method' | 'url' | 'headers' | 'address' | 'requestId'>,
  ) => Exchange | undefined,
): IncomingRequest {
  const request = {
    method: raw.method ?? 'GET',
    url,
    headers: textHeaders(raw.headers),
    address: plainAddress(address),
    requestId,
  }
  return {
    ...request,
    publicUrl,
    exchange: begin(request),
    readBody: (limit) => readBody(raw, limit),
  }
}

/** Returns an IPv4-mapped address as IPv4. */
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

/**
 * Maximum bytes of an oversized body that are discarded before the connection is closed. Without that, the client may
 * not get to read the refusal.
 */
const drainBytes = 8 * 1024 * 1024
const drainMs = 2_000

/** Bodies that were read: a request that runs again gets the same one. */
const bodies = new WeakMap<IncomingMessage, Promise<Uint8Array | 'too-large'>>()

export function readBody(raw: IncomingMessage, limit: number): Promise<Uint8Array | 'too-large'> {
  const known = bodies.get(raw)
  if (known) return known
  const body = readBodyOnce(raw, limit)
  bodies.set(raw, body)
  return body
}

function readBodyOnce(raw: IncomingMessage, limit: number): Promise<Uint8Array | 'too-large'> {
  const length = raw.headers['content-length']
  if (raw.headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) {
    return Promise.resolve(new Uint8Array())
  }
  // The client disconnected earlier: no further event will report that.
  if (raw.destroyed) return Promise.reject(new ClientDisconnected())
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
    raw.once('error', () => reject(new ClientDisconnected()))
    // Every request closes eventually; one that closes before its body is complete was aborted.
    raw.once('close', () => {
      if (!raw.readableEnded) reject(new ClientDisconnected())
    })
  })
}

/** Discards the rest of a body. Disconnects a client that does not end it in time. */
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

export function send(raw: IncomingMessage, out: ServerResponse, { status, headers, body }: OutgoingResponse): void {
  if (out.destroyed || out.headersSent) return
  const hasBody = status !== 204 && status !== 304
  out.writeHead(status, { ...headers, ...(hasBody ? { 'content-length': Buffer.byteLength(body) } : {}) })
  out.end(raw.method === 'HEAD' ? undefined : body)
}
