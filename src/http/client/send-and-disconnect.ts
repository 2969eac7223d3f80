import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Maximum time until a request is written. */
const writeWithinMs = 10_000

/**
 * Sends a request and closes the connection as soon as its last byte is written, before the response. The receiver gets all of
 * it, and cannot know whether its response arrived.
 */
export async function sendAndDisconnect(
  to: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array },
): Promise<void> {
  const url = new URL(to)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isTls = url.protocol === 'https:'
  const port = Number(url.port || (isTls ? 443 : 80))
  const socket = isTls ? connectTls({ host, port, servername: host }) : connectPlain({ host, port })
  // Both the deliberate close and an unreachable receiver raise an error on the socket.
  socket.on('error', () => {})
  socket.setTimeout(writeWithinMs, () => socket.destroy())
  const all = { ...headers, host: url.host, 'content-length': String(body.byteLength) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const head = [`POST ${url.pathname}${url.search} HTTP/1.1`, ...lines, '', ''].join('\r\n')
  socket.write(Buffer.concat([Buffer.from(head, 'latin1'), body]), () => socket.destroy())
  if (!socket.destroyed) await once(socket, 'close')
}
