import { connect } from 'node:net'
import { isLoopback } from '../../http/server/public-url.ts'

/** Connection timeout. If no process accepts within it, none listens. */
const connectMs = 5_000

/**
 * Returns whether a process listens at the URL that the database records, which stays there after a crash. Another
 * machine's address counts as served without a check: it may be reachable only from there.
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
