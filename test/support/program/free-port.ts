import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Returns a port on which no process listens. It is below the ports that Linux and macOS give to outgoing connections:
 * one of those could be taken by a connection before the caller listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
