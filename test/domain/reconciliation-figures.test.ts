import { describe, expect, test } from 'vitest'
import { contradictionsOf, repairedVersions, sequenceBreaks, withVersion } from '../../src/domain/bets/slip-history.ts'
import {
  byField,
  compare,
  fieldText,
  type ReportedPlayer,
  repeatedNames,
  totalsOf,
} from '../../src/domain/reconcile/daily.ts'
import { amountScale, findingsOf, findingsOfOrders, type ListedPayment } from '../../src/domain/reconcile/payments.ts'
import { restatedPlayers, restatedSlip } from '../../src/domain/reconcile/restatement.ts'
import {
  type Around,
  aroundWith,
  nearMs,
  nothingAround,
  placingMs,
  sumsOf,
  type WalletRecord,
} from '../../src/domain/wallet/balance-proof.ts'
import { totalsOf as planTotals } from '../../src/domain/wallet/batch.ts'
import { aSlip, aVersion, voided } from './reconciliation-makers.ts'

describe('players compared', () => {
  const reportedPlayer = (username: string, units: bigint | null): ReportedPlayer => ({
    username,
    figures: byField(() => units),
    texts: byField(() => (units === null ? 'x' : `${units}`)),
  })
  const booked = (player: string, currency: string, units: bigint) => ({
    player,
    username: player,
    currency,
    figures: byField(() => units),
  })

  test('a count has no decimals, amounts have four', () => {
    expect([fieldText('slips', 12n), fieldText('stake', 12n)]).toEqual(['12', '0.0012'])
  })

  test('are in the order of their names, and one on a single side is compared with zeros', () => {
    const lines = compare(
      [reportedPlayer('Cho', 3n), reportedPlayer('amy', 5n)],
      [booked('bob', 'USD', 2n), booked('amy', 'USD', 5n)],
    )
    expect(
      lines.map(({ player, fields: [slips] }) => [player, slips?.platform, slips?.book, slips?.difference]),
    ).toEqual([
      ['amy', 5n, 5n, 0n],
      ['bob', 0n, 2n, -2n],
      ['cho', 3n, 0n, 3n],
    ])
    expect(lines.map(({ matches }) => matches)).toEqual([true, false, false])
    expect(lines[1]?.fields.map(({ platformText }) => platformText)).toEqual(Array(7).fill('0'))
  })

  test('a figure that is no number is shown unchanged, also if a player is listed twice', () => {
    const [line] = compare([reportedPlayer('amy', null)], [])
    expect(line?.fields[1]).toMatchObject({ platform: null, platformText: 'x', difference: null, matches: false })
    const [twice] = compare([reportedPlayer('amy', 1n), reportedPlayer('AMY', 2n)], [])
    expect(twice?.fields[1]).toMatchObject({ platform: 3n, platformText: '0.0003' })
    for (const pair of [
      [reportedPlayer('amy', 1n), reportedPlayer('AMY', null)],
      [reportedPlayer('amy', null), reportedPlayer('AMY', 1n)],
    ])
      expect(compare(pair, [])[0]?.fields[1]?.platform).toBeNull()
    expect(repeatedNames([reportedPlayer('amy', 1n), reportedPlayer('AMY', 2n), reportedPlayer('bob', 1n)])).toEqual([
      'amy',
    ])
  })

  test('are totaled by currency, in order, those of unknown currency last', () => {
    const lines = compare(
      [reportedPlayer('amy', 1n), reportedPlayer('bob', 2n), reportedPlayer('cho', null), reportedPlayer('dan', 9n)],
      [booked('amy', 'USD', 4n), booked('bob', 'EUR', 5n), booked('cho', 'USD', 6n), booked('eve', 'THB', 7n)],
    )
    const totals = totalsOf(lines).filter(({ field }) => field === 'stake')
    expect(totals).toEqual([
      { currency: 'EUR', field: 'stake', platform: 2n, book: 5n, players: 1 },
      { currency: 'THB', field: 'stake', platform: 0n, book: 7n, players: 1 },
      { currency: 'USD', field: 'stake', platform: 1n, book: 10n, players: 2 },
      { currency: null, field: 'stake', platform: 9n, book: 0n, players: 1 },
    ])
  })

  test('of unknown currency are last, at any position of the input', () => {
    const lines = compare(
      [reportedPlayer('a', 1n), reportedPlayer('b', 1n), reportedPlayer('d', 1n)],
      [booked('b', 'USD', 1n), booked('c', 'EUR', 1n)],
    )
    expect([...new Set(totalsOf(lines).map(({ currency }) => currency))]).toEqual(['EUR', 'USD', null])
  })

  test('totals of transfers are by currency, deposits before withdrawals', () => {
    const row = (currency: string, dir: 'in' | 'out', amount: string) => ({ username: 'amy', dir, amount, currency })
    const rows = [row('USD', 'out', '1'), row('EUR', 'in', '2.5'), row('USD', 'in', '3'), row('USD', 'out', '0.0001')]
    expect(planTotals(rows)).toEqual([
      { currency: 'EUR', dir: 'in', rows: 1, amount: '2.5' },
      { currency: 'USD', dir: 'in', rows: 1, amount: '3' },
      { currency: 'USD', dir: 'out', rows: 2, amount: '1.0001' },
    ])
  })
})

describe('restated slips', () => {
  const first = aVersion({ slipId: 'S1' })
  const second = aVersion({ slipId: 'S1', rev: 2, status: 'recalculated', payout: 50_000n, delta: 50_000n })
  const placed = [
    { place: 7, version: second },
    { place: 3, version: first },
  ]

  test.each([
    [2, null, 'S1'],
    [3, 1, 'S1'],
    [6, 1, 'S1'],
    [7, undefined, undefined],
  ])('counted at position %i as revision %s', (place, rev, slipId) => {
    const restated = restatedSlip(placed, place)
    expect(restated?.slipId).toBe(slipId)
    if (restated) expect([restated.was?.rev ?? null, restated.is.rev, restated.place]).toEqual([rev, 2, 7])
    expect(restatedSlip([], place)).toBeUndefined()
  })

  test('are grouped by player and currency, in the order of their names', () => {
    const of = (username: string, currency: string) => {
      const one = restatedSlip(
        [
          { place: 1, version: aVersion({ username, currency }) },
          { place: 2, version: aVersion({ username, currency, rev: 2, payout: 30_000n }) },
        ],
        1,
      )
      if (!one) throw new Error('it changed')
      return one
    }
    const players = restatedPlayers([of('bob', 'USD'), of('amy', 'USD'), of('amy', 'EUR'), of('bob', 'USD')])
    expect(
      players.map(({ player, currency, slips, change }) => [player, currency, slips.length, change.payout]),
    ).toEqual([
      ['amy', 'EUR', 1, 30_000n],
      ['amy', 'USD', 1, 30_000n],
      ['bob', 'USD', 2, 60_000n],
    ])
    expect(players[2]?.after.payout).toBe(60_000n)
    expect(players[2]?.before.payout).toBe(0n)
  })
})

describe('the history of a slip', () => {
  const rules = (...versions: Parameters<typeof aSlip>) =>
    contradictionsOf(aSlip(...versions)).map(({ rule, field, expected }) => `${rule} ${field} ${expected}`)

  test('keeps its revisions in order, and one for each number', () => {
    const [one, two, three] = [1, 2, 3].map((rev) => aVersion({ rev }))
    if (!one || !two || !three) throw new Error('there are three')
    const slip = withVersion(withVersion(aSlip(three), one), two)
    expect(slip.versions.map(({ rev }) => rev)).toEqual([1, 2, 3])
    expect(withVersion(slip, { ...two, payout: 5n }).versions.map(({ payout }) => payout)).toEqual([0n, 5n, 0n])
  })

  test('of a voided slip returns stake and hold and counts nothing', () => {
    const base = aVersion({ stake: 10n, hold: 20n, payout: 0n })
    expect(rules(voided(base, 1))).toEqual([])
    const wrong = { ...voided(base, 1), validStake: 1n, rolling: 2n, rake: 3n, payout: 10n, delta: 10n, winLoss: -20n }
    expect(rules(wrong)).toEqual([
      'payout payout 0.003',
      'void payout 0.003',
      'void validStake 0',
      'void rolling 0',
      'void rake 0',
    ])
  })

  test('with a wrong delta contains the expected one', () => {
    const one = aVersion({ payout: 100n, delta: 100n })
    const two = aVersion({ rev: 2, payout: 250n, delta: 140n })
    const three = aVersion({ rev: 3, payout: 50n, delta: -200n })
    expect(rules(one, two, three)).toEqual(['deltas delta 0.015'])
  })

  test('is checked no further if an amount cannot be parsed', () => {
    const odd = aVersion({ unreadable: [{ field: 'stake', value: 'ten' }], winLoss: 7n, delta: 5n })
    expect(rules(odd)).toEqual(['unreadable stake null'])
  })

  test('is repaired by each figure that the others require', () => {
    const ways = (change: Parameters<typeof aVersion>[0]) =>
      repairedVersions(aSlip(aVersion(change))).map(({ field, version }) => `${field} ${version[field]}`)
    expect(ways({})).toEqual([])
    // Stake 10, hold 4, payout 30: the win is 16, and a stake of 9 would make it 17.
    expect(ways({ stake: 10n, hold: 4n, payout: 30n, winLoss: 17n })).toEqual(['winLoss 16', 'winLoss 16', 'stake 9'])
    expect(ways({ differing: [{ field: 'rake', copy: '1', record: '0.0005' }] })).toEqual(['rake 5'])
    expect(ways({ differing: [{ field: 'rake', copy: '1', record: 'x' }] })).toEqual([])
    expect(ways({ differing: [{ field: 'tableId', copy: 'a', record: '1' }] })).toEqual([])
  })

  test('arrives without gaps, duplicates and steps back', () => {
    const of = (...numbers: number[]) =>
      sequenceBreaks(numbers.map((recSeq, i) => ({ place: i + 1, month: '202603', recSeq, slipId: `S${i}` }))).map(
        ({ kind, from, to }) => `${kind} ${from}-${to}`,
      )
    expect(of(1, 2, 3)).toEqual([])
    expect(of(1, 3)).toEqual(['hole 2-2'])
    expect(of(1, 4)).toEqual(['hole 2-3'])
    expect(of(4, 4)).toEqual(['repeat 4-4'])
    expect(of(4, 3)).toEqual(['step-back 3-3'])
  })
})

describe('a reading of a wallet', () => {
  const at = 1e12
  const record = (placed: number, settled: number): WalletRecord => ({
    slipId: 'S',
    rev: 1,
    delta: 7n,
    atStake: 5n,
    placedAt: at + placed,
    settledAt: at + settled,
  })
  const seen = ({ lastIn, firstOut, held }: Around) => [
    lastIn.length,
    firstOut.length,
    held.likely,
    held.low,
    held.high,
  ]
  const empty: Around = { ...nothingAround, held: { likely: 0n, low: 0n, high: 0n } }

  test('is close to a record for 60 seconds, and a slip gets further records for 10 minutes', () => {
    expect([nearMs, placingMs]).toEqual([60_000, 600_000])
  })

  test.each([
    [-90_000, -60_001, [0, 0, 0n, 0n, 0n]],
    [-90_000, -60_000, [1, 0, 0n, 0n, 0n]],
    [-60_001, 0, [1, 0, 0n, 0n, 0n]],
    [-60_000, 0, [1, 0, 0n, -5n, 0n]],
    [-59_999, 0, [1, 0, 0n, -5n, 0n]],
  ] as const)('that counts a record placed at %i and settled at %i', (placed, settled, expected) => {
    expect(seen(aroundWith(empty, record(placed, settled), at, true))).toEqual(expected)
  })

  test.each([
    [0, -60_001, [0, 1, 0n, 0n, 5n]],
    [0, -60_000, [0, 1, 5n, 0n, 5n]],
    [0, 60_000, [0, 1, 5n, 0n, 5n]],
    [0, 60_001, [0, 0, 5n, 0n, 5n]],
    [1, 60_001, [0, 0, 0n, 0n, 5n]],
    [600_000, 700_000, [0, 0, 0n, 0n, 5n]],
    [600_001, 700_000, [0, 0, 0n, 0n, 0n]],
  ] as const)('that does not count a record placed at %i and settled at %i', (placed, settled, expected) => {
    expect(seen(aroundWith(empty, record(placed, settled), at, false))).toEqual(expected)
  })

  test('eight transfers on either side are tried in all combinations, more are processed in their order', () => {
    const powers = (count: number) => Array.from({ length: count }, (_, i) => 2n ** BigInt(i))
    expect(sumsOf([])).toEqual([0n])
    expect(sumsOf(powers(3)).sort((a, b) => Number(a - b))).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n])
    expect(sumsOf(powers(8))).toHaveLength(256)
    const ten = sumsOf(powers(10))
    expect(ten).toHaveLength(258)
    expect(ten.slice(256)).toEqual([256n, 768n])
  })
})

describe('payments and orders', () => {
  const payment = (over: Partial<ListedPayment>): ListedPayment => ({
    id: 'p1',
    status: 'finished',
    orderId: 'o1',
    price: 100n,
    priceCurrency: 'usd',
    due: 5n,
    paid: 5n,
    payCurrency: 'btc',
    evidence: 'received',
    ...over,
  })
  const order = { id: 'o1', amount: 100n, currency: 'usd', isPaid: true }

  test('amounts of all currencies have 18 decimals', () => {
    expect(amountScale).toBe(18)
    expect(findingsOf(payment({ paid: 6n }))).toMatchObject([
      { kind: 'overpaid', expected: '0.000000000000000005 btc', found: '0.000000000000000006 btc' },
    ])
  })

  test('the smallest unit counts as money', () => {
    expect(findingsOf(payment({ status: 'expired', paid: 1n }))).toMatchObject([{ kind: 'underpaid' }])
    expect(findingsOf(payment({ status: 'expired', paid: 0n }))).toEqual([])
    expect(findingsOf(payment({ status: 'partially_paid', paid: 4n }))).toMatchObject([{ kind: 'underpaid' }])
    expect(findingsOf(payment({ status: 'partially_paid', paid: 5n }))).toEqual([])
    const strangers = (over: Partial<ListedPayment>) => findingsOfOrders([], [payment(over)])
    expect(strangers({ paid: 1n })).toMatchObject([{ message: 'The payment’s order is in no list' }])
    expect(strangers({ paid: 1n, orderId: null })).toMatchObject([{ message: 'The payment has no order' }])
    expect(strangers({ paid: 0n })).toEqual([])
    expect(strangers({ paid: 1n, status: 'refunded' })).toEqual([])
  })

  test('a finding on an order names its finished payment, or else its first', () => {
    const open = payment({ id: 'p0', status: 'waiting' })
    const ids = (payments: readonly ListedPayment[], amount = 100n) =>
      findingsOfOrders([{ ...order, amount }], payments).map(({ kind, paymentId }) => [kind, paymentId])
    expect(ids([open, payment({})], 101n)).toEqual([['underpaid', 'p1']])
    expect(ids([open, payment({})], 99n)).toEqual([['overpaid', 'p1']])
    expect(ids([open, payment({})])).toEqual([])
    expect(ids([open, payment({ id: 'p2', status: 'failed' })])).toEqual([['missing', 'p0']])
    expect(ids([])).toEqual([['unknown', null]])
  })
})
