import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { getCACertificates, type Server, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'

/** A key and certificate for tests only, for this machine and names below `test`: clients must be configured to accept them. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgT/rfFdiJOgxDmAjC
LNnAiWC1sSejCMSyiltoWeCtLxahRANCAAQP3MRqZ/8qfrqzSz/lIpnWhzgk3QDh
cK0Na47kRR0YcGzlpyd6O6/HOIQlIQ+kqsBHYCOGa6VPwizi/YnJGdBa
-----END PRIVATE KEY-----`

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBwDCCAWagAwIBAgIUFQfeCgqpEkz+mttgyrhkxJbIzekwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPY291bnRyb29tIHRlc3RzMCAXDTI2MTEyODE1NDczMVoYDzIx
MjYxMTA0MTU0NzMxWjAaMRgwFgYDVQQDDA9jb3VudHJvb20gdGVzdHMwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAQP3MRqZ/8qfrqzSz/lIpnWhzgk3QDhcK0Na47k
RR0YcGzlpyd6O6/HOIQlIQ+kqsBHYCOGa6VPwizi/YnJGdBao4GHMIGEMB0GA1Ud
DgQWBBQ8ZuDMprzrm5zwhaSarjqyCcrXLDAfBgNVHSMEGDAWgBQ8ZuDMprzrm5zw
haSarjqyCcrXLDAPBgNVHRMBAf8EBTADAQH/MDEGA1UdEQQqMCiCBioudGVzdIIN
cGxhdGZvcm0udGVzdIIJbG9jYWxob3N0hwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IQDKPAkL+1H50whqqLayIcprYuH3zN0/htrfYYo1bDd/ZgIgLyxtXBUYdEyJHyHR
lAGQonuB304i4FJnN53iHuR24IA=
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
