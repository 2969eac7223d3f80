import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Transport, WireReply } from '../../../../src/http/contract/wire-types.ts'
import { isProblem, Problem } from '../../../../src/kit/problem.ts'
import { type Book, openBook } from '../../../../src/operator/book/book.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { onPostgres } from '../../../support/worlds/world.ts'
import { aFolder, failingDisk, filesIn, pull } from '../../bet-support.ts'
import { aCountRoom, type CountRoom, inBets } from '../../reconcile-support.ts'

/** Nine slips: six of March with a correction and a void, three of April. */
async function aQuarter(): Promise<CountRoom> {
  const room = await aCountRoom({ start: '2026-03-10T12:00:00.000Z' })
  await room.fund('amy', 'bob', 'cho')
  await room.bet({ amy: '100', bob: '50' })
  room.goTo('2026-03-11T12:00:00.000Z')
  await room.bet({ amy: '12.5', cho: '33.3333' }, [{ void: true }])
  room.goTo('2026-03-31T23:59:59.000Z')
  await room.bet({ cho: '1' })
  room.goTo('2026-04-01T00:00:01.000Z')
  await room.bet({ amy: '7', bob: '8', cho: '9' })
  return room
}

const isPage = (path: string) => path.startsWith('/api/tenant/v1/bets?')
const bodyOf = (data: object): WireReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ok: true, data }),
})
const refusal = (status: number, code: string): WireReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ok: false, error: { code, message: code } }),
})

describe('the files', () => {
  test('are one per month of the cursor, a row per revision in the order of writing, equal to the golden file', async () => {
    const room = await aQuarter()
    const out = aFolder()
    const { summary } = await pull(room, out)
    expect(summary).toMatchObject({ rows: 10, added: 10, duplicates: 0, caughtUp: true, stoppedBy: null })
    const files = filesIn(out)
    expect(Object.keys(files)).toEqual(['bets-2026-03.csv', 'bets-2026-04.csv', 'manifest.json'])
    const golden = join(import.meta.dirname, '../../../../fixtures/golden/bets.csv')
    if (process.env['WRITE_GOLDEN']) writeFileSync(golden, files['bets-2026-03.csv'] ?? '')
    expect(files['bets-2026-03.csv']).toBe(readFileSync(golden, 'utf8'))
    const april = parse(files['bets-2026-04.csv'] ?? '', { columns: true }) as Record<string, string>[]
    expect(april.map(({ recSeq, username }) => `${recSeq} ${username}`)).toEqual(['1 amy', '2 bob', '3 cho'])
    expect(JSON.parse(files['manifest.json'] ?? '')).toMatchObject({
      companyCode: 'ACME',
      environment: 'live',
      cursor: '202604.3',
      rows: 10,
      files: [
        { file: 'bets-2026-03.csv', month: '2026-03', rows: 7 },
        { file: 'bets-2026-04.csv', month: '2026-04', rows: 3 },
      ],
    })
  })

  test('are the same for any page size, across the end of a month', async () => {
    const room = await aQuarter()
    const calm = aFolder()
    await pull(room, calm)
    for (const pageSize of [1, 2, 3, 7, 9]) {
      const book = await aBook(room)
      const out = aFolder()
      const { summary, error } = await pull(room, out, { book, options: { pageSize } })
      expect(error).toBeUndefined()
      expect(summary?.rows).toBe(10)
      expect(filesIn(out)).toEqual(filesIn(calm))
    }
  })

  test('are byte-identical after a second run, and grow by the new rows in a third', async () => {
    const room = await aQuarter()
    const out = aFolder()
    await pull(room, out)
    const before = filesIn(out)
    expect((await pull(room, out)).summary).toMatchObject({ added: 0, rows: 10 })
    expect(filesIn(out)).toEqual(before)
    await room.bet({ bob: '5' })
    expect((await pull(room, out)).summary).toMatchObject({ added: 1, rows: 11 })
    const after = filesIn(out)
    expect(after['bets-2026-03.csv']).toBe(before['bets-2026-03.csv'])
    expect(after['bets-2026-04.csv']?.startsWith(before['bets-2026-04.csv'] ?? '?')).toBe(true)
  })

  test.each([
    ['is missing', (path: string) => rmSync(path)],
    ['was cut short', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 200))],
    [
      'was written into',
      (path: string) => {
        writeFileSync(path, readFileSync(path, 'utf8').replace('settled', 'SETTLED'))
        // A test is fast enough to write within the same millisecond; other writers are not.
        utimesSync(path, new Date(), new Date(Date.now() + 5_000))
      },
    ],
    ['has something behind its end', (path: string) => writeFileSync(path, `${readFileSync(path, 'utf8')}half a li`)],
  ])('one that %s is repaired from the book, and no bet is requested again', async (_, spoil) => {
    const room = await aQuarter()
    const out = aFolder()
    await pull(room, out)
    const before = filesIn(out)
    spoil(join(out, 'bets-2026-03.csv'))
    room.calls()
    const { error } = await pull(room, out)
    expect(error).toBeUndefined()
    expect(filesIn(out)).toEqual(before)
    // One record, which shows that the platform is still the same.
    const places = room.calls().filter(isPage)
    expect(places).toEqual([
      expect.stringContaining('cursor=202604.2&limit=1'),
      expect.stringContaining('cursor=202604.3'),
    ])
  })

  test('a file that is not of this book is overwritten only on request', async () => {
    const room = await aQuarter()
    const out = aFolder()
    const mine = join(out, 'bets-2026-03.csv')
    writeFileSync(mine, 'my own notes\n')
    const refused = await pull(room, out)
    expect(refused.error).toMatchObject({ code: 'FILE_EXISTS' })
    expect(readFileSync(mine, 'utf8')).toBe('my own notes\n')
    expect((await pull(room, out, { options: { force: true } })).error).toBeUndefined()
    expect(readFileSync(mine, 'utf8')).toContain('amy')
  })
})

describe('a run that fails', () => {
  test('at any step of the disk is completed by the next run', async () => {
    const room = await aQuarter()
    const calm = aFolder()
    await pull(room, calm)
    const whole = filesIn(calm)
    const counted = failingDisk(Number.MAX_SAFE_INTEGER, { code: 'EIO', part: 0 })
    await pull(room, aFolder(), { book: await aBook(room), disk: counted, options: { pageSize: 2 } })
    expect(counted.steps()).toBeGreaterThan(8)
    for (let after = 0; after < counted.steps(); after++)
      for (const part of [0, 0.5]) {
        const book = await aBook(room)
        const out = aFolder()
        const disk = failingDisk(after, { code: part === 0 ? 'EIO' : 'ENOSPC', part })
        const broken = await pull(room, out, { book, disk, options: { pageSize: 2 } })
        expect(isProblem(broken.error), String(broken.error)).toBe(true)
        expect(broken.error).toMatchObject({ code: 'OUTPUT_FAILED' })
        const next = await pull(room, out, { book, options: { pageSize: 3 } })
        expect(next.error).toBeUndefined()
        expect(next.summary?.rows).toBe(10)
        expect(filesIn(out)).toEqual(whole)
      }
  })

  test('at any page, by an outage of the platform, is continued by the next one', async () => {
    const room = await aQuarter()
    const calm = aFolder()
    await pull(room, calm)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 4 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (lives, pageSize) => {
          const book = await aBook(room)
          const out = aFolder()
          for (const pages of lives) {
            let left = pages
            const dying: Transport = async (request) => {
              if (isPage(request.path) && left-- <= 0)
                throw new Problem('REMOTE_REFUSED', 'gone', { category: 'permission', outcome: 'none' })
              return room.transport(request)
            }
            await pull(room, out, { book, transport: dying, options: { pageSize } })
          }
          expect((await pull(room, out, { book, options: { pageSize } })).error).toBeUndefined()
          expect(filesIn(out)).toEqual(filesIn(calm))
        },
      ),
      { numRuns: 15 },
    )
  })

  test('by a signal finishes the current page and reports it', async () => {
    const room = await aQuarter()
    const out = aFolder()
    const stop = new AbortController()
    const first = await pull(room, out, {
      stop: stop.signal,
      options: { pageSize: 2 },
      onProgress: () => {
        stop.abort('SIGINT')
        return true
      },
    })
    expect(first.error).toBeUndefined()
    expect(first.summary).toMatchObject({ stoppedBy: 'signal', caughtUp: false })
    const rows = first.summary?.rows ?? 0
    expect(rows).toBeGreaterThan(0)
    expect(rows).toBeLessThan(10)
    expect(first.summary?.files.reduce((sum, file) => sum + file.rows, 0)).toBe(rows)
    expect((await pull(room, out)).summary).toMatchObject({ rows: 10, added: 10 - rows, stoppedBy: null })
  })

  test('by a closed pipe also exits 0', async () => {
    const room = await aQuarter()
    const { summary } = await pull(room, aFolder(), { options: { pageSize: 1 }, onProgress: () => false })
    expect(summary).toMatchObject({ stoppedBy: 'reader', caughtUp: false })
  })
})

describe('a platform', () => {
  test('that does not know the cursor any more is read again from a day earlier, without duplicates', async () => {
    const room = await aQuarter()
    const out = aFolder()
    await pull(room, out)
    const before = filesIn(out)
    let isLost = true
    const forgetful: Transport = async (request) => {
      if (isLost && request.path.includes('cursor=202604.3')) {
        isLost = false
        return refusal(400, 'INVALID_CURSOR')
      }
      return room.transport(request)
    }
    const healed = await pull(room, out, { transport: forgetful })
    expect(healed.summary).toMatchObject({ resyncs: 1, added: 0, duplicates: 4, rows: 10, caughtUp: true })
    expect(healed.warnings.join()).toContain('Reading again from 2026-03-31 00:00 UTC;')
    expect(filesIn(out)).toEqual(before)
  })

  test('that rejects every cursor it returns is not requested forever', async () => {
    const room = await aQuarter()
    const out = aFolder()
    const forgetful: Transport = async (request) =>
      request.path.includes('cursor=') ? refusal(400, 'INVALID_CURSOR') : room.transport(request)
    const { error } = await pull(room, out, { transport: forgetful, options: { pageSize: 2 } })
    expect(error).toMatchObject({ code: 'INVALID_CURSOR' })
    expect((await pull(room, out)).summary).toMatchObject({ rows: 10 })
  })

  test('that reports more records and returns none is retried, and then the run fails', async () => {
    const room = await aQuarter()
    await pull(room, aFolder())
    const stalling: Transport = async (request) =>
      isPage(request.path) ? bodyOf({ items: [], nextCursor: '202604.3', hasMore: true }) : room.transport(request)
    const waits: number[] = []
    const { error } = await pull(room, aFolder(), { transport: stalling, onSleep: (ms) => waits.push(ms) })
    expect(error).toMatchObject({ code: 'SYNC_STALLED' })
    expect(waits).toEqual([1000, 2000, 3000, 4000])
  })

  test.each([
    ['503', () => refusal(503, 'UNAVAILABLE')],
    ['429', () => refusal(429, 'RATE_LIMITED')],
    ['500', () => refusal(500, 'INTERNAL')],
    ['a page of the edge', () => ({ status: 502, headers: {}, body: '<html>' })],
    [
      'nothing',
      () => {
        throw new Problem('REMOTE_LOST', 'The connection broke', { outcome: 'unknown' })
      },
    ],
  ] as const)('that sometimes responds with %s is retried', async (_, answer) => {
    const room = await aQuarter()
    const out = aFolder()
    let turn = 0
    const faltering: Transport = async (request) => {
      turn += 1
      return turn % 2 === 0 ? answer() : room.transport(request)
    }
    const { summary, error } = await pull(room, out, { transport: faltering, options: { pageSize: 2 } })
    expect(error).toBeUndefined()
    expect(summary).toMatchObject({ rows: 10, caughtUp: true })
    expect(summary?.retries).toBeGreaterThan(2)
  })

  test('that sends an invalid record fails only that page: the earlier pages are stored', async () => {
    const room = await aQuarter()
    const out = aFolder()
    room.tamperWith(
      inBets((items) => items.map((item) => (item.username === 'cho' ? { ...item, payout: 'lots' } : item))),
    )
    const broken = await pull(room, out, { options: { pageSize: 2 } })
    expect(broken.error).toMatchObject({ code: 'REMOTE_UNINTELLIGIBLE' })
    room.tamperWith(undefined)
    const next = await pull(room, out)
    expect(next.summary).toMatchObject({ rows: 10 })
    expect(next.summary?.added).toBeLessThan(10)
  })

  test('that sends a revision again with another content is a contradiction: the first is kept, and both are reported', async () => {
    const room = await aQuarter()
    const out = aFolder()
    await pull(room, out)
    const before = filesIn(out)
    room.tamperWith(
      inBets((items) => items.map((item): BetRecord => (item.username === 'bob' ? { ...item, winLoss: '999' } : item))),
    )
    let isLost = true
    const forgetful: Transport = async (request) => {
      if (!isLost || !request.path.includes('cursor=202604.3')) return room.transport(request)
      isLost = false
      return refusal(400, 'INVALID_CURSOR')
    }
    const { summary } = await pull(room, out, { transport: forgetful })
    expect(summary?.alarms).toMatchObject([{ kind: 'contradiction', rev: 1 }])
    const { 'manifest.json': manifest, ...files } = filesIn(out)
    const { 'manifest.json': _, ...filesBefore } = before
    expect(files).toEqual(filesBefore)
    expect(JSON.parse(manifest ?? '')).toMatchObject({ alarmCount: 1 })
  })
})

describe('refusals before any request', () => {
  test('a book that begins later, a book of another tenant, a folder of another tenant', async () => {
    const room = await aQuarter()
    const out = aFolder()
    await pull(room, out)
    room.calls()
    const earlier = await pull(room, out, { options: { from: Date.parse('2025-12-01') } })
    expect(earlier.error).toMatchObject({ code: 'BOOK_STARTS_LATER' })
    const another = await pull(room, out, { companyCode: 'OTHER' })
    expect(another.error).toMatchObject({ code: 'BOOK_OF_ANOTHER' })
    const anotherFolder = await pull(room, out, { companyCode: 'OTHER', book: await aBook(room) })
    expect(anotherFolder.error).toMatchObject({ code: 'FILE_EXISTS' })
    expect(room.calls()).toEqual([])
  })
})

test('a book on PostgreSQL produces the same files, and lets one run at a time work on it', async () => {
  const room = await aQuarter()
  const calm = aFolder()
  await pull(room, calm)
  const { url } = await onPostgres.database()
  if (url === undefined) throw new Error('a book is opened by the URL of its database')
  const book = await openBook(url, room.now)
  onTestFinished(() => book.close())
  const out = aFolder()
  let second: ReturnType<typeof pull> | undefined
  const first = await pull(room, out, {
    book,
    bookUrl: url,
    options: { pageSize: 3 },
    onProgress: () => {
      second ??= pull(room, aFolder(), { book, bookUrl: url })
      return true
    },
    transport: async (request) => {
      if (second) expect((await second).error).toMatchObject({ code: 'LOCKED_BY_ANOTHER', detail: { host: 'here' } })
      return room.transport(request)
    },
  })
  expect(first.error).toBeUndefined()
  expect(second).toBeDefined()
  expect(filesIn(out)).toEqual(filesIn(calm))
  expect((await pull(room, out, { book, bookUrl: url })).summary).toMatchObject({ added: 0, rows: 10 })
})

test('a page is synced to the disk in the background; what begins and ends a run is not', async () => {
  const room = await aQuarter()
  const { store, close } = await aBook(room)
  const writes: boolean[] = []
  const observed: Book['store'] = Object.create(store, {
    write: {
      value: (...[work, options]: Parameters<Book['store']['write']>) => {
        writes.push(options?.syncsLater ?? false)
        return store.write(work, options)
      },
    },
  })
  const { summary } = await pull(room, aFolder(), { book: { store: observed, close }, options: { pageSize: 2 } })
  expect(summary?.pages).toBeGreaterThan(3)
  expect(writes.filter((syncsLater) => syncsLater)).toHaveLength(summary?.pages ?? 0)
  expect([writes[0], writes.at(-1)]).toEqual([false, false])
})

test('a new book without --from begins with the oldest bets that a platform may still have', async () => {
  const room = await aQuarter()
  const { summary } = await pull(room, aFolder(), { options: { from: undefined } })
  expect(summary).toMatchObject({ startedFrom: '2025-02-01T00:00:00.000Z', rows: 10 })
})

async function aBook(room: CountRoom) {
  const book = await openBook(':memory:', room.now)
  onTestFinished(() => book.close())
  return book
}
