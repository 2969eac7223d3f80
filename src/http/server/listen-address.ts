import { createServer } from 'node:net'

/** Takes an address and leaves it again; rejects as listening there would. */
export function tryAddress(host: string, port: number): Promise<void> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => server.close(() => resolve()))
  })
}
