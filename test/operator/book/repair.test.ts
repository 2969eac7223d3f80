import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { realDisk } from '../../../src/operator/bets/files/disk.ts'
import { type Repaired, repairDay } from '../../../src/operator/bets/repair/repair.ts'
import { openBook } from '../../../src/operator/book/book.ts'
import { verifyBook } from '../../../src/operator/book/verify/verify.ts'
import { keepDays } from '../../../src/operator/reconcile/breaks/record.ts'
import { readRestated } from '../../../src/operator/reconcile/restated.ts'
import { aFolder, pull } from '../bet-support.ts'
import { aCountRoom, type CountRoom } from '../reconcile-support.ts'

const date = '2026-03-10'

/** A room with two days of bets in a book and in CSV files, and copies of both. */
async function aSyncedRoom() {
  const room = await aCountRoom({ start: '2026-03-10T04:00:00Z' })
  await room.fund('amy', 'bob')
  for (let round = 0; round < 6; round++) await room.bet({ amy: '10', bob: '20' })
  await room.bet({ amy: '30' }, [{ correct: { cardInfo: '5H4S3C5D----' } }])
  room.goTo('2026-03-11T04:00:00Z')
  for (let round = 0; round < 3; round++) await room.bet({ bob: '40' })
  room.goTo('2026-03-13T20:00:00Z')
  const out = join(aFolder(), 'bets')
  const { error } = await pull(room, out)
  expect(error).toBeUndefined()
  const files = () => ['bets-2026-03.csv', 'manifest.json'].map((name) => readFileSync(join(out, name), 'utf8'))
  return { room, out, files, original: files() }
}

function repair(room: CountRoom, out: string, over: { date?: string; isDryRun?: boolean } = {}): Promise<Repaired> {
  return repairDay(
    {
      ...{ book: room.book, bookUrl: ':memory:', disk: realDisk, transport: room.transport, now: room.now },
      sleep: async () => {},
      signal: new AbortController().signal,
      me: { pid: process.pid, host: 'here', command: 'a test' },
      runId: `repair-${Math.random()}`,
      ...{ who: 'dana', tool: 'countroom test' },
      report: { step: () => {}, warn: () => {}, waiting: () => {} },
    },
    {
      ...{ date, timezone: 'Asia/Taipei', out, maxPages: 100, waitMs: 0, force: false, isDryRun: false },
      ...over,
    },
  )
}

const counts = ({ plan }: Repaired) => [plan.added.length, plan.replaced.length, plan.removed.length]

const rowsOf = (room: CountRoom) =>
  room.book.store.read(({ q }) => q.selectFrom('book_revisions').selectAll().orderBy('place').execute())
const historyOf = (room: CountRoom) =>
  room.book.store.read(({ q }) => q.selectFrom('book_replaced_revisions').selectAll().orderBy('place').execute())

/** Each way in which a row can be wrong, by its position. */
const damages = {
  'a lost row': (room: CountRoom, place: number) =>
    room.spoil((q) => q.deleteFrom('book_revisions').where('place', '=', place).execute()),
  'a changed record': (room: CountRoom, place: number) =>
    room.spoil(async (q) => {
      const row = await q.selectFrom('book_revisions').selectAll().where('place', '=', place).executeTakeFirstOrThrow()
      const record = { ...JSON.parse(row.record), payout: '999', winLoss: '979' }
      await q
        .updateTable('book_revisions')
        .set({ record: JSON.stringify(record) })
        .where('place', '=', place)
        .execute()
    }),
  'an unreadable record': (room: CountRoom, place: number) =>
    room.spoil((q) => q.updateTable('book_revisions').set({ record: '{' }).where('place', '=', place).execute()),
  'a changed player': (room: CountRoom, place: number) =>
    room.spoil((q) => q.updateTable('book_revisions').set({ name_key: 'cho' }).where('place', '=', place).execute()),
  'a row moved to another day': (room: CountRoom, place: number) =>
    room.spoil((q) =>
      q
        .updateTable('book_revisions')
        .set(({ eb }) => ({ settled_at: eb('settled_at', '+', 86_400_000) }))
        .where('place', '=', place)
        .execute(),
    ),
  'a foreign slip': (room: CountRoom, place: number) =>
    room.spoil(async (q) => {
      const row = await q.selectFrom('book_revisions').selectAll().where('place', '=', place).executeTakeFirstOrThrow()
      const record = JSON.stringify({ ...JSON.parse(row.record), slipId: 'FORGED' })
      await q.updateTable('book_revisions').set({ slip_id: 'FORGED', record }).where('place', '=', place).execute()
    }),
}

describe('the repair of a day', () => {
  test('changes nothing without an error', async () => {
    const { room, out, files, original } = await aSyncedRoom()
    const before = await rowsOf(room)
    const done = await repair(room, out)
    expect(counts(done)).toEqual([0, 0, 0])
    expect(done.repair).toBeNull()
    expect(await rowsOf(room)).toEqual(before)
    expect(files()).toEqual(original)
  })

  test.each(Object.entries(damages))(
    'after %s restores the figures and files, and keeps the earlier rows',
    async (_name, damage) => {
      const { room, out, files, original } = await aSyncedRoom()
      const before = await rowsOf(room)
      expect((await room.reconcile(date)).result.verdict).toBe('balanced')
      await damage(room, 4)
      const damaged = await rowsOf(room)
      const dry = await repair(room, out, { isDryRun: true })
      expect(await rowsOf(room)).toEqual(damaged)
      const done = await repair(room, out)
      expect(counts(done)).toEqual(counts(dry))
      expect((await room.reconcile(date)).result.verdict).toBe('balanced')
      const key = (row: { slip_id: string; rev: number; record: string; settled_at: number; name_key: string }) =>
        JSON.stringify([row.slip_id, row.rev, row.record, row.settled_at, row.name_key])
      expect((await rowsOf(room)).map(key).sort()).toEqual(before.map(key).sort())
      expect(files()).toEqual(original)
      // Every row of the damaged book is in the book or in the history, unchanged.
      const kept = [...(await rowsOf(room)), ...(await historyOf(room))]
      for (const row of damaged)
        expect(kept.some((each) => each.record === row.record && each.slip_id === row.slip_id)).toBe(true)
      expect(counts(await repair(room, out))).toEqual([0, 0, 0])
    },
  )

  test('lets a day that was reconciled before show its changes', async () => {
    const { room, out } = await aSyncedRoom()
    await damages['a changed record'](room, 4)
    await keepDays(room.book, { id: 'first', who: 'test', exit: 9 }, [await room.reconcile(date)])
    const before = await readRestated(room.book, {})
    expect(before.restated).toEqual([])
    await repair(room, out)
    const { restated } = await readRestated(room.book, {})
    expect(restated.map((day) => [day.date, day.players.map(({ player, winLoss }) => [player, winLoss])])).toEqual([
      [date, [['bob', '-999']]],
    ])
  })

  test('is followed by a sync without a gap, and files like those of a new sync', async () => {
    const { room, out, files } = await aSyncedRoom()
    await damages['a lost row'](room, 3)
    await damages['a foreign slip'](room, 5)
    await repair(room, out)
    await room.bet({ amy: '11' })
    const { summary } = await pull(room, out)
    expect(summary).toMatchObject({ added: 1, duplicates: 0, position: 'same' })
    const fresh = join(aFolder(), 'fresh')
    const book = await openBook(':memory:', room.now)
    await pull(room, fresh, { book, bookUrl: join(aFolder(), 'fresh.db') })
    await book.close()
    expect(files()).toEqual(
      ['bets-2026-03.csv', 'manifest.json'].map((name) => readFileSync(join(fresh, name), 'utf8')),
    )
  })

  test('leaves other days unchanged, and records after the cursor to the sync', async () => {
    const { room, out } = await aSyncedRoom()
    const lost = (await rowsOf(room)).find(({ place }) => place === 3)
    await damages['a lost row'](room, 3)
    await room.bet({ amy: '11' })
    const other = await repair(room, out, { date: '2026-03-11' })
    expect(counts(other)).toEqual([0, 0, 0])
    const done = await repair(room, out, { date: '2026-03-14' })
    expect(counts(done)).toEqual([0, 0, 0])
    expect(done.newer).toBe(1)
    // What was settled before the start of the book is not missing.
    const planned = async (position: { started_from?: number; cursor?: string }) => {
      await room.spoil((q) => q.updateTable('book_position').set(position).execute())
      return counts(await repair(room, out, { isDryRun: true }))
    }
    const { settledAt } = JSON.parse(lost?.record ?? '')
    expect(await planned({ started_from: Date.parse(settledAt) })).toEqual([1, 0, 0])
    expect(await planned({ started_from: Date.parse(settledAt) + 1 })).toEqual([0, 0, 0])
    await expect(planned({ cursor: 'x' })).rejects.toMatchObject({ code: 'BOOK_EMPTY' })
  })
})

describe('the verification of a book', () => {
  const work = (url: string) => ({
    ...{ url, disk: realDisk, now: () => 1, signal: new AbortController().signal, onStep: () => {} },
    whileStill: <T>(_book: unknown, run: () => Promise<T>) => run(),
  })

  /** A synced book in a file, damaged by hand. */
  async function aFile(damage: (room: CountRoom) => Promise<unknown>) {
    const folder = aFolder()
    const url = join(folder, 'book.db')
    const room = await aCountRoom({ start: '2026-03-10T04:00:00Z' })
    await room.fund('amy')
    for (let round = 0; round < 6; round++) await room.bet({ amy: '10' })
    const book = await openBook(url, room.now)
    await pull(room, join(folder, 'bets'), { book, bookUrl: url })
    await damage({ ...room, spoil: (change) => book.store.write(({ q }) => change(q)) })
    await book.close()
    return { url, out: join(folder, 'bets') }
  }

  const firstFaults = (checks: readonly { name: string; status: string; first: string | null }[]) =>
    Object.fromEntries(checks.filter(({ status }) => status !== 'pass').map(({ name, first }) => [name, first]))

  test('passes for a book that was only synced', async () => {
    const { url, out } = await aFile(async () => {})
    const { verdict, rows, checks } = await verifyBook(work(url), out)
    expect([verdict, rows, firstFaults(checks)]).toEqual(['whole', 6, {}])
  })

  test.each([
    ['a lost row', { places: /^row 3 is missing/, months: /6 are counted/, files: /line 4 differs/ }],
    ['a changed record', { files: /bets-2026-03.csv: line 4 differs/ }],
    ['an unreadable record', { records: /^row 3 \(slip .*its record is not JSON/, files: /./ }],
    ['a changed player', { records: /^row 3 .*name_key is cho, but amy/ }],
    ['a row moved to another day', { records: /^row 3 .*settled_at is/ }],
  ] as const)('names the first bad row after %s', async (name, expected) => {
    const { url, out } = await aFile((room) => damages[name](room, 3))
    const { verdict, checks } = await verifyBook(work(url), out)
    expect(verdict).toBe('damaged')
    const faults = firstFaults(checks)
    expect(Object.keys(faults).sort()).toEqual(Object.keys(expected).sort())
    for (const [check, pattern] of Object.entries(expected)) expect(faults[check]).toMatch(pattern)
  })

  test('compares the cursor with the rows', async () => {
    const { url } = await aFile((room) =>
      room.spoil((q) => q.updateTable('book_position').set({ cursor: '202603.4' }).execute()),
    )
    expect(firstFaults((await verifyBook(work(url), undefined)).checks)).toMatchObject({
      cursor: expect.stringMatching(/written at 202603\.6, after the cursor 202603\.4/),
    })
  })

  test('finds a revision without a first one that is not listed', async () => {
    const verified = async (isListed: boolean) => {
      const { url } = await aFile((room) =>
        room.spoil(async (q) => {
          const record = sql<string>`replace(record, '"rev":1', '"rev":2')`
          await q.updateTable('book_revisions').set({ rev: 2, record }).where('place', '=', 3).execute()
          if (!isListed) await q.deleteFrom('book_headless').where('place', '=', 3).execute()
        }),
      )
      return firstFaults((await verifyBook(work(url), undefined)).checks)
    }
    expect(await verified(true)).toEqual({})
    expect(await verified(false)).toEqual({
      records: expect.stringMatching(
        /^row 3 \(slip .*, revision 2\): it has no first revision, but is missing in book_headless$/,
      ),
    })
  })

  test('is inconclusive for files that cannot be read', async () => {
    const { url, out } = await aFile(async () => {})
    const { verdict, checks } = await verifyBook(work(url), join(out, 'nowhere'))
    expect(verdict).toBe('cannot-conclude')
    expect(checks.at(-1)).toMatchObject({ name: 'files', status: 'unknown' })
  })
})
