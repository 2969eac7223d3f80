import { once } from 'node:events'
import { request as overPlain } from 'node:http'
import { request as overTls } from 'node:https'

/** Maximum time until a request is written. */
const writeWithinMs = 10_000

/**
 * Sends a request and closes the connection as soon as its last byte is written, before the response. The receiver gets all of
 * it, and cannot know whether its response arrived.
 */
export async function sendAndLeave(
  to: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array },
): Promise<void> {
  const url = new URL(to)
  const send = url.protocol === 'https:' ? overTls : overPlain
  const request = send(url, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-length': String(body.byteLength), connection: 'close' },
    timeout: writeWithinMs,
  })
  // Closing it on purpose is an error of the request, and so is a receiver that is not there.
  request.on('error', () => {})
  request.on('timeout', () => request.destroy())
  request.end(body)
  await Promise.race([once(request, 'finish'), once(request, 'close')])
  request.destroy()
}
