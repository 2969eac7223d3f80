import { describe, expect, test } from 'vitest'
import { figuresOf, plus, type ReasonCode } from '../../../../src/domain/reconcile/daily.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import { versionOf } from '../../../../src/operator/bets/slip-versions.ts'
import type { Platform } from '../../../../src/operator/reconcile/daily/compare-records.ts'
import { type Investigation, withTail } from '../../../../src/operator/reconcile/daily/investigate.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aRecord } from '../../book-rows.ts'
import { aDay, at, dayMs, more, slips } from '../compared-day.ts'

const reason = (code: ReasonCode) => ({ code, doubts: 'all' }) as const
const codes = ({ explanations }: Investigation) => explanations.map(({ code, player }) => `${code} ${player}`)
const kinds = ({ trace }: Investigation) => trace?.findings.map(({ kind, version }) => `${kind} ${version.slipId}`)
const eve = { slipId: 'S-eve', username: 'eve', settledAt: at(1) }

describe('the subjects of the investigation', () => {
  test('are none if all figures agree and the book is consistent', async () => {
    const { investigation, calls, steps } = await aDay({ records: slips('amy', 'bob') })
    expect([calls, steps]).toEqual([[], []])
    expect(investigation).toMatchObject({
      tail: undefined,
      traceState: 'not-needed',
      traceNote: null,
      explanations: [],
    })
  })

  test('include a player with a difference', async () => {
    const reported = (figures: Parameters<typeof more>[0], name: string) => (name === 'amy' ? more(figures) : figures)
    const { investigation, calls, steps } = await aDay({ records: slips('amy', 'bob'), reported })
    expect(investigation).toMatchObject({ tail: { isWhole: true }, traceState: 'complete', traceNote: null })
    expect(new Set(investigation.explanations.map(({ player }) => player))).toEqual(new Set(['amy']))
    expect(calls).toEqual(['cursor 202603.2', 'from 2026-03-09T23:59:00.000Z'])
    expect(steps).toEqual([
      ...['reading newer records', 'reading the day again: 1 pages, 2 records', 'searching for causes'],
    ])
  })

  test('include a slip of the book that contradicts itself, without newer records or causes', async () => {
    const { investigation, calls } = await aDay({ records: slips('amy').map((slip) => ({ ...slip, delta: '3' })) })
    expect(investigation).toMatchObject({ tail: undefined, traceState: 'complete', explanations: [] })
    expect(calls).toEqual(['from 2026-03-09T23:59:00.000Z'])
  })

  test('include a player whom the summary does not list, unless it lists only a part of the players', async () => {
    const sides = { records: slips('amy'), extra: [eve], over: { trace: false } }
    expect(codes((await aDay(sides)).investigation)).toContain('PLAYER_NOT_STATED eve')
    const other = await aDay({ ...sides, reasons: [reason('DAY_NOT_OVER')] })
    expect(codes(other.investigation)).toContain('PLAYER_NOT_STATED eve')
    const reasons = [reason('SUMMARY_FULL'), reason('DAY_NOT_OVER')]
    expect((await aDay({ ...sides, reasons })).investigation.traceState).toBe('not-needed')
    const { investigation } = await aDay({ ...sides, reasons, reported: more })
    expect(new Set(investigation.explanations.map(({ player }) => player))).toEqual(new Set(['amy', null]))
  })
})

/** An empty page that may have more after it. */
const emptyPage = (nextCursor: string, hasMore: boolean) => ({ items: [], nextCursor, hasMore })

describe('newer records', () => {
  const two = [...slips('amy'), { slipId: 'S-new', stake: '7', settledAt: at(dayMs - 1) }]

  test('that explain a difference end its investigation', async () => {
    // Between the two slips a number is missing.
    const inBook = (record: BetRecord) => ({ ...record, recSeq: record.recSeq * 3 })
    const records = [...slips('bob', 'cho'), { ...two[1] }]
    const { investigation, calls } = await aDay({ records, booked: 2, inBook })
    expect([...investigation.stale]).toEqual([['amy', ['S-new']]])
    expect(codes(investigation)).toEqual(['BOOK_STALE amy'])
    expect(investigation).toMatchObject({
      traceState: 'not-needed',
      explanations: [{ balances: true, slips: ['S-new'] }],
    })
    expect(calls).toEqual(['cursor 202603.2'])
  })

  test('do not end the investigation of the other players, or of a slip that contradicts itself', async () => {
    const reported = (figures: Parameters<typeof more>[0], name: string) => (name === 'bob' ? more(figures) : figures)
    const open = await aDay({ records: [...slips('bob', 'dan'), { ...two[1] }], booked: 2, reported })
    expect(codes(open.investigation).slice(0, 2)).toEqual(['BOOK_STALE amy', 'SUMMARY_WRONG bob'])
    const wrong = { ...two[0], delta: '3' }
    const { investigation } = await aDay({ records: [wrong, { ...two[1] }], booked: 1 })
    expect(investigation).toMatchObject({ traceState: 'complete', explanations: [{ code: 'BOOK_STALE' }] })
  })

  test('that explain a part of a difference leave it open', async () => {
    const { investigation } = await aDay({ records: two, booked: 1, reported: more })
    expect(investigation.stale.size).toBe(0)
    expect(codes(investigation)[0]).toBe('RECORDS_DIFFER_FROM_BOTH amy')
    expect(kinds(investigation)).toEqual(['newer-than-book S-new'])
  })

  test('of another day explain nothing', async () => {
    const later = { ...two[1], settledAt: at(dayMs) }
    const reported = (figures: Parameters<typeof more>[0]) => plus(figures, figuresOf(versionOf(aRecord(later))))
    const { investigation } = await aDay({ records: [...slips('amy'), later], booked: 1, reported })
    expect([investigation.stale.size, investigation.traceState]).toEqual([0, 'complete'])
  })

  test('that revise a known slip count as the difference', async () => {
    const revised = { slipId: 'S-amy', rev: 2, stake: '12', settledAt: at(dayMs - 1) }
    const reported = () => figuresOf(versionOf(aRecord(revised)))
    const { investigation } = await aDay({ records: [...slips('amy'), revised], booked: 1, reported })
    expect([...investigation.stale]).toEqual([['amy', ['S-amy']]])
  })

  test('explain no figure that is invalid', async () => {
    const { investigation } = await aDay({
      records: two,
      booked: 1,
      reported: (figures) => ({ ...figures, rake: null }),
    })
    expect([investigation.stale.size, investigation.traceState]).toEqual([0, 'complete'])
  })

  test('are read up to 20 pages, and what was settled after the book is then newer', async () => {
    let pages = 0
    const platform = ({ bets }: Platform): Partial<Platform> => ({
      async bets(request) {
        if (request.query.cursor === undefined) return bets(request)
        pages += 1
        return emptyPage(request.query.cursor, true)
      },
    })
    const inBook = (record: BetRecord) => ({ ...record, slipId: `${record.slipId}-0` })
    const { investigation } = await aDay({
      records: slips('amy', 'bob', 'cho'),
      booked: 2,
      inBook,
      reported: more,
      platform,
    })
    expect([pages, investigation.tail]).toMatchObject([20, { isWhole: false }])
    expect(kinds(investigation)).toEqual([
      ...['missing-in-book S-amy', 'newer-than-book S-bob', 'newer-than-book S-cho'],
      ...['extra-in-book S-amy-0', 'extra-in-book S-bob-0'],
    ])
  })

  const failing = (code: string) => () => ({
    bets: () => Promise.reject(new Problem(code, 'No such cursor')),
  })

  test('are unknown after an expired cursor, and another failure ends the run', async () => {
    const sides = { records: slips('amy'), reported: more, over: { trace: false } }
    const { investigation } = await aDay({ ...sides, platform: failing('INVALID_CURSOR') })
    expect(investigation).toMatchObject({ tail: undefined, traceState: 'off' })
    expect(codes(investigation)).toContain('FIGURES_DIFFER amy')
    await expect(aDay({ ...sides, platform: failing('UNAVAILABLE') })).rejects.toThrow('No such cursor')
  })

  test('are not read without a cursor', async () => {
    const { investigation, calls } = await aDay({
      ...{ records: slips('amy'), reported: more },
      ofBook: (day) => ({ ...day, state: { ...day.state, position: undefined } }),
    })
    expect([investigation.tail, calls]).toEqual([undefined, ['from 2026-03-09T23:59:00.000Z']])
  })

  test('limit the doubt about a book that is behind to the players they explain', async () => {
    const reasons = [reason('BOOK_BEHIND'), reason('DAY_NOT_OVER')]
    const { investigation, day } = await aDay({ records: [...slips('amy'), { ...two[1], username: 'bob' }], booked: 1 })
    expect(withTail(reasons, day, investigation)).toEqual([{ code: 'BOOK_BEHIND', doubts: ['bob'] }, reasons[1]])
    const [, differing] = day.lines
    const all = { ...day, lines: differing ? [differing] : [] }
    expect(withTail(reasons, all, investigation)).toMatchObject([{ doubts: ['bob'] }, reasons[1] ?? {}])
    const none = { ...day, lines: day.lines.slice(0, 1) }
    expect(withTail(reasons, none, investigation)).toEqual(reasons)
    const tail = { records: [], cursor: '', isWhole: false }
    expect(withTail(reasons, day, { ...investigation, tail })).toEqual(reasons)
  })
})

describe('the records of the day', () => {
  const sides = { records: slips('amy'), reported: more }

  test('are not read again on request', async () => {
    const { investigation, calls } = await aDay({ ...sides, over: { trace: false } })
    expect(investigation).toMatchObject({ trace: undefined, traceState: 'off', traceNote: null })
    expect(calls).toEqual(['cursor 202603.1'])
  })

  test.each(['SUMMARY_OF_ANOTHER_DAY', 'OTHER_TIMEZONE', 'RETENTION'] as const)(
    'are not read again with the reason %s, and with another they are',
    async (code) => {
      const { investigation, calls } = await aDay({ ...sides, reasons: [reason('DAY_NOT_OVER'), reason(code)] })
      const traceNote = `Reading the day again would not prove anything: ${code}`
      expect(investigation).toMatchObject({ traceState: 'impossible', traceNote })
      expect(calls).toEqual(['cursor 202603.1'])
      const other = await aDay({ ...sides, reasons: [reason('DAY_NOT_OVER')] })
      expect(other.investigation.traceState).toBe('complete')
    },
  )

  test.each([
    ['at a whole minute', -600_000, '2026-03-09T23:49:00.000Z'],
    ['at the end of a minute', -600_001, '2026-03-09T23:48:00.000Z'],
    ['a day before', -dayMs, '2026-03-08T23:59:00.000Z'],
    ['earlier', -dayMs - 3_600_000, '2026-03-08T23:59:00.000Z'],
  ])('are read from a minute before the first bet: %s', async (_, placed, from) => {
    const records = slips('amy').map((slip) => ({ ...slip, placedAt: at(placed) }))
    expect((await aDay({ ...sides, records })).calls[1]).toBe(`from ${from}`)
  })

  /** A platform that returns one record per page. */
  const oneByOne = ({ bets }: Platform): Partial<Platform> => ({
    bets: ({ query }) => bets({ query: { ...query, limit: 1 } }),
  })

  test('are read in part if there are more pages than allowed', async () => {
    const records = slips('amy', 'bob', 'cho')
    const { investigation } = await aDay({ ...sides, records, platform: oneByOne, over: { tracePages: 2 } })
    const traceNote = 'The day has more than 2 pages of records; pass a larger --trace-pages'
    expect(investigation).toMatchObject({ traceState: 'partial', traceNote, trace: { pages: 2, isWholeDay: false } })
    // Part of the records proves nothing about the figures.
    expect(codes(investigation)[0]).toBe('SUMMARY_CONTRADICTS_ITSELF amy')
  })

  const days = [...slips('amy', 'bob'), ...[0, 1, 2].map((ms) => ({ slipId: `S-${ms}`, settledAt: at(dayMs + ms) }))]
  const inBook = (record: BetRecord) => ({ ...record, stake: '11', validStake: '11', winLoss: '-11' })

  test('are read only until they explain every difference', async () => {
    const all = await aDay({ records: days, inBook, platform: oneByOne })
    expect(all.investigation).toMatchObject({ traceState: 'complete', trace: { pages: 3 } })
    const reported = (figures: Parameters<typeof more>[0], name: string) => (name === 'bob' ? more(figures) : figures)
    const one = await aDay({ records: days, inBook, platform: oneByOne, reported })
    expect(one.investigation).toMatchObject({ traceState: 'complete', trace: { pages: 5 } })
  })

  /** A platform that gets its last record while the day is read: the first read after the cursor does not find it. */
  const writing = (calls: string[], isFound: boolean) => (platform: Platform) => ({
    async bets(request: Parameters<Platform['bets']>[0]) {
      const { cursor } = request.query
      calls.push(cursor ?? 'day')
      if (cursor === 'later')
        return isFound ? platform.bets({ query: { cursor: '202603.2' } }) : emptyPage('end', false)
      return cursor === undefined ? platform.bets(request) : emptyPage('later', false)
    },
  })

  test.each([
    [true, 'newer-than-book S-cho'],
    [false, 'missing-in-book S-cho'],
  ])('are newer if they were written during the read: %s', async (isFound, expected) => {
    const calls: string[] = []
    const records = slips('amy', 'bob', 'cho')
    const change = (record: BetRecord) => ({ ...record, roundId: `${record.roundId}0` })
    const { investigation } = await aDay({ records, booked: 2, inBook: change, platform: writing(calls, isFound) })
    expect(kinds(investigation)).toEqual(['changed S-amy', 'changed S-bob', expected])
    expect(calls).toEqual(['202603.2', 'day', 'later'])
  })

  test('that are all in the book are not searched after its cursor', async () => {
    const calls: string[] = []
    await aDay({ ...sides, inBook, platform: writing(calls, true) })
    expect(calls).toEqual(['202603.1', 'day'])
  })

  const failing = (error: Error) => (platform: Platform) => ({
    bets: (request: Parameters<Platform['bets']>[0]) =>
      request.query.cursor === undefined ? Promise.reject(error) : platform.bets(request),
  })

  test('may be unavailable, which leaves the comparison unchanged', async () => {
    const platform = failing(new Problem('UNAVAILABLE', 'Try later'))
    const { investigation } = await aDay({ ...sides, platform })
    const traceNote = 'Reading the day again failed: Try later (UNAVAILABLE)'
    expect(investigation).toMatchObject({ trace: undefined, traceState: 'failed', traceNote })
    expect(codes(investigation)).toContain('FIGURES_DIFFER amy')
  })

  test('end the run at a signal and at an error that is no response of the platform', async () => {
    const signal = AbortSignal.abort()
    const ended = aDay({ ...sides, platform: failing(new Problem('ABORTED', 'Ended')), signal })
    await expect(ended).rejects.toThrow('Ended')
    await expect(aDay({ ...sides, platform: failing(new TypeError('A mistake')) })).rejects.toThrow('A mistake')
  })
})
