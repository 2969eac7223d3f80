import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type ServerEvent, streamOverHttp } from '../../../src/http/client/sse-client.ts'
import { remoteCodes } from '../../../src/http/contract/wire-types.ts'
import { openServer } from '../../../src/http/server/server.ts'
import { sseEvent, sseHeaders, sseHeartbeat, sseRetry } from '../../../src/http/server/sse.ts'

/** Reads a server's writes to a stream, piece by piece. */
async function read(pieces: readonly (string | Buffer)[]): Promise<ServerEvent[]> {
  const server = openServer({
    services: [],
    routes: [
      (table) =>
        table.get('/events', async (_request, { raw }) => {
          raw.writeHead(200, sseHeaders)
          for (const piece of pieces) {
            raw.write(piece)
            await nextTurn()
          }
          raw.end()
        }),
    ],
  })
  onTestFinished(() => server.close())
  const { url } = await server.listen()
  const events: ServerEvent[] = []
  const end = await streamOverHttp(url, { path: '/events', headers: {} }, (event) => void events.push(event))
  expect(end).toEqual({ end: 'closed' })
  return events
}

const two = [
  { id: '7', event: 'message', data: 'héllo' },
  { event: 'typing', data: '{"a":1}' },
]

test('the events of our servers are read, with heartbeats between them', async () => {
  const [first, second] = two
  if (!first || !second) throw new Error('no events')
  expect(await read([sseRetry(1_000), sseEvent(first), sseHeartbeat, sseEvent(second)])).toEqual(two)
})

test.each([
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRLF', '\r\n'],
])('events of others, with %s at the end of lines and cut at every byte', async (_, end) => {
  const lines = [': a comment', 'id:7', 'data:héllo', 'unknown: x', '', 'event: typing', 'data: {"a":1}', '', '']
  const bytes = Buffer.from(lines.join(end))
  // The byte after the last line shows that a CR ended it.
  expect(await read([...[...bytes].map((byte) => Buffer.of(byte)), ':'])).toEqual(two)
})

test('several data lines are one text, and an incomplete event is not passed on', async () => {
  expect(await read(['data: a\ndata\ndata:  b\n\n', 'id: 1\n\n', 'data: cut off\n'])).toEqual([
    { event: 'message', data: 'a\n\n b' },
  ])
})

test.each([
  ['a line without a known field', 'x'.repeat(70_000)],
  ['a field', 'data: '.padEnd(70_000, 'x')],
])('a response without a line break is aborted after 4 MiB: %s', async (_, piece) => {
  const pieces = Array.from({ length: 80 }, (_each, i) => (i === 0 ? piece : 'x'.repeat(70_000)))
  await expect(read(pieces)).rejects.toMatchObject({ code: remoteCodes.unintelligible })
})
