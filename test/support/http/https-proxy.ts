import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { getCACertificates, type Server, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'

/** A key and certificate for tests only, for this machine and names below `test`: clients must be configured to accept them. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVmfoec6uU3riktKn
vvQAtI5boUFEKuY4KHBjwDJtC9WhRANCAARXq/5CaQ0FQtR2t/pxGMwhoCtOdwBL
4OsiDNuB3soSncqh/K5gOEgADSXzMHBBbIiMZQ5HoXkL2bwKkQiAbonQ
-----END PRIVATE KEY-----`

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBrjCCAVWgAwIBAgIUL6PrWZw6zrxFtNMQfddIExIHbOswCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPY291bnRyb29tIHRlc3RzMCAXDTI2MTEyODE1MjUwN1oYDzIx
MjYxMTA0MTUyNTA3WjAaMRgwFgYDVQQDDA9jb3VudHJvb20gdGVzdHMwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAARXq/5CaQ0FQtR2t/pxGMwhoCtOdwBL4OsiDNuB
3soSncqh/K5gOEgADSXzMHBBbIiMZQ5HoXkL2bwKkQiAbonQo3cwdTAdBgNVHQ4E
FgQUfovOxVwWZzvyXMtoo2Sskg4aXtQwHwYDVR0jBBgwFoAUfovOxVwWZzvyXMto
o2Sskg4aXtQwDwYDVR0TAQH/BAUwAwEB/zAiBgNVHREEGzAZggYqLnRlc3SCCWxv
Y2FsaG9zdIcEfwAAATAKBggqhkjOPQQDAgNHADBEAiB6TeXmBOHQydLEYeRjgOLu
wF1JR4Sna4mqablqHNoMVAIgUUOG66EvLQdDAkhpno1paxcjzdCaGwM1sM5AISiM
yWU=
-----END CERTIFICATE-----`

/** Lets the clients of this process accept the certificate until the end of the test. */
export function acceptCertificate(): void {
  const usual = getCACertificates('default')
  setDefaultCACertificates([...usual, certificate])
  onTestFinished(() => setDefaultCACertificates(usual))
}

/** An https server for a test, on any free port of this machine. */
export function anHttpsServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  return listening(createServer({ key, cert: certificate }, answer))
}

/** An https server that speaks HTTP/2 with each client that knows it. */
export function anHttp2Server(
  answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Promise<number> {
  return listening(createSecureServer({ key, cert: certificate, allowHTTP1: true }, answer))
}

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('secureConnection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/**
 * A reverse proxy with https in front of a served world, as an operator sets one up. It reports the scheme and host in
 * headers, and removes its path prefix.
 */
export function aReverseProxy(target: () => string, { below = '' } = {}): Promise<number> {
  return anHttpsServer((request, response) => {
    const path = (request.url ?? '/').slice(below.length)
    const headers = { ...request.headers, 'x-forwarded-proto': 'https', 'x-forwarded-host': request.headers.host }
    const onward = forward(new URL(path, target()), { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
}
