import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Around,
  aroundWith,
  combine,
  nearMs,
  nothingAround,
  nothingHeld,
  proveBalance,
  shiftsBetween,
  sumsOf,
  type WalletRecord,
  type WalletSpan,
} from '../../../src/domain/wallet/balance-proof.ts'

/** Events of a wallet, by a model that does not contain the rule: it keeps the balance itself. */
type Happening =
  | { readonly kind: 'transfer'; readonly change: bigint }
  | { readonly kind: 'bet'; readonly stake: bigint; readonly payouts: readonly bigint[]; readonly lasts: number }
  | { readonly kind: 'wait'; readonly ms: number }

const units = fc.bigInt({ min: 1n, max: 10n ** 9n })
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    kind: fc.constant('transfer' as const),
    change: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }).filter((change) => change !== 0n),
  }),
  fc.record({
    kind: fc.constant('bet' as const),
    stake: units,
    payouts: fc.array(fc.bigInt({ min: 0n, max: 10n ** 9n }), { minLength: 1, maxLength: 3 }),
    lasts: fc.integer({ min: 1, max: 500_000 }),
  }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 900_000 }) }),
)

interface Step {
  readonly at: number
  /** Change of the balance. */
  readonly moves: bigint
  readonly transfer?: bigint
  readonly record?: WalletRecord
}

/** The steps in the order of time: a stake when it is bet, a payout when its round is settled, a correction later. */
function stepsOf(happenings: readonly Happening[]): Step[] {
  let at = 10_000_000
  const steps: Step[] = []
  for (const [i, each] of happenings.entries()) {
    at += 7_001
    if (each.kind === 'wait') at += each.ms
    else if (each.kind === 'transfer') steps.push({ at, moves: each.change, transfer: each.change })
    else {
      steps.push({ at, moves: -each.stake })
      let paid = 0n
      for (const [j, payout] of each.payouts.entries()) {
        const settledAt = at + each.lasts * (j + 1) + j
        const delta = payout - paid
        paid = payout
        const record = {
          slipId: `s${i}`,
          rev: j + 1,
          delta,
          atStake: j === 0 ? each.stake : 0n,
          placedAt: at,
          settledAt,
        }
        steps.push({ at: settledAt, moves: delta, record })
      }
    }
  }
  return steps.sort((a, b) => a.at - b.at)
}

const balanceAt = (steps: readonly Step[], at: number) =>
  steps.reduce((sum, step) => (step.at <= at ? sum + step.moves : sum), 0n)

/** The rule's result for two times, the first one open or not; `lagMs` is how late or early records are in the list. */
function judged(
  steps: readonly Step[],
  from: number,
  to: number,
  options: { planted?: bigint; lagMs?: number; isNow?: boolean } = {},
) {
  const { planted = 0n, lagMs = 0, isNow = false } = options
  const inSpan = (at: number) => at > from && at <= to
  const records = steps.flatMap(({ record }) => record ?? [])
  const isListed = (record: WalletRecord, at: number) => record.settledAt + lagMs <= at
  const aroundAt = (at: number) =>
    records.reduce((all: Around, record) => aroundWith(all, record, at, isListed(record, at)), nothingAround)
  const [before, around] = [from === 0 ? nothingAround : aroundAt(from), aroundAt(to)]
  return proveBalance({
    from: balanceAt(steps, from),
    to: balanceAt(steps, to) + planted,
    transfers: steps.reduce((sum, { at, transfer }) => sum + (inSpan(at) ? (transfer ?? 0n) : 0n), 0n),
    records: records.reduce(
      (sum, record) => (isListed(record, to) && !isListed(record, from) ? sum + record.delta - record.atStake : sum),
      0n,
    ),
    heldFrom: before.held,
    heldTo: isNow ? { likely: 0n, low: around.held.low, high: null } : around.held,
    shifts: shiftsBetween(before, around),
    settled: 0n,
  })
}

const happenings = fc.array(happening, { minLength: 1, maxLength: 14 })
const endOf = (steps: readonly Step[]) => Math.max(...steps.map(({ at }) => at), 10_000_000) + 4 * nearMs

describe('a wallet', () => {
  test('balances once all rounds are over, after any transfers, bets, settlements, corrections and voids', () => {
    fc.assert(
      fc.property(happenings, (all) => {
        const steps = stepsOf(all)
        expect(judged(steps, 0, endOf(steps))).toEqual({ verdict: 'balanced', rest: 0n, held: 0n })
      }),
    )
  })

  test('with one unit more or less is then always a difference of exactly that unit', () => {
    const planted = fc.constantFrom(1n, -1n, 10_000n, -12_345_678n)
    fc.assert(
      fc.property(happenings, planted, (all, off) => {
        const steps = stepsOf(all)
        expect(judged(steps, 0, endOf(steps), { planted: off })).toMatchObject({ verdict: 'differences', rest: off })
      }),
    )
  })

  test('read at any time is not reported as a difference, neither now nor when all records are known', () => {
    fc.assert(
      fc.property(happenings, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const steps = stepsOf(all)
        const to = Math.floor(10_000_000 + share * (endOf(steps) - 10_000_000))
        expect(judged(steps, 0, to, { isNow: true }).verdict).not.toBe('differences')
        // Afterwards the slips show the held amounts, so the plain reading is exact.
        expect(judged(steps, 0, to).verdict).toBe('balanced')
      }),
    )
  })

  test('read during a write, with the records slightly behind or ahead of the balance, is not a difference', () => {
    const lag = fc.integer({ min: -nearMs, max: nearMs })
    // Directly after or before one of the steps, where a lag has an effect.
    const beside = fc.record({ step: fc.nat(), ms: fc.integer({ min: -nearMs, max: nearMs }) })
    fc.assert(
      fc.property(happenings, beside, lag, (all, { step, ms }, lagMs) => {
        const steps = stepsOf(all)
        fc.pre(steps.length > 0)
        const to = (steps[step % steps.length]?.at ?? 0) + ms
        expect(judged(steps, 0, to, { lagMs }).verdict).not.toBe('differences')
        expect(judged(steps, 0, to, { lagMs, isNow: true }).verdict).not.toBe('differences')
        // A first reading at that time does not make a difference of the later records either.
        expect(judged(steps, to, endOf(steps) + 2 * nearMs, { lagMs }).verdict).not.toBe('differences')
        expect(judged(steps, to, endOf(steps)).verdict).toBe('balanced')
      }),
      { numRuns: 1_000 },
    )
  })

  test('with unexplained money is found also while the player plays', () => {
    const steps = stepsOf([{ kind: 'bet', stake: 500n, payouts: [700n], lasts: 200_000 }])
    const during = 10_000_000 + 7_001 + 20_000
    expect(judged(steps, 0, during, { isNow: true })).toMatchObject({ verdict: 'cannot-conclude', rest: -500n })
    expect(judged(steps, 0, during, { isNow: true, planted: 501n })).toMatchObject({ verdict: 'differences', rest: 1n })
  })
})

test('counts closed and cleared breaks as settled; a further unit is a difference', () => {
  const span = {
    from: 0n,
    to: 30n,
    transfers: 0n,
    records: 0n,
    heldFrom: nothingHeld,
    heldTo: nothingHeld,
    shifts: [],
  }
  expect(proveBalance({ ...span, settled: 30n }).verdict).toBe('balanced')
  expect(proveBalance({ ...span, to: 0n, settled: 30n }).verdict).toBe('balanced')
  expect(proveBalance({ ...span, to: 31n, settled: 30n })).toMatchObject({ verdict: 'differences', rest: 31n })
})

test('is checked in every combination of uncertain records, within a limit', () => {
  expect(new Set(sumsOf([1n, 10n]))).toEqual(new Set([0n, 1n, 10n, 11n]))
  expect(new Set(combine([1n], [10n]))).toEqual(new Set([0n, 1n, 10n, 11n]))
  expect(sumsOf(Array.from({ length: 500 }, (_, i) => BigInt(i + 1))).length).toBeLessThan(1_000)
})

describe('a remainder without a certain movement', () => {
  const five = { likely: 5n, low: 0n, high: 10n }
  const judged = (rest: bigint, over: Partial<WalletSpan>) => {
    const span = {
      ...{ from: 100n, to: 0n, transfers: 0n, records: 0n, heldFrom: nothingHeld, heldTo: nothingHeld },
      ...{ shifts: [], settled: 0n },
      ...over,
    }
    const to = span.from + span.heldFrom.likely - span.heldTo.likely + rest
    return proveBalance({ ...span, to }).verdict
  }

  test.each([
    [-6n, 'differences'],
    [-5n, 'cannot-conclude'],
    [0n, 'balanced'],
    [5n, 'cannot-conclude'],
    [6n, 'differences'],
  ])('can be a stake of up to 10 held at the end, of which 5 are expected: %i', (rest, verdict) => {
    expect(judged(rest, { heldTo: five })).toBe(verdict)
  })

  test.each([
    [-6n, 'differences'],
    [-5n, 'cannot-conclude'],
    [5n, 'cannot-conclude'],
    [6n, 'differences'],
  ])('can be a stake of up to 10 held at the start, of which 5 are expected: %i', (rest, verdict) => {
    expect(judged(rest, { heldFrom: five })).toBe(verdict)
  })

  test.each([
    [6n, 'cannot-conclude'],
    [7n, 'balanced'],
    [8n, 'differences'],
  ])('is reduced by a settled amount, here 7, with stakes held at the end: %i', (rest, verdict) => {
    expect(judged(rest, { settled: 7n, heldTo: { likely: 0n, low: 0n, high: null } })).toBe(verdict)
  })

  test.each([
    [3n, 'cannot-conclude'],
    [4n, 'differences'],
    [-3n, 'differences'],
  ])('can be a record of 3 that was in the balance before it was listed: %i', (rest, verdict) => {
    expect(judged(rest, { shifts: [3n] })).toBe(verdict)
  })
})
