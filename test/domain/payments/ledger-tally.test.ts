import { describe, expect, test } from 'vitest'
import { accountFrom } from '../../../src/domain/payments/ledger.ts'
import { type LedgerEntry, LedgerTally } from '../../../src/domain/payments/ledger-tally.ts'

const entry = (posting: string, at: number, name: string, units: bigint): LedgerEntry => ({
  posting,
  at,
  name,
  account: accountFrom(name),
  units,
})
const [chain, available, held] = ['chain/production/btc', 'available/1/btc', 'held/1/btc']
const entries = [
  entry('a', 1, chain, -10n),
  entry('a', 1, available, 10n),
  entry('b', 2, available, -4n),
  entry('b', 2, held, 4n),
  entry('c', 3, held, -4n),
  entry('c', 3, chain, 4n),
]

function tallied(range: { from: number | undefined; to: number | undefined }, rows = entries) {
  const tally = new LedgerTally(range)
  for (const parts of Map.groupBy(rows, ({ posting }) => posting).values()) tally.checkPosting(parts, 'ref')
  const balances = rows.map((row) => tally.add(row))
  return { tally, balances }
}

describe('a balanced ledger', () => {
  test('has opening and closing balances of the range, and the running one of each entry', () => {
    const { tally, balances } = tallied({ from: 2, to: 2 })
    tally.close([
      { name: available, units: 6n },
      { name: held, units: 0n },
    ])
    expect(balances).toEqual([undefined, undefined, 6n, 4n, undefined, undefined])
    expect(
      tally
        .sorted()
        .map(({ account: { kind }, opening, added, taken, closing }) => [kind, opening, added, taken, closing]),
    ).toEqual([
      ['available', 10n, 0n, -4n, 6n],
      ['held', 0n, 4n, 0n, 4n],
      ['chain', -10n, 0n, 0n, -10n],
    ])
    expect([tally.entries, tally.postings, tally.faults]).toEqual([2, 1, []])
  })
})

describe('a fault', () => {
  test('of a posting, of a currency and of a stored balance is named with its units', () => {
    const { tally } = tallied({ from: undefined, to: undefined }, [...entries, entry('d', 4, available, 1n)])
    tally.close([{ name: available, units: 6n }])
    expect(tally.faults).toEqual([
      { kind: 'posting', subject: 'd', currency: 'btc', units: 1n, ref: 'ref' },
      { kind: 'balance', subject: available, currency: 'btc', units: -1n, ref: null },
      { kind: 'closing', subject: 'btc', currency: 'btc', units: 1n, ref: null },
    ])
  })

  test('of a stored balance without entries is reported too', () => {
    const { tally } = tallied({ from: undefined, to: undefined })
    tally.close([{ name: 'frozen/1/eth', units: 5n }])
    expect(tally.faults).toEqual([{ kind: 'balance', subject: 'frozen/1/eth', currency: 'eth', units: 5n, ref: null }])
  })
})

test('what one side has too much is a fault of the opening balances, then of the closing ones', () => {
  const { tally } = tallied({ from: 2, to: undefined }, [entry('a', 1, available, 1n), entry('b', 2, held, 2n)])
  expect(tally.sorted().map(({ added, taken }) => [added, taken])).toEqual([
    [0n, 0n],
    [2n, 0n],
  ])
  tally.close([])
  expect(tally.faults.map(({ kind, units }) => [kind, units])).toEqual([
    ['posting', 1n],
    ['posting', 2n],
    ['opening', 1n],
    ['closing', 3n],
  ])
})

test('the smallest unit is added, and its opposite taken', () => {
  const { tally } = tallied({ from: undefined, to: undefined }, [
    entry('a', 1, chain, -1n),
    entry('a', 1, available, 1n),
  ])
  expect(tally.sorted().map(({ added, taken }) => [added, taken])).toEqual([
    [1n, 0n],
    [0n, -1n],
  ])
})
