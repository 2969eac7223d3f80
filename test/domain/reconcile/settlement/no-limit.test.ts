import { describe, expect, test } from 'vitest'
import { parseAmount } from '../../../../src/domain/money.ts'
import { type RecordedSeat, settleHand } from '../../../../src/domain/reconcile/settlement/no-limit.ts'
import { asTheRules, type RecordedRevision } from '../../../../src/domain/reconcile/settlement/recorded.ts'
import { nlheHands } from '../../../rulebook/casino/games/slips.ts'
import { seatsOf } from './worked-records.ts'

/** Checks of the records of a no-limit hand, seat by seat. */

interface Facts {
  readonly who?: string
  readonly put: string
  readonly uncalled?: string
  readonly payout?: string
  readonly rake?: string
  readonly code?: string
  readonly hole?: string
  readonly board?: string
}

const river = '2C 7D JH 4S 9C'

/** A seat with consistent figures: one that won has no rolling, every other the called part. */
function aSeat(facts: Facts, over: Partial<RecordedRevision> = {}): RecordedSeat {
  const { who = 'A', uncalled = '0', code = 'win', hole = '9S 9D', board = river, rake = '0' } = facts
  const [put, returned] = [parseAmount(facts.put), parseAmount(uncalled)]
  const payout = parseAmount(facts.payout ?? uncalled)
  const isPaid = code === 'win' || code === 'split'
  const revision: RecordedRevision = {
    slipId: who,
    rev: 1,
    status: 'settled',
    username: who,
    currency: 'USD',
    tableId: 'HE-03',
    game: 'holdem',
    variant: 'nlhe',
    roundId: 'R',
    settledAt: 0,
    isOnsite: false,
    legs: [{ zone: 'POT', amount: put, return: returned, hold: null, mult: null }],
    stake: put,
    hold: 0n,
    validStake: put - returned,
    rolling: isPaid ? 0n : put - returned,
    payout,
    winLoss: payout - put,
    delta: payout,
    rake: parseAmount(rake),
    code,
    cardInfo: `${board}|${hole}`,
    hands: undefined,
    winners: undefined,
    ...over,
  }
  return { revision, previous: null }
}

const settled = (...seats: readonly RecordedSeat[]) => settleHand(seats, {})
/** The difference or differences of a seat whose hand is not complete. */
function alone(seat: RecordedSeat) {
  const { seats, kind } = settled(seat)
  expect(kind).toBe('open')
  return seats[0] ?? asTheRules
}
const fields = (seat: RecordedSeat) => alone(seat).differences.map(({ field, rules }) => `${field} ${rules}`)

const unknown = { ...asTheRules, unchecked: 'SEATS_UNKNOWN' }
/** Won a pot, got 10 of 16 back, and no cards were shown. */
const winner: Facts = { put: '16', uncalled: '10', payout: '21.4', rake: '0.6', board: '2C 7D JH 4S' }
const loser: Facts = { put: '16', uncalled: '10', code: 'lose' }

describe('the cards and the bet of a seat', () => {
  const impossible = (over: Partial<RecordedRevision>) => alone(aSeat(winner, over)).impossible

  test.each([
    ['one own card', '2C 7D JH|9S'],
    ['three own cards', '2C 7D JH|9S 9D 9H'],
    ['an invalid card', '2C 7D JX|9S 9D'],
    ['one part too many', '2C 7D JH|9S 9D|AS'],
    ['a text that is truncated to 60 characters', 'abcdefghij'.repeat(7)],
  ])('%s: are no cards of a hand', (_name, cardInfo) => {
    expect(impossible({ cardInfo })).toBe(`"${cardInfo.slice(0, 60)}" is not a board and two own cards`)
  })

  test.each([
    ['', null],
    ['2C', 'A board must have 0, 3, 4 or 5 cards'],
    ['2C 7D', 'A board must have 0, 3, 4 or 5 cards'],
    ['2C 7D JH', null],
    ['2C 7D JH 4S', null],
    [river, null],
    [`${river} AS`, 'A board must have 0, 3, 4 or 5 cards'],
  ])('the board %j: %s', (board, because) => {
    expect(alone(aSeat(loser, { cardInfo: `${board}|9S 9D` })).impossible).toBe(because)
  })

  test('there is one leg, POT, with a stake in it', () => {
    const { legs } = aSeat(winner).revision
    const [leg] = legs
    if (!leg) throw new Error('a leg')
    const because = 'A seat of no-limit Hold’em has one leg, POT'
    expect(impossible({ legs: [{ ...leg, zone: 'ANTE' }] })).toBe(because)
    expect(impossible({ legs: [leg, { ...leg, zone: 'ANTE' }] })).toBe(because)
    expect(impossible({ legs: [] })).toBe(because)
    expect(impossible({ legs: [{ ...leg, amount: 0n }] })).toBe('A seat with a slip must have put something in')
    expect(alone(aSeat({ ...loser, put: '0.0001', uncalled: '0' })).impossible).toBeNull()
  })
})

describe('a seat of a hand that is not complete', () => {
  test('is checked as far as the rules allow', () => {
    for (const facts of [winner, loser, { ...winner, code: 'split' }, { ...loser, code: 'fold' }])
      expect(alone(aSeat(facts))).toEqual(unknown)
  })

  test.each<[string, Facts, Partial<RecordedRevision>, readonly string[]]>([
    ['stake', winner, { stake: 1n }, ['stake 16']],
    ['hold', winner, { hold: 1n }, ['hold 0']],
    ['valid stake', winner, { validStake: 1n }, ['validStake 6']],
    ['win/loss', winner, { winLoss: 1n }, ['winLoss 5.4']],
    ['the payout of a loser', { ...loser, payout: '10.0001' }, {}, ['payout 10']],
    ['the rolling of a loser', loser, { rolling: 0n }, ['rolling 6']],
    ['the rake of a loser', { ...loser, rake: '0.01' }, {}, ['rake 0']],
    ['a win of nothing', { ...winner, payout: '10' }, {}, ['result.code lose']],
    ['a win of the smallest amount', { ...winner, payout: '10.0001' }, {}, []],
    ['the largest rolling of a winner', winner, { rolling: parseAmount('6') }, []],
    ['more rolling than a winner can have', winner, { rolling: parseAmount('6.0001') }, ['rolling 6']],
    ['a rake without a flop', { ...winner, board: '' }, {}, ['rake 0']],
    ['no rake without a flop', { ...winner, board: '', rake: '0' }, {}, []],
    ['a code', winner, { code: '3' }, ['result.code win, split, lose or fold']],
    ['the change of the balance', winner, { delta: 1n }, ['delta 21.4']],
    ['the change of a balance on site', winner, { delta: 1n, isOnsite: true }, []],
  ])('%s', (_name, facts, over, found) => {
    const result = alone(aSeat(facts, over))
    expect(result.differences.map(({ field, rules }) => `${field} ${rules}`)).toEqual(found)
    expect(result.unchecked).toBe(found.length > 0 ? null : 'SEATS_UNKNOWN')
  })

  test('changes the balance by the amount that the previous revision did not pay', () => {
    const before = aSeat({ ...winner, payout: '12' }).revision
    const { revision } = aSeat(winner, { rev: 2, status: 'recalculated', delta: parseAmount('9.4') })
    expect(fields({ revision, previous: before })).toEqual([])
    expect(fields({ revision, previous: null })).toEqual(['delta 21.4'])
    expect(fields({ revision: { ...revision, delta: 1n }, previous: before })).toEqual(['delta 9.4'])
    expect(fields({ revision: { ...revision, delta: 1n }, previous: 'unknown' })).toEqual([])
  })

  test('is one seat, even if it got all of its stake back', () => {
    expect(alone(aSeat({ put: '10', uncalled: '10', code: 'fold' }))).toEqual(unknown)
  })

  test('cannot get back the part that another seat called', () => {
    const other = aSeat({ who: 'B', put: '80', code: 'fold' })
    const returned = (uncalled: string) =>
      settled(aSeat({ put: '100', uncalled, code: 'lose', hole: '3S 8H' }), other).seats.map(
        ({ differences }) => differences,
      )
    expect(returned('20')).toEqual([[], []])
    expect(returned('20.0001')).toEqual([[{ field: 'POT.return', platform: '20.0001', rules: '20', units: 1n }], []])
    expect(fields(aSeat({ put: '100', uncalled: '100', code: 'lose' }))).toEqual([])
    expect(fields(aSeat({ put: '100', uncalled: '100.0001', code: 'lose' }))).toContain('POT.return 100')
  })
})

describe('a seat that was paid against a better hand', () => {
  const aces: Facts = { who: 'B', put: '120', code: 'lose', hole: 'AS AD' }
  const nines: Facts = { who: 'A', put: '300', uncalled: '180', payout: '320', hole: 'TS TD' }
  const codes = (...facts: readonly Facts[]) =>
    settled(...facts.map((each) => aSeat(each))).seats.map(({ differences }) =>
      differences.map(({ field, rules }) => `${field} ${rules}`),
    )

  test('that called as much or more is wrong', () => {
    expect(codes(nines, aces)).toEqual([['result.code lose', 'payout 180'], []])
    expect(codes(nines, { ...aces, put: '130' })[0]).toContain('result.code lose')
  })

  test('that called less may have won a side pot', () => {
    expect(codes(nines, { ...aces, put: '119.9999' })).toEqual([[], []])
  })

  test('is not, if that hand was folded, if the river is unknown, or if it got back only its own', () => {
    expect(codes(nines, { ...aces, code: 'fold' })).toEqual([[], []])
    const flop = '2C 7D JH'
    expect(codes({ ...nines, board: flop }, { ...aces, board: flop })).toEqual([[], []])
    expect(codes({ ...nines, payout: '180', code: 'lose' }, aces)).toEqual([[], []])
    expect(codes(nines, { ...aces, hole: '3S 8H' })).toEqual([[], []])
  })

  test('is not compared if the boards differ', () => {
    const { seats, kind } = settled(aSeat(nines), aSeat({ ...aces, board: '2C 7D JH 4S QC' }))
    expect(kind).toBe('open')
    expect(seats).toEqual([
      { ...asTheRules, unchecked: 'CARDS_DISAGREE' },
      { ...asTheRules, unchecked: 'CARDS_DISAGREE' },
    ])
  })
})

const handOf = (name: string): RecordedSeat[] => {
  const hand = nlheHands.find((each) => each.hand === name)
  if (!hand) throw new Error(`no hand ${name}`)
  return seatsOf(hand).filter((seat) => seat !== undefined)
}
const changed = (
  seats: readonly RecordedSeat[],
  place: number,
  over: (was: RecordedRevision) => Partial<RecordedRevision>,
) => seats.map((seat, i) => (i === place ? { ...seat, revision: { ...seat.revision, ...over(seat.revision) } } : seat))
const paid = (by: bigint) => (was: RecordedRevision) => ({
  ...{ payout: was.payout + by, winLoss: was.winLoss + by, delta: was.delta + by },
})

describe('a complete hand', () => {
  test('with a contradictory seat is not complete', () => {
    const { seats, kind } = settleHand(
      changed(handOf('H1'), 0, () => ({ validStake: 1n })),
      {},
    )
    expect(kind).toBe('open')
    expect(seats.map(({ differences, unchecked }) => [differences.map(({ field }) => field), unchecked])).toEqual([
      ...[[['validStake'], null]],
      ...[
        [[], 'SEATS_UNKNOWN'],
        [[], 'SEATS_UNKNOWN'],
      ],
    ])
  })

  test('with impossible cards at a seat is not complete', () => {
    const { kind, seats } = settleHand(
      changed(handOf('H1'), 1, () => ({ cardInfo: 'none' })),
      {},
    )
    expect([kind, seats[1]?.impossible !== null]).toEqual(['open', true])
  })

  test('that pays one winner another’s amount differs by the stakes only', () => {
    const wrong = changed(changed(handOf('H4'), 0, paid(10_000n)), 1, paid(-10_000n))
    const { kind, seats } = settleHand(wrong, {})
    expect(kind).toBe('stakes')
    expect(seats.map(({ differences }) => differences.map(({ field }) => field))).toEqual([
      ['payout', 'winLoss', 'delta'],
      ['payout', 'winLoss', 'delta'],
      [],
    ])
    const rolled = changed(wrong, 0, () => ({ rolling: 10_000n }))
    expect(settleHand(rolled, {})).toMatchObject({ kind: 'whole' })
    expect(
      settleHand(
        changed(handOf('H4'), 0, () => ({ rolling: 10_000n })),
        {},
      ),
    ).toMatchObject({
      ...{ kind: 'whole', seats: [{ differences: [{ field: 'rolling' }] }, asTheRules, asTheRules] },
    })
  })

  test('without its previous revision is not checked completely, unless it is wrong', () => {
    const later = handOf('H4').map((seat) => ({ ...seat, previous: 'unknown' as const }))
    expect(settleHand(later, {})).toEqual({
      ...{ kind: 'whole', seats: later.map(() => ({ ...asTheRules, unchecked: 'REVISION_MISSING' })) },
    })
    const { seats } = settleHand(changed(changed(later, 0, paid(1n)), 1, paid(-1n)), {})
    expect(seats.map(({ unchecked }) => unchecked)).toEqual([null, null, 'REVISION_MISSING'])
  })

  test('has the rake of the table’s settings', () => {
    const { kind, seats } = settleHand(handOf('H1'), { rakeRate: '0.04' })
    expect(kind).toBe('stakes')
    expect(seats[0]?.differences.map(({ field, rules }) => `${field} ${rules}`)).toContain('rake 2.36')
  })
})

describe('the odd chips of a shared pot', () => {
  /** A pot with a folded bet; the shares are the amounts of each other seat, and the rest of its part is rake. */
  function pot(
    fold: string,
    part: string,
    seats: readonly (readonly [hole: string, share: string | null])[],
    board: string,
  ) {
    const shown = seats.map(([hole, share], i) => {
      const facts = { who: `P${i}`, put: '10', hole, board }
      if (share === null) return aSeat({ ...facts, code: 'lose' })
      const rake = (Number(part) * 100 - Number(share) * 100) / 100
      return aSeat({ ...facts, code: 'split', payout: share, rake: rake.toFixed(2) }, {})
    })
    return [...shown, aSeat({ who: 'F', put: fold, code: 'fold', hole: '3S 8H', board })]
  }
  const straight = 'TC JD QH KS AC'
  const holes = ['2S 3D', '2D 4C', '2H 4D', '2C 4H', '5S 6D', '5D 6C']
  const shared = (fold: string, part: string, shares: readonly string[]) =>
    settleHand(
      pot(
        fold,
        part,
        shares.map((share, i) => [holes[i] ?? '', share]),
        straight,
      ),
      {},
    )

  test('may go to either of two equal hands', () => {
    // 5.3, hand H5: 21 in the pot, 1.05 rake, 19.95 for two.
    for (const shares of [
      ['9.98', '9.97'],
      ['9.97', '9.98'],
    ])
      expect(shared('1', '10.5', shares)).toEqual({ kind: 'whole', seats: [asTheRules, asTheRules, asTheRules] })
  })

  test('are not those of a hand that is not equal, among many seats', () => {
    // 61 in the pot, 3.05 rake, 57.95 for two.
    const losers = [
      ['QC TS', null],
      ['QD 6H', null],
      ['QH 5H', null],
      ['TD 5D', null],
    ] as const
    for (const [first, second] of [
      ['28.98', '28.97'],
      ['28.97', '28.98'],
    ] as const) {
      const seats = pot('1', '30.5', [['AS KD', first], ...losers, ['AD KS', second]], river)
      expect(settleHand(seats, {}).kind).toBe('whole')
      expect(settleHand(seats, {}).seats.every((each) => each.differences.length === 0)).toBe(true)
    }
    const wrong = pot('1', '30.5', [['AS KD', '28.99'], ...losers, ['AD KS', '28.96']], river)
    expect(settleHand(wrong, {}).seats.some((each) => each.differences.length > 0)).toBe(true)
  })

  test('are tried in every order for up to five equal hands', () => {
    // 50.2 in the pot, 2.51 rake, 47.69 for five: four get 9.54 and one 9.53.
    for (let last = 0; last < 5; last++) {
      const shares = Array.from({ length: 5 }, (_, i) => (i === last ? '9.53' : '9.54'))
      expect(shared('0.2', '10.04', shares).kind).toBe('whole')
    }
  })

  test('are tried in the order of the seats for more', () => {
    // 60.6 in the pot, 3.03 rake, 57.57 for six: three get 9.6 and three 9.59.
    expect(shared('0.6', '10.1', ['9.6', '9.6', '9.6', '9.59', '9.59', '9.59']).kind).toBe('whole')
    expect(shared('0.6', '10.1', ['9.59', '9.59', '9.59', '9.6', '9.6', '9.6']).kind).toBe('stakes')
  })
})
