import { describe, expect, test } from 'vitest'
import type { BookPositionRow } from '../../../../src/db/schema/book.ts'
import { byField, type ReportedPlayer } from '../../../../src/domain/reconcile/daily.ts'
import type { Span } from '../../../../src/operator/bets/slips-by-day.ts'
import type { BookDay } from '../../../../src/operator/reconcile/daily/book-side.ts'
import { coverageReasons, reasonsOf, retentionDays } from '../../../../src/operator/reconcile/daily/doubts.ts'
import type { ComparedDay, PlatformFacts, Tenancy } from '../../../../src/operator/reconcile/daily/types.ts'

const at = (moment: string) => Date.parse(moment)
const end = at('2026-03-11T00:00:00.000Z')

interface Over {
  readonly now?: number
  readonly date?: string
  readonly span?: Span
  readonly tenant?: Partial<Tenancy>
  readonly position?: Partial<BookPositionRow>
  readonly latestAt?: number
  readonly reported?: readonly ReportedPlayer[]
  readonly booked?: Partial<BookDay>
}

/** 2026-03-10 in UTC, read to its end by a book that began in January. */
function aDay({ now = end, date = '2026-03-10', span, tenant, position, latestAt, reported = [], booked }: Over = {}) {
  const row: BookPositionRow = {
    ...{ id: 'bets', cursor: '202603.5', rows: 5, ahead_ms: null },
    ...{ started_from: at('2026-01-01T00:00:00.000Z'), caught_up_at: end + 1 },
    ...position,
  }
  const day: ComparedDay = {
    options: {
      ...{ date, trace: true, tracePages: 5 },
      tenant: { companyCode: 'ACME', environment: 'live', timezone: 'UTC', ...tenant },
    },
    rule: { basis: 'first-settlement', zone: 'UTC', from: 'documented', date: null },
    span: span ?? { from: at('2026-03-10T00:00:00.000Z'), to: end },
    booked: {
      state: { owner: undefined, position: row, latestAt, lastPlace: 5 },
      ...{
        players: new Map(),
        slips: 0,
        revisions: 0,
        contradictions: [],
        headless: [],
        unreadable: [],
        placedFrom: 0,
      },
      ...booked,
    },
    ...{ reported, lines: [], now },
  }
  return day
}

const facts = (over: Partial<PlatformFacts> = {}): PlatformFacts => ({
  ...{ reportedDate: '2026-03-10', reportedZone: 'UTC', plan: 'paid', position: 'same' },
  ...over,
})

const codesOf = (day: Over = {}, platform: Partial<PlatformFacts> = {}) =>
  reasonsOf(aDay(day), facts(platform)).map(({ code }) => code)

const player = (username: string): ReportedPlayer => ({
  username,
  figures: byField(() => 0n),
  texts: byField(() => '0'),
})

test('a day that was read to its end on both sides is not in doubt', () => {
  expect(codesOf()).toEqual([])
})

test('a summary of another day is in doubt', () => {
  expect(codesOf({}, { reportedDate: '2026-03-09' })).toEqual(['SUMMARY_OF_ANOTHER_DAY'])
})

describe('a summary in another zone', () => {
  test.each([
    ['of the same name', '2026-03-10', 'UTC', []],
    ['whose day is the same', '2026-03-10', 'Atlantic/Reykjavik', []],
    ['whose day begins and ends later', '2026-03-10', 'Asia/Taipei', ['OTHER_TIMEZONE']],
    ['that does not exist', '2026-03-10', 'Mars/Phobos', ['OTHER_TIMEZONE']],
    ['whose day ends earlier', '2026-03-29', 'Europe/London', ['OTHER_TIMEZONE']],
    ['whose day begins earlier', '2026-10-25', 'Europe/London', ['OTHER_TIMEZONE']],
  ])('%s gives on %s in %s %j', (_, date, reportedZone, codes) => {
    const from = at(`${date}T00:00:00.000Z`)
    const to = from + 86_400_000
    const day = { date, span: { from, to }, now: to, position: { caught_up_at: to + 1 } }
    expect(codesOf(day, { reportedDate: date, reportedZone })).toEqual(codes)
  })

  test('is in doubt also if the profile has a zone that does not exist there', () => {
    expect(codesOf({ tenant: { timezone: 'Asia/Taipei' } }, { reportedZone: 'Mars/Phobos' })).toEqual([
      'OTHER_TIMEZONE',
    ])
  })
})

describe('a day', () => {
  test.each([
    [end - 1, ['DAY_NOT_OVER']],
    [end, []],
  ])('is over at its end by the clock: at %i the reasons are %j', (now, codes) => {
    expect(codesOf({ now })).toEqual(codes)
  })

  test.each([
    [end - 1, ['DAY_NOT_OVER', 'BOOK_BEHIND']],
    [end, []],
  ])('is over and read if the book has a settlement at %i: %j', (latestAt, codes) => {
    expect(codesOf({ now: end - 1, latestAt, position: { caught_up_at: null } })).toEqual(codes)
  })

  test.each([
    [null, ['BOOK_BEHIND']],
    [end, ['BOOK_BEHIND']],
    [end + 1, []],
  ])('is read to its end by a last page requested after it: at %j the reasons are %j', (caught_up_at, codes) => {
    expect(codesOf({ position: { caught_up_at } })).toEqual(codes)
  })

  const february = { from: at('2026-02-28T00:00:00.000Z'), to: at('2026-03-01T00:00:00.000Z') }
  test.each([
    ['202602.9', february.to, ['DAY_NOT_OVER', 'BOOK_BEHIND']],
    ['202603.0', february.to, []],
    ['202604.0', february.to, []],
    ['not a cursor', february.to, ['DAY_NOT_OVER', 'BOOK_BEHIND']],
    [null, february.to, ['DAY_NOT_OVER', 'BOOK_BEHIND']],
    // A day whose last millisecond is the first one of a month is of that month.
    ['202603.0', february.to + 1, ['DAY_NOT_OVER', 'BOOK_BEHIND']],
  ])('at the end of a month is over and read with the cursor %j in a later month, to %i: %j', (cursor, to, codes) => {
    const day = { date: '2026-02-28', span: { ...february, to }, now: february.to - 1 }
    expect(codesOf({ ...day, position: { cursor, caught_up_at: null } }, { reportedDate: '2026-02-28' })).toEqual(codes)
  })
})

test.each([
  ['ahead', ['BOOK_AHEAD']],
  ['same', []],
] as const)('a book whose last record is checked as %s gives %j', (position, codes) => {
  expect(codesOf({}, { position })).toEqual(codes)
})

test.each([
  ['2026-03-10T00:00:00.000Z', []],
  ['2026-03-10T00:00:00.001Z', ['BOOK_BEGINS_LATER']],
])('a book that begins at %s gives %j', (moment, codes) => {
  expect(codesOf({ position: { started_from: at(moment) } })).toEqual(codes)
})

describe('the retention of the platform', () => {
  test.each([
    ['paid', 'live', 400],
    ['free', 'live', 7],
    ['paid', 'sandbox', 7],
  ] as const)('on the %s plan, %s, is %i days', (plan, environment, days) => {
    expect(retentionDays(aDay({ tenant: { environment } }), facts({ plan }))).toBe(days)
  })

  test.each([
    ['2026-04-30T23:59:59.999Z', []],
    ['2026-05-01T00:00:00.000Z', ['RETENTION']],
  ])('is in doubt once the month of the day may be deleted: on %s %j', (moment, codes) => {
    expect(codesOf({ now: at(moment) }, { plan: 'free' })).toEqual(codes)
  })
})

test.each([
  [999, []],
  [1000, [{ code: 'SUMMARY_FULL', doubts: 'unlisted' }]],
  [1001, [{ code: 'SUMMARY_FULL', doubts: 'unlisted' }]],
])('a summary of %i players gives %j', (count, reasons) => {
  const reported = Array.from({ length: count }, (_, i) => player(`p${i}`))
  expect(reasonsOf(aDay({ reported }), facts())).toEqual(reasons)
})

test('players are in doubt who are listed twice, lack a first settlement, or have an unreadable record', () => {
  const reported = ['amy', 'bob', 'AMY'].map(player)
  expect(reasonsOf(aDay({ reported, booked: { headless: ['cho'], unreadable: ['dee'] } }), facts())).toEqual([
    { code: 'PLAYER_REPEATED', doubts: ['amy'] },
    { code: 'FIRST_REVISION_MISSING', doubts: ['cho'] },
    { code: 'RECORD_UNREADABLE', doubts: ['dee'] },
  ])
})

test('every other reason doubts all players', () => {
  const day = {
    now: 0,
    position: { caught_up_at: null, started_from: end },
    tenant: { environment: 'sandbox' as const },
  }
  const reasons = reasonsOf(
    aDay(day),
    facts({ reportedDate: '2026-03-09', reportedZone: 'Asia/Taipei', position: 'ahead' }),
  )
  expect(reasons.map(({ doubts }) => doubts)).toEqual(reasons.map(() => 'all'))
  expect(reasons).toHaveLength(6)
})

describe('the book alone', () => {
  /** The reasons for which slips of the day may be missing in the book. */
  const covered = (over: Over = {}, headless = false, owner?: { company_code: string }) => {
    const { span, options, booked, now } = aDay(over)
    const state = owner
      ? {
          ...booked.state,
          owner: { ...({ id: 'owner', environment: 'live', timezone: 'UTC' } as const), ...owner },
        }
      : booked.state
    return coverageReasons({ span, state, now, tenant: options.tenant, headless })
  }
  const begin = at('2026-03-10T00:00:00.000Z')

  test('that was read past the day and begins with it or before has the day', () => {
    expect(covered()).toEqual([])
    expect(covered({ position: { started_from: begin } })).toEqual([])
    expect(covered({ position: { started_from: begin + 1 } })).toEqual(['BOOK_BEGINS_LATER'])
  })

  test('is in doubt for every possible reason', () => {
    expect(covered({ now: end - 1 })).toEqual(['DAY_NOT_OVER'])
    expect(covered({ position: { caught_up_at: end } })).toEqual(['BOOK_BEHIND'])
    expect(covered({}, true)).toEqual(['FIRST_REVISION_MISSING'])
  })

  test('of another tenant is in doubt for that reason only', () => {
    expect(covered({ now: end - 1 }, true, { company_code: 'OTHER' })).toEqual(['BOOK_OF_ANOTHER'])
    expect(covered({}, false, { company_code: 'ACME' })).toEqual([])
  })
})
