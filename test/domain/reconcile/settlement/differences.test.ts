import { describe, expect, test } from 'vitest'
import type { RecordedLeg, RecordedRevision } from '../../../../src/domain/reconcile/settlement/recorded.ts'
import { asTheRules } from '../../../../src/domain/reconcile/settlement/recorded.ts'
import { type Previous, settleAgain } from '../../../../src/domain/reconcile/settlement/settle.ts'
import { baccaratClassic, type Chain, casinoHoldem, dragonTiger, niuNiu } from '../../../rulebook/casino/games/slips.ts'
import { recorded } from './worked-records.ts'

/** Returns the differences of a wrong slip, one by one. */

const unit = 10_000n
const worked = (
  chains: readonly Chain[],
  ...how: ['baccarat', 'classic'] | ['dragontiger', 'standard'] | ['niuniu', 'standard'] | ['holdem', 'casino']
) => {
  const [chain] = chains
  const revisions = chain ? recorded(how[0], how[1], chain, 2) : []
  const [first, second] = revisions
  if (!first) throw new Error('a worked slip')
  return { first, second: second ?? first }
}
const baccarat = worked(baccaratClassic, 'baccarat', 'classic')
const niuniu = worked(niuNiu, 'niuniu', 'standard')
const holdem = worked(casinoHoldem, 'holdem', 'casino')
const { first: tiger } = worked(dragonTiger, 'dragontiger', 'standard')

const differences = (revision: RecordedRevision, previous: Previous = null) =>
  settleAgain(revision, previous, {}).differences
const fields = (revision: RecordedRevision, previous: Previous = null) =>
  differences(revision, previous).map(({ field }) => field)

describe('the figures of a slip', () => {
  test('are compared in one order', () => {
    const { first } = baccarat
    const wrong = Object.fromEntries(
      (['stake', 'hold', 'validStake', 'rolling', 'payout', 'winLoss', 'rake', 'delta'] as const).map((field) => [
        field,
        first[field] + 1n,
      ]),
    )
    expect(fields({ ...first, ...wrong })).toEqual([
      ...['stake', 'hold', 'validStake', 'rolling', 'payout', 'winLoss', 'rake', 'delta'],
    ])
  })

  test('include the hold of each leg, which is zero if a record has none', () => {
    const { first } = niuniu
    const [, double] = first.legs
    if (!double?.hold) throw new Error('a double leg')
    const without = first.legs.with(1, { ...double, hold: null })
    expect(differences({ ...first, legs: without })).toEqual([
      { field: 'P1D.hold', platform: '0', rules: '200', units: -200n * unit },
    ])
    const legs = baccarat.first.legs.map((leg): RecordedLeg => ({ ...leg, hold: 5n }))
    expect(differences({ ...baccarat.first, legs })[0]).toEqual({
      ...{ field: `${legs[0]?.zone}.hold`, platform: '0.0005', rules: '0', units: 5n },
    })
    expect(differences({ ...baccarat.first, legs: legs.map((leg) => ({ ...leg, hold: 0n })) })).toEqual([])
  })

  test('include rank and winner of each hand, in the order of the hands', () => {
    const { first } = niuniu
    const hands = { B: 1, P1: 1, P2: 1, P3: 1 } as const
    const winners = { P1: 'B', P2: 'P', P3: 'B' } as const
    // 57A09: banker 7, P1 a 10, P2 a 0, P3 a 9; P1 and P3 win.
    expect(
      differences({ ...first, hands, winners }).map(({ field, platform, rules }) => [field, platform, rules]),
    ).toEqual([
      ...[
        ['result.hands.B', '1', '7'],
        ['result.hands.P1', '1', '10'],
        ['result.hands.P2', '1', '0'],
        ['result.hands.P3', '1', '9'],
      ],
      ...[
        ['result.winners.P1', 'B', 'P'],
        ['result.winners.P2', 'P', 'B'],
        ['result.winners.P3', 'B', 'P'],
      ],
    ])
  })
})

describe('the place of a revision', () => {
  const status = (revision: RecordedRevision) =>
    differences(revision, 'unknown').filter(({ field }) => field === 'status')

  test('the first is settled, and later ones are recalculated', () => {
    const { first, second } = baccarat
    expect(status({ ...first, status: 'recalculated' })).toEqual([
      { field: 'status', platform: 'recalculated', rules: 'settled', units: null },
    ])
    expect(status({ ...second, status: 'settled' })).toEqual([
      { field: 'status', platform: 'settled', rules: 'recalculated', units: null },
    ])
    expect([status(first), status(second)]).toEqual([[], []])
  })

  test('the bets of a correction are those of the revision before', () => {
    const { first, second } = baccarat
    const before = {
      ...first,
      legs: first.legs.map((leg, i) => (i === 0 ? { ...leg, amount: leg.amount + unit } : leg)),
    }
    expect(fields(second, before)).toContain('bets')
    expect(fields(second, first)).toEqual([])
    expect(fields(second, { ...first, legs: first.legs.toReversed() })).toEqual([])
  })

  test('the change of the balance is not compared on site, nor without the previous revision', () => {
    const { first, second } = baccarat
    expect(fields({ ...first, isOnsite: true, delta: 99n })).toEqual([])
    expect(settleAgain({ ...second, delta: 99n }, 'unknown', {})).toEqual({
      ...asTheRules,
      unchecked: 'REVISION_MISSING',
    })
    expect(fields({ ...second, delta: 99n }, first)).toEqual(['delta'])
  })
})

describe('cards of a hand against the dealer', () => {
  const text = (cardInfo: string) => settleAgain({ ...holdem.first, cardInfo }, null, {}).impossible
  const [board, own, dealer] = holdem.first.cardInfo.split('|')

  test.each([
    ['one own card', `${board}|${own?.slice(0, 2)}|${dealer}`],
    ['one part too many', `${board}|${own}|${dealer}|${dealer}`],
    ['no own cards', `${board}||${dealer}`],
  ])('with %s are invalid', (_name, cardInfo) => {
    expect(text(cardInfo)).toBe(`"${cardInfo.slice(0, 60)}" is not a board, two own cards and the dealer's cards`)
  })

  test('are quoted up to 60 characters', () => {
    const long = 'abcdefghij'.repeat(7)
    expect(text(long)).toBe(`"${'abcdefghij'.repeat(6)}" is not a board, two own cards and the dealer's cards`)
  })
})

describe('a dragon tiger slip', () => {
  const big = 10n * unit

  /** A slip whose legs of 10 return the given amounts. */
  function slip(code: string, cardInfo: string, returns: Readonly<Record<string, bigint>>): RecordedRevision {
    const legs = Object.entries(returns).map(([zone, returned]) => ({
      ...{ zone, amount: big, return: returned, hold: null, mult: null },
    }))
    const payout = legs.reduce((sum, leg) => sum + leg.return, 0n)
    const stake = big * BigInt(legs.length)
    const counted = legs.filter((leg) => leg.return !== leg.amount)
    return {
      ...tiger,
      ...{ code, cardInfo, legs, stake, payout, winLoss: payout - stake, delta: payout },
      validStake: big * BigInt(counted.length),
      rolling: big * BigInt(counted.filter((leg) => leg.return === 0n).length),
    }
  }

  test('with cards is checked, for any bets', () => {
    // The king of the dragon is big and odd.
    expect(settleAgain(slip('1', 'KS7H', { DB: 2n * big }), null, {})).toEqual(asTheRules)
    expect(fields(slip('1', 'KS7H', { DB: 0n }))).toContain('DB.return')
  })

  test('without cards is checked if no leg depends on them', () => {
    expect(settleAgain(slip('1', '', { D: 2n * big }), null, {})).toEqual(asTheRules)
    expect(settleAgain(slip('1', '', { D: 2n * big, DB: big }), null, {})).toMatchObject({ unchecked: 'CARDS_UNKNOWN' })
    expect(settleAgain(slip('4', '', { T: 9n * big }), null, {})).toEqual(asTheRules)
  })

  test('that was voided without cards is checked', () => {
    const { payout } = slip('', '', { DB: big })
    const before = slip('1', '', { DB: big })
    const voided = {
      ...before,
      rev: 2,
      status: 'void' as const,
      rolling: 0n,
      validStake: 0n,
      delta: payout - before.payout,
    }
    expect(settleAgain(voided, before, {})).toEqual(asTheRules)
  })

  test.each([
    ['4', 'returned', big, true],
    ['4', 'lost', 0n, true],
    ['4', 'paid', 51n * big, false],
    ['C', 'paid', 51n * big, false],
    ['1', 'lost', 0n, false],
  ])('a suited tie without cards, code %s: %s', (code, _name, returned, isUnknown) => {
    const { unchecked } = settleAgain(slip(code, '', { ST: returned }), null, {})
    expect(unchecked).toBe(isUnknown ? 'CARDS_UNKNOWN' : null)
  })

  test.each([
    ['a seven is not big', { DB: 0n, DO: 2n * big }],
    ['a small even dragon', { DS: 2n * big, DE: 2n * big }],
    ['a big odd tiger', { TB: 2n * big, TO: 2n * big }],
  ])('without cards may have these returns: %s', (_name, returns) => {
    const code = Object.hasOwn(returns, 'TB') ? '2' : '1'
    expect(settleAgain(slip(code, '', returns), null, {})).toMatchObject({
      ...{ differences: [], unchecked: 'CARDS_UNKNOWN' },
    })
  })

  test('without cards is wrong if no cards explain it', () => {
    expect(fields(slip('1', '', { DB: 2n * big, DS: 2n * big }))).not.toEqual([])
    // A tiger that wins is not below an ace.
    expect(fields(slip('2', '', { DB: 2n * big, TS: 2n * big }))).not.toEqual([])
  })
})
