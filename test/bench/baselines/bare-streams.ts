import { createServer, type ServerResponse } from 'node:http'

/**
 * The baseline of the open streams: an HTTP server that sends one event to every caller and keeps the response open. It
 * reads nothing and sends nothing more. A process of its own, which prints its address: `node bare-streams.ts`.
 */
const streams = new Set<ServerResponse>()
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
  response.write('retry: 1000\n\nevent: ready\ndata: {}\n\n')
  streams.add(response)
  request.on('close', () => streams.delete(response))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, apiKey: '', tenantKey: '' })}\n`)
})
process.on('message', (message) => {
  if (message === 'memory') {
    globalThis.gc?.()
    process.send?.(process.memoryUsage().rss)
  }
})
