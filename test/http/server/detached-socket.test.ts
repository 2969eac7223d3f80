import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { endLine, openLine, probeDetaching } from '../../../src/http/server/detached-socket.ts'
import { openServer } from '../../../src/http/server/server.ts'

/** A server whose `/line` stays open, with its open connections. `/slow` responds when the test allows it. */
async function aServer(
  options: { detachStreams?: boolean; closeWithinMs?: number; onClose?: (lines: readonly Writable[]) => void } = {},
) {
  const lines: Writable[] = []
  const answer = Promise.withResolvers<void>()
  let connections = async () => -1
  const server = openServer({
    services: [],
    closeWithinMs: options.closeWithinMs ?? 2_000,
    detachStreams: options.detachStreams ?? true,
    routes: [
      (app) => {
        app.onClose(() => options.onClose?.(lines))
        app.get('/slow', async (_request, reply) => {
          await answer.promise
          await reply.send('slow')
        })
        app.get('/line', (request, reply) => {
          connections = () =>
            new Promise((resolve, reject) =>
              request.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
            )
          reply.hijack()
          const line = openLine(reply.raw, request.server, { 'content-type': 'text/plain', 'x-word': 'ü' })
          if (line) lines.push(line)
          line?.write('first ')
          if (!(request.raw.socket instanceof Socket)) line?.end('last')
        })
      },
    ],
  })
  onTestFinished(() => server.close())
  const { port } = await server.listen()
  return { server, port, lines, connections: () => connections(), answer: () => answer.resolve() }
}

async function asking(port: number, text: string) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('utf8')
  socket.on('data', (piece) => {
    received += piece
  })
  socket.on('error', () => {})
  socket.write(text)
  return { socket, received: () => received, until: (word: string) => until(socket, () => received.includes(word)) }
}

async function until(socket: Socket, isSo: () => boolean) {
  while (!isSo()) await once(socket, 'data')
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

test('a detached connection continues outside HTTP, which no longer counts it', async () => {
  const { port, lines, connections } = await aServer()
  const asker = await asking(port, get('/line'))
  await asker.until('first')
  const [head, body] = asker.received().split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(head).toContain('\r\ncontent-type: text/plain\r\n')
  expect(head).toContain('\r\nconnection: close')
  expect(body).toBe('first ')
  expect(await connections()).toBe(0)
  const [line] = lines
  line?.write('second ')
  await asker.until('second')
  const over = once(asker.socket, 'close')
  if (line) endLine(line, 'last')
  await over
  expect(asker.received()).toMatch(/first second last$/)
})

test('a disconnected reader is noticed, and its further data is ignored', async () => {
  const { port, lines } = await aServer()
  const asker = await asking(port, get('/line'))
  await asker.until('first')
  asker.socket.write(get('/line'))
  lines[0]?.write('second')
  await asker.until('second')
  expect(lines).toHaveLength(1)
  const closed = once(lines[0] as Writable, 'close')
  asker.socket.destroy()
  await closed
})

test('a connection with earlier calls can be detached too', async () => {
  const { port, answer, lines } = await aServer()
  answer()
  const asker = await asking(port, get('/slow'))
  await asker.until('slow')
  asker.socket.write(get('/line'))
  await asker.until('first')
  lines[0]?.write('second')
  await asker.until('second')
})

test('after a pending response, the detached connection waits for its turn', async () => {
  const { port, answer, lines } = await aServer()
  const asker = await asking(port, get('/slow') + get('/line'))
  while (lines.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(asker.received()).toBe('')
  answer()
  await asker.until('first')
  expect(asker.received()).toMatch(/slowHTTP\/1\.1 200 OK.*first/s)
})

test('without a socket the response itself is the stream', async () => {
  const { server } = await aServer()
  const reply = await server.inject({ method: 'GET', path: '/line', headers: {} })
  expect(reply).toMatchObject({ status: 200, body: 'first last' })
  expect(reply.headers).toMatchObject({ 'content-type': 'text/plain' })
})

test('this version of Node lets a connection be detached', async () => {
  expect(await probeDetaching()).toBe(true)
})

test('if it does not, the response itself is the stream', async () => {
  const { port, lines, connections } = await aServer({ detachStreams: false })
  const asker = await asking(port, get('/line'))
  await asker.until('first')
  expect(await connections()).toBe(1)
  expect(asker.received()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*transfer-encoding: chunked/is)
  const [line] = lines
  line?.write('second')
  await asker.until('second')
  const closed = once(line as Writable, 'close')
  asker.socket.destroy()
  await closed
})

test.each([true, false])('closing lets the streams send their last data (detached: %s)', async (detachStreams) => {
  const { server, port } = await aServer({
    detachStreams,
    onClose: (lines) => {
      for (const line of lines) endLine(line, 'bye')
    },
  })
  const asker = await asking(port, get('/line'))
  await asker.until('first')
  const over = once(asker.socket, 'close')
  await Promise.all([server.close(), over])
  expect(asker.received().replace(/\r\n[0-9a-f]+\r\n/g, '')).toContain('first bye')
})

test.each([true, false])(
  'closing cuts the remaining connections at its deadline (detached: %s)',
  async (detachStreams) => {
    const { server, port, lines } = await aServer({ detachStreams, closeWithinMs: 50 })
    const asker = await asking(port, get('/line'))
    await asker.until('first')
    const over = once(asker.socket, 'close')
    await Promise.all([server.close(), over])
    expect(lines[0]?.destroyed).toBe(true)
  },
)
