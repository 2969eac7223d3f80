import { connect } from 'node:net'
import { isLoopback } from '../../http/server/public-url.ts'

/** A process on this machine accepts a connection within this time, or there is none. */
const connectMs = 5_000

/**
 * Returns whether a process listens at the URL where a world was last served. The URL stays in the database after a crash.
 * Another machine's address is not tried: it may be reachable only from there.
 */
export function isServed(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  if (!isLoopback(hostname)) return Promise.resolve(true)
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80, timeout: connectMs })
  return new Promise((resolve) => {
    const end = (answers: boolean) => {
      socket.destroy()
      resolve(answers)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
