import { describe, expect, test } from 'vitest'
import type { BookPositionRow } from '../../../../src/db/schema/book.ts'
import { type Contradiction, latestOf, type SlipHistory } from '../../../../src/domain/bets/slip-history.ts'
import {
  type BookedPlayer,
  byField,
  compare,
  type DayField,
  type Reason,
  type ReportedPlayer,
} from '../../../../src/domain/reconcile/daily.ts'
import { versionOf } from '../../../../src/operator/bets/slip-versions.ts'
import type { BookDay } from '../../../../src/operator/reconcile/daily/book-side.ts'
import type { SlipFinding, Trace } from '../../../../src/operator/reconcile/daily/compare-records.ts'
import type { Investigation } from '../../../../src/operator/reconcile/daily/investigate.ts'
import { concluded, uncompared } from '../../../../src/operator/reconcile/daily/result.ts'
import type { ComparedDay, DayOptions, PlatformFacts } from '../../../../src/operator/reconcile/daily/types.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aRecord } from '../../book-rows.ts'

const span = { from: Date.UTC(2026, 2, 10), to: Date.UTC(2026, 2, 11) }
const options: DayOptions = {
  ...{ date: '2026-03-10', trace: true, tracePages: 5 },
  tenant: { companyCode: 'ACME', environment: 'live', timezone: 'UTC' },
}
const facts: PlatformFacts = { reportedDate: '2026-03-10', reportedZone: 'UTC', plan: 'paid', position: 'same' }
const position: BookPositionRow = {
  ...{ id: 'bets', cursor: '202603.9', rows: 12, ahead_ms: null },
  ...{ started_from: Date.UTC(2026, 0, 1), caught_up_at: Date.UTC(2026, 2, 12) },
}

type Figures = Partial<Record<DayField, bigint | null>>

const states = (username: string, figures: Figures = {}): ReportedPlayer => ({
  username,
  figures: byField((field) => (field in figures ? (figures[field] ?? null) : 0n)),
  texts: byField((field) => `${figures[field] ?? 'x'}`),
})
const books = (username: string, figures: Figures = {}, currency = 'USD'): BookedPlayer => ({
  ...{ player: username.toLowerCase(), username, currency },
  figures: byField((field) => figures[field] ?? 0n),
})

const bookDay = (over: Partial<BookDay> = {}): BookDay => ({
  state: { owner: undefined, position, latestAt: Date.UTC(2026, 2, 11, 8), lastPlace: 12 },
  ...{ players: new Map(), slips: 0, revisions: 0, contradictions: [], headless: [], unreadable: [], placedFrom: 0 },
  ...over,
})

interface Sides {
  readonly stated?: readonly ReportedPlayer[]
  readonly booked?: readonly BookedPlayer[]
  readonly book?: Partial<BookDay>
  readonly reasons?: readonly Reason[]
  readonly investigation?: Partial<Parameters<typeof concluded>[3]>
}

const rule = { basis: 'first-settlement', zone: 'UTC', from: 'documented', date: null } as const

function conclude({ stated = [], booked = [], book = {}, reasons = [], investigation = {} }: Sides) {
  const players = new Map(booked.map((one) => [one.player, one]))
  const day: ComparedDay = {
    ...{ options, rule, span, reported: stated, now: span.to, lines: compare(stated, booked) },
    booked: bookDay({ players, ...book }),
  }
  const none: Investigation = {
    ...{ tail: undefined, stale: new Map(), trace: undefined, traceState: 'not-needed', traceNote: null },
    ...{ explanations: [], candidates: new Map() },
  }
  return concluded(day, facts, reasons, { ...none, boundary: null, ...investigation })
}
const resultOf = (sides: Sides) => conclude(sides).result

const slip = (record: Partial<BetRecord>, ...later: readonly Partial<BetRecord>[]): SlipHistory => ({
  slipId: record.slipId ?? 'S1',
  versions: [record, ...later].map((each) => versionOf(aRecord(each))),
})
const finding = (
  kind: SlipFinding['kind'],
  record: Partial<BetRecord> = {},
  fields: SlipFinding['fields'] = [],
): SlipFinding => ({
  ...{ kind, version: versionOf(aRecord(record)), fields },
})
const traced = (findings: readonly SlipFinding[], over: Partial<Trace> = {}): Trace => ({
  ...{ pages: 2, records: 1_500, isWholeDay: true, findings, figures: new Map(), players: new Map() },
  ...over,
})
const contradicts = (slipId: string, rev = 1): Contradiction => ({
  ...{ slipId, rev, rule: 'win-loss', field: 'winLoss', actual: '1', expected: '2' },
})
const inconsistent = (slipId: string, rev = 1) => ({
  slip: slip({ slipId, rev }),
  violations: [contradicts(slipId, rev)],
})

const amyDiffers = { stated: [states('Amy', { stake: 30_000n })], booked: [books('amy', { stake: 10_000n })] }

describe('a compared day', () => {
  test('has the identification of itself and its book', () => {
    const { result, lastPlace } = conclude({ book: { slips: 7, revisions: 9 } })
    expect(result).toMatchObject({
      ...{ date: '2026-03-10', timezone: 'UTC', hours: 24, companyCode: 'ACME', environment: 'live', revisions: 9 },
      ...{ start: '2026-03-10T00:00:00.000Z', end: '2026-03-11T00:00:00.000Z', booked: { players: 0, slips: 7 } },
      book: {
        ...{ cursor: '202603.9', rows: 12, startedFrom: '2026-01-01T00:00:00.000Z' },
        ...{ caughtUpAt: '2026-03-12T00:00:00.000Z', latestAt: '2026-03-11T08:00:00.000Z' },
      },
    })
    expect(lastPlace).toBe(12)
  })

  test('is balanced if no player differs, and has the number of compared players', () => {
    const sides = {
      stated: [states('amy', { slips: 2n }), states('bob', { slips: 3n })],
      booked: [books('amy', { slips: 2n }), books('bob', { slips: 3n })],
    }
    const { result, lines } = conclude(sides)
    expect(result).toMatchObject({
      ...{ verdict: 'balanced', stale: false, compared: 2, differing: 0, differences: [], slips: [], slipsLeftOut: 0 },
      ...{ platform: { players: 2, slips: 5 }, booked: { players: 2, slips: 0 }, warnings: [], next: [] },
      trace: { state: 'not-needed', pages: 0, records: 0, note: null },
    })
    expect(lines).toHaveLength(2)
  })

  test('counts the slips of an invalid figure as none', () => {
    expect(resultOf({ stated: [states('amy', { slips: null }), states('bob', { slips: 3n })] }).platform).toEqual({
      ...{ players: 2, slips: 3 },
    })
  })

  test('has totals by currency and field, and their difference: platform less book', () => {
    const { totals } = resultOf(amyDiffers)
    expect(totals.find(({ field }) => field === 'stake')).toEqual({
      ...{ currency: 'USD', field: 'stake', platform: '3', book: '1', difference: '2', players: 1 },
    })
    expect(totals).toHaveLength(7)
  })

  test('has each differing figure of each player', () => {
    const { differences, differing, verdict } = resultOf({
      stated: [states('Amy', { stake: 30_000n, payout: null }), states('bob', { slips: 2n })],
      booked: [books('amy', { stake: 10_000n }), books('bob', { slips: 3n })],
      reasons: [{ code: 'RECORD_UNREADABLE', doubts: ['bob'] }],
    })
    const amy = { player: 'Amy', currency: 'USD', certain: true }
    expect(differences).toEqual([
      { ...amy, field: 'stake', platform: '3', book: '1', difference: '2' },
      { ...amy, field: 'payout', platform: 'x', book: '0', difference: null },
      { ...amy, player: 'bob', certain: false, field: 'slips', platform: '2', book: '3', difference: '-1' },
    ])
    expect([differing, verdict]).toEqual([2, 'differences'])
  })

  test('has the numbers of pages and records that were read again, and the reason if they were not enough', () => {
    const investigation = { trace: traced([]), traceState: 'partial' as const, traceNote: 'too many' }
    expect(resultOf({ ...amyDiffers, investigation }).trace).toEqual({
      ...{ state: 'partial', pages: 2, records: 1_500, note: 'too many' },
    })
  })
})

describe('the currency of a player without slips in the book', () => {
  const stated = [states('Amy', { stake: 1n })]
  const currencyOf = (investigation: Partial<Investigation>, booked: readonly BookedPlayer[] = []) =>
    resultOf({ stated, booked, investigation }).differences[0]?.currency
  const tail = { records: [aRecord({ username: 'AMY', currency: 'EUR' })], isWhole: true, cursor: '' }
  const trace = traced([], { players: new Map([['amy', { username: 'amy', currency: 'TWD' }]]) })

  test('is that of the records of the day, else of the newer ones, else unknown', () => {
    expect([currencyOf({ tail, trace }), currencyOf({ tail }), currencyOf({})]).toEqual(['TWD', 'EUR', null])
  })

  test('is that of the book if it has slips', () => {
    expect(currencyOf({ tail, trace }, [books('amy')])).toBe('USD')
  })
})

describe('a book out of date', () => {
  const stated = [states('amy', { stake: 1n }), states('bob', { stake: 1n })]
  const stale = (...players: readonly string[]) => new Map(players.map((player) => [player, ['S1']]))

  test.each([
    ['newer records explain every difference', stale('amy', 'bob'), true],
    ['newer records explain one of two differences', stale('amy'), false],
    ['newer records explain none', stale(), false],
  ])('is the only reason if %s', (_, explained, isStale) => {
    expect(resultOf({ stated, investigation: { stale: explained } })).toMatchObject({
      verdict: 'differences',
      stale: isStale,
    })
  })

  test('is not the only reason if a record differs, or no figure does', () => {
    const investigation = { stale: stale('amy', 'bob'), trace: traced([finding('changed')]) }
    expect(resultOf({ stated, investigation }).stale).toBe(false)
    expect(resultOf({ investigation: { stale: stale('amy') } }).stale).toBe(false)
    const reasons: Reason[] = [{ code: 'BOOK_BEHIND', doubts: 'all' }]
    expect(resultOf({ stated, reasons, investigation: { stale: stale('amy', 'bob') } })).toMatchObject({
      ...{ verdict: 'cannot-conclude', stale: false },
    })
  })
})

test('another day boundary explains the figures if one of the rules gives those of the platform', () => {
  const messages = (...matches: readonly boolean[]) => {
    const candidates = matches.map((each) => ({
      ...{ basis: 'first-settlement' as const, timezone: 'UTC', start: '', end: '', hours: 24, slips: 0 },
      ...{ differing: each ? 0 : 1, matches: each, isComplete: true, used: false },
    }))
    const boundary = { candidates, match: null, message: 'by another rule' }
    return resultOf({ investigation: { boundary } }).explanations.map(({ code, message, balances }) => [
      code,
      message,
      balances,
    ])
  }
  expect([messages(), messages(false), messages(false, true)]).toEqual([
    ...[[], []],
    [['OTHER_DAY_BOUNDARY', 'Day boundary: by another rule', true]],
  ])
})

describe('a record that differs', () => {
  test.each(['missing-in-book', 'extra-in-book', 'changed'] as const)('%s is a difference with any figures', (kind) => {
    const reasons: Reason[] = [{ code: 'RETENTION', doubts: 'all' }]
    expect(resultOf({ reasons, investigation: { trace: traced([finding(kind)]) } }).verdict).toBe('differences')
  })

  test('newer than the book is none', () => {
    expect(resultOf({ investigation: { trace: traced([finding('newer-than-book')]) } }).verdict).toBe('balanced')
  })
})

describe('the slips of a day', () => {
  test('are those that differ, by kind, then the inconsistent ones, then the candidates', () => {
    const kinds = ['newer-than-book', 'changed', 'extra-in-book', 'missing-in-book'] as const
    const findings = kinds.map((kind) => finding(kind, { slipId: kind }))
    const candidate = (slipId: string) => [slipId, { version: latestOf(slip({ slipId })), note: 'maybe' }] as const
    const { slips } = resultOf({
      book: { contradictions: [inconsistent('odd')] },
      investigation: { trace: traced(findings), candidates: new Map(['odd', 'changed', 'new'].map(candidate)) },
    })
    expect(slips.map(({ slipId, finding: kind, note }) => [slipId, kind, note])).toEqual([
      ['missing-in-book', 'missing-in-book', 'The platform has this record, but the book does not'],
      ['extra-in-book', 'extra-in-book', 'The book has this record, but the platform did not return it again'],
      ['changed', 'changed', 'The record of the platform differs from that of the book'],
      ['newer-than-book', 'newer-than-book', 'Written after the last sync'],
      ['odd', 'contradiction', 'the win/loss is not the payout less stake and hold: winLoss is 1, expected 2'],
      ['new', 'candidate', 'maybe'],
    ])
  })

  test('have the differing revision, with its fields', () => {
    const fields = [{ field: 'stake', platform: '10', book: '9' }]
    const record = { rev: 2, username: 'Amy', status: 'void' as const, recSeq: 8, roundId: 'R9' }
    expect(resultOf({ investigation: { trace: traced([finding('changed', record, fields)]) } }).slips).toEqual([
      {
        ...{ slipId: 'S1', rev: 2, status: 'void', player: 'Amy', currency: 'USD', game: 'baccarat' },
        ...{ tableId: 'BAC-01', roundId: 'R9', recSeq: 8, settledAt: '2026-03-10T12:00:00.000Z', finding: 'changed' },
        ...{ fields, note: 'The record of the platform differs from that of the book' },
      },
    ])
  })

  test('that are inconsistent name the inconsistent revision, else the last one', () => {
    const contradictions = [
      {
        slip: slip({ recSeq: 1 }, { rev: 2, recSeq: 2 }, { rev: 3, recSeq: 3 }),
        violations: [contradicts('S1', 2), contradicts('S1', 7)],
      },
    ]
    expect(resultOf({ book: { contradictions } }).slips.map(({ rev, recSeq }) => [rev, recSeq])).toEqual([
      [2, 2],
      [3, 3],
    ])
  })

  test.each([
    [999, 999, 0],
    [1000, 1000, 0],
    [1001, 1000, 1],
    [1003, 1000, 3],
  ])('of %i are listed up to %i, and %i are omitted', (count, listed, leftOut) => {
    const findings = Array.from({ length: count }, (_, i) => finding('changed', { slipId: `S${i}` }))
    const { slips, slipsLeftOut } = resultOf({ investigation: { trace: traced(findings) } })
    expect([slips.length, slipsLeftOut]).toEqual([listed, leftOut])
  })
})

describe('a warning of inconsistent slips', () => {
  const warnings = (ids: readonly string[], findings: readonly SlipFinding[] = []) =>
    resultOf({
      book: { contradictions: ids.map((id) => inconsistent(id)) },
      investigation: { trace: traced(findings) },
    }).warnings
  const text = (begin: string, end: string) => [`${begin}, and no record of the platform differs: ${end}`]

  test.each([
    [[], []],
    [['a'], text('1 slip of the day is inconsistent', 'a')],
    [['a', 'a'], text('1 slip of the day is inconsistent', 'a')],
    [['a', 'b'], text('2 slips of the day are inconsistent', 'a, b')],
    [['a', 'b', 'c', 'd', 'e'], text('5 slips of the day are inconsistent', 'a, b, c, d, e')],
    [['a', 'b', 'c', 'd', 'e', 'f'], text('6 slips of the day are inconsistent', 'a, b, c, d, e and more')],
  ])('names five of them at most: %j', (ids, expected) => {
    expect(warnings(ids)).toEqual(expected)
  })

  test('is given next to newer records, and not if a record differs', () => {
    expect(warnings(['a'], [finding('newer-than-book')])).toHaveLength(1)
    expect(warnings(['a'], [finding('newer-than-book'), finding('changed')])).toEqual([])
  })

  test('leaves the day balanced', () => {
    expect(resultOf({ book: { contradictions: [inconsistent('a')] } })).toMatchObject({
      ...{ verdict: 'balanced', slips: [{ finding: 'contradiction' }] },
    })
  })
})

test('reasons are reported with their players, in the spelling of the summary', () => {
  const { reasons, verdict } = resultOf({
    stated: [states('Amy')],
    booked: [books('amy')],
    reasons: [
      { code: 'PLAYER_REPEATED', doubts: ['amy', 'zoe'] },
      { code: 'SUMMARY_FULL', doubts: 'unlisted' },
      { code: 'RETENTION', doubts: 'all' },
    ],
  })
  expect(verdict).toBe('cannot-conclude')
  expect(reasons).toEqual([
    { code: 'PLAYER_REPEATED', message: 'The summary lists Amy, zoe more than once', players: ['Amy', 'zoe'] },
    { code: 'SUMMARY_FULL', message: 'The summary lists 1 player, its maximum; there may be more', players: null },
    {
      ...{ code: 'RETENTION', players: null },
      message:
        'On the paid plan the platform keeps bets for about 400 days, in whole months; it may have deleted some of this day',
    },
  ])
})

describe('a day that was not compared', () => {
  const empty = bookDay({ state: { owner: undefined, position: undefined, latestAt: undefined, lastPlace: 3 } })

  test('is inconclusive, and has no data of the platform', () => {
    const { result, lines, lastPlace } = uncompared({ options, rule, span, booked: empty }, [
      { code: 'BOOK_EMPTY', doubts: 'all' },
    ])
    expect(result).toEqual({
      ...{ verdict: 'cannot-conclude', stale: false, date: '2026-03-10', timezone: 'UTC', hours: 24 },
      ...{ start: '2026-03-10T00:00:00.000Z', end: '2026-03-11T00:00:00.000Z', companyCode: 'ACME' },
      environment: 'live',
      book: { cursor: null, rows: 0, startedFrom: null, caughtUpAt: null, latestAt: null },
      ...{ platform: { players: 0, slips: 0 }, booked: { players: 0, slips: 0 }, revisions: 0, compared: 0 },
      ...{ differing: 0, totals: [], differences: [], slips: [], slipsLeftOut: 0, explanations: [], warnings: [] },
      reasons: [
        { code: 'BOOK_EMPTY', message: 'The book is empty. Run first: countroom bets sync --out bets', players: null },
      ],
      trace: { state: 'not-needed', pages: 0, records: 0, note: null },
      dayRule: {
        ...{ basis: 'first-settlement', timezone: 'UTC', from: 'documented', date: null },
        message: 'Slips count by first settlement, in UTC, as documented',
      },
      boundary: null,
      next: ['Sync the newer records: countroom bets sync --out bets, then run: countroom reconcile daily 2026-03-10'],
    })
    expect([lines, lastPlace]).toEqual([[], 3])
  })

  test('has neither players nor days of the platform', () => {
    const reasons: Reason[] = [
      { code: 'SUMMARY_FULL', doubts: 'unlisted' },
      { code: 'RETENTION', doubts: 'all' },
    ]
    expect(
      uncompared({ options, rule, span, booked: empty }, reasons).result.reasons.map(({ message }) => message),
    ).toEqual([expect.stringContaining('lists 0 players'), expect.stringContaining('about 0 days')])
  })
})
