import { describe, expect, test } from 'vitest'
import type { BookSlipRow } from '../../../../src/db/schema/book.ts'
import type { DayFigures } from '../../../../src/domain/reconcile/daily.ts'
import { versionOf } from '../../../../src/operator/bets/slip-versions.ts'
import {
  figurePairs,
  type Platform,
  readTail,
  type SlipFinding,
  type TraceOptions,
  traceDay,
  withNewer,
} from '../../../../src/operator/reconcile/daily/compare-records.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aBook, aRecord, toRow, writeRows } from '../../book-rows.ts'
import { aFakePlatform } from '../../reconcile-fake.ts'

const span = { from: Date.UTC(2026, 2, 10), to: Date.UTC(2026, 2, 11) }
const iso = (at: number) => new Date(at).toISOString()
const hourMs = 3_600_000

/** A platform that returns these pages one after the other, with its requests. */
function inPages(...pages: readonly (readonly Partial<BetRecord>[])[]) {
  const requests: unknown[] = []
  const signals: unknown[] = []
  const bets: Platform['bets'] = async ({ query }, options) => {
    const items = (pages[requests.length] ?? []).map((record) => aRecord(record))
    requests.push(query)
    signals.push(options?.signal)
    return { items, nextCursor: `c${requests.length}`, hasMore: requests.length < pages.length }
  }
  return { platform: { ...aFakePlatform([], 'UTC').platform, bets }, requests, signals }
}

describe('the records after the cursor', () => {
  test('are read page by page up to the end', async () => {
    const { platform, requests } = inPages([{ slipId: 'a' }, { slipId: 'b' }], [{ slipId: 'c' }])
    const tail = await readTail(platform, 'c0', 2, undefined)
    expect(tail.records.map(({ slipId }) => slipId)).toEqual(['a', 'b', 'c'])
    expect(tail).toMatchObject({ isWhole: true, cursor: 'c2' })
    expect(requests).toEqual([
      { cursor: 'c0', limit: 1000 },
      { cursor: 'c1', limit: 1000 },
    ])
  })

  test('are not all known after the allowed pages', async () => {
    const { platform, requests } = inPages([{ slipId: 'a' }], [{ slipId: 'b' }], [{ slipId: 'c' }])
    const tail = await readTail(platform, 'c0', 2, undefined)
    expect(tail.records.map(({ slipId }) => slipId)).toEqual(['a', 'b'])
    expect(tail).toMatchObject({ isWhole: false, cursor: 'c2' })
    expect(requests).toHaveLength(2)
  })
})

test('a signal ends the requests of both reads', async () => {
  const { signal } = new AbortController()
  const { platform, signals } = inPages([{}], [{}])
  await readTail(platform, 'c0', 1, signal)
  await traceDay(platform, await aBook(), order({ signal }))
  expect(signals).toEqual([signal, signal])
})

function order(over: Partial<TraceOptions> = {}): TraceOptions {
  return {
    span,
    ...{ from: span.from, maxPages: 5, tail: new Set(), bookBegins: 0, lastPlace: 1_000, signal: undefined },
    ...{ newerFrom: Number.POSITIVE_INFINITY, isEnough: () => false },
    ...over,
  }
}

interface Sides {
  readonly pages: readonly (readonly Partial<BetRecord>[])[]
  readonly booked?: readonly Partial<BetRecord>[]
  readonly inRow?: (row: BookSlipRow) => BookSlipRow
  readonly over?: Partial<TraceOptions>
}

/** Reads the day of a platform that returns these pages, and compares it with a book of these records. */
async function traced({ pages, booked = [], inRow = (row) => row, over = {} }: Sides) {
  const book = await aBook()
  await writeRows(
    book,
    booked.map((record, i) => inRow(toRow(aRecord(record), i + 1))),
  )
  const { platform, requests } = inPages(...pages)
  return { ...(await traceDay(platform, book, order(over))), requests }
}

const named = (findings: readonly SlipFinding[]) =>
  findings.map(({ kind, version }) => `${kind} ${version.slipId}/${version.rev}`)
const stakes = (figures: ReadonlyMap<string, DayFigures>) =>
  [...figures].map(([player, { slips, stake }]) => [player, slips, stake / 10_000n])

describe('reading a day again', () => {
  test('begins at the minute of the request and follows the cursor', async () => {
    const { requests } = await traced({ pages: [[], []], over: { from: span.from + 119_999 } })
    expect(requests).toEqual([
      { limit: 1000, from: '2026-03-10T00:01:00.000Z' },
      { limit: 1000, cursor: 'c1' },
    ])
  })

  test('begins at a whole minute unchanged, and not before 1970', async () => {
    const { requests } = await traced({ pages: [[]], over: { from: span.from + 60_000 } })
    expect(requests).toMatchObject([{ from: '2026-03-10T00:01:00.000Z' }])
    const early = await traced({ pages: [[]], over: { from: -1 } })
    expect(early.requests).toMatchObject([{ from: '1970-01-01T00:00:00.000Z' }])
  })

  test('counts pages and records, and reports them after each page', async () => {
    const steps: [number, number][] = []
    const onPage = (pages: number, records: number) => steps.push([pages, records])
    const pages = [[{ slipId: 'a' }, { slipId: 'b' }], [{ slipId: 'c' }]]
    expect(await traced({ pages, over: { onPage } })).toMatchObject({ pages: 2, records: 3, isWholeDay: true })
    expect(steps).toEqual([
      [1, 2],
      [2, 3],
    ])
  })

  test('ends after the allowed pages, with part of the day', async () => {
    const booked = [{ slipId: 'lost', settledAt: iso(span.from + 1) }]
    const { isWholeDay, findings, requests } = await traced({
      ...{ pages: [[{ slipId: 'a' }], [{ slipId: 'b' }], [{ slipId: 'c' }]], booked, over: { maxPages: 2 } },
    })
    expect([isWholeDay, requests.length]).toEqual([false, 2])
    // The rest of the day is unknown, so no row counts as extra.
    expect(named(findings)).toEqual(['missing-in-book a/1', 'missing-in-book b/1'])
  })

  test.each([
    ['two days after the end', 48 * hourMs, 1],
    ['a millisecond less', 48 * hourMs - 1, 2],
  ])('looks for corrections up to %s', async (_, after, pages) => {
    const late = { slipId: 'late', settledAt: iso(span.to + after) }
    expect(await traced({ pages: [[late], []] })).toMatchObject({ pages })
  })

  test.each([
    ['enough, at the end of the day', span.to, true, 1],
    ['enough, but before the end of the day', span.to - 1, true, 2],
    ['not enough', span.to, false, 2],
  ])('ends when the figures are %s', async (_, settledAt, isEnough, pages) => {
    const records = [{ slipId: 'a' }, { slipId: 'b', settledAt: iso(settledAt) }]
    expect(await traced({ pages: [records, []], over: { isEnough: () => isEnough } })).toMatchObject({ pages })
  })

  test.each([
    [span.to, true],
    [span.to - 1, false],
  ])('has read the whole day once a record is from its end: %s', async (settledAt, isWholeDay) => {
    const pages = [[{ slipId: 'a', settledAt: iso(settledAt) }], []]
    expect(await traced({ pages, over: { maxPages: 1 } })).toMatchObject({ isWholeDay })
  })

  test('names the players as their latest records do', async () => {
    const { players } = await traced({
      pages: [[{ slipId: 'a', username: 'Amy' }], [{ slipId: 'a', rev: 2, username: 'AMY', currency: 'EUR' }]],
    })
    expect([...players]).toEqual([['amy', { username: 'AMY', currency: 'EUR' }]])
  })
})

describe('the figures by the records', () => {
  test('are those of the slips of the day, by their highest revision', async () => {
    const { figures } = await traced({
      pages: [
        [
          { slipId: 'before', settledAt: iso(span.from - 1) },
          { slipId: 'a', stake: '10' },
          { slipId: 'a', stake: '12', rev: 2 },
          { slipId: 'b', username: 'bob', stake: '7' },
          { slipId: 'after', settledAt: iso(span.to) },
        ],
      ],
    })
    expect(stakes(figures)).toEqual([
      ['amy', 1n, 12n],
      ['bob', 1n, 7n],
    ])
  })

  test('skip a slip that the book has on the day and the platform on another', async () => {
    const { figures } = await traced({
      pages: [[{ slipId: 'a', settledAt: iso(span.from - hourMs) }]],
      booked: [{ slipId: 'a' }],
    })
    expect(stakes(figures)).toEqual([])
  })

  const end = span.to + hourMs
  /** A part of the records: the slip of the day, and the last one that was read. */
  const readUpTo = (at: number, ...others: readonly Partial<BetRecord>[]) => ({
    pages: [[{ slipId: 'a', stake: '10' }, ...others, { slipId: 'z', settledAt: iso(at) }], []],
    over: { isEnough: () => true },
  })
  const revised = (at: number, stake: string) => ({ slipId: 'a', rev: 2, stake, settledAt: iso(at) })

  test.each([
    ['at the last instant that was read', end, 12n],
    ['after it', end + 1, 12n],
    ['before it, so that the platform does not have it', end - 1, 10n],
  ])('are those of a revision in the book %s', async (_, at, stake) => {
    const { figures } = await traced({ ...readUpTo(end), booked: [{ slipId: 'a' }, revised(at, '12')] })
    expect(stakes(figures)).toEqual([['amy', 1n, stake]])
  })

  test('are those of the platform if both have a revision', async () => {
    const { figures } = await traced({
      ...readUpTo(end, revised(end, '11')),
      booked: [{ slipId: 'a' }, revised(end, '12')],
    })
    expect(stakes(figures)).toEqual([['amy', 1n, 11n]])
  })
})

describe('a record', () => {
  test('that both sides have is no finding, and one missing from the book is reported', async () => {
    const pages = [[{ slipId: 'a' }, { slipId: 'b', stake: '7' }]]
    const { findings } = await traced({ pages, booked: [{ slipId: 'a' }] })
    expect(named(findings)).toEqual(['missing-in-book b/1'])
    expect(findings[0]?.fields[0]).toEqual({ field: 'stake', platform: '7', book: null })
  })

  test('that is a duplicate is one finding', async () => {
    expect(named((await traced({ pages: [[{}], [{}]] })).findings)).toEqual(['missing-in-book S1/1'])
  })

  test.each([
    ['is not missing from a book that begins later', 0, 'none'],
    ['is missing from a book that begins with it', 1, 'missing-in-book S1/1'],
  ])('%s', async (_, later, expected) => {
    const settledAt = iso(span.from + later)
    const { findings } = await traced({ pages: [[{ settledAt }]], over: { bookBegins: span.from + 1 } })
    expect(named(findings).join() || 'none').toBe(expected)
  })

  test.each([
    ['that is after the cursor of the book', { tail: new Set(['S1/1']) }, 'newer-than-book'],
    ['of another revision than that after the cursor', { tail: new Set(['S1/2']) }, 'missing-in-book'],
    ['of the instant from which records are newer', { newerFrom: span.from + 1 }, 'newer-than-book'],
    ['of the previous instant', { newerFrom: span.from + 2 }, 'missing-in-book'],
  ])('%s is %s', async (_, over, kind) => {
    const { findings } = await traced({ pages: [[{ settledAt: iso(span.from + 1) }]], over })
    expect(named(findings)).toEqual([`${kind} S1/1`])
  })

  test('of another day on both sides is not compared', async () => {
    const settledAt = iso(span.to)
    const pages = [
      [
        { settledAt, roundId: 'R2' },
        { slipId: 'new', settledAt },
      ],
    ]
    expect((await traced({ pages, booked: [{ settledAt }] })).findings).toEqual([])
  })

  test.each([
    ['only the platform counts', span.to - 1, span.to],
    ['only the book counts', span.to, span.to - 1],
  ])('that %s on the day is a change of its time', async (_, platform, book) => {
    const { findings } = await traced({
      pages: [[{ settledAt: iso(platform) }]],
      booked: [{ settledAt: iso(book) }],
    })
    expect(named(findings)).toEqual(['changed S1/1'])
    expect(findings[0]?.fields).toEqual([{ field: 'settledAt', platform: iso(platform), book: iso(book) }])
  })

  test('of a slip that the book first settled after the day is not compared, although it was placed on it', async () => {
    const slip = { settledAt: iso(span.to + 1) }
    const later = { ...slip, rev: 2 }
    const both = await traced({ pages: [[{ ...later, roundId: 'R2' }]], booked: [slip, later] })
    const first = await traced({ pages: [[later]], booked: [slip] })
    expect([both.findings, first.findings]).toEqual([[], []])
  })

  test('of a slip that is counted on the day is compared, with any time of revision', async () => {
    const late = { rev: 2, settledAt: iso(span.to + hourMs), placedAt: iso(span.to) }
    const { findings } = await traced({ pages: [[{}], [{ ...late, roundId: 'R2' }]], booked: [{}, late] })
    expect(named(findings)).toEqual(['changed S1/2'])
  })
})

describe('a row that the platform did not return', () => {
  test('is extra, and one that it returned is not', async () => {
    const { findings } = await traced({
      pages: [[{ slipId: 'a' }]],
      booked: [{ slipId: 'a' }, { slipId: 'b', stake: '7' }, { slipId: 'other', settledAt: iso(span.to) }],
    })
    expect(named(findings)).toEqual(['extra-in-book b/1'])
    expect(findings[0]?.fields[0]).toEqual({ field: 'stake', platform: null, book: '7' })
  })

  test.each([
    [span.to + 2, ['extra-in-book a/2']],
    [span.to + 1, []],
  ])('is extra if it was settled before the last record that was read: %s', async (readTo, expected) => {
    const { findings } = await traced({
      pages: [[{ slipId: 'a' }, { slipId: 'z', settledAt: iso(readTo) }], []],
      booked: [{ slipId: 'a' }, { slipId: 'a', rev: 2, settledAt: iso(span.to + 1) }],
      over: { isEnough: () => true },
    })
    expect(named(findings)).toEqual(expected)
  })

  test('is not extra if it arrived after the book was compared', async () => {
    const { findings } = await traced({
      pages: [[]],
      booked: [{ slipId: 'a' }, { slipId: 'b' }],
      over: { lastPlace: 1 },
    })
    expect(named(findings)).toEqual(['extra-in-book a/1'])
  })
})

describe('the changed fields', () => {
  async function changes(platform: Partial<BetRecord>, inRow: (row: BookSlipRow) => BookSlipRow) {
    const { findings } = await traced({ pages: [[platform]], booked: [{}], inRow })
    return findings.map(({ kind, fields }) => [kind, fields.map((each) => [each.field, each.platform, each.book])])
  }
  const inRecord = (over: object) => (row: BookSlipRow) => ({
    ...row,
    record: JSON.stringify({ ...JSON.parse(row.record), ...over }),
  })
  const same = (row: BookSlipRow) => row

  test('are those that differ, by name, without the position in the write order', async () => {
    const platform = { recSeq: 9, tableId: 'BAC-02', roundId: 'R2', round: 2 }
    expect(await changes(platform, same)).toEqual([
      [
        'changed',
        [
          ['round', '2', '1'],
          ['roundId', 'R2', 'R1'],
          ['tableId', 'BAC-02', 'BAC-01'],
        ],
      ],
    ])
    expect(await changes({ recSeq: 9 }, same)).toEqual([])
  })

  test('have null if a side has no such field or an empty one', async () => {
    expect(await changes({ rake: '1' }, same)).toEqual([['changed', [['rake', '1', null]]]])
    expect(await changes({}, inRecord({ note: 'x', empty: null }))).toEqual([['changed', [['note', null, 'x']]]])
    expect(await changes({ onsite: true }, inRecord({ onsite: null }))).toEqual([
      ['changed', [['onsite', 'true', null]]],
    ])
  })

  test.each([
    ['an amount with other zeros', { delta: '1.50' }, { delta: '1.5' }, []],
    ['another amount', { delta: '1.5' }, { delta: '1.6' }, ['delta']],
    ['two invalid amounts', { delta: 'x' }, { delta: 'y' }, ['delta']],
    ['an amount as a number', { delta: '1.5' }, { delta: 1.5 }, ['delta']],
    ['a text that only reads like an amount', { roundId: '1.50' }, { roundId: '1.5' }, ['roundId']],
  ])('compare %s', async (_, platform, book, expected) => {
    const found = await changes(platform, inRecord(book))
    expect(found.flatMap(([, fields]) => (fields as string[][]).map(([field]) => field))).toEqual(expected)
  })

  test('have the columns that differ from their record, each field once', async () => {
    expect(await changes({}, (row) => ({ ...row, name_key: 'eve' }))).toEqual([
      ['changed', [['username', 'amy', 'eve']]],
    ])
    const settledAt = Date.parse(aRecord().settledAt)
    const columns = { name_key: 'eve', settled_at: settledAt + 1 }
    const both = (row: BookSlipRow) => ({ ...inRecord({ username: 'bob' })(row), ...columns })
    expect(await changes({}, both)).toEqual([
      [
        'changed',
        [
          ['username', 'amy', 'bob'],
          ['settledAt', String(settledAt), String(settledAt + 1)],
        ],
      ],
    ])
  })

  test('are the whole record if that of the book is unreadable', async () => {
    const found = await changes({}, (row) => ({ ...row, record: '{' }))
    expect(found).toMatchObject([['changed', [['record', expect.stringContaining('"slipId":"S1"'), '{']]]])
  })
})

describe('the figures of a record on one side', () => {
  const figures = { stake: '1', hold: '2', validStake: '3', rolling: '4', payout: '5', winLoss: '6', rake: '7' }

  test('are listed in the order of the other lists', () => {
    const version = versionOf(aRecord(figures))
    const expected = Object.entries(figures)
    expect(figurePairs(version, 'platform')).toEqual(
      expected.map(([field, platform]) => ({ field, platform, book: null })),
    )
    expect(figurePairs(version, 'book')).toEqual(expected.map(([field, book]) => ({ field, platform: null, book })))
  })

  test('have neither a hold nor a rake of zero, but every other zero', () => {
    const zeros = { stake: '0', validStake: '0', rolling: '0', payout: '0', winLoss: '0' }
    const fields = figurePairs(versionOf(aRecord(zeros)), 'book').map(({ field }) => field)
    expect(fields).toEqual(['stake', 'validStake', 'rolling', 'payout', 'winLoss'])
  })
})

test('a record written during the read is newer, not missing', async () => {
  const booked = [{ slipId: 'c' }]
  const pages = [[{ slipId: 'a' }, { slipId: 'b' }, { slipId: 'c', roundId: 'R2' }]]
  const trace = await traced({ pages, booked })
  const later = withNewer(trace, [aRecord({ slipId: 'a' }), aRecord({ slipId: 'c' })])
  expect(named(later.findings)).toEqual(['newer-than-book a/1', 'missing-in-book b/1', 'changed c/1'])
  expect(named(withNewer(trace, []).findings)[0]).toBe('missing-in-book a/1')
})
