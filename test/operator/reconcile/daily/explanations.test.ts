import { describe, expect, test } from 'vitest'
import { figuresOf, plus } from '../../../../src/domain/reconcile/daily.ts'
import { versionOf } from '../../../../src/operator/bets/slip-versions.ts'
import type { Investigation } from '../../../../src/operator/reconcile/daily/investigate.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aRecord } from '../../book-rows.ts'
import { aDay, at, dayMs, more, type Sides, slips } from '../compared-day.ts'

const codes = ({ explanations }: Investigation) => explanations.map(({ code, player }) => `${code} ${player}`)
const off = { trace: false }

describe('the records of a player', () => {
  const wrong = (record: BetRecord) => ({ ...record, stake: '11', validStake: '11', winLoss: '-11' })

  test('prove that the book is wrong, and end the search for causes', async () => {
    const { investigation } = await aDay({ records: slips('amy'), inBook: wrong })
    expect(investigation.explanations).toMatchObject([
      { code: 'BOOK_WRONG', player: 'amy', balances: true, slips: ['S-amy'] },
    ])
  })

  test('name a slip once that is wrong in two revisions', async () => {
    const revised = { slipId: 'S-amy', rev: 2, stake: '12', settledAt: at(dayMs - 1) }
    const reported = () => figuresOf(versionOf(aRecord(revised)))
    const { investigation } = await aDay({ records: [...slips('amy'), revised], inBook: wrong, reported })
    expect(investigation.explanations).toMatchObject([{ code: 'BOOK_WRONG', slips: ['S-amy'] }])
    expect(investigation.trace?.findings).toHaveLength(2)
  })

  test('prove that the summary is wrong, and a cause is searched', async () => {
    const { investigation } = await aDay({ records: slips('amy'), reported: more })
    expect(codes(investigation)).toEqual([
      ...['SUMMARY_WRONG amy', 'SUMMARY_CONTRADICTS_ITSELF amy', 'FIGURES_DIFFER amy'],
    ])
    expect(investigation.explanations[0]).toMatchObject({ balances: false, slips: [] })
  })

  test('agree with neither side', async () => {
    const { investigation } = await aDay({ records: slips('amy'), inBook: wrong, reported: more })
    expect(investigation.explanations[0]).toMatchObject({ code: 'RECORDS_DIFFER_FROM_BOTH', slips: ['S-amy'] })
  })

  test('agree with no summary that is invalid, and then no cause is searched', async () => {
    const { investigation } = await aDay({ records: slips('amy'), reported: (figures) => ({ ...figures, rake: null }) })
    expect(codes(investigation)).toEqual(['SUMMARY_WRONG amy'])
  })

  test('are named for the player of either side if the book has another name', async () => {
    const inBook = (record: BetRecord) => ({ ...record, username: 'Eve', tableId: 'BAC-02' })
    const { investigation } = await aDay({ records: slips('amy'), inBook })
    expect(investigation.explanations).toMatchObject([
      { code: 'BOOK_WRONG', player: 'amy', slips: ['S-amy'] },
      { code: 'BOOK_WRONG', player: 'eve', slips: ['S-amy'] },
    ])
  })
})

describe('the causes', () => {
  test('of every difference are searched, for any number of players', async () => {
    const names = Array.from({ length: 401 }, (_, i) => `p${i}`)
    const { investigation, steps } = await aDay({ records: slips(...names), reported: more, over: off })
    expect([...new Set(investigation.explanations.map(({ player }) => player))]).toEqual([...names].sort())
    expect(steps).toEqual([
      'reading newer records',
      'searching for causes',
      'searching for causes: 200 of 401 players',
      'searching for causes: 400 of 401 players',
    ])
  })

  test('name 50 slips at most as candidates', async () => {
    const extra = Array.from({ length: 51 }, (_, i) => ({ slipId: `S${i}`, username: 'eve', settledAt: at(i) }))
    const { investigation } = await aDay({ records: slips('amy'), extra, over: off })
    const names = extra.map(({ slipId }) => slipId)
    expect(investigation.explanations[0]).toMatchObject({ code: 'PLAYER_NOT_STATED', player: 'eve', slips: names })
    expect([...investigation.candidates.keys()]).toEqual(names.slice(0, 50))
  })

  test('name a candidate with the first cause that it may be', async () => {
    const early = { slipId: 'early', stake: '7', placedAt: at(-1), settledAt: at(1) }
    const reported = () => figuresOf(versionOf(aRecord()))
    const { investigation } = await aDay({ records: [...slips('amy'), early], reported, over: off })
    expect(codes(investigation)).toEqual(['COUNTED_BY_PLACING amy', 'SLIP_NOT_COUNTED amy'])
    expect([...investigation.candidates]).toMatchObject([
      ['early', { version: { slipId: 'early' }, note: investigation.explanations[0]?.message }],
    ])
  })

  const other = { slipId: 'other', stake: '7', placedAt: at(-10 * dayMs) }
  const counted = plus(figuresOf(versionOf(aRecord())), figuresOf(versionOf(aRecord(other))))
  const search = async (sides: Partial<Sides>) =>
    codes((await aDay({ records: [], ...sides, reported: () => counted, over: off })).investigation)

  test.each([
    [-dayMs, true],
    [-dayMs - 1, false],
    [-1, true],
    [dayMs, true],
    [2 * dayMs - 1, true],
    [2 * dayMs, false],
  ])('may be slips of a day before and after: %s', async (ms, isFound) => {
    const found = await search({ records: [...slips('amy'), { ...other, settledAt: at(ms) }] })
    expect(found.includes('OTHER_DAYS_SLIP_COUNTED amy')).toBe(isFound)
  })

  test.each([
    [1, true],
    [-1, false],
  ])('may be an earlier slip that was revised on the day: %s', async (ms, isFound) => {
    const first = { ...other, settledAt: at(-5 * dayMs) }
    const found = await search({ records: [first, { ...first, rev: 2, settledAt: at(ms) }, ...slips('amy')] })
    expect(found.includes('COUNTED_BY_LAST_SETTLING amy')).toBe(isFound)
  })

  test('may be a slip without its first revision, of the player', async () => {
    const later = { ...other, rev: 2, settledAt: at(5 * dayMs) }
    expect(await search({ records: [...slips('amy'), later] })).toContain('OTHER_DAYS_SLIP_COUNTED amy')
    const another = { ...later, username: 'bob' }
    expect(await search({ records: slips('amy'), extra: [another] })).not.toContain('OTHER_DAYS_SLIP_COUNTED amy')
  })
})

describe('the breaks in the numbers', () => {
  const numbered =
    (numberOf: (recSeq: number) => number) =>
    (record: BetRecord): BetRecord => ({ ...record, recSeq: numberOf(record.recSeq) })
  const broken = async (count: number, numberOf: (recSeq: number) => number) => {
    const records = slips(...Array.from({ length: count }, (_, i) => `p${i}`))
    const { investigation } = await aDay({ records, inBook: numbered(numberOf), reported: more, over: off })
    return investigation.explanations.filter(({ player }) => player === null)
  }

  test('are named with the slips and rounds around them', async () => {
    expect(await broken(3, (n) => (n > 1 ? n + 1 : n))).toEqual([
      {
        ...{ code: 'NUMBERS_MISSING', player: null, balances: false, slips: ['S-p0', 'S-p1'] },
        message:
          'In 202603, number 2 never arrived, between round R0 and round R1, after slip S-p0 and before slip S-p1. Gaps are allowed, but a lost record leaves one too',
      },
    ])
  })

  test('are also duplicate numbers and numbers that decrease', async () => {
    const found = await broken(3, (n) => (n === 3 ? 1 : 2))
    expect(found.map(({ code, slips: around }) => [code, around])).toEqual([
      ['NUMBERS_REPEATED', ['S-p0', 'S-p1']],
      ['NUMBERS_REPEATED', ['S-p1', 'S-p2']],
    ])
  })

  test('are at most 20, and the last one has the number of unlisted ones', async () => {
    const found = await broken(23, (n) => 2 * n)
    expect(found.map(({ slips: around }) => around[0])).toEqual(Array.from({ length: 20 }, (_, i) => `S-p${i}`))
    expect(found.map(({ message }) => / not listed$/.test(message)).indexOf(true)).toBe(19)
    expect(found.at(-1)?.message).toMatch(/leaves one too\. 2 more breaks not listed$/)
  })

  test('are at most 20 in all records of the day, which take more than one read', async () => {
    // After a number skipped twice, the arrivals of other days up to more than 10,000, and then one skipped 25 times.
    const last = 10_029
    let recSeq = 1
    const extra = Array.from({ length: last + 1 }, (_, i) => {
      recSeq += i === 1 || i === 2 || i > last - 25 ? 2 : 1
      return { slipId: `S${i}`, settledAt: at(i < last ? -2 * dayMs : 1), recSeq }
    })
    const { investigation } = await aDay({ records: slips('amy'), extra, reported: more, over: off })
    const found = investigation.explanations.filter(({ player }) => player === null)
    expect(found.map(({ slips: around }) => around[1])).toEqual([
      ...['S1', 'S2'],
      ...Array.from({ length: 18 }, (_, i) => `S${last - 24 + i}`),
    ])
    expect(found.at(-1)?.message).toMatch(/\. 7 more breaks not listed$/)
  })
})
