import { describe, expect, test } from 'vitest'
import type { BookOwnerRow, BookPositionRow } from '../../../../src/db/schema/book.ts'
import { bookDoubts, readBook } from '../../../../src/operator/reconcile/daily/book-side.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aBook, aRecord, toRow, writeRows, writeSlips } from '../../book-rows.ts'

const span = { from: Date.UTC(2026, 2, 10), to: Date.UTC(2026, 2, 11) }
const iso = (at: number) => new Date(at).toISOString()

/** The book's records of 2026-03-10 in UTC. */
async function dayOf(...records: readonly Partial<BetRecord>[]) {
  const book = await aBook()
  await writeSlips(book, ...records)
  return readBook(book, span)
}

describe('the figures of a day', () => {
  test('are the sums of the last revisions, by player in any spelling', async () => {
    const day = await dayOf(
      { slipId: 'a', username: 'Amy', stake: '10', payout: '30' },
      { slipId: 'b', username: 'AMY', stake: '5' },
      { slipId: 'c', username: 'bob', currency: 'EUR', stake: '7' },
      { slipId: 'c', username: 'bob', currency: 'EUR', stake: '7', rev: 2, payout: '7', settledAt: iso(span.to + 1) },
    )
    const of = (slips: bigint, stake: bigint, payout: bigint) => ({ slips, stake, payout, winLoss: payout - stake })
    expect([...day.players.values()]).toMatchObject([
      { player: 'amy', username: 'Amy', currency: 'USD', figures: of(2n, 150_000n, 300_000n) },
      { player: 'bob', username: 'bob', currency: 'EUR', figures: of(1n, 70_000n, 70_000n) },
    ])
    expect([day.slips, day.revisions, day.contradictions]).toMatchObject([3, 4, []])
  })

  test('are those of slips first settled on it', async () => {
    const at = [span.from - 1, span.from, span.to - 1, span.to]
    const day = await dayOf(...at.map((settledAt, i) => ({ slipId: `S${i}`, settledAt: iso(settledAt) })))
    expect(day.slips).toBe(2)
  })

  test('have no on-site seat, but its revisions are checked', async () => {
    const day = await dayOf({ slipId: 'a', onsite: true, winLoss: '99' })
    expect([day.slips, day.revisions, day.players.size, day.contradictions.length]).toEqual([0, 1, 0, 1])
  })

  test('have all slips, also more than one read returns', async () => {
    const book = await aBook()
    await writeRows(
      book,
      Array.from({ length: 1001 }, (_, i) => toRow(aRecord({ slipId: `S${i}` }), i + 1)),
    )
    expect(await readBook(book, span)).toMatchObject({ slips: 1001, state: { lastPlace: 1001 } })
  })
})

test('an inconsistent slip is listed with its errors, and a consistent one is not', async () => {
  const day = await dayOf({ slipId: 'good' }, { slipId: 'bad', winLoss: '-9' })
  expect(day.contradictions.map(({ slip, violations: found }) => [slip.slipId, found.map(({ rule }) => rule)])).toEqual(
    [['bad', ['win-loss']]],
  )
})

describe('a player with an unreadable record', () => {
  test.each([
    ['the only one', [{ rolling: 'x' }]],
    ['the first of two', [{ rolling: 'x' }, { rev: 2 }]],
    ['the last of two', [{}, { rev: 2, rolling: 'x' }]],
  ])('is named: it is %s', async (_, records) => {
    expect((await dayOf(...records.map((record) => ({ username: 'Amy', ...record })))).unreadable).toEqual(['amy'])
  })

  test('is named once, and others are not', async () => {
    const day = await dayOf(
      ...[
        { slipId: 'a', rolling: 'x' },
        { slipId: 'b', rolling: 'x' },
        { slipId: 'c', username: 'bob' },
      ],
    )
    expect(day.unreadable).toEqual(['amy'])
  })
})

describe('the earliest bet of a day', () => {
  test.each([
    ['at its beginning if no slip was placed before', iso(span.from + 5), span.from],
    ['that of the slip placed first', iso(span.from - 5), span.from - 5],
    ['a millisecond after the beginning of time if a slip has that time', iso(1), 1],
    ['not that of a slip without a time', 'never', span.from],
    ['not that of a slip without a real time', iso(0), span.from],
  ])('is %s: %s', async (_, placedAt, from) => {
    expect((await dayOf({ placedAt })).placedFrom).toBe(from)
  })
})

describe('a slip without its first revision', () => {
  const headless = (placedAt: number, settledAt: number, slipId = 'S1') => ({
    ...{ slipId, rev: 2, placedAt: iso(placedAt), settledAt: iso(settledAt) },
  })
  const hour = 3_600_000

  test('counts on the day on which it was placed, and puts its player in doubt', async () => {
    const day = await dayOf(headless(span.from, span.to + 5), headless(span.to - 1, span.to, 'S2'))
    expect([day.slips, day.headless]).toEqual([2, ['amy']])
  })

  test('counts once although it was also settled on the day', async () => {
    expect((await dayOf(headless(span.from, span.from + 5))).slips).toBe(1)
  })

  test.each([
    ['placed an hour before', span.from - hour, ['amy']],
    ['placed earlier', span.from - hour - 1, []],
    ['placed a millisecond before its end', span.to - 1, ['amy']],
    ['placed at its end', span.to, []],
  ])('%s puts its player in doubt: %s', async (_, placedAt, players) => {
    expect((await dayOf(headless(placedAt, span.to + 9))).headless).toEqual(players)
  })

  test('does not count if it was placed the day before', async () => {
    expect((await dayOf(headless(span.from - 1, span.from))).slips).toBe(0)
  })

  test('puts its player in doubt also after thousands of others', async () => {
    const book = await aBook()
    const rows = Array.from({ length: 5_000 }, (_, i) => toRow(aRecord(headless(span.to, span.to, `S${i}`)), i + 1))
    const last = toRow(aRecord({ ...headless(span.from, span.to + 1, 'last'), username: 'zoe' }), 5_001)
    await writeRows(book, [...rows, last])
    expect((await readBook(book, span)).headless).toEqual(['zoe'])
  })
})

describe('a book that cannot be compared', () => {
  const tenant = { companyCode: 'ACME', environment: 'live', timezone: 'UTC' } as const
  const owner: BookOwnerRow = { id: 'owner', company_code: 'ACME', environment: 'live', timezone: 'UTC' }
  const position: BookPositionRow = {
    ...{ id: 'bets', cursor: '202603.1', started_from: 0, caught_up_at: null, rows: 1, ahead_ms: null },
  }
  const doubts = (state: { owner?: BookOwnerRow | undefined; position?: BookPositionRow | undefined }) =>
    bookDoubts({ owner, position, latestAt: undefined, lastPlace: 1, ...state }, tenant)

  test.each([
    ['has another company code', { owner: { ...owner, company_code: 'OTHER' } }, 'BOOK_OF_ANOTHER'],
    ['is of the other environment', { owner: { ...owner, environment: 'sandbox' as const } }, 'BOOK_OF_ANOTHER'],
    ['was never synced', { position: undefined }, 'BOOK_EMPTY'],
    ['has no page yet', { position: { ...position, cursor: null } }, 'BOOK_EMPTY'],
    ['is of another and empty', { owner: { ...owner, company_code: 'OTHER' }, position: undefined }, 'BOOK_OF_ANOTHER'],
  ])('%s', (_, state, code) => {
    expect(doubts(state)).toEqual([{ code, doubts: 'all' }])
  })

  test('is of another tenant, or has none yet', () => {
    expect([doubts({}), doubts({ owner: undefined })]).toEqual([[], []])
  })
})
