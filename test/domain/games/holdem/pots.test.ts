import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Settlement } from '../../../../src/domain/bets/slip.ts'
import { deck, spacedCards } from '../../../../src/domain/games/cards.ts'
import { isNo, type TableSettings, type Wager } from '../../../../src/domain/games/game.ts'
import { holdem } from '../../../../src/domain/games/holdem/holdem.ts'
import { split, uncalledOf } from '../../../../src/domain/games/holdem/pots.ts'
import { formatAmount, parseAmount, sum } from '../../../../src/domain/money.ts'
import { expectRow, revisionsOf, rowsOf } from '../worked.ts'

const variant = 'nlhe'

interface Seated {
  readonly seat: number
  readonly put: string
  readonly hole: string
  readonly folded?: boolean
}

function wagerOf({ seat, put, hole, folded }: Seated): Wager {
  return {
    variant,
    bets: [{ zone: 'POT', amount: parseAmount(put) }],
    hand: { hole: spacedCards(hole) ?? [], folded: folded ?? false, seat },
  }
}

function settleHand(board: string, button: number, seats: readonly Seated[], settings: TableSettings = {}) {
  const outcome = holdem.read({ cardInfo: board, button }, { variant, settings })
  return isNo(outcome) ? outcome : holdem.settle(outcome, seats.map(wagerOf), settings)
}

function settled(...hand: Parameters<typeof settleHand>): readonly Settlement[] {
  const answer = settleHand(...hand)
  if (isNo(answer)) throw new Error(answer.because)
  return answer
}

const refusal = (...hand: Parameters<typeof settleHand>) => {
  const answer = settleHand(...hand)
  return isNo(answer) ? answer.no : 'settled'
}

describe('worked hands', () => {
  // A is the button at seat 1, B the small blind at seat 2, C the big blind at seat 3, unless a hand needs other seats.
  const board = 'KC 8D 3S 5H 2C'
  const A = { seat: 1, hole: 'KS KD' }
  const B = { seat: 2, hole: '7H 4D', folded: true }
  const C = { seat: 3, hole: '8S 8H' }
  const tied = 'AS KS QD JC TH'
  const hands: Record<string, { board: string; seats: Record<string, Seated> }> = {
    H1: { board, seats: { A: { ...A, put: '29' }, B: { ...B, put: '1' }, C: { ...C, put: '29' } } },
    H1r: {
      board: 'KC 8D 3S 5H 8C',
      seats: { A: { ...A, put: '29' }, B: { ...B, put: '1' }, C: { ...C, put: '29' } },
    },
    H2: {
      board: 'KC 8D 3S 5H',
      seats: { A: { ...A, put: '6', folded: true }, B: { ...B, put: '16', folded: false } },
    },
    H3: {
      board: '',
      seats: { A: { ...A, put: '6' }, B: { ...B, put: '1' }, C: { ...C, put: '2', folded: true } },
    },
    H4: {
      board,
      seats: {
        S: { seat: 4, hole: 'KS KD', put: '50' },
        L: { seat: 5, hole: '8S 8H', put: '300' },
        M: { seat: 6, hole: 'AS QD', put: '120' },
      },
    },
    H5: {
      board: tied,
      seats: {
        A: { seat: 1, hole: '2S 2D', put: '10' },
        B: { ...B, put: '1' },
        C: { seat: 3, hole: '3S 3D', put: '10' },
      },
    },
    H6: {
      board: 'KC 8D 3S 5H 2C',
      seats: {
        S: { seat: 4, hole: 'KS KD', put: '20' },
        M: { seat: 5, hole: 'AS QD', put: '60' },
        L: { seat: 6, hole: 'AH QS', put: '60' },
        F: { seat: 7, hole: '7S 6S', put: '40', folded: true },
      },
    },
  }
  const rows = rowsOf(`
    | slip | stake | uncalled | validStake | rolling | payout | winLoss | rake | code | rev, status | delta |
    | H1 A | 29 | 0 | 29 | 0 | 56.05 | 27.05 | 2.95 | win | 1 settled | 56.05 |
    | H1 B | 1 | 0 | 1 | 1 | 0 | -1 | 0 | fold | 1 settled | 0 |
    | H1 C | 29 | 0 | 29 | 29 | 0 | -29 | 0 | lose | 1 settled | 0 |
    | H2 B | 16 | 10 | 6 | 0 | 21.4 | 5.4 | 0.6 | win | 1 settled | 21.4 |
    | H2 A | 6 | 0 | 6 | 6 | 0 | -6 | 0 | fold | 1 settled | 0 |
    | H3 A | 6 | 4 | 2 | 0 | 9 | 3 | 0 | win | 1 settled | 9 |
    | H3 C | 2 | 0 | 2 | 2 | 0 | -2 | 0 | fold | 1 settled | 0 |
    | H4 S | 50 | 0 | 50 | 0 | 144 | 94 | 6 | win | 1 settled | 144 |
    | H4 L | 300 | 180 | 120 | 50 | 320 | 20 | 0 | win | 1 settled | 320 |
    | H4 M | 120 | 0 | 120 | 120 | 0 | -120 | 0 | lose | 1 settled | 0 |
    | H5 C | 10 | 0 | 10 | 0 | 9.98 | -0.02 | 0.52 | split | 1 settled | 9.98 |
    | H5 A | 10 | 0 | 10 | 0 | 9.97 | -0.03 | 0.53 | split | 1 settled | 9.97 |
    | H6 S | 20 | 0 | 20 | 0 | 76 | 56 | 4 | win | 1 settled | 76 |
    | H6 M | 60 | 0 | 60 | 20 | 49 | -11 | 1 | split | 1 settled | 49 |
    | H6 L | 60 | 0 | 60 | 20 | 49 | -11 | 1 | split | 1 settled | 49 |
    | H6 F | 40 | 0 | 40 | 40 | 0 | -40 | 0 | fold | 1 settled | 0 |
    | H1r A | 29 | 0 | 29 | 29 | 0 | -29 | 0 | lose | 2 recalculated | -56.05 |
    | H1r C | 29 | 0 | 29 | 0 | 56.05 | 27.05 | 2.95 | win | 2 recalculated | 56.05 |
    | H1r B | 1 | 0 | 1 | 1 | 0 | -1 | 0 | fold | 2 recalculated | 0 |
    | H1v A | 29 | 29 | 0 | 0 | 29 | 0 | 0 | void | 3 void | 29 |
    | H1v C | 29 | 29 | 0 | 0 | 29 | 0 | 0 | void | 3 void | -27.05 |
    | H1v B | 1 | 1 | 0 | 0 | 1 | 0 | 0 | void | 3 void | 1 |
  `)
  const seatOf = (slip: string) => {
    const [name = '', who = ''] = slip.replace('v ', 'r ').split(' ')
    const hand = hands[name]
    if (!hand) throw new Error(slip)
    return { hand, who, place: Object.keys(hand.seats).indexOf(who) }
  }
  const revisions = revisionsOf(rows, {
    bets: (row) => [{ zone: 'POT', amount: parseAmount(row['stake'] ?? '') }],
    settle: (row) => {
      const { hand, place } = seatOf(row['slip'] ?? '')
      const one = settled(hand.board, 1, Object.values(hand.seats))[place]
      if (!one) throw new Error('not settled')
      return one
    },
    isHoldem: true,
  })

  test.each(rows)('$slip: $code, $winLoss', (row) => {
    const revision = revisions.get(row['slip'] ?? '')
    expectRow(row, revision)
    expect(formatAmount(revision?.legs[0]?.return ?? -1n)).toBe(row['uncalled'])
    const { hand, who } = seatOf(row['slip'] ?? '')
    expect(revision?.result.cardInfo).toBe(`${hand.board}|${hand.seats[who]?.hole}`)
  })

  test('a hand that ended before the flop shows no board', () => {
    expect(settled('', 1, Object.values(hands['H3']?.seats ?? {}))[0]?.result.cardInfo).toBe('|KS KD')
  })
})

describe('rake', () => {
  const two = (put: string): Seated[] => [
    { seat: 1, put, hole: 'KS KD' },
    { seat: 2, put, hole: 'QS QD' },
  ]
  const rake = (put: string, settings: TableSettings = {}) =>
    formatAmount(settled('2C 3D 5H 8S TC', 1, two(put), settings)[0]?.rake ?? -1n)

  test('five percent of the pot, truncated to the chip, up to three big blinds', () => {
    expect(rake('10')).toBe('1')
    expect(rake('0.11')).toBe('0.01')
    expect(rake('0.09')).toBe('0')
    expect(rake('60')).toBe('6')
    expect(rake('6000')).toBe('6')
  })

  test('rate, cap and chip are settings of the table', () => {
    expect(rake('10', { rakeRate: '0.1' })).toBe('2')
    expect(rake('10', { rakeRate: '0' })).toBe('0')
    expect(rake('100', { rakeCapBlinds: 1 })).toBe('2')
    expect(rake('100', { rakeCapBlinds: 0 })).toBe('0')
    expect(rake('13', { unit: '1' })).toBe('1')
    expect(rake('1000', { smallBlind: '5', bigBlind: '10' })).toBe('30')
  })

  test('a fold on the flop is raked, a fold before it is not', () => {
    const seats = (): Seated[] => [
      { seat: 1, put: '10', hole: 'KS KD' },
      { seat: 2, put: '10', hole: 'QS QD', folded: true },
    ]
    expect(settled('2C 3D 5H', 1, seats())[0]?.rake).toBe(10_000n)
    expect(settled('', 1, seats())[0]?.rake).toBe(0n)
  })
})

describe('odd chips', () => {
  test('they go one each clockwise from the left of the button, whose own seat is last', () => {
    const seats: Seated[] = [
      { seat: 2, put: '0.04', hole: '2S 2D' },
      { seat: 9, put: '0.04', hole: '3S 3D' },
      { seat: 5, put: '0.04', hole: '4S 4D' },
      { seat: 6, put: '0.02', hole: '7S 6D', folded: true },
    ]
    const payouts = (button: number) =>
      settled('AS KS QD JC TH', button, seats, { rakeRate: '0' }).map((one) => formatAmount(one.payout))
    // 14 chips among three.
    expect(payouts(5)).toEqual(['0.05', '0.05', '0.04', '0'])
    expect(payouts(2)).toEqual(['0.04', '0.05', '0.05', '0'])
    expect(payouts(9)).toEqual(['0.05', '0.04', '0.05', '0'])
  })

  test('the seat directly left of the button takes the first of them, the button the last', () => {
    const seats: Seated[] = [
      { seat: 5, put: '0.04', hole: '2S 2D' },
      { seat: 6, put: '0.04', hole: '3S 3D' },
      { seat: 8, put: '0.04', hole: '4S 4D' },
      { seat: 7, put: '0.01', hole: '7S 6D', folded: true },
    ]
    const payouts = (button: number) =>
      settled('AS KS QD JC TH', button, seats, { rakeRate: '0' }).map((one) => formatAmount(one.payout))
    // 13 chips among three: one is left over.
    expect(payouts(5)).toEqual(['0.04', '0.05', '0.04', '0'])
    expect(payouts(6)).toEqual(['0.04', '0.04', '0.05', '0'])
    expect(payouts(7)).toEqual(['0.04', '0.04', '0.05', '0'])
    expect(payouts(8)).toEqual(['0.05', '0.04', '0.04', '0'])
    expect(payouts(4)).toEqual(['0.05', '0.04', '0.04', '0'])
  })

  test('shares differ by one chip at most, never grow along the order, and lose nothing', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.integer({ min: 1, max: 9 }), (chips, count) => {
        const shares = split(chips * 100n, count, 100n)
        expect(sum(shares)).toBe(chips * 100n)
        expect((shares[0] ?? 0n) - (shares.at(-1) ?? 0n) <= 100n).toBe(true)
        expect(shares).toEqual(shares.toSorted((a, b) => Number(b - a)))
      }),
    )
  })
})

describe('an uncalled bet', () => {
  test('is the part of the largest contribution above the second largest', () => {
    expect(uncalledOf([300n, 120n, 50n])).toEqual([180n, 0n, 0n])
    expect(uncalledOf([50n, 120n, 120n])).toEqual([0n, 0n, 0n])
    expect(uncalledOf([6n, 1n, 2n])).toEqual([4n, 0n, 0n])
    expect(uncalledOf([6n, 0n])).toEqual([6n, 0n])
  })
})

describe('the smallest chip of all', () => {
  test('makes a pot, and is won completely if its rake is less than a chip', () => {
    const seats: Seated[] = [
      { seat: 1, put: '0.0001', hole: 'KS KD' },
      { seat: 2, put: '0.0001', hole: 'QS QD' },
    ]
    const [winner, loser] = settled('2C 3D 5H 8S TC', 1, seats, { unit: '0.0001' })
    expect(winner).toMatchObject({ payout: 2n, rake: 0n, rolling: 0n, validStake: 1n, winLoss: 1n })
    expect(loser).toMatchObject({ payout: 0n, rake: 0n, rolling: 1n, validStake: 1n, winLoss: -1n })
  })
})

describe('impossible hands', () => {
  const board = '2C 3D 5H 8S TC'
  const one: Seated = { seat: 1, put: '10', hole: 'KS KD' }
  const two: Seated = { seat: 2, put: '10', hole: 'QS QD' }

  test.each<[string, string, string, number, Seated[]]>([
    ['one seat', 'seat-impossible', board, 1, [one]],
    ['one seat twice', 'seat-impossible', board, 1, [one, { ...two, seat: 1 }]],
    ['a tenth seat', 'seat-impossible', board, 1, [one, { ...two, seat: 10 }]],
    [
      'every seat folded',
      'seat-impossible',
      board,
      1,
      [
        { ...one, folded: true },
        { ...two, folded: true },
      ],
    ],
    ['a fold with the most in', 'seat-impossible', board, 1, [one, { ...two, put: '11', folded: true }]],
    ['a showdown on the turn', 'hand-unfinished', '2C 3D 5H 8S', 1, [one, two]],
    ['a showdown without a board', 'hand-unfinished', '', 1, [one, two]],
    ['half a chip', 'multiple-wrong', board, 1, [{ ...one, put: '10.005' }, two]],
    ['a card in two hands', 'cards-impossible', board, 1, [one, { ...two, hole: 'KS QD' }]],
    ['a card in a hand and on the board', 'cards-impossible', board, 1, [one, { ...two, hole: '2C QD' }]],
    ['a hand of one card', 'hand-missing', board, 1, [one, { ...two, hole: 'QD' }]],
    ['a board of two', 'cards-impossible', '2C 3D', 1, [one, two]],
    ['a dealer', 'cards-malformed', `${board}||QH 4D`, 1, [one, two]],
    ['no button', 'seat-impossible', board, 0, [one, two]],
  ])('%s: %s', (_, reason, cards, button, seats) => {
    expect(refusal(cards, button, seats)).toBe(reason)
  })

  test('a hand without the seat of its button is not parsed', () => {
    expect(holdem.read({ cardInfo: board }, { variant, settings: {} })).toMatchObject({ no: 'seat-impossible' })
  })

  test.each<TableSettings>([
    { smallBlind: '0' },
    { smallBlind: '3' },
    { bigBlind: 'two' },
    { bigBlind: '-2' },
    { unit: '0' },
    { unit: '-0.01' },
    { unit: '0.3' },
    // Only one of the two blinds is a whole number of chips.
    { unit: '2' },
    { unit: '1', bigBlind: '2.5' },
    { rakeRate: '1' },
    { rakeRate: '-0.1' },
    { rakeRate: '5%' },
    { rakeCapBlinds: 0.5 },
    { rakeCapBlinds: -1 },
  ])('a table cannot have the settings %j', (settings) => {
    expect(holdem.refuseSettings(settings)).toMatchObject({ no: 'settings-impossible' })
  })

  test.each<TableSettings>([
    { smallBlind: '2' },
    { bigBlind: '1' },
    { unit: '1' },
    { smallBlind: '0.0001', bigBlind: '0.0001', unit: '0.0001' },
    { rakeRate: '0' },
    { rakeRate: '0.9999' },
    { rakeCapBlinds: 0 },
  ])('a table can have the settings %j', (settings) => {
    expect(holdem.refuseSettings(settings)).toBeNull()
  })

  test('a slip with another leg than the pot is no part of a settlement', () => {
    const outcome = holdem.read({ cardInfo: board, button: 1 }, { variant, settings: {} })
    if (isNo(outcome)) throw new Error(outcome.because)
    const [pot] = wagerOf(one).bets
    if (!pot) throw new Error('no pot')
    for (const bets of [[pot, pot], [{ ...pot, zone: 'ANTE' }], []]) {
      expect(() => holdem.settle(outcome, [{ ...wagerOf(one), bets }, wagerOf(two)], {})).toThrow('one leg')
    }
  })

  test('a stake is a whole number of chips and above zero', () => {
    const accept = (amount: string) =>
      holdem.accept({ variant, bets: [{ zone: 'POT', amount: parseAmount(amount) }] }, {})
    expect(accept('0.01')).toMatchObject({ stake: 100n })
    expect(accept('0.015')).toMatchObject({ no: 'multiple-wrong' })
    expect(accept('0')).toMatchObject({ no: 'amount-not-positive' })
    expect(holdem.refuseSettings({})).toBeNull()
  })
})

describe('invariants of every hand', () => {
  const anyHand = fc
    .record({
      cards: fc.shuffledSubarray([...deck], { minLength: 23, maxLength: 23 }),
      puts: fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 2, maxLength: 9 }),
      folds: fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
      button: fc.integer({ min: 1, max: 9 }),
      seats: fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 9, maxLength: 9 }),
      hasTie: fc.boolean(),
    })
    .map(({ cards, puts, folds, button, seats, hasTie }) => {
      // A board that is the best hand for all players makes every pot a shared one.
      const royal = ['AS', 'KS', 'QS', 'JS', 'TS']
      const rest = cards.filter((card) => !royal.includes(card))
      const board = hasTie ? royal : cards.slice(18)
      const holes = hasTie ? rest : cards.slice(0, 18)
      const count = Math.min(puts.length, Math.floor(holes.length / 2))
      const most = puts.slice(0, count).indexOf(Math.max(...puts.slice(0, count)))
      const at = puts.slice(0, count).map(
        (put, i): Seated => ({
          seat: seats[i] ?? 1,
          put: formatAmount(BigInt(put) * 100n),
          hole: holes.slice(2 * i, 2 * i + 2).join(' '),
          // The largest contribution stays in, as in play.
          folded: i !== most && (folds[i] ?? false),
        }),
      )
      return { board: board.join(' '), button, seats: at }
    })

  test('the losses of the seats equal the rake, to the last unit', () => {
    fc.assert(
      fc.property(anyHand, ({ board, button, seats }) => {
        const all = settled(board, button, seats)
        const total = (pick: (one: Settlement) => bigint) => sum(all.map(pick))
        expect(total((one) => one.winLoss)).toBe(-total((one) => one.rake))
        expect(total((one) => one.payout) + total((one) => one.rake)).toBe(total((one) => one.stake))
        expect(total((one) => one.rake) <= parseAmount('6')).toBe(true)
        for (const one of all) {
          expect(
            one.rake >= 0n && one.rolling >= 0n && one.rolling <= one.validStake && one.validStake <= one.stake,
          ).toBe(true)
          expect(one.payout % 100n).toBe(0n)
          expect(one.stake - one.validStake).toBe(one.legs[0]?.return)
          if (one.rake > 0n) expect(['win', 'split']).toContain(one.result.code)
          if (['fold', 'lose'].includes(one.result.code)) {
            expect([one.rolling, one.payout]).toEqual([one.validStake, one.legs[0]?.return])
          }
        }
        expect(all.filter((one) => one.legs[0] && one.legs[0].return > 0n).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 400 },
    )
  })

  test('the order of the slips has no effect', () => {
    fc.assert(
      fc.property(anyHand, ({ board, button, seats }) => {
        expect(settled(board, button, seats.toReversed()).toReversed()).toEqual(settled(board, button, seats))
      }),
      { numRuns: 100 },
    )
  })
})
