import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type LookupFunction, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { HttpOptions } from '../../../src/http/client/http-transport.ts'
import { openNetwork } from '../../../src/http/client/network.ts'
import { overHttp, signed } from '../../../src/http/client/transport.ts'
import { isLoopback } from '../../../src/http/server/public-url.ts'
import { openServer } from '../../../src/http/server/server.ts'
import { aLibrary, sign } from '../library.ts'

const get = { method: 'GET', path: '/a', headers: {} }

async function remote(answer: RequestListener, options: HttpOptions = {}) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = overHttp(url, options)
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await send.close()
  })
  return { url, send }
}

async function remoteSocket(answer: (socket: Socket) => void) {
  const server = createTcpServer(answer).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const send = overHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(async () => {
    server.close()
    await send.close()
  })
  return send
}

test('path, headers and bytes are sent unchanged', async () => {
  const got: unknown[] = []
  const { send } = await remote((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      got.push([request.method, request.url, request.headers['x-a'], Buffer.concat(chunks).toString('hex')])
      response.setHeader('X-Two', ['1', '2']).end('é')
    })
  })
  const path = '/a/../b//c|"?x=%7e&y=a+b&'
  const reply = await send({ method: 'POST', path, headers: { 'x-a': 'b' }, body: new Uint8Array([0, 255, 10]) })
  expect(got).toEqual([['POST', path, 'b', '00ff0a']])
  expect(reply).toMatchObject({ status: 200, body: 'é', headers: { 'x-two': '1, 2' } })
})

test('a redirect is returned as a response, and not followed', async () => {
  const requests: unknown[] = []
  const { send } = await remote((request, response) => {
    requests.push(request.url)
    response.writeHead(307, { location: '/b' }).end()
  })
  expect((await send(get)).status).toBe(307)
  expect(requests).toEqual(['/a'])
})

test('no connection, no response and half a response are distinguished', async () => {
  const closed = createTcpServer().listen(0, '127.0.0.1')
  await new Promise((done) => closed.once('listening', done))
  const { port } = closed.address() as AddressInfo
  await new Promise((done) => closed.close(done))
  await expect(overHttp(`http://127.0.0.1:${port}`)(get)).rejects.toMatchObject({
    name: 'Problem',
    code: 'REMOTE_UNREACHABLE',
    detail: { outcome: 'none' },
  })
  await expect(overHttp('https://name.invalid')(get)).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })

  const { send: silent } = await remote(() => {}, { headersTimeoutMs: 100 })
  await expect(silent(get)).rejects.toMatchObject({ code: 'REMOTE_TIMEOUT', detail: { outcome: 'unknown' } })
  const { send: stalled } = await remote((_, response) => response.write('{'), { bodyTimeoutMs: 100 })
  await expect(stalled(get)).rejects.toMatchObject({ code: 'REMOTE_TIMEOUT' })

  const hangsUp = await remoteSocket((socket) => socket.once('data', () => socket.destroy()))
  await expect(hangsUp(get)).rejects.toMatchObject({ code: 'REMOTE_LOST', detail: { outcome: 'unknown' } })
  const stopsHalfway = await remoteSocket((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')),
  )
  await expect(stopsHalfway(get)).rejects.toMatchObject({ code: 'REMOTE_LOST' })
  const babbles = await remoteSocket((socket) => socket.once('data', () => socket.end('220 mail ready\r\n')))
  await expect(babbles(get)).rejects.toMatchObject({ code: 'REMOTE_LOST' })
})

test('a response that trickles or grows without end is aborted', async () => {
  const { send: swelling } = await remote((_, response) => response.end('x'.repeat(1001)), { largestReply: 1000 })
  await expect(swelling(get)).rejects.toMatchObject({ code: 'REMOTE_UNINTELLIGIBLE' })
  const { send: trickling } = await remote(
    (_, response) => {
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    },
    { totalTimeoutMs: 100 },
  )
  await expect(trickling(get)).rejects.toMatchObject({ code: 'REMOTE_TIMEOUT' })
})

test('an aborted call rejects with the caller’s own reason', async () => {
  const stop = new AbortController()
  const { send } = await remote(() => stop.abort(new Error('enough')))
  await expect(send({ ...get, signal: stop.signal })).rejects.toThrow('enough')
})

test('a call aborted between two parts of its response rejects with that reason', async () => {
  const stop = new AbortController()
  const { send } = await remote((_request, response) => {
    response.write('{')
    setImmediate(() => stop.abort(new Error('enough')))
  })
  await expect(send({ ...get, signal: stop.signal })).rejects.toThrow('enough')
})

test('a call aborted before its connection exists does not wait for it', async () => {
  const stop = new AbortController()
  const lookup: LookupFunction = () => stop.abort(new Error('enough'))
  // Not closed: the lookup never answers, and a close would wait for it.
  const waiting = overHttp('http://localhost', { admits: () => true, lookup, connectTimeoutMs: 60_000 })
  await expect(waiting({ ...get, signal: stop.signal })).rejects.toThrow('enough')
})

test('announcements before a response are not the response', async () => {
  const { send } = await remote((_request, response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' })
    response.writeHead(201, { 'x-a': 'b' }).end('{}')
  })
  expect(await send(get)).toMatchObject({ status: 201, body: '{}', headers: { 'x-a': 'b' } })
})

test('a caller that needs only the status gets the beginning of a body that is too long or breaks off', async () => {
  const options = { largestReply: 10, cutsReply: true }
  const long = await remote(
    (_request, response) => void response.write('12345678', () => response.end('9012')),
    options,
  )
  expect(await long.send(get)).toMatchObject({ status: 200, body: expect.stringMatching(/^(12345678)?$/) })
  const broken = await remote(
    (_request, response) => void response.write('123', () => setImmediate(() => response.destroy())),
    options,
  )
  expect(await broken.send(get)).toMatchObject({ status: 200, body: '123' })
})

test('a base path is put before the path, after signing', async () => {
  const requests: unknown[] = []
  const { url } = await remote((request, response) => {
    requests.push([request.url, request.headers['x-signed']])
    response.end()
  })
  for (const base of ['/sandbox', '/sandbox/']) {
    const http = overHttp(url + base)
    await signed(http, ({ path }) => ({ 'x-signed': path }))(get)
    await http.close()
  }
  expect(requests).toEqual([
    ['/sandbox/a', '/a'],
    ['/sandbox/a', '/a'],
  ])
})

test.each([
  'http://example.com',
  'http://10.0.0.1',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
  'ftp://127.0.0.1',
  'file:///etc',
  'https://user:pass@example.com',
  'https://example.com/?a',
  'example.com',
  '',
])('the base URL %j is refused before anything is sent', (url) => {
  expect(() => overHttp(url)).toThrow(expect.objectContaining({ code: 'REMOTE_INSECURE' }))
  expect(() => overHttp(url)).not.toThrow(/user:pass/)
})

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['example.com', false],
  ['127.0.0.1.nip.io', false],
])('%s means this machine: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

test('an address that is not allowed gets no connection, by number or by name', async () => {
  const addresses: string[] = []
  const { url } = await remote((_, response) => response.end(), {})
  const admits = (address: string) => {
    addresses.push(address)
    return false
  }
  for (const base of [url, url.replace('127.0.0.1', 'localhost')]) {
    const http = overHttp(base, { admits })
    await expect(http(get)).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE', detail: { outcome: 'none' } })
    await http.close()
  }
  expect(addresses).toContain('127.0.0.1')
  const open = overHttp(url.replace('127.0.0.1', 'localhost'), { admits: (address) => address === '127.0.0.1' })
  onTestFinished(() => open.close())
  expect((await open(get)).status).toBe(200)
})

test('the network connects to a served origin without a socket, and to every other over HTTP', async () => {
  const requests: unknown[] = []
  const { url } = await remote((request, response) => {
    requests.push(request.url)
    response.end()
  })
  const network = openNetwork()
  const server = openServer({ services: [aLibrary()] })
  onTestFinished(async () => {
    await network.close()
    await server.close()
  })
  const ping = { method: 'GET', path: '/api/library/v1/ping', headers: {} }
  const inside = signed(network('https://casino.local'), sign)
  const leave = network.serve('https://casino.local', server)
  expect((await inside(ping)).status).toBe(200)
  expect((await network('https://casino.local/sandbox')(ping)).status).toBe(404)
  await network(url)(get)
  expect(requests).toEqual(['/a'])
  leave()
  await expect(inside(ping)).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
  await network.close()
  await expect(network(url)(get)).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
})
