import { timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { signTenantRequest } from '../../../src/domain/signing.ts'

/**
 * The baseline of the deposits: an HTTP server that reads the body, checks the HMAC and responds with success. It
 * stores and reads nothing. A process of its own, which prints its port: `node bare-server.ts SECRET`.
 */
const [secret = ''] = process.argv.slice(2)
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature } = request.headers
  const expected = signTenantRequest(secret, {
    method: request.method ?? '',
    url: request.url ?? '',
    timestamp: String(timestamp),
    nonce: String(nonce),
    body: Buffer.concat(chunks).toString(),
  })
  const isSigned = timingSafeEqual(Buffer.from(expected), Buffer.from(String(signature)))
  response.writeHead(isSigned ? 200 : 401, { 'content-type': 'application/json' })
  response.end('{"ok":true,"data":{"balance":"10000","duplicate":false}}')
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`)
})
