import { createServer } from 'node:net'

/** Binds an address and releases it; rejects as listening would. */
export function tryAddress(host: string, port: number): Promise<void> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => server.close(() => resolve()))
  })
}
