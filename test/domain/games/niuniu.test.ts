import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bet, Settlement } from '../../../src/domain/bets/slip.ts'
import { type Card, deck, rankNumber, spacedCards } from '../../../src/domain/games/cards.ts'
import { isNo, type Report, type TableSettings } from '../../../src/domain/games/game.ts'
import { beats, bullRank, multiplierOf, niuniu, tensIn } from '../../../src/domain/games/niuniu.ts'
import { amountsOf, expectRow, type Row, revisionsOf, rowsOf } from './worked.ts'

const variant = 'standard'
const special: TableSettings = { specialHands: true }

const deals: Record<string, string> = {
  '57A09': '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
  '18886': '6D|KH 6S 4C 5D 3H|KS TD JC 9H 9C|QS 7H 3D AC 7S|2C 2H 4S 8C KC',
  '630A8': 'JH|JD 8S 2H AH 2S|QC 9D 6H 3S 2C|KH KC 4S 5H AD|7S 7D 6S TC 8H',
  '3BCDA': '4D|KC QD JH QH KD|9S 9H 9D 9C 2S|AS AD 2H 3C 2D|TS 4C 6H 5D 5S',
  '0A80A': '4D|KC QD JH QH KD|9S 9H 9D 9C 2S|AS AD 2H 3C 2D|TS 4C 6H 5D 5S',
  '57909': '5C|KS 7D 3C 8H 9S|QD TC JS 6H 3D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
}

function accept(bets: string, settings: TableSettings): readonly Bet[] {
  const accepted = niuniu.accept({ variant, bets: amountsOf(bets) }, settings)
  if (isNo(accepted)) throw new Error(accepted.because)
  return accepted.bets
}

function settle(report: Report, bets: string, settings: TableSettings = {}): Settlement {
  const outcome = niuniu.read(report, { variant, settings })
  if (isNo(outcome)) throw new Error(outcome.because)
  const settled = niuniu.settle(outcome, [{ variant, bets: accept(bets, settings) }], settings)
  if (isNo(settled) || !settled[0]) throw new Error('not settled')
  return settled[0]
}

const refusal = (report: Report, settings: TableSettings = {}) => {
  const outcome = niuniu.read(report, { variant, settings })
  return isNo(outcome) ? outcome.no : 'read'
}

const cards = (text: string) => spacedCards(text) ?? []

describe('worked slips', () => {
  const rows = rowsOf(`
    | slip | bets | code | mult | returns | stake | hold | validStake | rolling | payout | winLoss | rev, status | delta |
    | NN1 | P1E 100, P1D 100, P2D 50 | 57A09 | P1D x3, P2D x2 | P1E 200, P1D 600, P2D 50 | 250 | 300 | 500 | 100 | 850 | 300 | 1 settled | 850 |
    | NN2 | P1D 40, P2D 40, P3E 40 | 18886 | P1D x2, P2D x2 | P1D 200, P2D 40, P3E 0 | 120 | 160 | 200 | 120 | 240 | -40 | 1 settled | 240 |
    | NN3 | P3E 30 | 57A09 | - | P3E 60 | 30 | 0 | 30 | 0 | 60 | 30 | 1 settled | 60 |
    | NN4 | P1D 100 | 630A8 | P1D x1 | P1D 200 | 100 | 200 | 100 | 100 | 200 | -100 | 1 settled | 200 |
    | NN5 | P1D 10, P2E 10, P3D 10 | 3BCDA | P1D x5, P3D x5 | P1D 100, P2E 20, P3D 0 | 30 | 80 | 110 | 50 | 120 | 10 | 1 settled | 120 |
    | NN6 | P1D 10, P2E 10, P3D 10 | 0A80A | P1D x3, P3D x3 | P1D 0, P2E 0, P3D 0 | 30 | 40 | 70 | 70 | 0 | -70 | 1 settled | 0 |
    | NN7 | P1E 100, P1D 100 | 57A09 | P1D x3 | P1E 195, P1D 585 | 200 | 200 | 400 | 0 | 780 | 380 | 1 settled | 780 |
    | NN1r | P1E 100, P1D 100, P2D 50 | 57909 | P1D x2, P2D x2 | P1E 200, P1D 500, P2D 50 | 250 | 300 | 400 | 100 | 750 | 200 | 2 recalculated | -100 |
    | NN1v | P1E 100, P1D 100, P2D 50 | 57909 | P1D x0, P2D x0 | P1E 100, P1D 300, P2D 150 | 250 | 300 | 0 | 0 | 550 | 0 | 3 void | -200 |
    | NN8v | P2D 20 | | P2D x0 | P2D 60 | 20 | 40 | 0 | 0 | 60 | 0 | 1 void | 60 |
    | NN9 | P1D 50, P2D 50, P3E 50 | 1-8-- | P1D x2, P2D x0 | P1D 250, P2D 150, P3E 0 | 150 | 200 | 150 | 50 | 400 | 50 | 1 settled | 400 |
  `)
  const settings: Record<string, TableSettings> = { NN5: special, NN7: { commission: '0.05' } }
  const settingsOf = (row: Row) => settings[row['slip'] ?? ''] ?? {}
  const revisions = revisionsOf(rows, {
    bets: (row) => accept(row['bets'] ?? '', settingsOf(row)),
    settle: (row) => {
      const code = row['code'] ?? ''
      return settle(deals[code] ? { cardInfo: deals[code] } : { code }, row['bets'] ?? '', settingsOf(row))
    },
  })

  test.each(rows)('$slip: $bets on $code', (row) => {
    const revision = revisions.get(row['slip'] ?? '')
    expectRow(row, revision)
    const mults = revision?.legs.flatMap((leg) => (leg.mult === undefined ? [] : `${leg.zone} x${leg.mult}`)).join(', ')
    expect(mults || '-').toBe(row['mult'])
    expect(revision?.result.cardInfo).toBe(deals[row['code'] ?? ''] ?? '')
    expect('hands' in (revision?.result ?? {})).toBe(revision?.status !== 'void')
  })

  test('double legs have their hold, equal legs have neither hold nor multiplier', () => {
    expect(revisions.get('NN1')?.legs).toEqual([
      { zone: 'P1E', amount: 1_000_000n, return: 2_000_000n },
      { zone: 'P1D', amount: 1_000_000n, hold: 2_000_000n, return: 6_000_000n, mult: 3 },
      { zone: 'P2D', amount: 500_000n, hold: 1_000_000n, return: 500_000n, mult: 2 },
    ])
  })

  test('the result of a slip has hands and winners', () => {
    expect(revisions.get('NN1')?.result).toMatchObject({
      hands: { B: 7, P1: 10, P2: 0, P3: 9 },
      winners: { P1: 'P', P2: 'B', P3: 'P' },
    })
    expect(revisions.get('NN9')?.result).toEqual({
      code: '1-8--',
      cardInfo: '',
      hands: { P1: 8 },
      winners: { P1: 'P', P2: 'B', P3: 'B' },
    })
  })
})

describe('the rank of a hand', () => {
  test.each([
    ['KS 7D 3C 8H 9S', 7],
    ['QD TC JS 6H 4D', 10],
    ['2S 4H 6C 8D AS', 0],
    ['KD 5H 5S 2D 7C', 9],
    // A pair that sums to ten is not a bull: the triple is required.
    ['6S 4D 9C 9H 9S', 0],
    ['AS 2D 3C 4H 6S', 6],
    ['AS 9D TC 4H 6S', 10],
  ])('%s ranks %i', (text, rank) => {
    expect(bullRank(cards(text), false)).toBe(rank)
  })

  test.each([
    ['KD 5H 5S 2D 7C', [0, 1, 2]],
    ['2D KD 7C 5H 5S', [1, 3, 4]],
    ['QD TC JS 6H 4D', [2, 3, 4]],
    ['2S 4H 6C 8D AS', []],
  ])('%s has its bull at the places %j', (text, places) => {
    expect(tensIn(cards(text))).toEqual(places)
  })

  test('every triple that makes a bull gives the same rank', () => {
    const hand = fc.shuffledSubarray([...deck], { minLength: 5, maxLength: 5 })
    const point = (card: Card) => Math.min(rankNumber(card), 10)
    fc.assert(
      fc.property(hand, (five) => {
        const ranks = new Set<number>()
        for (let i = 0; i < 5; i++) {
          for (let j = i + 1; j < 5; j++) {
            const triple = five.filter((_, k) => k !== i && k !== j).reduce((total, card) => total + point(card), 0)
            const pair = five.filter((_, k) => k === i || k === j).reduce((total, card) => total + point(card), 0)
            if (triple % 10 === 0) ranks.add(pair % 10 === 0 ? 10 : pair % 10)
          }
        }
        expect(ranks.size).toBeLessThanOrEqual(1)
        expect(bullRank(five, false)).toBe([...ranks][0] ?? 0)
      }),
      { numRuns: 5000 },
    )
  })

  test.each([
    ['AS AH AD AC 2S', 13],
    ['AS AH 2D 2C 4S', 13],
    ['AS AH 2D 3C 4S', 0],
    ['9S 9H 9D 9C 2S', 12],
    ['KS KH KD KC QS', 12],
    ['2S 2H 2D 2C 3S', 12],
    ['KS KH KD QC JS', 11],
    ['KS KH KD QC TS', 10],
  ])('with special hands on %s ranks %i', (text, rank) => {
    expect(bullRank(cards(text), true)).toBe(rank)
  })

  test('with special hands off they have their ordinary rank', () => {
    expect(bullRank(cards('KS KH KD QC JS'), false)).toBe(10)
    expect(bullRank(cards('9S 9H 9D 9C 2S'), false)).toBe(8)
    expect(bullRank(cards('AS AH AD AC 2S'), false)).toBe(0)
  })

  test('there are 768 hands of five faces, 608 bombs and 776 small ones', () => {
    const count = (from: readonly Card[], rank: number) =>
      fives(from).filter((hand) => bullRank(hand, true) === rank).length
    // Of 792 hands of faces 24 are bombs; of 624 fours of a kind the 16 of aces with a 2, 3 or 4 and of deuces with an ace are small.
    expect(
      count(
        deck.filter((card) => rankNumber(card) > 10),
        11,
      ),
    ).toBe(768)
    const fours = Array.from({ length: 13 }, (_, i) => deck.filter((card) => rankNumber(card) === i + 1))
    const bombs = fours.flatMap((four) => deck.filter((card) => !four.includes(card)).map((card) => [...four, card]))
    expect(bombs.filter((hand) => bullRank(hand, true) === 12)).toHaveLength(608)
    // Ways to take five of four aces, deuces, threes and fours with a sum up to ten, by the number of each.
    expect(
      count(
        deck.filter((card) => rankNumber(card) <= 4),
        13,
      ),
    ).toBe(776)
  })

  test('multipliers depend on the rank', () => {
    const all = Array.from({ length: 14 }, (_, rank) => multiplierOf(rank))
    expect(all).toEqual([1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 5, 5, 5])
  })
})

describe('the winner', () => {
  test.each([
    ['the higher rank', 'KD 5H 5S 2D 7C', 'KS 7D 3C 8H 9S'],
    ['equal rank, the higher card', 'KS TD JC 9H 9C', 'QS 7H 3D AC 7S'],
    ['equal rank and card, the higher suit', 'KS TD JC 9H 9C', 'KH 6S 4C 5D 3H'],
    ['no bull against no bull, the higher card', 'QC 9D 6H 3S 2C', '2S 4H 6C 8D AS'],
  ])('%s', (_, better, worse) => {
    expect([beats(cards(better), cards(worse), false), beats(cards(worse), cards(better), false)]).toEqual([
      true,
      false,
    ])
  })

  // Rulebook 6.3: king high, ace low; the same rank goes by spade > heart > club > diamond.
  test('all 52 cards compare in the rulebook order', () => {
    const highFirst = 'K Q J T 9 8 7 6 5 4 3 2 A'
      .split(' ')
      .flatMap((rank) => ['S', 'H', 'C', 'D'].map((suit) => rank + suit))
    const wrong = highFirst.flatMap((high, i) =>
      highFirst
        .slice(i + 1)
        .filter((low) => !beats(cards(high), cards(low), false) || beats(cards(low), cards(high), false)),
    )
    expect(new Set(highFirst).size).toBe(52)
    expect(wrong).toEqual([])
  })

  test('an ace is the lowest card of a comparison', () => {
    expect(beats(cards('4S AD AC 2D 2C'), cards('AS AH 3S 2S 3D'), false)).toBe(true)
  })

  test('a bomb beats a bomb by the rank of its four, not by its highest card', () => {
    expect(beats(cards('9S 9H 9D 9C 2S'), cards('3S 3H 3D 3C KS'), true)).toBe(true)
    expect(beats(cards('AS AH AD AC KS'), cards('2S 2H 2D 2C 3S'), true)).toBe(false)
  })

  test('two hands of one deck never tie, so by symmetry each wins half of the time', () => {
    const two = fc.shuffledSubarray([...deck], { minLength: 10, maxLength: 10 })
    fc.assert(
      fc.property(two, fc.boolean(), (ten, specials) => {
        const [a, b] = [ten.slice(0, 5), ten.slice(5)]
        expect(beats(a, b, specials)).toBe(!beats(b, a, specials))
      }),
      { numRuns: 5000 },
    )
  })

  test('the order is transitive', () => {
    const three = fc.shuffledSubarray([...deck], { minLength: 15, maxLength: 15 })
    fc.assert(
      fc.property(three, fc.boolean(), (cards15, specials) => {
        const [a, b, c] = [cards15.slice(0, 5), cards15.slice(5, 10), cards15.slice(10)]
        if (beats(a, b, specials) && beats(b, c, specials)) expect(beats(a, c, specials)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('dealing', () => {
  test.each([
    ['A', 'B,P1,P2,P3'],
    ['5', 'B,P1,P2,P3'],
    ['9', 'B,P1,P2,P3'],
    ['K', 'B,P1,P2,P3'],
    ['2', 'P1,P2,P3,B'],
    ['6', 'P1,P2,P3,B'],
    ['T', 'P1,P2,P3,B'],
    ['3', 'P2,P3,B,P1'],
    ['7', 'P2,P3,B,P1'],
    ['J', 'P2,P3,B,P1'],
    ['4', 'P3,B,P1,P2'],
    ['8', 'P3,B,P1,P2'],
    ['Q', 'P3,B,P1,P2'],
  ])('a first card %s deals in the order %s, five cards each', (rank, order) => {
    const first = deck.find((card) => card.startsWith(rank)) ?? 'AS'
    const rest = deck.filter((card) => card !== first)
    const { outcome, used } = niuniu.deal([first, ...rest], { variant, settings: {} })
    const handAt = (place: number) => rest.slice(5 * place, 5 * place + 5).join(' ')
    const groups = ['B', 'P1', 'P2', 'P3'].map((hand) => handAt(order.split(',').indexOf(hand)))
    expect([outcome.cardInfo, used]).toEqual([[first, ...groups].join('|'), 21])
  })
})

describe('too few cards', () => {
  test.each([0, 1, 20])('%i cards deal no round, 21 do', (count) => {
    expect(() => niuniu.deal(deck.slice(0, count), { variant, settings: {} })).toThrow('21 cards')
    expect(niuniu.deal(deck.slice(0, 21), { variant, settings: {} }).used).toBe(21)
  })
})

describe('the result', () => {
  test.each(Object.entries(deals))('code %s results from its deal', (code, cardInfo) => {
    const settings = code === '3BCDA' ? special : {}
    expect(niuniu.read({ cardInfo }, { variant, settings })).toMatchObject({ code, cardInfo, complete: true })
  })

  test('the object has the first card and the five slots of each hand', () => {
    const outcome = niuniu.read({ cardInfo: deals['57A09'] ?? '' }, { variant, settings: {} })
    if (isNo(outcome)) throw new Error(outcome.because)
    expect(outcome.result).toMatchObject({
      cards: { F: '5C', 'B-1': 'KS', 'B-5': '9S', 'P1-1': 'QD', 'P3-5': '7C' },
      hands: { B: 7, P1: 10, P2: 0, P3: 9 },
      winners: { P1: 'P', P2: 'B', P3: 'P' },
    })
    expect(Object.keys(outcome.result.cards)).toHaveLength(21)
  })

  test.each([
    ['too few groups', '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS', 'cards-malformed'],
    ['too many groups', `${deals['57A09']}|AH`, 'cards-malformed'],
    ['a hand of four', '5C|KS 7D 3C 8H|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C', 'cards-malformed'],
    ['two first cards', '5C 6C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6H 8D AS|KD 5H 5S 2D 7C', 'cards-malformed'],
    ['no first card', '|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C', 'cards-malformed'],
    ['an unknown card', '5C|KS 7D 3C 8H 9S|QD 1C JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C', 'cards-malformed'],
    ['a card twice', '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 5C', 'cards-impossible'],
  ])('%s is refused', (_, cardInfo, reason) => {
    expect(refusal({ cardInfo })).toBe(reason)
  })
})

describe('a result without cards', () => {
  test('has the known ranks, omits the others, and its mask has all winners', () => {
    expect(niuniu.read({ code: '57A--' }, { variant, settings: {} })).toMatchObject({
      code: '57A--',
      cardInfo: null,
      complete: false,
      result: { cards: {}, hands: { B: 7, P1: 10 }, winners: { P1: 'P', P2: 'B', P3: 'P' } },
    })
  })

  test('with all ranks settles like the cards', () => {
    const bets = 'P1E 100, P1D 100, P2D 50'
    const { result: _, ...byCards } = settle({ cardInfo: deals['57A09'] ?? '' }, bets)
    expect(settle({ code: '57A09' }, bets)).toMatchObject(byCards)
  })

  test('returns both legs of a hand without a known winner', () => {
    const report = { code: '1-8--', winners: { P1: 'P', P2: 'B' } } as const
    const settled = settle(report, 'P3E 10, P3D 10, P1E 10')
    expect(settled.legs.map((leg) => leg.return)).toEqual([100_000n, 300_000n, 200_000n])
    expect(settled).toMatchObject({ validStake: 100_000n, rolling: 0n, winLoss: 100_000n })
    expect(settled.result.winners).toEqual({ P1: 'P', P2: 'B' })
  })

  test('equal legs settle on the winner alone', () => {
    expect(settle({ code: '1----' }, 'P1E 10, P2E 10')).toMatchObject({
      payout: 200_000n,
      validStake: 200_000n,
      rolling: 100_000n,
    })
  })

  test.each<[string, Report]>([
    ['a mask beyond seven', { code: '8----' }],
    ['four characters', { code: '1---' }],
    ['lower case', { code: '1-a--' }],
    ['a special rank on a table without', { code: '1-B--' }],
    ['a lower hand that won', { code: '195--' }],
    ['a higher hand that lost', { code: '059--' }],
    ['a mask that names other winners than the source', { code: '3----', winners: { P1: 'P' } }],
    ['an empty code', { code: '' }],
  ])('%s is refused', (_, report) => {
    expect(refusal(report)).toBe('code-impossible')
  })

  test.each([
    ['05999', 'P1'],
    ['05099', 'P2'],
    ['05009', 'P3'],
    ['75000', 'P1'],
  ])('of the impossible hands in %s, the first, %s, is named', (code, hand) => {
    expect(niuniu.read({ code }, { variant, settings: {} })).toMatchObject({ because: expect.stringContaining(hand) })
  })

  test('special ranks are read on a table with special hands', () => {
    expect(refusal({ code: '1BC--' }, special)).toBe('read')
    expect(refusal({ code: '1-E--' }, special)).toBe('code-impossible')
  })

  test('equal ranks have either winner, because the deciding cards are unknown', () => {
    expect(refusal({ code: '155--' })).toBe('read')
    expect(refusal({ code: '055--' })).toBe('read')
  })
})

describe('placing and settings', () => {
  test('double bets hold twice the stake in addition, four times with special hands', () => {
    expect(niuniu.accept({ variant, bets: amountsOf('P1D 10, P2E 10') }, {})).toEqual({
      bets: [
        { zone: 'P1D', amount: 100_000n, hold: 200_000n },
        { zone: 'P2E', amount: 100_000n },
      ],
      stake: 200_000n,
      hold: 200_000n,
    })
    expect(niuniu.accept({ variant, bets: amountsOf('P1D 10') }, special)).toMatchObject({ hold: 400_000n })
    expect(niuniu.accept({ variant, bets: amountsOf('P1D 10') }, { holdFactor: 3 })).toMatchObject({ hold: 300_000n })
  })

  test.each([
    ['B 10', 'zone-not-offered'],
    ['P4E 10', 'zone-not-offered'],
    ['P1E 0', 'amount-not-positive'],
    ['P1E 1, P1E 1', 'zone-twice'],
    ['P1D 500000000000000', 'amount-too-large'],
  ])('%s is refused: %s', (bets, reason) => {
    expect(niuniu.accept({ variant, bets: amountsOf(bets) }, {})).toMatchObject({ no: reason })
  })

  test('a hold below the largest loss is rejected', () => {
    expect(niuniu.refuseSettings({ holdFactor: 1 })).toMatchObject({ no: 'settings-impossible' })
    expect(niuniu.refuseSettings({ holdFactor: 2 })).toBeNull()
    expect(niuniu.refuseSettings({ holdFactor: 2.5 })).toMatchObject({ no: 'settings-impossible' })
    expect(niuniu.refuseSettings({ ...special, holdFactor: 3 })).toMatchObject({ no: 'settings-impossible' })
    expect(niuniu.refuseSettings({ ...special, holdFactor: 4 })).toBeNull()
    expect(niuniu.refuseSettings(special)).toBeNull()
  })

  test('a commission is from 0 to below 1', () => {
    for (const commission of ['0', '0.05', '0.9999']) expect(niuniu.refuseSettings({ commission })).toBeNull()
    for (const commission of ['1', '-0.05', '5%', '']) {
      expect(niuniu.refuseSettings({ commission })).toMatchObject({ no: 'settings-impossible' })
    }
  })

  test('a commission is rounded down per leg', () => {
    const { legs } = settle({ cardInfo: deals['57A09'] ?? '' }, 'P1E 0.0003, P1D 0.0001', { commission: '0.05' })
    // 0.0003 × 0.95 is cut to 0.0002; 0.0001 × 3 × 0.95 likewise, on top of stake and hold.
    expect(legs.map((leg) => leg.return)).toEqual([5n, 5n])
  })

  test('a table without a session length has sixty rounds per session', () => {
    expect(niuniu.shoe).toMatchObject({ decks: 1, roundsPerShoe: 60 })
  })
})

function fives(from: readonly Card[]): Card[][] {
  const pick = (start: number, left: number): Card[][] =>
    left === 0
      ? [[]]
      : from.slice(start).flatMap((card, i) => pick(start + i + 1, left - 1).map((rest) => [card, ...rest]))
  return pick(0, 5)
}
