import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Problem } from '../../kit/problem.ts'
import { remoteCodes, type WireReply, type WireRequest } from '../contract/wire-types.ts'
import { request as httpRequest } from './node-http.ts'
import { textHeaders } from './request.ts'

/** Sends one request to a server of this process as bytes of HTTP over a connection in memory. */
export async function requestInMemory(
  server: HttpServer,
  { method, path, headers, body }: Omit<WireRequest, 'signal'>,
  address: string,
): Promise<WireReply> {
  const [near, far] = duplexPair()
  // The two sides end together, as those of a socket do.
  far.once('close', () => near.destroy())
  near.once('close', () => far.destroy())
  const bytes = body === undefined ? undefined : Buffer.from(body as Uint8Array)
  const length = bytes === undefined ? {} : { 'content-length': String(bytes.byteLength) }
  // Throws for a path or header that HTTP cannot transmit: before the server has a connection, which would stay open.
  const sent = httpRequest({
    createConnection: () => near,
    method,
    path,
    headers: { host: 'localhost', ...length, ...headers },
  })
  server.emit('connection', Object.assign(far, { remoteAddress: address }))
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve)
      sent.once('error', reject)
      sent.end(bytes)
    })
    const reply = {
      status: response.statusCode ?? 0,
      headers: textHeaders(response.headers),
      body: await text(response),
    }
    if (!response.complete) throw new Error('the response was cut off')
    return reply
  } catch (error) {
    // As over a socket: the request was accepted, and no complete response was received.
    throw new Problem(
      remoteCodes.lost,
      'The connection was lost before the response was complete',
      { outcome: 'unknown' },
      { cause: error },
    )
  }
}
