import { createHash, createHmac } from 'node:crypto'
import type { WireReply } from '../../../src/http/client/transport.ts'
import type { NewKey } from '../../../src/services/casino/admin/index.ts'
import type { TestWorld } from '../worlds/world.ts'

/** A request as the document describes it. A test may make any part of it invalid. */
export interface RawRequest {
  readonly method?: string
  /** Path and query as sent. */
  readonly url?: string
  readonly body?: string | Uint8Array
  /** Unix seconds as text. Default: the world's time. */
  readonly timestamp?: string
  readonly nonce?: string
  /** Signed content, if it differs from the sent one. */
  readonly signedUrl?: string
  readonly signedBody?: string | Uint8Array
  readonly signedMethod?: string
  readonly secret?: string
  /** Headers that replace the four or are added to them; `null` omits one. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Address of the caller. */
  readonly address?: string
}

export const prefix = '/api/tenant/v1'

/**
 * Returns the headers of a request, signed by the document and not by the program's own code. Five lines, the last one
 * the hash of the body, without a final line feed.
 */
export function signedHeaders(world: TestWorld, key: NewKey, request: RawRequest = {}): Record<string, string> {
  const { method = 'GET', url = `${prefix}/tables`, body = '' } = request
  const timestamp = request.timestamp ?? String(Math.floor(world.casino.machineNow() / 1000))
  const nonce = request.nonce ?? `nonce${String(world.next()).padStart(16, '0')}`
  const hash = createHash('sha256')
    .update(request.signedBody ?? body)
    .digest('hex')
  const text = [request.signedMethod ?? method, request.signedUrl ?? url, timestamp, nonce, hash].join('\n')
  const headers: Record<string, string | null> = {
    'x-api-key': key.apiKey,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': createHmac('sha256', request.secret ?? key.secret)
      .update(text)
      .digest('hex'),
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
    ...request.headers,
  }
  const sent: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== null) sent[name] = value
  return sent
}

/** Sends a request that is signed as the document describes, in process, and returns the response. */
export async function sendRaw(world: TestWorld, key: NewKey, request: RawRequest = {}): Promise<WireReply> {
  const { method = 'GET', url: path = `${prefix}/tables`, body, address = '127.0.0.1' } = request
  const headers = signedHeaders(world, key, request)
  return world.server.inject({ method, path, headers, ...(body === undefined ? {} : { body }) }, { address })
}

/** Status of a response and, for a refusal, its code and message. */
export function parseReply(reply: WireReply): { status: number; code?: string; message?: string } {
  const body = JSON.parse(reply.body)
  return body.ok ? { status: reply.status } : { status: reply.status, ...body.error }
}
