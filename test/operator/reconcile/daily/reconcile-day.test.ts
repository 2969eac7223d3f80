import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../src/kit/problem.ts'
import { daysAround } from '../../../../src/operator/bets/slips-by-day.ts'
import { reconciliationCsv } from '../../../../src/operator/reconcile/daily/csv.ts'
import { reconcileDays } from '../../../../src/operator/reconcile/daily/reconcile-day.ts'
import type { DayResult } from '../../../../src/operator/reconcile/daily/schema.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import {
  aCountRoom,
  type CountRoom,
  inBets,
  inSummary,
  type RoomOptions,
  type Tamper,
} from '../../reconcile-support.ts'

/** A room in which 2026-03-10 was played, in Taipei, with a correction and a void. */
async function aPlayedDay(options: Partial<RoomOptions> = {}): Promise<CountRoom> {
  const room = await aCountRoom({ start: '2026-03-10T02:00:00.000Z', ...options })
  await room.fund('amy', 'bob', 'Cho')
  await room.bet({ amy: '100', bob: '50' })
  room.goTo('2026-03-10T03:00:00.000Z')
  await room.bet({ amy: '12.5', Cho: '7' }, [{ correct: { cardInfo: '5H4S3C5D----' } }])
  room.goTo('2026-03-10T04:00:00.000Z')
  await room.bet({ bob: '30' }, [{ void: true }])
  room.goTo('2026-03-10T05:00:00.000Z')
  await room.bet({ amy: '3', Cho: '9' })
  room.goTo('2026-03-11T02:00:00.000Z')
  return room
}

/** The same, synced through a proxy that changes the records. */
async function aPulledDay(tamper?: Tamper): Promise<CountRoom> {
  const room = await aPlayedDay()
  room.tamperWith(tamper)
  await room.sync()
  room.tamperWith(undefined)
  return room
}

const day = '2026-03-10'
const codes = (of: readonly { readonly code: string }[]) => of.map(({ code }) => code)
const findings = ({ slips }: DayResult) =>
  slips.map(({ finding, slipId, rev, player }) => [finding, slipId, rev, player])
const pairs = ({ differences }: DayResult) =>
  differences.map(({ player, field, platform, book, difference }) => [player, field, platform, book, difference])
/** Returns the records of the day from the platform, in write order. */
async function recordsOf(room: CountRoom): Promise<BetRecord[]> {
  return (await room.client.bets({ query: { from: '2026-03-01T00:00:00.000Z' } })).items
}
async function recordAt(room: CountRoom, place: number): Promise<BetRecord> {
  const record = (await recordsOf(room))[place]
  if (!record) throw new Error(`no record at ${place}`)
  return record
}

describe('a day that adds up', () => {
  test('is balanced, with corrections and voids in it, and the platform gets one request for the last record that was read', async () => {
    const room = await aPulledDay()
    room.calls()
    const { result, lines } = await room.reconcile(day)
    expect(result).toMatchObject({
      verdict: 'balanced',
      stale: false,
      date: day,
      timezone: 'Asia/Taipei',
      start: '2026-03-09T16:00:00.000Z',
      end: '2026-03-10T16:00:00.000Z',
      hours: 24,
      compared: 3,
      differing: 0,
      revisions: 10,
      platform: { players: 3, slips: 7 },
      booked: { players: 3, slips: 7 },
      differences: [],
      slips: [],
      reasons: [],
      next: [],
      trace: { state: 'not-needed' },
    })
    expect(lines.map(({ username }) => username)).toEqual(['amy', 'bob', 'Cho'])
    expect(room.calls()).toEqual([
      '/api/tenant/v1/bets/summary?date=2026-03-10',
      '/api/tenant/v1/account',
      '/api/tenant/v1/bets?cursor=202603.9&limit=1',
    ])
  })

  test('the totals are reported per currency and field, on both sides', async () => {
    const room = await aPulledDay()
    const { result } = await room.reconcile(day)
    expect(result.totals.map(({ currency, field, platform, book }) => [currency, field, platform, book])).toEqual([
      ['USD', 'slips', '7', '7'],
      ['USD', 'stake', '181.5', '181.5'],
      ['USD', 'validStake', '181.5', '181.5'],
      ['USD', 'rolling', '181.5', '181.5'],
      ['USD', 'payout', '0', '0'],
      ['USD', 'winLoss', '-181.5', '-181.5'],
      ['USD', 'rake', '0', '0'],
    ])
  })

  test('a day without a slip on either side is balanced', async () => {
    const room = await aPulledDay()
    expect((await room.reconcile('2026-03-09')).result).toMatchObject({ verdict: 'balanced', compared: 0 })
  })

  test('a second run has the same result, and changes nothing in the book', async () => {
    const room = await aPulledDay(inBets((items) => items.slice(1)))
    const rows = () =>
      room.book.store.read(({ q }) => q.selectFrom('book_revisions').selectAll().orderBy('place').execute())
    const before = await rows()
    const first = await room.reconcile(day)
    expect((await room.reconcile(day)).result).toEqual(first.result)
    expect(await rows()).toEqual(before)
  })

  test('a player in another case in the book is the same one', async () => {
    const room = await aPulledDay(
      inBets((items) => items.map((item) => ({ ...item, username: item.username.toUpperCase() }))),
    )
    expect((await room.reconcile(day)).result.verdict).toBe('balanced')
  })
})

describe('days that are not 24 hours long', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    // Midnight is missing in March and occurs twice in November.
    ['America/Havana', '2026-03-08', 23],
    ['America/Havana', '2026-11-01', 25],
    ['America/Santiago', '2026-09-06', 23],
    ['Australia/Lord_Howe', '2026-04-05', 24.5],
    ['Asia/Kathmandu', '2026-06-15', 24],
  ])('%s, %s: %s hours, and the slips of its first and last millisecond are in it', async (timezone, date, hours) => {
    const room = await aCountRoom({ start: `${date.slice(0, 8)}01T00:00:00.000Z`, timezone })
    await room.fund('amy', 'bob')
    const start = room.dayStart(date)
    const end = start + hours * 3_600_000
    const month = new Date(start - 86_400_000).toISOString().slice(0, 7)
    const bets: [number, string][] = [
      [start - 1, '1'],
      [start, '2'],
      [start + 3_600_000, '4'],
      [end - 1, '8'],
      [end, '16'],
    ]
    for (const [at, amount] of bets) {
      room.goTo(at)
      await room.bet({ amy: amount })
    }
    room.goTo(end + 60_000)
    await room.sync(`${month}-01T00:00:00.000Z`)
    const { result } = await room.reconcile(date)
    expect(result).toMatchObject({ verdict: 'balanced', hours, booked: { slips: 3 }, platform: { slips: 3 } })
    expect(result.totals.find(({ field }) => field === 'stake')?.book).toBe('14')
  })

  test('the tenant’s zone is used, and not UTC', async () => {
    const room = await aPulledDay()
    const { result } = await room.reconcile(day, { tenant: { timezone: 'UTC', profile: 'my house' } })
    expect([result.verdict, codes(result.reasons)]).toEqual(['cannot-conclude', ['OTHER_TIMEZONE']])
    const command = "countroom profiles set 'my house' --timezone Asia/Taipei"
    expect(result.reasons[0]?.message).toMatch(new RegExp(`profile: ${command}$`))
    expect(result.next).toContain(
      `Correct the time zone of the profile: ${command}, then run: countroom reconcile daily ${day}`,
    )
  })

  test('another name of the same zone is the same zone', async () => {
    const room = await aCountRoom({ start: '2026-03-10T02:00:00.000Z', timezone: 'Asia/Kolkata' })
    await room.fund('amy')
    await room.bet({ amy: '5' })
    room.goTo('2026-03-11T02:00:00.000Z')
    await room.sync()
    const { result } = await room.reconcile(day, { tenant: { timezone: 'Asia/Calcutta' } })
    expect([result.verdict, result.reasons]).toEqual(['balanced', []])
  })

  test('a correction on the next day changes the day of the first settlement', async () => {
    const room = await aCountRoom({ start: '2026-03-10T15:59:00.000Z' })
    await room.fund('amy')
    await room.bet({ amy: '40' })
    room.goTo('2026-03-10T20:00:00.000Z')
    await room.correct('amy')
    room.goTo('2026-03-11T20:00:00.000Z')
    await room.sync()
    const { result } = await room.reconcile(day)
    expect(result).toMatchObject({ verdict: 'balanced', revisions: 2, booked: { slips: 1 } })
    expect(result.totals.find(({ field }) => field === 'winLoss')?.book).toBe('40')
    expect((await room.reconcile('2026-03-11')).result).toMatchObject({ verdict: 'balanced', compared: 0 })
  })
})

describe('records that were changed before the book stored them', () => {
  test('a figure: the player, the field, both figures, and the slip', async () => {
    const room = await aPulledDay(
      inBets((items) => items.map((item, i) => (i === 0 ? { ...item, winLoss: '-90' } : item))),
    )
    const { result } = await room.reconcile(day)
    const { slipId } = await recordAt(room, 0)
    expect(result.verdict).toBe('differences')
    expect(pairs(result)).toEqual([
      ['amy', 'payout', '0', '10', '-10'],
      ['amy', 'winLoss', '-115.5', '-105.5', '-10'],
    ])
    expect(findings(result)).toEqual([
      ['changed', slipId, 1, 'amy'],
      ['contradiction', slipId, 1, 'amy'],
    ])
    expect(result.slips[0]?.fields).toEqual([{ field: 'winLoss', platform: '-100', book: '-90' }])
    expect(codes(result.explanations)).toEqual(['BOOK_WRONG'])
    expect(result.explanations[0]?.slips).toEqual([slipId])
    expect(result.trace).toEqual({ state: 'complete', pages: 1, records: 10, note: null })
  })

  test('a lost slip, with the gap it left in the numbers', async () => {
    const room = await aPulledDay(inBets((items) => items.filter((_, i) => i !== 1)))
    const { result } = await room.reconcile(day)
    const lost = await recordAt(room, 1)
    expect([result.verdict, findings(result)]).toEqual(['differences', [['missing-in-book', lost.slipId, 1, 'bob']]])
    expect(result.slips[0]?.fields).toContainEqual({ field: 'stake', platform: '50', book: null })
    expect(codes(result.explanations)).toEqual(['BOOK_WRONG', 'NUMBERS_MISSING'])
    expect(result.explanations[1]?.message).toMatch(/number 2 never arrived/)
  })

  test('an added slip', async () => {
    const put = (items: BetRecord[]) =>
      items.flatMap((item, i) => (i === 3 ? [item, { ...item, slipId: 'PUTIN' }] : [item]))
    const room = await aPulledDay(inBets(put))
    const { result } = await room.reconcile(day)
    expect(result.verdict).toBe('differences')
    expect(findings(result).filter(([finding]) => finding === 'extra-in-book')).toEqual([
      ['extra-in-book', 'PUTIN', 1, 'Cho'],
    ])
    expect(codes(result.explanations)).toContain('NUMBERS_REPEATED')
  })

  test('a figure that the summary does not show is found by the slip’s own arithmetic', async () => {
    const room = await aPulledDay(inBets((items) => items.map((item, i) => (i === 0 ? { ...item, delta: '5' } : item))))
    const { result } = await room.reconcile(day)
    expect([result.verdict, result.differences]).toEqual(['differences', []])
    expect(result.slips[0]).toMatchObject({
      finding: 'changed',
      fields: [{ field: 'delta', platform: '0', book: '5' }],
    })
  })

  test('a time that moves a slip to another day', async () => {
    const moved = (item: BetRecord, i: number) => (i === 0 ? { ...item, settledAt: '2026-03-08T02:00:00.000Z' } : item)
    const room = await aPulledDay(inBets((items) => items.map(moved)))
    const { slipId } = await recordAt(room, 0)
    const { result } = await room.reconcile(day)
    expect(findings(result)).toEqual([['changed', slipId, 1, 'amy']])
    expect(result.slips[0]?.fields).toEqual([
      { field: 'settledAt', platform: '2026-03-10T02:00:00.000Z', book: '2026-03-08T02:00:00.000Z' },
    ])
    // On the day it was moved to, it is extra.
    expect((await room.reconcile('2026-03-08')).result).toMatchObject({ verdict: 'differences', differing: 1 })
  })

  test('another player’s name', async () => {
    const room = await aPulledDay(
      inBets((items) => items.map((item, i) => (i === 0 ? { ...item, username: 'zed' } : item))),
    )
    const { result } = await room.reconcile(day)
    expect([...new Set(pairs(result).map(([player]) => player))]).toEqual(['amy', 'zed'])
    expect(result.slips[0]?.fields).toEqual([{ field: 'username', platform: 'amy', book: 'zed' }])
    expect(result.explanations.map(({ code, player }) => [code, player])).toEqual([
      ['BOOK_WRONG', 'amy'],
      ['BOOK_WRONG', 'zed'],
    ])
  })

  test('a column of the book that differs from its record', async () => {
    const room = await aPulledDay()
    const { slipId } = await recordAt(room, 0)
    await room.spoil((q) =>
      q.updateTable('book_revisions').set({ name_key: 'zed' }).where('slip_id', '=', slipId).execute(),
    )
    const { result } = await room.reconcile(day)
    expect(result.verdict).toBe('differences')
    expect(result.slips[0]).toMatchObject({
      finding: 'changed',
      slipId,
      fields: [{ field: 'username', platform: 'amy', book: 'zed' }],
    })
  })
})

describe('a platform whose records are wrong in every read', () => {
  /** Changed in the first and in every later read: only the summary differs. */
  async function always(tamper: Tamper) {
    const room = await aPulledDay(tamper)
    room.tamperWith(tamper)
    return (await room.reconcile(day)).result
  }

  test('a changed figure is detected by the slip’s own arithmetic', async () => {
    const result = await always(
      inBets((items) => items.map((item, i) => (i === 0 ? { ...item, winLoss: '-90' } : item))),
    )
    expect(result.verdict).toBe('differences')
    expect(codes(result.explanations)).toEqual(['SUMMARY_WRONG', 'SLIP_CONTRADICTS_ITSELF'])
    expect(result.slips).toMatchObject([{ finding: 'contradiction', player: 'amy' }])
  })

  test('a lost slip is reported with its figures and its number', async () => {
    const result = await always(inBets((items) => items.filter((_, i) => i !== 1)))
    expect(codes(result.explanations)).toEqual(['SUMMARY_WRONG', 'SLIPS_NOT_IN_BOOK', 'NUMBERS_MISSING'])
    expect(result.explanations[1]?.message).toBe(
      'bob: the platform has 1 slip more than the book, with stake 50, validStake 50, rolling 50, winLoss -50',
    )
  })

  test('an added slip is among those that would explain the difference', async () => {
    const result = await always(
      inBets((items) => items.flatMap((item, i) => (i === 3 ? [item, { ...item, slipId: 'PUTIN' }] : [item]))),
    )
    const cause = result.explanations.find(({ code }) => code === 'SLIP_NOT_COUNTED')
    expect([cause?.balances, cause?.slips.includes('PUTIN')]).toEqual([true, true])
  })
})

describe('a summary that was changed', () => {
  async function withSummary(change: (player: Record<string, unknown>) => Record<string, unknown> | undefined) {
    const room = await aPulledDay()
    room.tamperWith(inSummary((players) => players.map(change).filter((player) => player !== undefined)))
    return { room, result: (await room.reconcile(day)).result }
  }
  const amys = (change: object) => (player: Record<string, unknown>) =>
    player['username'] === 'amy' ? { ...player, ...change } : player

  test('a figure: the report says that the platform contradicts its own records', async () => {
    const { result } = await withSummary(amys({ rolling: '116.5' }))
    expect(pairs(result)).toEqual([['amy', 'rolling', '116.5', '115.5', '1']])
    expect(codes(result.explanations)).toEqual(['SUMMARY_WRONG', 'FIGURES_DIFFER'])
    expect(result.slips.map(({ finding, player }) => [finding, player])).toEqual([
      ['candidate', 'amy'],
      ['candidate', 'amy'],
      ['candidate', 'amy'],
    ])
    expect(result.next).toEqual(['Send this result to the platform: its summary contradicts its records'])
  })

  test('a slip that it does not count is named', async () => {
    const { room, result } = await withSummary(
      amys({ slips: 2, stake: '15.5', validStake: '15.5', rolling: '15.5', payout: '0', winLoss: '-15.5' }),
    )
    const { slipId } = await recordAt(room, 0)
    expect(result.explanations.find(({ code }) => code === 'SLIP_NOT_COUNTED')?.slips).toEqual([slipId])
    expect(findings(result)).toEqual([['candidate', slipId, 1, 'amy']])
  })

  test('a slip too many is reported with its figures', async () => {
    const { result } = await withSummary(
      amys({ slips: 4, stake: '120.5', validStake: '120.5', rolling: '120.5', winLoss: '-120.5' }),
    )
    expect(result.explanations.at(-1)?.message).toBe(
      'amy: the platform has 1 slip more than the book, with stake 5, validStake 5, rolling 5, winLoss -5',
    )
  })

  test('a missing player, and an added one', async () => {
    const { result } = await withSummary((player) => (player['username'] === 'bob' ? undefined : player))
    expect([result.verdict, codes(result.explanations)]).toEqual([
      'differences',
      ['SUMMARY_WRONG', 'PLAYER_NOT_STATED'],
    ])
    const { result: other } = await withSummary((player) =>
      player['username'] === 'bob' ? { ...player, username: 'zed' } : player,
    )
    expect(other.explanations.map(({ code, player }) => [code, player])).toContainEqual(['PLAYER_NOT_IN_BOOK', 'zed'])
  })

  test('an invalid number is a difference, shown unchanged', async () => {
    const { result } = await withSummary(amys({ winLoss: '=1+1' }))
    expect(pairs(result)).toEqual([['amy', 'winLoss', '=1+1', '-115.5', null]])
  })

  test('an amount written with more zeros is the same amount', async () => {
    const { result } = await withSummary(amys({ stake: '115.500000' }))
    expect(result.verdict).toBe('balanced')
  })
})

describe('records newer than the book', () => {
  test('a correction after the day, not synced yet: differences, and the book is outdated', async () => {
    const room = await aCountRoom({ start: '2026-03-10T15:00:00.000Z' })
    await room.fund('amy')
    await room.bet({ amy: '40' })
    room.goTo('2026-03-10T17:00:00.000Z')
    await room.sync()
    await room.correct('amy')
    const { result } = await room.reconcile(day)
    expect(result).toMatchObject({ verdict: 'differences', stale: true, trace: { state: 'not-needed' } })
    expect(codes(result.explanations)).toEqual(['BOOK_STALE'])
    expect(result.next[0]).toMatch(/Sync the newer records: countroom bets sync/)
    await room.sync()
    expect((await room.reconcile(day)).result).toMatchObject({ verdict: 'balanced', stale: false })
  })

  test('with a difference that no newer record explains, the day is not only outdated', async () => {
    const room = await aCountRoom({ start: '2026-03-10T15:00:00.000Z' })
    await room.fund('amy', 'bob')
    await room.bet({ amy: '40' })
    await room.bet({ bob: '20' })
    room.goTo('2026-03-10T17:00:00.000Z')
    room.tamperWith(
      inBets((items) => items.map((item) => (item.username === 'bob' ? { ...item, rolling: '1' } : item))),
    )
    await room.sync()
    room.tamperWith(undefined)
    await room.correct('amy')
    const { result } = await room.reconcile(day)
    expect(result).toMatchObject({ verdict: 'differences', stale: false })
    expect(result.explanations.map(({ code, player }) => [code, player])).toEqual([
      ['BOOK_STALE', 'amy'],
      ['BOOK_WRONG', 'bob'],
    ])
    expect(result.slips.map(({ finding, player }) => [finding, player])).toEqual([
      ['changed', 'bob'],
      ['newer-than-book', 'amy'],
    ])
  })

  test('records written while the day is read again are new, and not missing', async () => {
    const room = await aCountRoom({ start: '2026-03-10T15:00:00.000Z' })
    await room.fund('amy', 'bob')
    await room.bet({ amy: '40' })
    await room.bet({ bob: '20' })
    room.goTo('2026-03-10T17:00:00.000Z')
    room.tamperWith(
      inBets((items) => items.map((item) => (item.username === 'bob' ? { ...item, rolling: '1' } : item))),
    )
    await room.sync()
    room.tamperWith(undefined)
    let isDone = false
    room.beforeEach(async (path) => {
      if (isDone || !path.includes('from=')) return
      isDone = true
      await room.correct('amy')
    })
    const { result } = await room.reconcile(day)
    expect(isDone).toBe(true)
    expect(result.slips.map(({ finding, player, rev }) => [finding, player, rev])).toEqual([
      ['changed', 'bob', 1],
      ['newer-than-book', 'amy', 2],
    ])
  })

  test('records that a sync adds to the book while the day is read again are not extra', async () => {
    const room = await aCountRoom({ start: '2026-03-10T15:00:00.000Z' })
    await room.fund('amy', 'bob')
    await room.bet({ amy: '40' })
    await room.bet({ bob: '20' })
    room.goTo('2026-03-10T17:00:00.000Z')
    const spoil = inBets((items) => items.map((item) => (item.username === 'bob' ? { ...item, rolling: '1' } : item)))
    room.tamperWith(spoil)
    await room.sync()
    room.tamperWith((path, data) => {
      // The page was made before the correction; the concurrent sync gets its own, newer one.
      if (path.includes('from='))
        return { ...data, items: (data['items'] as BetRecord[]).filter(({ rev }) => rev === 1) }
      return undefined
    })
    let isDone = false
    room.beforeEach(async (path) => {
      if (isDone || !path.includes('from=')) return
      isDone = true
      await room.correct('amy')
      await room.sync()
    })
    const { result } = await room.reconcile(day)
    expect(result.slips.map(({ finding, player, rev }) => [finding, player, rev])).toEqual([['changed', 'bob', 1]])
  })

  test('a book that was not read past the day’s end proves nothing, with any figures', async () => {
    const room = await aPlayedDay()
    room.goTo('2026-03-10T06:00:00.000Z')
    await room.sync()
    room.goTo('2026-03-11T02:00:00.000Z')
    const { result } = await room.reconcile(day)
    expect([result.verdict, result.differing, codes(result.reasons)]).toEqual(['cannot-conclude', 0, ['BOOK_BEHIND']])
  })

  test('nor when the rest of the day explains the difference', async () => {
    const room = await aPlayedDay()
    room.goTo('2026-03-10T06:00:00.000Z')
    await room.sync()
    room.goTo('2026-03-10T07:00:00.000Z')
    await room.bet({ amy: '5' })
    room.goTo('2026-03-11T02:00:00.000Z')
    const { result } = await room.reconcile(day)
    expect([result.verdict, codes(result.reasons), codes(result.explanations)]).toEqual([
      'cannot-conclude',
      ['BOOK_BEHIND'],
      ['BOOK_STALE'],
    ])
    expect(result.differences.every(({ certain }) => !certain)).toBe(true)
  })

  test('but a difference that the rest of the day does not explain is one', async () => {
    const room = await aPlayedDay()
    room.goTo('2026-03-10T06:00:00.000Z')
    room.tamperWith(inBets((items) => items.filter((_, i) => i !== 0)))
    await room.sync()
    room.tamperWith(undefined)
    room.goTo('2026-03-11T02:00:00.000Z')
    const { result } = await room.reconcile(day)
    expect([result.verdict, codes(result.reasons)]).toEqual(['differences', ['BOOK_BEHIND']])
    expect(findings(result)).toMatchObject([['missing-in-book', expect.any(String), 1, 'amy']])
  })

  test('a later settlement in the book shows that it was read past the end, at any time of the clock', async () => {
    const room = await aPlayedDay()
    await room.bet({ bob: '1' })
    await room.sync()
    room.goTo('2026-03-10T06:00:00.000Z')
    await room.spoil((q) => q.updateTable('book_position').set({ caught_up_at: room.now() }).execute())
    expect((await room.reconcile(day)).result).toMatchObject({ verdict: 'balanced', reasons: [] })
  })
})

describe('reasons for an inconclusive verdict', () => {
  test('a book without a sync: the platform gets no request', async () => {
    const room = await aPlayedDay()
    room.calls()
    const { result } = await room.reconcile(day)
    expect([result.verdict, codes(result.reasons), room.calls()]).toEqual(['cannot-conclude', ['BOOK_EMPTY'], []])
    expect(result.next[0]).toMatch(/countroom bets sync/)
  })

  test('a book of another tenant, or of the other environment', async () => {
    const room = await aPulledDay()
    for (const tenant of [{ companyCode: 'OTHER' }, { environment: 'sandbox' as const }]) {
      const { result } = await room.reconcile(day, { tenant })
      expect([result.verdict, codes(result.reasons)]).toEqual(['cannot-conclude', ['BOOK_OF_ANOTHER']])
      expect(result.differences).toEqual([])
    }
  })

  test('a day that is not over, today or in the future', async () => {
    const room = await aPulledDay()
    for (const date of ['2026-03-11', '2026-03-12']) {
      const { result } = await room.reconcile(date)
      expect([result.verdict, codes(result.reasons)]).toEqual(['cannot-conclude', ['DAY_NOT_OVER', 'BOOK_BEHIND']])
    }
  })

  test('a book that begins within the day', async () => {
    const room = await aPlayedDay()
    await room.sync('2026-03-10T02:30:00.000Z')
    const { result } = await room.reconcile(day)
    expect([result.verdict, codes(result.reasons)]).toEqual(['cannot-conclude', ['BOOK_BEGINS_LATER']])
    // Records before the book's beginning are not missing.
    expect(result.slips.filter(({ finding }) => finding === 'missing-in-book')).toEqual([])
  })

  test.each([
    ['free', 'live', '2026-05-10T02:00:00.000Z', ['RETENTION']],
    ['free', 'live', '2026-04-10T02:00:00.000Z', []],
    ['paid', 'live', '2027-03-10T02:00:00.000Z', []],
    ['paid', 'live', '2027-06-10T02:00:00.000Z', ['RETENTION']],
    ['paid', 'sandbox', '2026-05-10T02:00:00.000Z', ['RETENTION']],
  ] as const)(
    'bets that the platform may have removed: plan %s, %s, read on %s',
    async (plan, environment, at, reasons) => {
      const room = await aPlayedDay({ plan, environment })
      await room.sync()
      room.goTo(at)
      const { result } = await room.reconcile(day)
      expect(codes(result.reasons)).toEqual(reasons)
      expect(result.verdict).toBe(reasons.length > 0 ? 'cannot-conclude' : 'balanced')
    },
  )

  test('if bets may be removed, the day is not read again: every row would seem extra', async () => {
    const room = await aPlayedDay({ plan: 'free' })
    room.tamperWith(inBets((items) => items.slice(1)))
    await room.sync()
    room.tamperWith(undefined)
    room.goTo('2026-05-10T02:00:00.000Z')
    const { result } = await room.reconcile(day)
    expect(result).toMatchObject({ verdict: 'cannot-conclude', differing: 1, trace: { state: 'impossible' } })
    expect(result.slips.filter(({ finding }) => finding === 'extra-in-book')).toEqual([])
  })

  describe('a full summary', () => {
    const others = Array.from({ length: 998 }, (_, i) => ({
      username: `p${i}`,
      slips: 0,
      stake: '0',
      validStake: '0',
      rolling: '0',
      payout: '0',
      winLoss: '0',
      rake: '0',
    }))
    const only = (names: readonly string[]) =>
      inSummary((players) => [...players.filter((player) => names.includes(String(player['username']))), ...others])

    test('proves nothing, even if every figure is equal', async () => {
      const room = await aPulledDay()
      room.tamperWith(inSummary((players) => [...players, ...others.slice(0, 997)]))
      const { result } = await room.reconcile(day)
      expect([result.verdict, result.differing, codes(result.reasons)]).toEqual([
        'cannot-conclude',
        0,
        ['SUMMARY_FULL'],
      ])
    })

    test('one player below the maximum is complete', async () => {
      const room = await aPulledDay()
      room.tamperWith(inSummary((players) => [...players, ...others.slice(0, 996)]))
      expect((await room.reconcile(day)).result.verdict).toBe('balanced')
    })

    test('may lack a player beyond its maximum', async () => {
      const room = await aPulledDay()
      room.tamperWith(only(['amy', 'Cho']))
      const { result } = await room.reconcile(day)
      expect([result.verdict, codes(result.reasons)]).toEqual(['cannot-conclude', ['SUMMARY_FULL']])
      expect(result.differences.every(({ player, certain }) => player === 'bob' && !certain)).toBe(true)
    })

    test('with other figures of a listed player is a certain difference', async () => {
      const room = await aPulledDay(inBets((items) => items.slice(1)))
      room.tamperWith(only(['amy', 'bob', 'Cho']))
      const { result } = await room.reconcile(day)
      expect([result.verdict, codes(result.reasons)]).toEqual(['differences', ['SUMMARY_FULL']])
      expect(result.differences.every(({ certain }) => certain)).toBe(true)
    })
  })

  test('a summary of another day, or one that lists a player twice', async () => {
    const room = await aPulledDay()
    room.tamperWith((path, data) => (path.includes('summary') ? { ...data, date: '2026-03-09' } : undefined))
    expect(codes((await room.reconcile(day)).result.reasons)).toEqual(['SUMMARY_OF_ANOTHER_DAY'])
    room.tamperWith(
      inSummary((players) => [
        ...players,
        {
          ...players[0],
          username: String(players[0]?.['username']).toUpperCase(),
          slips: 0,
          stake: '0',
          validStake: '0',
          rolling: '0',
          payout: '0',
          winLoss: '0',
        },
      ]),
    )
    const { result } = await room.reconcile(day)
    expect([result.verdict, codes(result.reasons), result.differing]).toEqual([
      'cannot-conclude',
      ['PLAYER_REPEATED'],
      0,
    ])
  })

  test('a slip whose first settlement is not in the book, for its player alone', async () => {
    const room = await aPulledDay()
    const corrected = (await recordsOf(room)).find(({ rev, username }) => rev === 2 && username === 'Cho')
    await room.spoil((q) =>
      q
        .deleteFrom('book_revisions')
        .where('slip_id', '=', corrected?.slipId ?? '')
        .where('rev', '=', 1)
        .execute(),
    )
    const { result } = await room.reconcile(day, { trace: false })
    expect([result.verdict, result.differing]).toEqual(['cannot-conclude', 0])
    expect(result.reasons).toMatchObject([{ code: 'FIRST_REVISION_MISSING', players: ['Cho'] }])
    // With evidence, the lost record is found.
    const record = sql<string>`replace(record, '"delta"', '"rake":"1","delta"')`
    await room.spoil((q) => q.updateTable('book_revisions').set({ record }).where('name_key', '=', 'amy').execute())
    const traced = (await room.reconcile(day)).result
    expect(traced.verdict).toBe('differences')
    expect(findings(traced)).toContainEqual(['missing-in-book', corrected?.slipId, 1, 'Cho'])
  })

  test('a record of the book that cannot be read', async () => {
    const room = await aPulledDay()
    const { slipId } = await recordAt(room, 1)
    await room.spoil((q) =>
      q.updateTable('book_revisions').set({ record: '{"broken' }).where('slip_id', '=', slipId).execute(),
    )
    const { result } = await room.reconcile(day, { trace: false })
    // Its amounts are unknown, so that its player differs, which proves nothing.
    expect([result.verdict, result.differing]).toEqual(['cannot-conclude', 1])
    expect([...new Set(pairs(result).map(([player]) => player))]).toEqual(['bob'])
    expect([...new Set(result.differences.map(({ currency }) => currency))]).toEqual(['USD'])
    expect(result.reasons).toMatchObject([{ code: 'RECORD_UNREADABLE', players: ['bob'] }])
    expect(result.slips).toMatchObject([
      { finding: 'contradiction', slipId },
      { finding: 'candidate', player: 'bob' },
    ])
  })
})

describe('tracing', () => {
  const broken = inBets((items) => items.map((item, i) => (i === 0 ? { ...item, rolling: '1' } : item)))

  test('can be disabled: then the book’s own slips are named', async () => {
    const room = await aPulledDay(broken)
    room.calls()
    const { result } = await room.reconcile(day, { trace: false })
    expect(result).toMatchObject({ verdict: 'differences', trace: { state: 'off', pages: 0 } })
    expect(result.slips.map(({ finding, player }) => [finding, player])).toEqual([
      ['candidate', 'amy'],
      ['candidate', 'amy'],
      ['candidate', 'amy'],
    ])
    expect(room.calls().filter((path) => path.includes('from='))).toEqual([])
  })

  test('begins before the day’s start at a whole minute, and stops when the figures are explained', async () => {
    const room = await aPulledDay(broken)
    room.calls()
    await room.reconcile(day)
    const requests = room.calls().filter((path) => path.includes('/bets?'))
    expect(requests).toEqual([
      expect.stringMatching(/cursor=.*limit=1$/),
      expect.stringMatching(/cursor=.*limit=1000$/),
      '/api/tenant/v1/bets?limit=1000&from=2026-03-09T15%3A59%3A00.000Z',
    ])
  })

  test('that fails leaves the comparison valid, and reports why it is incomplete', async () => {
    const room = await aPulledDay(broken)
    room.tamperWith((path) => {
      if (path.includes('from=')) throw new Problem('REMOTE_TIMEOUT', 'No answer in time')
      return undefined
    })
    const { result } = await room.reconcile(day)
    expect(result).toMatchObject({
      verdict: 'differences',
      trace: { state: 'failed', note: 'Reading the day again failed: No answer in time (REMOTE_TIMEOUT)' },
    })
    expect(result.next.at(-1)).toMatch(/Not all slips could be traced/)
  })

  test('that may not read enough pages reports it, and calls no row extra', async () => {
    const room = await aPulledDay(broken)
    room.tamperWith((path, data) =>
      path.includes('from=') ? { ...data, items: (data['items'] as unknown[]).slice(0, 3), hasMore: true } : undefined,
    )
    const { result } = await room.reconcile(day, { tracePages: 1 })
    expect(result.trace).toMatchObject({ state: 'partial', pages: 1, records: 3 })
    expect(findings(result)[0]?.[0]).toBe('changed')
    expect(result.slips.filter(({ finding }) => finding === 'extra-in-book')).toEqual([])
  })

  test('continues after a cursor that the platform does not know any more', async () => {
    const room = await aPulledDay(broken)
    await room.spoil((q) => q.updateTable('book_position').set({ cursor: '209901.1' }).execute())
    const { result } = await room.reconcile(day)
    expect([result.verdict, result.trace.state]).toEqual(['differences', 'complete'])
    expect(findings(result)[0]?.[0]).toBe('changed')
  })
})

describe('several days', () => {
  const order = (room: CountRoom) => (date: string) => ({ date, tenant: room.access, trace: true, tracePages: 5 })

  test('are reported one after the other', async () => {
    const room = await aPulledDay()
    const seen: string[] = []
    const days = await reconcileDays(
      { platform: room.client, book: room.book, now: room.now },
      ['2026-03-09', '2026-03-10', '2026-03-11'].map(order(room)),
      (count, { result }) => seen.push(`${count} ${result.date}`),
    )
    expect(days.map(({ result }) => result.verdict)).toEqual(['balanced', 'balanced', 'cannot-conclude'])
    expect(seen).toEqual(['1 2026-03-09', '2 2026-03-10', '3 2026-03-11'])
  })

  test('end at once on a stop signal', async () => {
    const room = await aPulledDay()
    const stop = new AbortController()
    const work = { platform: room.client, book: room.book, now: room.now, signal: stop.signal }
    const days = reconcileDays(work, ['2026-03-09', '2026-03-10'].map(order(room)), () => stop.abort())
    await expect(days).rejects.toThrow(/abort/i)
  })
})

describe('files', () => {
  test('the CSV has every field of each player, and text that is no formula for a spreadsheet', async () => {
    const room = await aPulledDay()
    room.tamperWith(inSummary((players) => [...players, { ...players[0], username: '=SUM(A1)', winLoss: '@x' }]))
    const csv = await reconciliationCsv([await room.reconcile(day)])
    const rows = csv.trimEnd().split('\n')
    expect(rows[0]).toBe('date,timezone,verdict,player,currency,field,platform,book,difference,match')
    expect(rows).toHaveLength(1 + 4 * 7)
    expect(rows).toContain('2026-03-10,Asia/Taipei,differences,amy,USD,winLoss,-115.5,-115.5,0,yes')
    expect(rows).toContain("2026-03-10,Asia/Taipei,differences,'=SUM(A1),,winLoss,'@x,0,,no")
  })
})

test('the days around one are reported from the book, each slip on its own day and by its latest revision', async () => {
  const room = await aPulledDay()
  const { days, totals } = await room.book.store.read((reader) => daysAround(reader, { day, zone: 'Asia/Taipei' }))
  expect([days.length, days.at(-1)]).toEqual([30, '2026-03-10'])
  expect(totals).toEqual([{ day, currency: 'USD', slips: 7, winLoss: -1_815_000n }])
})
