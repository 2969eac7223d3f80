import { describe, expect, test } from 'vitest'
import { deck } from '../../../../src/domain/games/cards.ts'
import { categories, categoryOf, strengthOf, strengthOfMasks } from '../../../../src/domain/games/holdem/hands.ts'
import { cardsIn } from '../ask.ts'
import { suits } from './cards.ts'
import * as book from './poker.ts'

const strength = (text: string) => strengthOf(cardsIn(text))
const names = book.categories.map((each) => each.name)

/** The program's own name of a category, by its place in the order. */
const nameOf = (value: number) => names[categories.indexOf(categoryOf(value))]

test('section 4: ten categories, the lowest first', () => {
  const examples = [
    '2S 3D 5H 9C KS',
    '2S 2D 5H 9C KS',
    '2S 2D 5H 5C KS',
    '2S 2D 2H 9C KS',
    '2S 3D 4H 5C 6S',
    '2S 3S 4S 5S 7S',
  ]
  const higher = ['2S 2D 2H 9C 9S', '2S 2D 2H 2C 9S', '2S 3S 4S 5S 6S', 'TS JS QS KS AS']
  const values = [...examples, ...higher].map(strength)
  expect(values.map(nameOf)).toEqual(names)
  expect(values.toSorted((a, b) => a - b)).toEqual(values)
})

/** The bit of each card in the mask of its suit. */
const cards = deck.map((card) => ({
  suit: suits.findIndex((suit) => card.endsWith(suit)),
  bit: 1 << book.ranksUpward.findIndex((rank) => card.startsWith(rank)),
}))

test('section 7: all 2,598,960 hands of five cards have the counts of the table by category', () => {
  const counts = new Map<string | undefined, number>()
  const masks: [number, number, number, number] = [0, 0, 0, 0]
  let total = 0
  const visit = (from: number, left: number) => {
    if (left === 0) {
      const name = nameOf(strengthOfMasks(...masks))
      counts.set(name, (counts.get(name) ?? 0) + 1)
      total++
      return
    }
    for (let i = from; i <= 52 - left; i++) {
      const card = cards[i]
      if (!card) throw new Error('a deck has 52 cards')
      const suit = card.suit as 0
      masks[suit] |= card.bit
      visit(i + 1, left - 1)
      masks[suit] &= ~card.bit
    }
  }
  visit(0, 5)
  expect(total).toBe(book.totals.five)
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(book.categories.map(({ name, five }) => [name, five])))
})

/**
 * Seven cards by class. Hands without five of a suit depend only on their ranks, hands with five of a suit on the ranks
 * in that suit. One hand of each class is evaluated and weighted by the size of its class.
 */
test('section 7: all 133,784,560 hands of seven cards, by classes of ranks and suits, have the counts of the table by category', () => {
  const counts = new Map<string | undefined, number>()
  const add = (value: number, weight: number) => counts.set(nameOf(value), (counts.get(nameOf(value)) ?? 0) + weight)
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k)

  for (let mask = 0; mask < 2 ** 13; mask++) {
    const inSuit = mask.toString(2).replaceAll('0', '').length
    if (inSuit < 5 || inSuit > 7) continue
    const other = [...Array(13).keys()].slice(0, 7 - inSuit).reduce((bits, rank) => bits | (1 << rank), 0)
    for (let suit = 0; suit < 4; suit++) {
      const masks: [number, number, number, number] = [other, other, other, other]
      // Only one suit has the remaining cards; the others are empty.
      for (let each = 0; each < 4; each++) masks[each as 0] = each === suit ? mask : each === (suit + 1) % 4 ? other : 0
      add(strengthOfMasks(...masks), choose(39, 7 - inSuit))
    }
  }

  const waysOf = new Map<string, number>()
  const pattern: number[] = []
  const visit = (rank: number, left: number, masks: [number, number, number, number], next: number) => {
    if (left === 0) {
      const key = pattern
        .filter((times) => times > 0)
        .toSorted()
        .join('')
      if (!waysOf.has(key)) waysOf.set(key, withoutFlush([...key].map(Number)))
      return add(strengthOfMasks(...masks), waysOf.get(key) ?? 0)
    }
    if (rank === 13) return
    for (let times = 0; times <= Math.min(4, left); times++) {
      const more: [number, number, number, number] = [...masks]
      for (let i = 0; i < times; i++) more[((next + i) % 4) as 0] |= 1 << rank
      pattern.push(times)
      visit(rank + 1, left - times, more, (next + times) % 4)
      pattern.pop()
    }
  }
  visit(0, 7, [0, 0, 0, 0], 0)
  expect([...counts.values()].reduce((sum, each) => sum + each, 0)).toBe(book.totals.seven)
  expect(Object.fromEntries(counts)).toEqual(
    Object.fromEntries(book.categories.map(({ name, seven }) => [name, seven])),
  )
})

/** Number of ways to give suits to ranks with these counts, no suit five times. */
function withoutFlush(times: readonly number[], inSuits: readonly number[] = [0, 0, 0, 0]): number {
  const [first, ...rest] = times
  if (first === undefined) return inSuits.some((count) => count >= 5) ? 0 : 1
  let ways = 0
  for (let subset = 0; subset < 16; subset++) {
    const chosen = [0, 1, 2, 3].filter((suit) => subset & (1 << suit))
    if (chosen.length === first)
      ways += withoutFlush(
        rest,
        inSuits.map((count, suit) => count + (chosen.includes(suit) ? 1 : 0)),
      )
  }
  return ways
}

describe('section 4: straights', () => {
  const mixed = (ranks: string) => [...ranks].map((rank, i) => `${rank}${i === 0 ? 'H' : 'S'}`).join(' ')

  test('each straight is one, in ascending order of the table', () => {
    const values = book.straights.map((ranks) => strength(mixed(ranks)))
    expect(values.map(nameOf)).toEqual(book.straights.map(() => 'straight'))
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b))
  })

  test.each(book.noStraights)('%s wraps around the ace and is none', (ranks) => {
    expect(nameOf(strength(mixed(ranks)))).toBe('high card')
  })

  test('of all 1,287 sets of five ranks only the ten of the table are straights', () => {
    const straights: string[] = []
    for (let mask = 0; mask < 2 ** 13; mask++) {
      const ranks = book.ranksUpward.filter((_, i) => mask & (1 << i))
      if (ranks.length === 5 && nameOf(strength(mixed(ranks.join('')))) === 'straight') straights.push(ranks.join(''))
    }
    const sorted = (text: string) => [...text].toSorted().join('')
    expect(straights.map(sorted).toSorted()).toEqual(book.straights.map(sorted).toSorted())
  })
})

describe('section 4: comparisons', () => {
  test.each(book.comparisons)('$rule: $better over $worse', ({ better, worse }) => {
    expect(strength(better)).toBeGreaterThan(strength(worse))
  })

  test.each(book.equals)('%s equals %s', (one, other) => {
    expect(strength(one)).toBe(strength(other))
  })

  test.each(book.sevens)('$rule: $cards', ({ cards: seven, best }) => {
    expect(strength(seven)).toBe(strength(best))
  })

  const pairs = book.ranksUpward.flatMap((low, i) => book.ranksUpward.slice(i + 1).map((high) => ({ low, high })))
  const others = (...taken: string[]) => book.ranksUpward.filter((rank) => !taken.includes(rank))

  test.each(pairs)('$high over $low as pair, three, four, full house, two pair and kicker', ({ low, high }) => {
    const [a = '', b = '', c = ''] = others(low, high)
    const hand = (...groups: string[]) => strength(groups.join(' '))
    const group = (rank: string, times: number) =>
      [...'SHDC']
        .slice(0, times)
        .map((suit) => `${rank}${suit}`)
        .join(' ')
    for (const times of [2, 3, 4]) {
      const kickers = [a, b, c]
        .slice(0, 5 - times)
        .map((rank) => `${rank}D`)
        .join(' ')
      expect(hand(group(high, times), kickers)).toBeGreaterThan(hand(group(low, times), kickers))
    }
    expect(hand(group(high, 3), group(low, 2))).toBeGreaterThan(hand(group(low, 3), group(high, 2)))
    expect(hand(group(high, 2), group(a, 2), `${b}D`)).toBeGreaterThan(hand(group(low, 2), group(a, 2), `${b}D`))
    expect(hand(group(a, 4), `${high}D`)).toBeGreaterThan(hand(group(a, 4), `${low}D`))
    expect(hand(group(a, 2), group(b, 2), `${high}D`)).toBeGreaterThan(hand(group(a, 2), group(b, 2), `${low}D`))
  })
})
