import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** Waits for the next request of any server in this process. */
export function nextRequest(): {
  /** Resolves when the server has its head. */
  readonly begun: Promise<void>
  /** Resolves when the server has noticed that its connection closed. */
  readonly closed: Promise<void>
} {
  const channel = 'http.server.request.start'
  const begun = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const hear = (message: unknown) => {
    unsubscribe(channel, hear)
    begun.resolve()
    ;(message as { socket: Socket }).socket.once('close', () => closed.resolve())
  }
  subscribe(channel, hear)
  return { begun: begun.promise, closed: closed.promise }
}
