import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { betHeader, betLine } from '../../../../src/domain/bets/csv.ts'
import { betOf } from '../../../../src/domain/bets/fast-parser.ts'
import { ReceivedBytes } from '../../../../src/http/client/received-bytes.ts'
import { overHttp } from '../../../../src/http/client/transport.ts'
import type { Transport, WireReply } from '../../../../src/http/contract/wire-types.ts'
import { readPage } from '../../../../src/operator/bets/sync/read-page.ts'
import { openBook } from '../../../../src/operator/book/book.ts'
import { aFolder, filesIn, pull } from '../../bet-support.ts'
import { aCountRoom } from '../../reconcile-support.ts'

const amounts = { stake: '1', validStake: '1', rolling: '1', payout: '0', winLoss: '-1', delta: '0' }
const betOfPlayer = (username: string, i: number, zones = 1) => ({
  recSeq: i + 1,
  slipId: `slip-${i}`,
  rev: 1,
  status: 'settled',
  username,
  currency: 'USD',
  tableId: 'BAC-01',
  game: 'baccarat',
  variant: 'classic',
  roundId: 'round',
  shoe: '1',
  round: 1,
  bets: Array.from({ length: zones }, (_, zone) => ({ zone: `Z${zone}`, amount: '1', return: '0' })),
  ...amounts,
  result: { code: '1', cardInfo: '' },
  placedAt: '2026-03-10T12:00:00.000Z',
  settledAt: '2026-03-10T12:00:20.000Z',
})

const pageOf = (items: readonly object[]) =>
  JSON.stringify({ ok: true, data: { items, nextCursor: `202603.${items.length}`, hasMore: false } })

/** A response as it arrives over a socket. */
function inBytes(bytes: Buffer): WireReply {
  return { status: 200, headers: {}, body: bytes.toString(), bytes: { all: bytes, release: () => {} } }
}

const read = (reply: WireReply) => readPage({ cursor: '202603.0' }, reply)

test('the records of a page are those of its JSON, of any length and in any characters, as a text and as bytes', () => {
  const username = fc.oneof(fc.constantFrom('amy', '王小明', 'Ünal', 'José 🂡', ''), fc.string({ unit: 'grapheme' }))
  // 4,000 zones are 160 kB, more than one piece.
  const record = fc.tuple(username, fc.constantFrom(0, 1, 2, 40, 1500, 4000))
  fc.assert(
    fc.property(fc.array(record, { maxLength: 60 }), fc.boolean(), (records, isText) => {
      const items = records.map(([name, zones], i) => betOfPlayer(name, i, zones))
      const body = pageOf(items)
      const page = read(isText ? { status: 200, headers: {}, body } : inBytes(Buffer.from(body)))
      expect(page.rows.map((row) => row.record)).toEqual(items.map((item) => JSON.stringify(item)))
      expect(page.rows).toMatchObject(items.map(({ recSeq, slipId, username }) => ({ recSeq, slipId, username })))
    }),
    { numRuns: 60 },
  )
})

test('the bytes of any records of a page are those of their texts', () => {
  const items = Array.from({ length: 700 }, (_, i) => betOfPlayer(['amy', '王小明', 'José 🂡'][i % 3] ?? '', i, i % 7))
  const page = read(inBytes(Buffer.from(pageOf(items))))
  const texts = items.map((item) => JSON.stringify(item))
  const bytesOf = (which: Parameters<typeof page.lines>[0]) =>
    Buffer.from(page.lines(which).records?.() ?? []).toString()
  const range = fc.tuple(fc.nat(699), fc.nat(699)).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) + 1 }))
  fc.assert(
    fc.property(range, ({ from, to }) => {
      expect(bytesOf({ from, to })).toBe(texts.slice(from, to).join(','))
    }),
  )
  fc.assert(
    fc.property(fc.subarray([...texts.keys()], { minLength: 1 }), (some) => {
      expect(bytesOf(some)).toBe(some.map((i) => texts[i]).join(','))
    }),
    { numRuns: 20 },
  )
})

/** Every part of the format that can be missing or doubled. A page with another format is read by the contract, or refused. */
const items = [betOfPlayer('amy', 0), betOfPlayer('bob', 1)]
const whole = pageOf(items)
test.each([
  ['spaces', JSON.stringify(JSON.parse(whole), null, 1), 2],
  ['another order of fields', JSON.stringify({ data: { hasMore: false, nextCursor: '202603.2', items }, ok: true }), 2],
  ['no records', pageOf([]), 0],
  ['a comma after the last record', whole.replace('}],"nextCursor"', '},],"nextCursor"'), undefined],
  ['a comma without records', pageOf([]).replace('[]', '[,]'), undefined],
  ['two commas', whole.replace('},{"recSeq"', '},,{"recSeq"'), undefined],
  ['no comma', whole.replace('},{"recSeq"', '}{"recSeq"'), undefined],
  ['another character for the comma', whole.replace('},{"recSeq"', '};{"recSeq"'), undefined],
  ['something after the end', `${whole} {}`, undefined],
  ['something before the list', whole.replace('"items":[', '"items":["x",'), undefined],
  ['something after the last record', whole.replace('}],"nextCursor"', '},7],"nextCursor"'), undefined],
] as const)('a page with %s', (_, body, count) => {
  for (const reply of [inBytes(Buffer.from(body)), { status: 200, headers: {}, body }])
    if (count === undefined) expect(() => read(reply)).toThrow(/ is not JSON| has an unknown form/)
    else expect(read(reply).rows.map(({ slipId }) => slipId)).toEqual(['slip-0', 'slip-1'].slice(0, count))
})

test('the files have the same characters as the book, also for bytes that are none', () => {
  const body = Buffer.from(pageOf([betOfPlayer('amy?', 0)]))
  body[body.indexOf('?')] = 0xff
  const page = read(inBytes(body))
  const lines = page.lines({ from: 0, to: 1 })
  expect(page.rows[0]?.username).toBe('amy\ufffd')
  expect(lines.records).toBeUndefined()
  expect([...lines.bets()].map(betLine)).toEqual([betLine(betOf(page.rows[0]?.record ?? ''))])
})

test('a page has no lines of its bytes after its release', () => {
  const bytes = new ReceivedBytes()
  bytes.add(Buffer.from(whole))
  const page = read({ status: 200, headers: {}, body: whole, bytes })
  const lines = page.lines({ from: 0, to: 2 })
  expect(Buffer.from(lines.records?.() ?? []).toString()).toBe(items.map((item) => JSON.stringify(item)).join(','))
  page.release()
  expect(() => lines.records?.()).toThrow('after their release')
})

test('pages that arrive over a socket, in memory that is used again, become the same book and files', async () => {
  const room = await aCountRoom({ start: '2026-03-10T12:00:00.000Z' })
  const names = ['amy', 'bob', 'cho', 'dan', 'eve', 'fay']
  await room.fund(...names)
  for (let hour = 0; hour < 30; hour++) {
    room.goTo(Date.parse('2026-03-30T20:00:00.000Z') + hour * 3_600_000)
    await room.bet(Object.fromEntries(names.map((name, i) => [name, String(hour * 10 + i + 1)])))
  }
  const calm = aFolder()
  await pull(room, calm)
  const server = createServer(async (incoming, outgoing) => {
    const { status, headers, body } = await room.transport({
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: {},
    })
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
    outgoing.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const http = overHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const book = await openBook(':memory:', room.now)
  onTestFinished(async () => {
    await http.close()
    await book.close()
    server.close()
  })
  const released: unknown[] = []
  const watched: Transport = async (request) => {
    const reply = await http(request)
    const { bytes } = reply
    if (!bytes) return reply
    const { all } = bytes
    return {
      status: reply.status,
      headers: reply.headers,
      get body() {
        return reply.body
      },
      bytes: {
        get all() {
          return bytes.all
        },
        release() {
          released.push(all.buffer)
          bytes.release()
        },
      },
    }
  }
  const out = aFolder()
  const { summary, error } = await pull(room, out, { transport: watched, book, options: { pageSize: 7 } })
  expect(error).toBeUndefined()
  expect(summary).toMatchObject({ rows: 180, added: 180, pages: 28 })
  expect(filesIn(out)).toEqual(filesIn(calm))
  const records = (of: typeof book) =>
    of.store.read(({ q }) => q.selectFrom('book_revisions').selectAll().orderBy('place').execute())
  expect(await records(book)).toEqual(await records(room.book))
  expect(filesIn(out)['bets-2026-03.csv']?.startsWith(betHeader)).toBe(true)
  // Every page gave its memory back, and few memories served all of them.
  expect(released.length).toBe(28)
  expect(new Set(released).size).toBeLessThanOrEqual(4)
})
