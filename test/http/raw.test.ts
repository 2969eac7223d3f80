import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nextRequest } from '../support/http/next-request.ts'
import { digestOf, key, openLibrary, rawly } from './library.ts'

const head = (line: string, ...more: string[]) =>
  [`${line} HTTP/1.1`, 'Host: x', `X-Key: ${key}`, ...more, '', ''].join('\r\n')
const last = 'Connection: close'
const statusOf = (text: string) => text.split(' ')[1]
const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4)

test('a request line with the whole URL is answered by its path, and signed by it', async () => {
  const { port, seen } = await openLibrary()
  const url = '/api/library/v1/ping?a=%7e'
  const reply = await rawly(port, head(`GET http://x${url}`, `X-Digest: ${digestOf('GET', url, '')}`, last))
  expect(statusOf(reply)).toBe('200')
  expect(seen.gate[0]?.url).toBe(url)
})

test.each(['GET http://x', 'GET http://x?a', 'OPTIONS *', 'GET /%', 'GET /%00', 'GET //', 'GET /\\', 'GET /a#b'])(
  '%s is a plain 404',
  async (line) => {
    const { port } = await openLibrary()
    const reply = await rawly(port, head(line, last))
    expect(statusOf(reply)).toBe('404')
    expect(bodyOf(reply)).toBe('{"message":"Not found"}')
  },
)

test.each([
  'GET /api/library/v1/%',
  'GET /api/library/v1/books/%C0%AF',
  'GET /api/library/v1#ping',
  'GET /api/library/v1/ping#x',
  'PUT /api/library/v1/\\ping',
])('%s below a prefix is refused in the format of the contract', async (line) => {
  const { port } = await openLibrary()
  const reply = await rawly(port, Buffer.from(head(line, last), 'latin1'))
  expect(['404', '401']).toContain(statusOf(reply))
  expect(bodyOf(reply)).toMatch(/"code":"NOT_FOUND"|Not found/)
})

test('invalid HTTP is rejected and the server continues', async () => {
  const { port } = await openLibrary()
  for (const bad of [
    'hello\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nBad header\r\n\r\n',
    'GET /\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n',
    '\x00\x01\x02\r\n\r\n',
  ]) {
    const reply = await rawly(port, bad)
    expect(statusOf(reply)).toBe('400')
    expect(bodyOf(reply)).toBe('{"message":"Bad Request"}')
  }
  expect(statusOf(await rawly(port, head('GET /api/library/v1/ping', `X-Big: ${'x'.repeat(40_000)}`, last)))).toBe(
    '431',
  )
  expect(statusOf(await rawly(port, head('GET /api/library/v1/ping', last)))).toBe('200')
})

test('a length and chunks together, or two lengths, are refused, because they are ambiguous', async () => {
  const { port } = await openLibrary()
  const both = head('POST /api/library/v1/books', 'Content-Length: 5', 'Transfer-Encoding: chunked', last)
  expect(statusOf(await rawly(port, `${both}0\r\n\r\n`))).toBe('400')
  const two = head('POST /api/library/v1/books', 'Content-Length: 5', 'Content-Length: 6', last)
  expect(statusOf(await rawly(port, `${two}hello`))).toBe('400')
})

test('a chunked body counts by its bytes', async () => {
  const { port } = await openLibrary()
  const chunked = (body: string) =>
    `${head('POST /api/library/v1/books', 'Transfer-Encoding: chunked', last)}${(body.match(/.{1,1000}/gs) ?? []).map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`
  const start = '{"title":"Dune","pages":1,"genre":"novel","pad":"'
  const fit = `${start}${'x'.repeat(65_536 - start.length - 2)}"}`
  expect(fit.length).toBe(65_536)
  expect(statusOf(await rawly(port, chunked(fit)))).toBe('201')
  const over = await rawly(port, chunked(`${fit} `))
  expect(statusOf(over)).toBe('413')
  expect(bodyOf(over)).toContain('"code":"TOO_LARGE"')
})

test('a sender of an oversized body is refused and disconnected', async () => {
  const { port } = await openLibrary()
  const socket = connect(port, '127.0.0.1')
  let got = ''
  socket.on('data', (data) => {
    got += data
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(head('POST /api/library/v1/books', 'Content-Length: 100000000'))
  const chunk = Buffer.alloc(256 * 1024)
  for (let sent = 0; sent < 40 && !socket.destroyed; sent++) {
    if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
  }
  await closed
  expect(statusOf(got)).toBe('413')
})

test('an incomplete body is aborted, and no handler is called', async () => {
  const { port, seen } = await openLibrary({ requestTimeoutMs: 300 })
  const reply = await rawly(port, head('POST /api/library/v1/books', 'Content-Length: 100'), '{"title"')
  expect(statusOf(reply)).toBe('408')
  expect(seen.gate).toEqual([])
})

test('a sender that disconnects in the middle has no effect', async () => {
  const { port, seen, log } = await openLibrary()
  const { begun, closed } = nextRequest()
  const socket = connect(port, '127.0.0.1')
  socket.write(`${head('POST /api/library/v1/books', 'Content-Length: 100')}{"ti`)
  await begun
  socket.destroy()
  await closed
  // Another request takes longer than an effect of the first would.
  await rawly(port, head('GET /', last))
  expect(seen.gate).toEqual([])
  expect(log.lines).toEqual([])
})

test('a body in small pieces is one body', async () => {
  const { port, seen } = await openLibrary()
  const body = '{"title":"Dune","pages":412,"genre":"novel"}'
  const socket = connect(port, '127.0.0.1')
  socket.write(
    head(
      'POST /api/library/v1/books',
      `Content-Length: ${body.length}`,
      `X-Digest: ${digestOf('POST', '/api/library/v1/books', body)}`,
      last,
    ),
  )
  for (const char of body) {
    socket.write(char)
    await pause(1)
  }
  let got = ''
  for await (const data of socket) got += data
  expect(statusOf(got)).toBe('201')
  expect(seen.calls).toHaveLength(1)
})

test('pipelined requests are answered in order', async () => {
  const { port } = await openLibrary()
  const lines = Array.from({ length: 20 }, (_, i) =>
    head(`GET /api/library/v1/books/${i}`, ...(i === 19 ? [last] : [])),
  )
  const got = await rawly(port, lines.join(''))
  expect([...got.matchAll(/"bookId":"(\d+)"/g)].map((match) => match[1])).toEqual(lines.map((_, i) => String(i)))
})

test('a refused body does not consume the next request of the connection', async () => {
  const { port } = await openLibrary()
  const got = await rawly(
    port,
    head('POST /api/library/v1/books', 'Content-Length: 70000'),
    'x'.repeat(70_000),
    head('GET /api/library/v1/books/A1', last),
  )
  expect([...got.matchAll(/HTTP\/1.1 (\d+)/g)].map((match) => match[1])).toEqual(['413', '200'])
})

test('HEAD is answered without a body', async () => {
  const { port } = await openLibrary()
  const got = await rawly(port, head('HEAD /api/library/v1/ping'), head('GET /api/library/v1/ping', last))
  expect(got).toMatch(/^HTTP\/1.1 404/)
  expect(got.split('\r\n\r\n')[1]).toMatch(/^HTTP\/1.1 200/)
})

test('the internal headers of a call in process have no effect over a socket', async () => {
  const { port, seen } = await openLibrary()
  const got = await rawly(port, head('GET /api/library/v1/ping', 'X-Exact-Url: /api/library/v1/books', last))
  expect(bodyOf(got)).toBe('{"ok":true,"data":{}}')
  expect(seen.gate[0]?.url).toBe('/api/library/v1/ping')
})
