import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { endStream, openDetachedStream, probeDetaching } from '../../../src/http/server/detached-socket.ts'
import { openServer } from '../../../src/http/server/server.ts'

/** A server whose `/stream` stays open, with its open connections. `/slow` responds when the test allows it. */
async function aServer(
  options: { detachStreams?: boolean; closeWithinMs?: number; onClose?: (streams: readonly Writable[]) => void } = {},
) {
  const streams: Writable[] = []
  const answer = Promise.withResolvers<void>()
  let connections = async () => -1
  const server = openServer({
    services: [],
    closeWithinMs: options.closeWithinMs ?? 2_000,
    detachStreams: options.detachStreams ?? true,
    routes: [
      (app) => {
        app.onClose(() => options.onClose?.(streams))
        app.get('/slow', async (_request, reply) => {
          await answer.promise
          await reply.send('slow')
        })
        app.get('/stream', (request, reply) => {
          connections = () =>
            new Promise((resolve, reject) =>
              request.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
            )
          reply.hijack()
          const stream = openDetachedStream(reply.raw, request.server, { 'content-type': 'text/plain', 'x-word': 'ü' })
          if (stream) streams.push(stream)
          stream?.write('first ')
          if (!(request.raw.socket instanceof Socket)) stream?.end('last')
        })
      },
    ],
  })
  onTestFinished(() => server.close())
  const { port } = await server.listen()
  return { server, port, streams, connections: () => connections(), answer: () => answer.resolve() }
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
  const { port, streams, connections } = await aServer()
  const asker = await asking(port, get('/stream'))
  await asker.until('first')
  const [head, body] = asker.received().split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(head).toContain('\r\ncontent-type: text/plain\r\n')
  expect(head).toContain('\r\nconnection: close')
  expect(body).toBe('first ')
  expect(await connections()).toBe(0)
  const [stream] = streams
  stream?.write('second ')
  await asker.until('second')
  const over = once(asker.socket, 'close')
  if (stream) endStream(stream, 'last')
  await over
  expect(asker.received()).toMatch(/first second last$/)
})

test('a disconnected reader is noticed, and its further data is ignored', async () => {
  const { port, streams } = await aServer()
  const asker = await asking(port, get('/stream'))
  await asker.until('first')
  asker.socket.write(get('/stream'))
  streams[0]?.write('second')
  await asker.until('second')
  expect(streams).toHaveLength(1)
  const closed = once(streams[0] as Writable, 'close')
  asker.socket.destroy()
  await closed
})

test('a connection with earlier calls can be detached too', async () => {
  const { port, answer, streams } = await aServer()
  answer()
  const asker = await asking(port, get('/slow'))
  await asker.until('slow')
  asker.socket.write(get('/stream'))
  await asker.until('first')
  streams[0]?.write('second')
  await asker.until('second')
})

test('after a pending response, the detached connection waits for its turn', async () => {
  const { port, answer, streams } = await aServer()
  const asker = await asking(port, get('/slow') + get('/stream'))
  while (streams.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(asker.received()).toBe('')
  answer()
  await asker.until('first')
  expect(asker.received()).toMatch(/slowHTTP\/1\.1 200 OK.*first/s)
})

test('without a socket the response itself is the stream', async () => {
  const { server } = await aServer()
  const reply = await server.inject({ method: 'GET', path: '/stream', headers: {} })
  expect(reply).toMatchObject({ status: 200, body: 'first last' })
  expect(reply.headers).toMatchObject({ 'content-type': 'text/plain' })
})

test('this version of Node lets a connection be detached', async () => {
  expect(await probeDetaching()).toBe(true)
})

test('if it does not, the response itself is the stream', async () => {
  const { port, streams, connections } = await aServer({ detachStreams: false })
  const asker = await asking(port, get('/stream'))
  await asker.until('first')
  expect(await connections()).toBe(1)
  expect(asker.received()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*transfer-encoding: chunked/is)
  const [stream] = streams
  stream?.write('second')
  await asker.until('second')
  const closed = once(stream as Writable, 'close')
  asker.socket.destroy()
  await closed
})

test.each([true, false])('closing lets the streams send their last data (detached: %s)', async (detachStreams) => {
  const { server, port } = await aServer({
    detachStreams,
    onClose: (streams) => {
      for (const stream of streams) endStream(stream, 'bye')
    },
  })
  const asker = await asking(port, get('/stream'))
  await asker.until('first')
  const over = once(asker.socket, 'close')
  await Promise.all([server.close(), over])
  expect(asker.received().replace(/\r\n[0-9a-f]+\r\n/g, '')).toContain('first bye')
})

test.each([true, false])(
  'closing cuts the remaining connections at its deadline (detached: %s)',
  async (detachStreams) => {
    const { server, port, streams } = await aServer({ detachStreams, closeWithinMs: 50 })
    const asker = await asking(port, get('/stream'))
    await asker.until('first')
    const over = once(asker.socket, 'close')
    await Promise.all([server.close(), over])
    expect(streams[0]?.destroyed).toBe(true)
  },
)
