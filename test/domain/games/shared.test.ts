import { describe, expect, test } from 'vitest'
import { baccarat } from '../../../src/domain/games/baccarat.ts'
import { deck } from '../../../src/domain/games/cards.ts'
import { dragonTiger } from '../../../src/domain/games/dragon-tiger.ts'
import { isNo, isSpent, no, offeredZones } from '../../../src/domain/games/game.ts'
import { holdem } from '../../../src/domain/games/holdem/holdem.ts'
import { isSeat, maxSeats } from '../../../src/domain/games/holdem/table.ts'
import {
  acceptLegs,
  effective,
  half,
  lost,
  push,
  returnOf,
  settleLegs,
  won,
  wonIf,
} from '../../../src/domain/games/legs.ts'
import { niuniu } from '../../../src/domain/games/niuniu.ts'
import { maxAmount, parseAmount } from '../../../src/domain/money.ts'

const units = parseAmount

test('a no differs from every other answer', () => {
  expect(isNo(no('bets-missing', 'none'))).toBe(true)
  for (const answer of [null, undefined, 5, 'no', {}, [], { yes: 1 }]) expect(isNo(answer)).toBe(false)
})

describe('the shoes of the game rules', () => {
  // 2.1, 3.1, 4 and 6.1.
  test('baccarat and dragon tiger have 8 decks, and a new shoe below 52 cards', () => {
    const shoe = { decks: 8, freshBelow: 52, roundsPerShoe: null, isNumbered: true }
    expect([baccarat.shoe, dragonTiger.shoe]).toEqual([shoe, shoe])
  })

  test("Hold'em and Niu Niu shuffle one deck for every round; a session of Niu Niu is 60 rounds", () => {
    expect(holdem.shoe).toEqual({ decks: 1, freshBelow: 52, roundsPerShoe: null, isNumbered: false })
    expect(niuniu.shoe).toEqual({ decks: 1, freshBelow: 52, roundsPerShoe: 60, isNumbered: true })
  })

  test.each([
    [51, true],
    [52, false],
    [53, false],
  ])('with %i cards left a shoe is used up: %s', (left, spent) => {
    expect(isSpent(baccarat.shoe, left)).toBe(spent)
  })
})

describe('what tables offer', () => {
  test.each([
    [baccarat, 'classic', {}, 'B P T BP PP'],
    [baccarat, 'nocomm', {}, 'B P T BP PP S6'],
    [dragonTiger, 'standard', {}, 'D TG T ST'],
    [dragonTiger, 'standard', { sideBets: true }, 'D TG T ST DB DS DO DE TB TS TO TE'],
    [holdem, 'casino', {}, 'ANTE AAB CALL'],
    [holdem, 'thbp', {}, 'ANTE BONUS FLOP TURN RIVER'],
    [holdem, 'nlhe', {}, 'POT'],
    [niuniu, 'standard', {}, 'P1E P2E P3E P1D P2D P3D'],
  ] as const)('%# %s %o', (game, variant, settings, zones) => {
    expect(offeredZones(game, variant, settings).join(' ')).toBe(zones)
  })
})

describe('a single leg', () => {
  // Game rules 1.3: the net win is truncated to 4 decimals; 3.2: half returns are truncated, the rest is lost.
  test.each([
    ['won at 1 to 1', won(1n), '10', '20'],
    ['won at 8 to 1', won(8n), '10', '90'],
    ['won at 19 to 20, cut', won(19n, 20n), '33.3333', '64.9999'],
    ['lost', lost, '10', '0'],
    ['pushed', push, '10', '10'],
    ['half lost', half, '10', '5'],
    ['half lost, the return cut', half, '0.0003', '0.0001'],
    ['won if so', wonIf(true, 3n), '10', '40'],
    ['won at odds if so', wonIf(true, 1n, 2n), '10', '15'],
    ['lost if not', wonIf(false, 3n), '10', '0'],
  ] as const)('%s', (_, verdict, amount, back) => {
    expect(returnOf(units(amount), verdict)).toBe(units(back))
  })

  test.each([
    ['won', won(8n), '10', '10'],
    ['lost', lost, '10', '10'],
    ['pushed', push, '10', '0'],
    ['half lost', half, '10', '5'],
    ['half lost, the lost part is the larger', half, '0.0003', '0.0002'],
  ] as const)('is effective when %s', (_, verdict, amount, counts) => {
    expect(effective(units(amount), verdict)).toBe(units(counts))
  })
})

describe('the amounts of a slip', () => {
  const settled = (bets: Record<string, string>, verdicts: Record<string, typeof lost>) => {
    const legs = Object.entries(bets).map(([zone, amount]) => ({ zone, amount: units(amount) }))
    const rules = { opposites: [['B', 'P']] as const, notRolling: 'S6' }
    const result = { code: '', cardInfo: '' }
    const { validStake, rolling } = settleLegs(legs, (zone) => verdicts[zone] ?? lost, result, rules)
    return [validStake, rolling]
  }

  test.each([
    ['one side alone', { B: '100' }, { B: won(1n) }, '100', '0'],
    ['the larger side wins', { B: '100', P: '60' }, { B: won(1n) }, '40', '60'],
    ['the larger side loses', { B: '100', P: '60' }, { P: won(1n) }, '40', '100'],
    ['both sides alike', { B: '60', P: '60' }, { P: won(1n) }, '0', '60'],
    ['both pushed', { B: '100', P: '60' }, { B: push, P: push }, '0', '0'],
    ['half lost after a hedge', { B: '100', P: '60' }, { B: half, P: half }, '20', '80'],
    ['legs without rolling', { S6: '10', T: '5' }, {}, '15', '5'],
    ['a return just below the stake', { T: '0.0002' }, { T: half }, '0.0001', '0.0001'],
  ])('%s', (_, bets, verdicts, validStake, rolling) => {
    expect(settled(bets as Record<string, string>, verdicts as Record<string, typeof lost>)).toEqual([
      units(validStake),
      units(rolling),
    ])
  })
})

describe('a requested slip', () => {
  const outcomeOf = (bets: string, variant = 'classic') => {
    const legs = (bets === '' ? [] : bets.split(' ')).map((bet) => {
      const [zone = '', amount = ''] = bet.split(':')
      return { zone, amount: amount === 'most' ? maxAmount : amount === 'more' ? maxAmount + 1n : BigInt(amount) }
    })
    const answer = acceptLegs({ variant: variant as 'classic', bets: legs }, 'baccarat', ['B', 'P'])
    return isNo(answer) ? answer.no : 'accepted'
  }
  test.each([
    ['B:1', 'accepted'],
    ['B:1 P:1', 'accepted'],
    ['B:0', 'amount-not-positive'],
    ['B:-1', 'amount-not-positive'],
    ['', 'bets-missing'],
    ['T:1', 'zone-not-offered'],
    ['B:1 B:1', 'zone-twice'],
    ['B:most', 'accepted'],
    ['B:more', 'amount-too-large'],
    ['B:most P:1', 'amount-too-large'],
  ])('"%s": %s', (bets, answer) => {
    expect(outcomeOf(bets)).toBe(answer)
  })

  test('of a variant that the game does not have is refused', () => {
    expect(outcomeOf('B:1', 'casino')).toBe('variant-unknown')
  })

  test.each([
    ['1', 'accepted'],
    ['0.01', 'accepted'],
    ['0.005', 'multiple-wrong'],
    ['1.001', 'multiple-wrong'],
  ])('of %s at a no-limit table is in whole chips of a cent: %s', (amount, expected) => {
    const answer = holdem.accept({ variant: 'nlhe', bets: [{ zone: 'POT', amount: units(amount) }] }, {})
    expect(isNo(answer) ? answer.no : 'accepted').toBe(expected)
  })
})

describe("a hand of Hold'em", () => {
  const names = (cards: readonly string[]) => cards.join(' ')

  test('is dealt one card at a time, the dealer last, twice; then the board', () => {
    const { outcome, holes, used } = holdem.deal(deck, { variant: 'casino', settings: {}, hands: 2 })
    expect(holes.map(names)).toEqual(['AS 4S', '2S 5S'])
    expect(names(outcome.dealer)).toBe('3S 6S')
    expect([outcome.cardInfo, used, outcome.button]).toEqual(['7S 8S 9S TS JS||3S 6S', 11, null])
  })

  test('without a dealer is dealt to the seats alone', () => {
    const { outcome, holes, used } = holdem.deal(deck, { variant: 'nlhe', settings: {}, hands: 2, button: 9 })
    expect(holes.map(names)).toEqual(['AS 3S', '2S 4S'])
    expect([outcome.cardInfo, used, outcome.button, outcome.dealer]).toEqual(['5S 6S 7S 8S 9S', 9, 9, []])
  })

  test.each([
    [0, 1, 52, false],
    [1, 1, 7, true],
    [1, 1, 6, false],
    [9, 1, 23, true],
    [9, 9, 22, false],
    [10, 1, 52, false],
    [2, 0, 52, false],
    [2, 10, 52, false],
    [2, 9, 52, true],
  ])('for %i players with the button at %i and %i cards can be dealt: %s', (hands, button, cards, isDealt) => {
    const dealt = () => holdem.deal(deck.slice(0, cards), { variant: 'nlhe', settings: {}, hands, button })
    if (isDealt) expect(dealt().holes).toHaveLength(hands)
    else expect(dealt).toThrow()
  })

  test('is dealt to players, and without a dealer has its button at a seat', () => {
    expect(() => holdem.deal(deck, { variant: 'casino', settings: {} })).toThrow(/1 to 9/)
    expect(() => holdem.deal(deck, { variant: 'nlhe', settings: {}, hands: 2 })).toThrow(/button/)
  })

  test('has nine seats, numbered from 1', () => {
    expect(maxSeats).toBe(9)
    expect([0, 1, 9, 10, 1.5].map(isSeat)).toEqual([false, true, true, false, false])
  })

  const read = (variant: 'casino' | 'nlhe', cardInfo: string, button?: number) => {
    const outcome = holdem.read({ cardInfo, ...(button === undefined ? {} : { button }) }, { variant, settings: {} })
    return isNo(outcome) ? outcome.no : outcome.cardInfo
  }
  test.each([
    ['nlhe', '', 1, ''],
    ['nlhe', 'AS', 1, 'cards-impossible'],
    ['nlhe', 'AS KD', 1, 'cards-impossible'],
    ['nlhe', 'AS KD 2C', 1, 'AS KD 2C'],
    ['nlhe', 'AS KD 2C 3C', 9, 'AS KD 2C 3C'],
    ['nlhe', 'AS KD 2C 3C 4C', 1, 'AS KD 2C 3C 4C'],
    ['nlhe', 'AS KD 2C 3C 4C 5C', 1, 'cards-impossible'],
    ['nlhe', 'AS KD AS', 1, 'cards-impossible'],
    ['nlhe', 'AS KD XX', 1, 'cards-malformed'],
    ['nlhe', 'AS KD --', 1, 'cards-malformed'],
    ['nlhe', 'AS KD 2C', undefined, 'seat-impossible'],
    ['nlhe', 'AS KD 2C', 0, 'seat-impossible'],
    ['nlhe', 'AS KD 2C', 10, 'seat-impossible'],
    ['casino', 'AS KD 2C 3C 4C||5C 6C', undefined, 'AS KD 2C 3C 4C||5C 6C'],
    ['casino', 'AS KD 2C 3C||5C 6C', undefined, 'cards-impossible'],
    ['casino', 'AS KD 2C 3C 4C||5C', undefined, 'cards-impossible'],
    ['casino', 'AS KD 2C 3C 4C||4C 6C', undefined, 'cards-impossible'],
    ['casino', 'AS KD 2C 3C 4C|7C|5C 6C', undefined, 'cards-malformed'],
    ['casino', 'AS KD 2C 3C 4C|5C 6C', undefined, 'cards-malformed'],
    ['casino', 'AS KD 2C 3C 4C||5C 6C|', undefined, 'cards-malformed'],
    ['casino', 'XX KD 2C 3C 4C||5C 6C', undefined, 'cards-malformed'],
    ['casino', 'AS KD 2C 3C 4C||XX 6C', undefined, 'cards-malformed'],
  ] as const)('at %s reads "%s" with the button at %s: %s', (variant, cardInfo, button, expected) => {
    expect(read(variant, cardInfo, button)).toBe(expected)
  })

  // Game rules 5.2: 1000:1 for aces only against aces.
  test.each([
    ['AC AH', 'AS AD', 1001n],
    ['AC AH', 'AS KD', 31n],
    ['AC AH', 'KS KD', 31n],
    ['AC KC', 'AS AD', 26n],
    ['AC 2H', 'AS AD', 0n],
  ])('with %s against %s a bonus of 1 returns %s', (hole, dealer, back) => {
    const outcome = holdem.read({ cardInfo: `3H 5D 7C 9S JH||${dealer}` }, { variant: 'thbp', settings: {} })
    if (isNo(outcome)) throw new Error(outcome.because)
    const bets = [
      { zone: 'ANTE', amount: 10n },
      { zone: 'BONUS', amount: 1n },
    ]
    const wager = { variant: 'thbp' as const, bets, hand: { hole: hole.split(' ') as never, folded: true, seat: 1 } }
    const answer = holdem.settle(outcome, [wager], {})
    if (isNo(answer)) throw new Error(answer.because)
    expect(answer[0]?.legs.find(({ zone }) => zone === 'BONUS')?.return).toBe(back)
  })

  test('is not settled by a code, nor without two cards for each, nor with a card twice', () => {
    expect(holdem.read({ code: '1' }, { variant: 'casino', settings: {} })).toMatchObject({ no: 'result-unclear' })
    const outcome = holdem.read({ cardInfo: 'AS KD 2C 3C 4C||5C 6C' }, { variant: 'casino', settings: {} })
    if (isNo(outcome)) throw new Error(outcome.because)
    const bets = [{ zone: 'ANTE', amount: 1n }]
    const settled = (...holes: string[]) => {
      const wagers = holes.map((hole) => ({
        variant: 'casino' as const,
        bets,
        hand: { hole: hole.split(' ') as never, folded: false, seat: 1 },
      }))
      const answer = holdem.settle(outcome, wagers, {})
      return isNo(answer) ? answer.no : answer.map(({ result }) => result.cardInfo)
    }
    expect(settled('7H 8H')).toEqual(['AS KD 2C 3C 4C|7H 8H|5C 6C'])
    expect(settled('7H')).toBe('hand-missing')
    expect(settled('7H 8H 9H')).toBe('hand-missing')
    expect(settled('7H AS')).toBe('cards-impossible')
    expect(settled('7H 6C')).toBe('cards-impossible')
    expect(settled('7H 8H', '9H 7H')).toBe('cards-impossible')
  })
})

describe('dragon tiger by its points', () => {
  const read = (dragon: number, tiger: number, code: string) => {
    const outcome = dragonTiger.read({ code, points: { dragon, tiger } }, { variant: 'standard', settings: {} })
    return isNo(outcome) ? outcome.no : outcome.code
  }
  test.each([
    [13, 1, '1', '1'],
    [1, 13, '2', '2'],
    [1, 1, '4', '4'],
  ])('%i to %i with code %s: %s', (dragon, tiger, code, expected) => {
    expect(read(dragon, tiger, code)).toBe(expected)
  })

  test.each([
    [0, 5, '2'],
    [5, 14, '2'],
    [1.5, 5, '2'],
  ])('%d to %d are no cards', (dragon, tiger, code) => {
    expect(read(dragon, tiger, code)).not.toBe(code)
  })

  test('is dealt one card each', () => {
    const seating = { variant: 'standard', settings: {} } as const
    expect(dragonTiger.deal(['KS', '7H'], seating)).toMatchObject({ outcome: { cardInfo: 'KS7H' }, used: 2 })
    expect(() => dragonTiger.deal(['KS'], seating)).toThrow()
    expect(() => dragonTiger.deal([], seating)).toThrow()
  })
})
