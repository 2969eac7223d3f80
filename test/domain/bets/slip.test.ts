import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Bet,
  type Counted,
  costOf,
  firstSettlement,
  noSlips,
  type Revision,
  recalculation,
  type Settlement,
  settlementOf,
  voiding,
  withRevision,
  withSlip,
} from '../../../src/domain/bets/slip.ts'
import { sum } from '../../../src/domain/money.ts'

const bets: readonly Bet[] = [
  { zone: 'P1E', amount: 100n },
  { zone: 'P1D', amount: 50n, hold: 100n },
]

/** The bets settled to these returns. */
function settled(...returns: bigint[]): Settlement {
  const legs = bets.map((bet, i) => ({ ...bet, return: returns[i] ?? 0n }))
  return settlementOf(legs, { validStake: 150n, rolling: 20n }, { code: '57A09', cardInfo: 'cards', hands: { B: 7 } })
}

function revised(revision: Revision | 'void-is-final'): Revision {
  if (revision === 'void-is-final') throw new Error(revision)
  return revision
}

describe('sums', () => {
  test('a slip costs its stakes and its holds', () => {
    expect(costOf(bets)).toEqual({ stake: 150n, hold: 100n })
  })

  test('the win or loss excludes stake and hold', () => {
    expect(settled(200n, 150n)).toMatchObject({ stake: 150n, hold: 100n, payout: 350n, winLoss: 100n, rake: 0n })
  })

  test('a negative payout is a bug', () => {
    expect(() => settled(-1n, 0n)).toThrow(/never negative/)
  })
})

describe('revisions', () => {
  test('the first adds its payout, a correction the difference, even if it is zero', () => {
    const first = firstSettlement(settled(200n, 150n))
    expect(first).toMatchObject({ rev: 1, status: 'settled', delta: 350n })
    const same = revised(recalculation(first, settled(200n, 150n)))
    expect(same).toMatchObject({ rev: 2, status: 'recalculated', delta: 0n })
    expect(recalculation(same, settled(0n, 100n))).toMatchObject({ rev: 3, status: 'recalculated', delta: -250n })
  })

  test('a void returns stake and hold, counts nothing, and keeps code and cards but not hands', () => {
    const first = firstSettlement(settled(200n, 150n))
    const over = voiding(first, bets, false)
    expect(over).toMatchObject({
      rev: 2,
      status: 'void',
      stake: 150n,
      hold: 100n,
      payout: 250n,
      delta: -100n,
      validStake: 0n,
      rolling: 0n,
      winLoss: 0n,
      rake: 0n,
    })
    expect(revised(over).result).toEqual({ code: '57A09', cardInfo: 'cards' })
    expect(revised(over).legs).toEqual([
      { zone: 'P1E', amount: 100n, return: 100n },
      { zone: 'P1D', amount: 50n, hold: 100n, return: 150n, mult: 0 },
    ])
  })

  test('a void without a result is the first revision, with empty texts', () => {
    const over = revised(voiding(null, bets, false))
    expect(over).toMatchObject({ rev: 1, status: 'void', delta: 250n, result: { code: '', cardInfo: '' } })
  })

  test('a voided hand of Hold’em has its own code, and keeps its cards if it had any', () => {
    expect(revised(voiding(firstSettlement(settled(0n, 0n)), bets, true)).result).toEqual({
      code: 'void',
      cardInfo: 'cards',
    })
    expect(revised(voiding(null, bets, true)).result).toEqual({ code: 'void', cardInfo: '' })
  })

  test('no revision follows a void', () => {
    const over = revised(voiding(null, bets, false))
    expect(recalculation(over, settled(0n, 0n))).toBe('void-is-final')
    expect(voiding(over, bets, false)).toBe('void-is-final')
  })

  test('a correction that changes the stake is a bug', () => {
    const other = settlementOf(
      [{ zone: 'P1E', amount: 1n, return: 0n }],
      { validStake: 0n, rolling: 0n },
      { code: '', cardInfo: '' },
    )
    expect(() => recalculation(firstSettlement(settled(0n, 0n)), other)).toThrow(/never what was staked/)
    const first = firstSettlement(settled(0n, 0n))
    for (const change of [{ stake: first.stake + 1n }, { hold: first.hold + 1n }])
      expect(() => recalculation(first, { ...settled(0n, 0n), ...change })).toThrow(/never what was staked/)
  })

  test('the deltas of all revisions add up to the last payout, and after a void the player has no loss', () => {
    const returns = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 2, maxLength: 2 })
    fc.assert(
      fc.property(fc.array(returns, { maxLength: 6 }), fc.boolean(), (results, isVoided) => {
        const revisions: Revision[] = []
        for (const each of results) {
          const last = revisions.at(-1)
          revisions.push(last ? revised(recalculation(last, settled(...each))) : firstSettlement(settled(...each)))
        }
        if (isVoided) revisions.push(revised(voiding(revisions.at(-1) ?? null, bets, false)))
        const last = revisions.at(-1)
        expect(revisions.map((revision) => revision.rev)).toEqual(revisions.map((_, i) => i + 1))
        expect(sum(revisions.map((revision) => revision.delta))).toBe(last?.payout ?? 0n)
        if (isVoided) expect(last?.payout).toBe(last && last.stake + last.hold)
      }),
    )
  })
})

describe('a day’s sums', () => {
  test('are those of all slips that count, including the rake of pots', () => {
    const pot = { ...firstSettlement(settled(200n, 350n)), rake: 7n }
    expect([pot, pot, pot].reduce(withSlip, noSlips)).toMatchObject({ slips: 3, rake: 21n })
  })

  test('a voided slip is counted and adds no amounts; the payout excludes the hold', () => {
    const won = firstSettlement(settled(200n, 350n))
    const over = revised(voiding(won, bets, false))
    expect([won, over].reduce(withSlip, noSlips)).toEqual({
      slips: 2,
      stake: 150n,
      validStake: 150n,
      rolling: 20n,
      payout: 450n,
      winLoss: 300n,
      rake: 0n,
    })
  })
})

describe('the sums of a day, updated revision by revision', () => {
  const amounts = (base: bigint): Counted => ({
    status: 'settled',
    ...{ stake: base, validStake: base * 3n, rolling: base * 5n, winLoss: base * -7n, rake: base * 11n },
  })
  const first = amounts(100n)
  const other = withSlip(noSlips, amounts(1n))

  test('a first revision adds its slip', () => {
    expect(withRevision(other, null, first)).toEqual(withSlip(other, first))
  })

  test('a later one replaces the previous one, in each of its figures', () => {
    const corrected = { ...amounts(1000n), status: 'recalculated' as const }
    expect(withRevision(withRevision(other, null, first), first, corrected)).toEqual({
      ...{ slips: 2, stake: 1001n, validStake: 3003n, rolling: 5005n, payout: -6006n, winLoss: -7007n, rake: 11_011n },
    })
  })

  test('a void leaves the slip without amounts, and removing a slip leaves nothing', () => {
    const sums = withRevision(other, null, first)
    expect(withRevision(sums, first, { ...first, status: 'void' })).toEqual({ ...other, slips: 2 })
    expect(withRevision(sums, first, null)).toEqual(other)
    expect(withRevision(other, null, null)).toEqual(other)
  })
})
