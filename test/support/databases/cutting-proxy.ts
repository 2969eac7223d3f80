import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** State of the server after a connection was cut. */
export type Afterwards = 'server is back' | 'server is gone'

export interface CuttingProxy {
  /** URL of the database through the proxy. */
  readonly url: string
  /** Number of connections that were cut. */
  readonly cuts: number
  /**
   * Cuts the next connection that commits after a statement of this form: the server has committed, and its response goes
   * nowhere. New connections then pass or are refused.
   */
  cutAfterCommit(statement: RegExp, afterwards: Afterwards): void
  /** Lets everything pass again. */
  mend(): void
}

/** A TCP proxy in front of PostgreSQL that loses the response to a commit. */
export async function cuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let input: { statement: RegExp; afterwards: Afterwards } | undefined
  let isGone = false
  let cuts = 0

  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port || 5432) })
    const both = [client, upstream]
    const drop = () => both.forEach((socket) => void socket.destroy())
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', drop)
      socket.on('close', () => {
        sockets.delete(socket)
        drop()
      })
    }
    if (isGone) return drop()
    let hasStatement = false
    let isCommitting = false
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      hasStatement ||= input?.statement.test(text) ?? false
      isCommitting ||= hasStatement && /\bcommit\b/i.test(text)
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (!isCommitting || !bytes.toString('latin1').includes('COMMIT\0')) return void client.write(bytes)
      cuts += 1
      isGone = input?.afterwards === 'server is gone'
      input = undefined
      if (isGone) for (const socket of sockets) socket.destroy()
      drop()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    get cuts() {
      return cuts
    },
    cutAfterCommit(statement, afterwards) {
      input = { statement, afterwards }
    },
    mend() {
      isGone = false
      input = undefined
    },
  }
}
