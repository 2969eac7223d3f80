import { describe, expect, test } from 'vitest'
import { latestOf, type SlipHistory } from '../../../src/domain/bets/slip-history.ts'
import { causesOf, longestRoundMs, mayBeOf, type PlayerDifference } from '../../../src/domain/reconcile/break-causes.ts'
import { type DayFigures, figuresOf, noFigures, plus } from '../../../src/domain/reconcile/daily.ts'
import { aSlip, aVersion, from, to, voided } from '../reconciliation-makers.ts'

const sumOf = (slips: readonly SlipHistory[]): DayFigures =>
  slips.reduce((total, slip) => plus(total, figuresOf(latestOf(slip))), noFigures)

/** Returns the explanations of the platform's figures, by the book's slips of the day and around it. */
function explain(slips: readonly SlipHistory[], reported: DayFigures, neighbors: readonly SlipHistory[] = []) {
  const one: PlayerDifference = { player: 'amy', isReported: true, reported, slips, neighbors, from, to }
  return causesOf(one)
    .filter(({ balances }) => balances)
    .map((cause) => `${cause.code} ${cause.slips.join(' ')}`)
}

describe('a slip whose first settlement is unknown', () => {
  const torn = (placedAt: number, settledAt: number, rev = 2) =>
    mayBeOf(aSlip(aVersion({ rev, placedAt, settledAt })), from, to)

  test.each([
    ['placed an hour before the day', from - 3_600_000, from, true],
    ['placed longer before it', from - 3_600_001, from, false],
    ['placed at the end of the day', to - 1, to, true],
    ['placed after it', to, to, false],
    ['settled before the day', from - 1000, from - 1, false],
  ])('%s may be of the day: %s', (_, placedAt, settledAt, expected) => {
    expect(longestRoundMs).toBe(60 * 60_000)
    expect(torn(placedAt, settledAt)).toBe(expected)
    expect(torn(placedAt, settledAt, 1)).toBe(false)
  })
})

describe('a platform that counts a slip when it was placed', () => {
  const plain = aSlip(aVersion({ slipId: 'P' }))
  const placed = (slipId: string, placedAt: number) =>
    aSlip(aVersion({ slipId, stake: slipId === 'E' ? 7n : 9n, placedAt, settledAt: placedAt + 30_000 }))

  test.each([
    ['the instant the day begins', from, true],
    ['a millisecond before', from - 1, false],
  ])('counts what was placed %s: %s', (_, at, isCounted) => {
    const early = placed('E', at)
    const late = placed('L', to - 1)
    const reported = sumOf(isCounted ? [plain, early, late] : [plain, late])
    const moved = isCounted ? 'L' : 'E L'
    expect(explain([plain, early], reported, [late])).toContain(`COUNTED_BY_PLACING ${moved}`)
  })

  test.each([
    ['a millisecond before the day ends', to - 1, true],
    ['the instant it ends', to, false],
  ])('counts what was placed %s: %s', (_, at, isCounted) => {
    const early = placed('E', from - 1)
    const late = placed('L', at)
    const reported = sumOf(isCounted ? [plain, late] : [plain])
    const moved = isCounted ? 'E L' : 'E'
    expect(explain([plain, early], reported, [late])).toContain(`COUNTED_BY_PLACING ${moved}`)
  })
})

describe('a platform that counts by another rule', () => {
  const plain = aSlip(aVersion({ slipId: 'P' }))

  test.each([1n, 20n])('has a hold of %s units in the payout', (hold) => {
    const held = aSlip(aVersion({ slipId: 'N', stake: 10n, hold, payout: 60n }))
    const booked = sumOf([plain, held])
    expect(explain([plain, held], { ...booked, payout: booked.payout + hold })).toEqual(['HOLD_IN_PAYOUT N'])
  })

  test('counts the stake of voided slips, or both stake and payout', () => {
    const over = aSlip(aVersion({ slipId: 'V' }), voided(aVersion({ slipId: 'V' }), 2))
    const booked = sumOf([plain, over])
    const stake = latestOf(over).stake
    const more = { ...booked, stake: booked.stake + stake }
    expect(explain([plain, over], more)).toContain('VOIDED_STAKE_COUNTED V')
    expect(explain([plain, over], { ...more, payout: booked.payout + stake })).toContain('VOIDED_STAKE_COUNTED V')
    expect(explain([plain, over], { ...more, payout: booked.payout - stake })).toEqual([])
    expect(explain([plain, over], { ...booked, stake: booked.stake - stake })).toEqual([])
  })

  test('gets no explanation from kinds of slips that do not occur', () => {
    expect(explain([plain], { ...sumOf([plain]), payout: 1n })).toEqual([])
  })
})
