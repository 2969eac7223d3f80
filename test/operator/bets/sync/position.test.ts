import { describe, expect, test } from 'vitest'
import type { Transport, WireReply } from '../../../../src/http/contract/wire-types.ts'
import { aFolder, filesIn, pull } from '../../bet-support.ts'
import { aCountRoom, type CountRoom } from '../../reconcile-support.ts'

/** Three slips of April, the last records. */
async function aRoom(): Promise<CountRoom> {
  const room = await aCountRoom({ start: '2026-04-01T00:00:01.000Z' })
  await room.fund('amy', 'bob', 'cho')
  await room.bet({ amy: '7', bob: '8', cho: '9' })
  return room
}

/** Resets a platform to an earlier backup: its records end with this one, and the next gets the following number. */
async function restore({ world }: CountRoom, upTo: number, month = '202604'): Promise<void> {
  await world.store.write(async ({ q }) => {
    await q.deleteFrom('casino_bet_records').where('month', '=', month).where('rec_seq', '>', upTo).execute()
    await q
      .updateTable('store_counters')
      .set({ value: upTo })
      .where('series', '=', `casino/bets/ACME/${month}`)
      .execute()
  })
}

const pages = (room: CountRoom) => room.calls().filter((path) => path.startsWith('/api/tenant/v1/bets?'))
const probes = (paths: readonly string[]) => paths.filter((path) => path.endsWith('limit=1'))
const positionOf = (room: CountRoom) =>
  room.book.store.read(({ q }) => q.selectFrom('book_position').selectAll().executeTakeFirst())

describe('a cursor ahead of the platform', () => {
  test('after a restore from a backup ends the run, and nothing is changed', async () => {
    const room = await aRoom()
    const out = aFolder()
    await pull(room, out)
    const [files, position] = [filesIn(out), await positionOf(room)]
    await restore(room, 1)
    const { error, summary } = await pull(room, out)
    expect(summary).toBeUndefined()
    expect(error).toMatchObject({ code: 'BOOK_AHEAD', detail: { recSeq: 3, rev: 1 } })
    expect(String(error)).toContain('countroom bets sync --out other --book other.db')
    expect(filesIn(out)).toEqual(files)
    expect(await positionOf(room)).toEqual(position)
  })

  test('is detected if the platform has written other records beyond it', async () => {
    const room = await aRoom()
    const out = aFolder()
    await pull(room, out)
    await restore(room, 1)
    room.goTo(room.now() + 60_000)
    await room.bet({ amy: '1', bob: '2', cho: '3' })
    expect((await pull(room, out)).error).toMatchObject({ code: 'BOOK_AHEAD' })
  })

  test('is detected on another environment with as many records', async () => {
    const room = await aRoom()
    const out = aFolder()
    await pull(room, out)
    const other = await aCountRoom({ start: '2026-04-01T00:05:00.000Z' })
    await other.fund('amy', 'bob', 'cho')
    await other.bet({ amy: '7', bob: '8', cho: '9' })
    expect((await pull(room, out, { transport: other.transport })).error).toMatchObject({ code: 'BOOK_AHEAD' })
  })

  test('of a month that the platform has not reached does not restart the sync a day earlier', async () => {
    const room = await aRoom()
    const out = aFolder()
    await pull(room, out)
    const early = await aCountRoom({ start: '2026-03-20T00:00:00.000Z' })
    expect((await pull(room, out, { transport: early.transport })).error).toMatchObject({ code: 'BOOK_AHEAD' })
  })

  test('before any record misses no later one', async () => {
    const room = await aRoom()
    const out = aFolder()
    room.goTo('2026-04-05T00:00:00.000Z')
    const from = { from: Date.parse('2026-04-04T00:00:00.000Z') }
    expect((await pull(room, out, { options: from })).summary).toMatchObject({ cursor: '202604.3', rows: 0 })
    await restore(room, 1)
    await room.bet({ amy: '1' })
    const { summary } = await pull(room, out, { options: from })
    expect(summary).toMatchObject({ cursor: '202604.2', rows: 1, added: 1 })
  })

  test('is detected by a following run after an outage of the platform', async () => {
    const room = await aRoom()
    await pull(room, aFolder())
    let isAway = false
    const away: WireReply = { status: 503, headers: {}, body: '' }
    const shaky: Transport = async (request) => {
      if (!isAway) return room.transport(request)
      isAway = false
      await restore(room, 1)
      return away
    }
    let polls = 0
    const { error } = await pull(room, aFolder(), {
      transport: shaky,
      options: { followEveryMs: 10_000, force: true },
      onSleep: (ms) => {
        if (ms !== 10_000) return
        polls += 1
        isAway = polls === 3
      },
    })
    expect(error).toMatchObject({ code: 'BOOK_AHEAD' })
    expect(polls).toBeGreaterThanOrEqual(3)
  })
})

describe('a cursor that is not ahead', () => {
  test('costs one request for one record at the start of a run, and none while it follows', async () => {
    const room = await aRoom()
    const out = aFolder()
    await pull(room, out)
    expect(probes(pages(room))).toEqual([])
    const stop = new AbortController()
    let polls = 0
    const { summary, error } = await pull(room, out, {
      stop: stop.signal,
      options: { followEveryMs: 10_000 },
      onSleep: () => {
        polls += 1
        if (polls === 20) stop.abort('SIGINT')
      },
    })
    expect([error, summary?.position]).toEqual([undefined, 'same'])
    const requests = pages(room)
    expect(probes(requests)).toEqual([expect.stringContaining('cursor=202604.2&limit=1')])
    expect(requests.length).toBe(1 + 20)
  })

  test('at the end of a month, with and without a record in the next', async () => {
    const room = await aRoom()
    const out = aFolder()
    await pull(room, out)
    room.goTo('2026-05-01T00:00:00.000Z')
    expect((await pull(room, out)).summary).toMatchObject({ cursor: '202605.0', position: 'same' })
    expect((await pull(room, out)).summary).toMatchObject({ added: 0, position: 'same' })
    await room.bet({ amy: '1' })
    expect((await pull(room, out)).summary).toMatchObject({ cursor: '202605.1', added: 1, position: 'same' })
    expect((await pull(room, out)).summary).toMatchObject({ added: 0, position: 'same' })
  })

  test('on an empty platform, and in a first run that begins within a month', async () => {
    const room = await aCountRoom({ start: '2026-04-01T00:00:01.000Z' })
    for (let i = 0; i < 2; i++)
      expect((await pull(room, aFolder(), { options: { force: true } })).summary).toMatchObject({
        rows: 0,
        position: null,
      })
    const busy = await aRoom()
    busy.goTo('2026-04-05T00:00:00.000Z')
    const options = { from: Date.parse('2026-04-04T00:00:00.000Z') }
    const out = aFolder()
    for (let i = 0; i < 2; i++)
      expect((await pull(busy, out, { options })).summary).toMatchObject({ rows: 0, added: 0, position: null })
  })

  test('of an empty book, whose platform was restored from an earlier month: its records are read', async () => {
    const room = await aCountRoom({ start: '2027-05-01T00:00:01.000Z' })
    const out = aFolder()
    const options = { force: true }
    expect((await pull(room, out, { options })).summary).toMatchObject({ cursor: '202705.0', rows: 0 })
    room.goTo('2026-04-02T00:00:00.000Z')
    await room.world.store.write(({ q }) => q.deleteFrom('casino_bet_months').execute())
    await room.fund('amy')
    await room.bet({ amy: '1' })
    expect((await pull(room, out, { options })).summary).toMatchObject({ cursor: '202604.1', rows: 1, caughtUp: true })
  })

  test('with months that the platform has removed', async () => {
    const room = await aRoom()
    const out = aFolder()
    await pull(room, out)
    room.goTo('2027-09-01T00:00:00.000Z')
    await restore(room, 0)
    const { summary, error } = await pull(room, out)
    expect([error, summary?.position, summary?.caughtUp]).toEqual([undefined, 'unknown', true])
  })

  test('on a platform with another numbering of cursors', async () => {
    const room = await aRoom()
    const out = aFolder()
    const theirs = (seq: string) => `${seq}007`
    const other: Transport = async (request) => {
      const path = request.path.replace(/cursor=(\d{6})\.(\d+)/, (_, month, seq) =>
        seq.endsWith('007') ? `cursor=${month}.${Number(seq.slice(0, -3))}` : `cursor=${month}.999`,
      )
      const reply = await room.transport({ ...request, path })
      return {
        ...reply,
        body: reply.body.replace(
          /"nextCursor":"(\d{6})\.(\d+)"/,
          (_, month, seq) => `"nextCursor":"${month}.${theirs(seq)}"`,
        ),
      }
    }
    await pull(room, out, { transport: other })
    const { summary, error } = await pull(room, out, { transport: other })
    expect([error, summary?.position, summary?.rows]).toEqual([undefined, 'same', 3])
  })
})

describe('reconciliation on such a platform', () => {
  test('never reports a day as balanced', async () => {
    const room = await aRoom()
    room.goTo('2026-04-03T00:00:00.000Z')
    await room.sync('2026-03-01T00:00:00.000Z')
    const before = await room.reconcile('2026-04-01')
    expect(before.result).toMatchObject({ verdict: 'balanced' })
    // The summary is made from slips, which stay here: equal figures, and a book of another platform.
    await restore(room, 1)
    const after = await room.reconcile('2026-04-01')
    expect(after.result.verdict).toBe('cannot-conclude')
    expect(after.result.reasons.map(({ code }) => code)).toContain('BOOK_AHEAD')
  })
})
