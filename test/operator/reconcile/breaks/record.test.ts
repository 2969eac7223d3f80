import { describe, expect, test } from 'vitest'
import type { BookBreakRow } from '../../../../src/db/schema/book.ts'
import type { PlayerLine } from '../../../../src/domain/reconcile/daily.ts'
import type { Book } from '../../../../src/operator/book/book.ts'
import { latestRuns } from '../../../../src/operator/book/runs.ts'
import { keepDays, keepFindings, toBreakView, toEventView } from '../../../../src/operator/reconcile/breaks/record.ts'
import { reconciledDays } from '../../../../src/operator/reconcile/daily/closed-days.ts'
import type {
  ConcernedSlip,
  DayResult,
  Difference,
  Explanation,
} from '../../../../src/operator/reconcile/daily/schema.ts'
import type { Reconciled } from '../../../../src/operator/reconcile/daily/types.ts'
import { aBook, allBreaks, reading } from '../../book-rows.ts'

const differs = (over: Partial<Difference> = {}): Difference => ({
  ...{ player: 'Amy', currency: 'USD', field: 'winLoss', platform: '5', book: '3', difference: '2', certain: true },
  ...over,
})

const slip = (over: Partial<ConcernedSlip> = {}): ConcernedSlip => ({
  ...{ slipId: 'S1', rev: 1, status: 'settled', player: 'Amy', currency: 'EUR', game: 'baccarat', tableId: 'T' },
  ...{ roundId: 'R', recSeq: 1, settledAt: '2026-03-10T12:00:00.000Z', finding: 'missing-in-book', fields: [] },
  ...{ note: null },
  ...over,
})

const explains = (over: Partial<Explanation>): Explanation => ({
  ...{ code: 'BOOK_STALE', player: 'amy', message: 'x', balances: true, slips: [] },
  ...over,
})

/** A day on which amy's win/loss differs. */
const result = (over: Partial<DayResult> = {}): DayResult => ({
  ...{ verdict: 'differences', stale: false, date: '2026-03-10', timezone: 'UTC', start: 's', end: 'e', hours: 24 },
  ...{ companyCode: 'ACME', environment: 'live' },
  book: { cursor: null, rows: 0, startedFrom: null, caughtUpAt: null, latestAt: null },
  ...{ platform: { players: 0, slips: 0 }, booked: { players: 0, slips: 0 }, compared: 1, differing: 1, revisions: 0 },
  ...{ totals: [], differences: [differs()], slips: [], slipsLeftOut: 0, reasons: [], explanations: [], warnings: [] },
  trace: { state: 'not-needed', pages: 0, records: 0, note: null },
  dayRule: { basis: 'first-settlement', timezone: 'UTC', from: 'documented', date: null, message: '' },
  ...{ boundary: null, next: [] },
  ...over,
})

const balanced = (over: Partial<DayResult> = {}) =>
  result({ verdict: 'balanced', differing: 0, differences: [], ...over })

const line = (player: string, isStated = true): PlayerLine => ({
  ...{ player, username: player, currency: 'USD', isReported: isStated, isBooked: true, fields: [], matches: true },
})

const day = (of: DayResult, lines: readonly PlayerLine[] = [line('amy')], lastPlace = 7): Reconciled => ({
  ...{ result: of, lines, lastPlace },
})

let runs = 0
function keep(book: Book, ...days: readonly Reconciled[]) {
  runs += 1
  return keepDays(book, { id: `run-${runs}`, who: 'reconcile daily', exit: 9 }, days)
}

/** The breaks that a new book has of these days. */
async function breaksOf(...days: readonly DayResult[]): Promise<BookBreakRow[]> {
  const book = await aBook()
  await keep(book, ...days.map((each) => day(each)))
  return allBreaks(book)
}

describe('the days of a run', () => {
  test('are in its summary, with its exit code', async () => {
    const book = await aBook()
    const kept = await keep(book, day(result()), day(balanced({ date: '2026-03-11' })))
    expect(kept).toMatchObject({ runId: `run-${runs}`, cleared: [] })
    const [run] = await reading(book, (reader) => latestRuns(reader, { limit: 1 }))
    expect(run).toMatchObject({ id: `run-${runs}`, job: 'reconcile daily', exit: 9 })
    expect(JSON.parse(run?.summary ?? '')).toEqual({
      days: [
        { date: '2026-03-10', verdict: 'differences', differing: 1 },
        { date: '2026-03-11', verdict: 'balanced', differing: 0 },
      ],
    })
  })

  const reason = { code: 'RECORD_UNREADABLE', message: 'x' } as const

  test.each([
    ['balanced', balanced()],
    ['with differences', result()],
    ['in doubt for some players only', result({ reasons: [{ ...reason, players: ['bob'] }] })],
  ])('count as reconciled up to the last row of the book when they are %s', async (_, of) => {
    const book = await aBook()
    await keep(book, day(of))
    expect(await reading(book, (reader) => reconciledDays(reader))).toMatchObject([
      { date: '2026-03-10', timezone: 'UTC', run_id: `run-${runs}`, verdict: of.verdict, place: 7 },
    ])
  })

  test.each([
    ['inconclusive', result({ verdict: 'cannot-conclude' })],
    ['out of date', result({ stale: true })],
    ['in doubt for all players', result({ reasons: [{ ...reason, players: null }] })],
    [
      'in doubt for some players and for all',
      result({
        reasons: [
          { ...reason, players: ['bob'] },
          { ...reason, players: null },
        ],
      }),
    ],
  ])('do not count as reconciled when they are %s', async (_, of) => {
    const book = await aBook()
    await keep(book, day(of))
    expect(await reading(book, (reader) => reconciledDays(reader))).toEqual([])
  })
})

describe('a day with differences', () => {
  test('leaves a break for each player with a certain one', async () => {
    const [amy, ...others] = await breaksOf(result())
    expect(others).toEqual([])
    expect(amy).toMatchObject({
      ...{ kind: 'daily', subject: '2026-03-10 amy', date: '2026-03-10', player: 'amy', currency: 'USD', amount: '2' },
      message: 'Amy: winLoss 5 at the platform, 3 in the book',
      fingerprint: '[["winLoss","5","3"]]',
    })
    expect(JSON.parse(amy?.detail ?? '')).toEqual({
      ...{ date: '2026-03-10', timezone: 'UTC', player: 'Amy', figures: [differs()], slips: [], explanations: [] },
    })
  })

  test('has one break of a player in any spelling, with the figures, slips and explanations of that player', async () => {
    const bobs = explains({ code: 'BOOK_WRONG', player: 'bob' })
    const breaks = await breaksOf(
      result({
        differences: [
          differs({ player: 'AMY', field: 'stake', difference: '1', currency: null }),
          differs({ player: 'amy', difference: '-2' }),
          differs({ player: 'bob', difference: null }),
        ],
        slips: [slip(), slip({ player: 'bob', slipId: 'S2' })],
        explanations: [explains({ code: 'BOOK_WRONG' }), bobs],
      }),
    )
    const [amy, bob] = breaks.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
    expect(breaks).toHaveLength(2)
    expect(amy).toMatchObject({ player: 'amy', amount: '-2', currency: 'EUR' })
    expect(bob).toMatchObject({ player: 'bob', amount: null, currency: 'USD' })
    expect(JSON.parse(bob?.detail ?? '')).toMatchObject({
      ...{ player: 'bob', figures: [{ player: 'bob' }], slips: [{ slipId: 'S2' }], explanations: [bobs] },
    })
    expect(amy?.fingerprint).toBe('[["S1",1,"missing-in-book"],["stake","5","3"],["winLoss","5","3"]]')
  })

  test('has the amount of the win/loss only', async () => {
    expect(await breaksOf(result({ differences: [differs({ field: 'stake' })] }))).toMatchObject([{ amount: null }])
  })

  test.each([
    ['an uncertain difference', { differences: [differs({ certain: false })] }],
    ['a difference that newer records explain', { explanations: [explains({})] }],
    ['a slip that is a candidate', { differences: [], slips: [slip({ finding: 'candidate' })] }],
    ['the verdict inconclusive', { verdict: 'cannot-conclude' as const }],
    ['the verdict balanced', { verdict: 'balanced' as const }],
    ['a book out of date', { stale: true }],
  ])('leaves no break for %s', async (_, over) => {
    expect(await breaksOf(result(over))).toEqual([])
  })

  test('leaves a break if another explanation, or that of another player, is the only one', async () => {
    const explanations = [explains({ code: 'BOOK_WRONG' }), explains({ player: 'bob' })]
    expect(await breaksOf(result({ explanations }))).toHaveLength(1)
  })

  test('names the slips if no figure differs', async () => {
    expect(
      await breaksOf(result({ differences: [], slips: [slip(), slip({ rev: 2, finding: 'changed' })] })),
    ).toMatchObject([
      {
        message: 'Amy: slip S1 revision 1 missing in the book; slip S1 revision 2 changed',
        ...{ currency: 'EUR', amount: null, player: 'amy' },
      },
    ])
  })

  test('names the figures alone if some differ', async () => {
    expect(await breaksOf(result({ slips: [slip()] }))).toMatchObject([
      { message: 'Amy: winLoss 5 at the platform, 3 in the book' },
    ])
  })

  const fields = ['slips', 'stake', 'validStake', 'rolling', 'payout', 'winLoss'] as const
  test.each([
    [
      4,
      'slips 5 at the platform, 3 in the book; stake 5 at the platform, 3 in the book; validStake 5 at the platform, 3 in the book; rolling 5 at the platform, 3 in the book',
    ],
    [
      5,
      'slips 5 at the platform, 3 in the book; stake 5 at the platform, 3 in the book; validStake 5 at the platform, 3 in the book; rolling 5 at the platform, 3 in the book; and 1 more',
    ],
    [
      6,
      'slips 5 at the platform, 3 in the book; stake 5 at the platform, 3 in the book; validStake 5 at the platform, 3 in the book; rolling 5 at the platform, 3 in the book; and 2 more',
    ],
  ])('with %i figures names four of them and the number of the others', async (count, text) => {
    const differences = fields.slice(0, count).map((field) => differs({ field }))
    expect(await breaksOf(result({ differences }))).toMatchObject([{ message: `Amy: ${text}` }])
  })

  test('has the same fingerprint for any order of its figures', async () => {
    const differences = [differs(), differs({ field: 'stake' })]
    const [one] = await breaksOf(result({ differences }))
    const [other] = await breaksOf(result({ differences: differences.toReversed() }))
    expect(other?.fingerprint).toBe(one?.fingerprint)
  })
})

describe('a later run over the same day', () => {
  /** The breaks that it clears, after a run that found amy's difference. */
  const cleared = async (...days: readonly Reconciled[]) => {
    const book = await aBook()
    await keep(book, day(result()))
    return (await keep(book, ...days)).cleared.length
  }
  const doubt = (code: 'SUMMARY_FULL' | 'RECORD_UNREADABLE' | 'BOOK_BEHIND', players: string[] | null) =>
    balanced({ reasons: [{ code, message: 'x', players }] })

  test.each([
    ['without a doubt', day(balanced())],
    ['that finds the player on neither side', day(balanced(), [])],
    ['with a difference of another player', day(result({ differences: [differs({ player: 'bob' })] }))],
    ['that doubts another player', day(doubt('RECORD_UNREADABLE', ['bob']))],
    ['with a full summary that lists the player', day(doubt('SUMMARY_FULL', null))],
    ['with newer records of another player', day(balanced({ explanations: [explains({ player: 'bob' })] }))],
    ['with another explanation of the player', day(balanced({ explanations: [explains({ code: 'BOOK_WRONG' })] }))],
  ])('%s clears the break', async (_, later) => {
    expect(await cleared(later)).toBe(1)
  })

  test.each([
    ['that finds it again', day(result())],
    ['of another day', day(balanced({ date: '2026-03-11' }))],
    ['with a book out of date', day(balanced({ stale: true }))],
    ['that doubts all players', day(doubt('BOOK_BEHIND', null))],
    ['that doubts the player in another spelling', day(doubt('RECORD_UNREADABLE', ['AMY']))],
    ['with a full summary that does not list the player', day(doubt('SUMMARY_FULL', null), [line('amy', false)])],
    ['with a full summary and the player on neither side', day(doubt('SUMMARY_FULL', null), [line('bob')])],
    ['with newer records of the player', day(balanced({ explanations: [explains({})] }))],
  ])('%s does not clear the break', async (_, later) => {
    expect(await cleared(later)).toBe(0)
  })

  test('does not clear a break without a player or without a date', async () => {
    const book = await aBook()
    const finding = { kind: 'daily', currency: null, amount: null, message: 'x', fingerprint: 'x', detail: {} } as const
    const run = { id: 'r', who: 'reconcile daily' }
    await keepFindings(book, run, {
      looked: [],
      detected: [
        { ...finding, subject: 'a', date: '2026-03-10', player: null },
        { ...finding, subject: 'b', date: null, player: 'amy' },
      ],
    })
    expect((await keep(book, day(balanced()))).cleared).toEqual([])
  })
})

const row: BookBreakRow = {
  ...{ id: 'daily-1', kind: 'daily', subject: 's', date: '2026-03-10', player: 'amy', currency: 'USD', amount: '2' },
  ...{
    message: 'm',
    detail: '{}',
    fingerprint: 'f',
    state: 'open',
    owner: 'dana',
    reason: null,
    times: 3,
    run_id: 'r',
    snoozed_until: null,
  },
  ...{ found_at: 1_000, opened_at: 2_000, seen_at: 3_000, changed_at: 4_000 },
}

test('a break is shown with its times, and its age since it was opened', () => {
  expect(toBreakView(row, 7_000)).toEqual({
    ...{ id: 'daily-1', kind: 'daily', subject: 's', date: '2026-03-10', player: 'amy', currency: 'USD', amount: '2' },
    ...{
      message: 'm',
      state: 'open',
      owner: 'dana',
      reason: null,
      times: 3,
      runId: 'r',
      ageMs: 5_000,
      snoozedUntil: null,
    },
    ...{ foundAt: '1970-01-01T00:00:01.000Z', openedAt: '1970-01-01T00:00:02.000Z' },
    ...{ seenAt: '1970-01-01T00:00:03.000Z', changedAt: '1970-01-01T00:00:04.000Z' },
  })
  expect(toBreakView({ ...row, snoozed_until: 7_001 }, 7_000).snoozedUntil).toBe('1970-01-01T00:00:07.001Z')
  expect(toBreakView({ ...row, snoozed_until: 7_000 }, 7_000).snoozedUntil).toBeNull()
  expect(toBreakView({ ...row, state: 'closed', reason: 'timing' }, 7_000)).toMatchObject({
    ...{ ageMs: null, reason: 'timing' },
  })
})

test('an event of a break is shown with its time and run', () => {
  const event = { break_id: 'daily-1', seq: 2, at: 1_000, who: 'dana', what: 'noted', text: 'x', run_id: null } as const
  expect(toEventView(event)).toEqual({
    ...{ seq: 2, at: '1970-01-01T00:00:01.000Z', who: 'dana', what: 'noted', text: 'x', runId: null },
  })
})
