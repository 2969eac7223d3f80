import { describe, expect, test } from 'vitest'
import type { BookSlipRow } from '../../../src/db/schema/book.ts'
import { amountOf, versionOf, versionOfRow } from '../../../src/operator/bets/slip-versions.ts'
import type { BetRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { aRecord, toRow } from '../book-rows.ts'

const leg = { zone: 'P', amount: '10', return: '0' }
const settledAt = Date.parse(aRecord().settledAt)

test('a valid record has no unreadable field', () => {
  const bets = [{ ...leg, hold: '1.5' }]
  expect(versionOf(aRecord({ username: 'Amy', bets, payout: '12.5', rake: '0.25' }))).toMatchObject({
    ...{ player: 'amy', username: 'Amy', stake: 100_000n, payout: 125_000n, winLoss: 25_000n, rake: 2_500n },
    legs: [{ zone: 'P', amount: 100_000n, return: 0n, hold: 15_000n }],
    ...{ settledAt, unreadable: [], differing: [] },
  })
})

test.each([
  [{ stake: 'x' }, 'stake', 'x', { stake: 0n }],
  [{ delta: '1.23456' }, 'delta', '1.23456', { delta: 0n }],
  [{ bets: [leg, { ...leg, return: '' }] }, 'bets[1].return', '', { legs: [{ return: 0n }, { return: 0n }] }],
  [{ settledAt: 'noon' }, 'settledAt', 'noon', { settledAt: 0 }],
])('an invalid value counts as nothing and is named: %j', (over, field, value, counted) => {
  const { stake, ...others } = { stake: '10', ...over }
  const version = versionOf({ ...aRecord(others), stake })
  expect(version).toMatchObject({ unreadable: [{ field, value }], ...counted })
})

test.each([
  '2026-03-10T12:34:56.789Z',
  '2026-03-10T12:34:00.001Z',
  '2026-03-10T12:34:59.010Z',
  '2026-03-10T12:34:07.100Z',
  '2026-03-10T23:59:59.999Z',
  '2026-03-11T00:00:00.000Z',
  '2028-02-29T09:08:30.456Z',
  '2026-03-10T12:34Z',
  '2026-03-10T12:34:56+08:00',
  '1969-12-31T23:59:59.999Z',
])('a time must exist in the calendar, also when it is cached: %s', (text) => {
  for (let i = 0; i < 2; i++)
    expect(versionOf(aRecord({ placedAt: text, settledAt: text }))).toMatchObject({
      ...{ placedAt: Date.parse(text), settledAt: Date.parse(text), unreadable: [] },
    })
})

test('of 12,000 amounts and times each keeps its own value, at any repetition', () => {
  const at = Date.parse('2026-03-10T00:00:00.000Z')
  for (let round = 0; round < 2; round++)
    for (let i = 0; i < 12_000; i++) {
      if (amountOf(`${i}.5`) !== BigInt(i) * 10_000n + 5_000n) expect.fail(`${i}.5`)
      const moment = new Date(at + i * 61_001).toISOString()
      if (versionOf(aRecord({ placedAt: moment })).placedAt !== at + i * 61_001) expect.fail(moment)
    }
})

test.each([
  ['1', 10_000n],
  ['1.50000', 15_000n],
  ['-0.00010', -1n],
  ['1.50001', null],
  ['1,5', null],
])('an amount may have zeros after the fourth decimal, and no other digit: %s', (text, units) => {
  expect(amountOf(text)).toBe(units)
})

describe('a row of the book', () => {
  const niuniu = { zone: 'P1D', amount: '10', return: '40.5', hold: '40', mult: 0 }
  test.each([
    {},
    { username: 'Amy.B', status: 'void' as const },
    { bets: [] },
    { bets: [leg, niuniu], hold: '40', game: 'niuniu' as const },
    { rake: '0.25', onsite: true, game: 'holdem' as const },
    { rake: '0', onsite: false },
    { stake: '-0.0001', payout: '999999999999999.9999' },
    { delta: '1.00000', stake: '' },
    { settledAt: '2026-03-10T23:59:59.999Z', placedAt: '2026-03-10T00:00:00Z' },
    { settledAt: '2026-03-10T24:00:00.000Z' },
    { settledAt: '2026-03-10T24:00:30.000Z' },
    { settledAt: '2026-02-30T10:00:00.000Z', placedAt: '2026-02-28T10:00:00.001Z' },
    { settledAt: '+12026-02-30T10:00:00.000Z' },
  ])('is parsed equally by the grammar and as any other JSON: %j', (over) => {
    const row = { ...toRow(aRecord(), 1), record: JSON.stringify(aRecord(over)) }
    // With a space the grammar leaves it to the JSON parser.
    const other = { ...row, record: JSON.stringify(JSON.parse(row.record), null, 1) }
    const version = versionOfRow(row)
    expect(version).toEqual(versionOfRow(other))
    const { settledAt: settled = aRecord().settledAt } = over
    expect(version.unreadable.some(({ field }) => field === 'settledAt')).toBe(Number.isNaN(Date.parse(settled)))
  })

  const row = (over: Partial<BookSlipRow> = {}, record: Partial<BetRecord> = {}): BookSlipRow => ({
    ...toRow(aRecord(record), 1),
    ...over,
  })

  test('is its record if the columns are the same', () => {
    const record = aRecord({ username: 'Amy', payout: '3' })
    expect(versionOfRow(toRow(record, 1))).toEqual(versionOf(record))
  })

  test('counts by its columns, which are listed if they differ from the record', () => {
    const version = versionOfRow(row({ name_key: 'eve', settled_at: settledAt + 1, rev: 2, slip_id: 'S2', rec_seq: 9 }))
    expect(version).toMatchObject({ player: 'eve', rev: 2, slipId: 'S2', settledAt: settledAt + 1, recSeq: 9 })
    expect(version.unreadable).toEqual([])
    expect(version.differing).toEqual([
      { field: 'username', copy: 'eve', record: 'amy' },
      { field: 'settledAt', copy: String(settledAt + 1), record: String(settledAt) },
      { field: 'slipId', copy: 'S2', record: 'S1' },
      { field: 'rev', copy: '2', record: '1' },
    ])
  })

  test('has all other fields from its record, also invalid ones', () => {
    const version = versionOfRow(row({}, { rolling: 'x', hold: '1', rake: '0.5', onsite: true, status: 'void' }))
    expect(version).toMatchObject({ rolling: 0n, hold: 10_000n, rake: 5_000n, isOnsite: true, status: 'void' })
    expect(version).toMatchObject({ unreadable: [{ field: 'rolling', value: 'x' }], differing: [] })
  })

  const { bets: _, ...withoutBets } = aRecord()
  const { placedAt: __, ...withoutTime } = aRecord()
  test.each(['{"slipId":"S1"', 'null', '5', '"text"', '[]', JSON.stringify(withoutBets), JSON.stringify(withoutTime)])(
    'has no amounts if its record is none: %s',
    (record) => {
      const version = versionOfRow(row({ record }))
      expect(version).toMatchObject({
        ...{ slipId: 'S1', player: 'amy', username: 'amy', currency: '', isOnsite: false, stake: 0n, hold: 0n },
        ...{ validStake: 0n, rolling: 0n, payout: 0n, winLoss: 0n, rake: 0n, delta: 0n },
        ...{ legs: [], placedAt: settledAt, settledAt, differing: [] },
      })
      expect(version.unreadable).toEqual([{ field: 'record', value: record.slice(0, 40) }])
    },
  )
})
