import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A key and certificate for tests only: a browser must be configured to accept them. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgga8bD8+xYfK8uGs3
He8SrfDAzlx8xg5oYHsTvQvtv4qhRANCAAQmS+pEtrTm7k13Z0m84rDygU85ckOf
HELjsZnU25qgFpAnpQ6bo3MKH9wbmrZv+Ov4I6xycwF8gy1MDG48Tgxw
-----END PRIVATE KEY-----`

const cert = `-----BEGIN CERTIFICATE-----
MIIBnjCCAUSgAwIBAgIUbp9LyyTVrp+g8kIXvgd9dpoqQDAwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPY291bnRyb29tIHRlc3RzMCAXDTI2MTEyMzAwMzU1M1oYDzIx
MjYxMDMwMDAzNTUzWjAaMRgwFgYDVQQDDA9jb3VudHJvb20gdGVzdHMwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAQmS+pEtrTm7k13Z0m84rDygU85ckOfHELjsZnU
25qgFpAnpQ6bo3MKH9wbmrZv+Ov4I6xycwF8gy1MDG48Tgxwo2YwZDAdBgNVHQ4E
FgQU/WsXnzOyJD3/WTf9QAhCveP1zNAwHwYDVR0jBBgwFoAU/WsXnzOyJD3/WTf9
QAhCveP1zNAwDwYDVR0TAQH/BAUwAwEB/zARBgNVHREECjAIggYqLnRlc3QwCgYI
KoZIzj0EAwIDSAAwRQIhALqYVbJ8xx5Ml9fjzDTqTEl4zkAPNk49yXZykyc6t8HJ
AiB6jyK0K+gOUzVYOhGKS5As8lH0CDBXWhlfexJZAqGhIQ==
-----END CERTIFICATE-----`

/** An https server for a test, on any free port of this machine. */
export async function anHttpsServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<number> {
  const server = createServer({ key, cert }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
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
