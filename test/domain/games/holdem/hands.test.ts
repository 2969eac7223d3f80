import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Card, deck, rankNumber, spacedCards, suitOf } from '../../../../src/domain/games/cards.ts'
import {
  type Category,
  categories,
  categoryOf,
  isPairOrBetter,
  rankBit,
  strengthOf,
  strengthOfMasks,
} from '../../../../src/domain/games/holdem/hands.ts'

const hand = (text: string) => strengthOf(spacedCards(text) ?? [])

describe('all 2,598,960 hands of five', () => {
  const seen = new Map<string, number>()
  const strengths = new Set<number>()
  const masks = [0, 0, 0, 0]
  const cards = deck.map((card, i) => ({ suit: Math.floor(i / 13), bit: 1 << rankBit(card) }))

  const choose = (from: number, left: number) => {
    if (left === 0) {
      const strength = strengthOfMasks(masks[0] ?? 0, masks[1] ?? 0, masks[2] ?? 0, masks[3] ?? 0)
      strengths.add(strength)
      const category = categoryOf(strength)
      seen.set(category, (seen.get(category) ?? 0) + 1)
      return
    }
    for (let i = from; i <= cards.length - left; i++) {
      const { suit, bit } = cards[i] ?? { suit: 0, bit: 0 }
      masks[suit] = (masks[suit] ?? 0) | bit
      choose(i + 1, left - 1)
      masks[suit] = (masks[suit] ?? 0) & ~bit
    }
  }
  choose(0, 5)

  test.each([
    ['royal flush', 4],
    ['straight flush', 36],
    ['four of a kind', 624],
    ['full house', 3_744],
    ['flush', 5_108],
    ['straight', 10_200],
    ['three of a kind', 54_912],
    ['two pair', 123_552],
    ['one pair', 1_098_240],
    ['high card', 1_302_540],
  ])('%s: %i, as published', (category, published) => {
    expect(seen.get(category)).toBe(published)
  })

  test('there are exactly 7,462 strengths', () => {
    expect(strengths.size).toBe(7_462)
  })
})

describe('which hand is better', () => {
  // Each hand beats all those below it.
  const ladder = [
    'AS KS QS JS TS',
    'KH QH JH TH 9H',
    '5C 4C 3C 2C AC',
    'AS AH AD AC KS',
    'AS AH AD AC QS',
    '2S 2H 2D 2C AS',
    'AS AH AD KC KS',
    'KS KH KD AC AS',
    'AH KH QH JH 9H',
    'AH KH QH JH 8H',
    '7H 5H 4H 3H 2H',
    'AS KH QD JC TS',
    '6S 5H 4D 3C 2S',
    '5S 4H 3D 2C AS',
    'AS AH AD KC QS',
    'AS AH AD KC JS',
    'AS AH KD KC QS',
    'AS AH KD KC JS',
    'AS AH QD QC KS',
    'KS KH QD QC AS',
    'AS AH KD QC JS',
    'AS AH KD QC TS',
    'KS KH AD QC JS',
    'AS KH QD JC 9S',
    'AS KH QD JC 8S',
    '7S 5H 4D 3C 2S',
  ]

  test('the order is by category, then by groups, then by kickers', () => {
    const strengths = ladder.map(hand)
    expect(strengths).toEqual(strengths.toSorted((a, b) => b - a))
    expect(new Set(strengths).size).toBe(ladder.length)
  })

  test('suits never break a tie', () => {
    expect(hand('AS KH QD JC 9S')).toBe(hand('AH KD QC JS 9H'))
    expect(hand('AH KH QH JH 9H')).toBe(hand('AC KC QC JC 9C'))
  })

  test('a straight does not wrap around the ace', () => {
    expect(categoryOf(hand('QS KH AD 2C 3S'))).toBe('high card')
    expect(categoryOf(hand('QS KS AS 2S 3S'))).toBe('flush')
  })

  test('of seven cards the third pair can only be a kicker', () => {
    expect(hand('AS AH KD KC QS QH 2D')).toBe(hand('AS AH KD KC QS'))
    expect(hand('AS AH KD KC 3S 3H QD')).toBe(hand('AS AH KD KC QD'))
  })

  test('of two sets of trips the higher is the trips of the full house', () => {
    expect(hand('KS KH KD AC AS AH 2D')).toBe(hand('AC AS AH KS KH'))
  })

  test('a full house takes the higher pair, a flush the five highest, a straight the highest top', () => {
    expect(hand('KS KH KD 3C 3S QH QD')).toBe(hand('KS KH KD QH QD'))
    expect(hand('AH 3H 4H 6H 7H 9H JH')).toBe(hand('AH JH 9H 7H 6H'))
    expect(hand('AS 2H 3D 4C 5S 6H 7D')).toBe(hand('7D 6H 5S 4C 3D'))
  })

  test.each([
    ['AH KH 9H 5H 2H AS AD', 'AH KH 9H 5H 2H'],
    ['JD 8D 6D 4D 3D 3S 3C', 'JD 8D 6D 4D 3D'],
    ['2C 4C 6C 8C TC TS TD', 'TC 8C 6C 4C 2C'],
  ])('the flush in %s, next to three of a kind, is that of %s', (seven, five) => {
    expect([categoryOf(hand(seven)), hand(seven)]).toEqual(['flush', hand(five)])
  })

  test('quads keep the best kicker, even from a pair', () => {
    expect(hand('7S 7H 7D 7C AS AH KD')).toBe(hand('7S 7H 7D 7C AS'))
  })

  test('a straight flush needs the straight within the suit', () => {
    expect(categoryOf(hand('9H 8H 7H 6H 5S 2H KD'))).toBe('flush')
    expect(categoryOf(hand('9H 8H 7H 6H 5H AH KH'))).toBe('straight flush')
  })

  test('the best of six or seven is the best of all fives among them', () => {
    const seven = fc.shuffledSubarray([...deck], { minLength: 6, maxLength: 7 })
    fc.assert(
      fc.property(seven, (cards) => {
        expect(strengthOf(cards)).toBe(Math.max(...fives(cards).map(strengthOf)))
      }),
      { numRuns: 500 },
    )
  })

  test('five cards rank as in a slow and simple comparison', () => {
    const five = fc.shuffledSubarray([...deck], { minLength: 5, maxLength: 5 })
    fc.assert(
      fc.property(five, five, (a, b) => {
        expect(Math.sign(strengthOf(a) - strengthOf(b))).toBe(Math.sign(comparePlainly(a, b)))
      }),
      { numRuns: 3000 },
    )
  })

  test('pairs count from a rank upward', () => {
    expect(isPairOrBetter(hand('4S 4H AD KC QS'), '4')).toBe(true)
    expect(isPairOrBetter(hand('3S 3H AD KC QS'), '4')).toBe(false)
    expect(isPairOrBetter(hand('2S 2H 3D 3C 5S'), '4')).toBe(true)
    expect(isPairOrBetter(hand('KS KH AD QC JS'), 'A')).toBe(false)
    expect(isPairOrBetter(hand('AS AH 4D 3C 2S'), 'A')).toBe(true)
    expect(isPairOrBetter(hand('2S 2H 3D 3C 4S'), 'A')).toBe(true)
  })

  test('fewer than five cards are no hand', () => {
    expect(() => hand('AS AH AD AC')).toThrow(/five to seven/)
    expect(() => strengthOf(deck.slice(0, 8))).toThrow(/five to seven/)
  })
})

function fives(cards: readonly Card[]): Card[][] {
  if (cards.length === 5) return [[...cards]]
  return cards.flatMap((_, i) => fives(cards.toSpliced(i, 1)))
}

/** A deliberately simple version: groups by size and rank, with the ace moved below the deuce for its low straight. */
function comparePlainly(a: readonly Card[], b: readonly Card[]): number {
  const [left, right] = [plainRank(a), plainRank(b)]
  const i = left.findIndex((value, place) => value !== right[place])
  return i < 0 ? 0 : (left[i] ?? 0) - (right[i] ?? 0)
}

function plainRank(cards: readonly Card[]): number[] {
  const high = cards.map((card) => (rankNumber(card) === 1 ? 14 : rankNumber(card)))
  const sizes = new Map<number, number>()
  for (const rank of high) sizes.set(rank, (sizes.get(rank) ?? 0) + 1)
  const groups = [...sizes].sort(([a, m], [b, n]) => n - m || b - a)
  const order = groups.map(([rank]) => rank)
  const shape = groups.map(([, size]) => size).join('')
  const isFlush = new Set(cards.map(suitOf)).size === 1
  const isWheel = order.join() === '14,5,4,3,2'
  const isStraight = isWheel || (shape === '11111' && (order[0] ?? 0) - (order[4] ?? 0) === 4)
  const top = isWheel ? [5] : order
  const groupsOf: Record<string, Category> = {
    41: 'four of a kind',
    32: 'full house',
    311: 'three of a kind',
    221: 'two pair',
    2111: 'one pair',
  }
  const straightFlush = top[0] === 14 ? 'royal flush' : 'straight flush'
  const ungrouped = isFlush ? 'flush' : isStraight ? 'straight' : 'high card'
  const category = isStraight && isFlush ? straightFlush : (groupsOf[shape] ?? ungrouped)
  return [categories.indexOf(category), ...(isStraight ? top.slice(0, 1) : order)]
}
