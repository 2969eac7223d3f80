/** Hands of poker and the bets of Bonus Poker, written only from the rulebook (4 and 5.2): slow, short and simple. */
import type { Holding } from '../slip-reference.ts'

/** Rulebook 1.1: rank then suit. */
const rankCodes = '23456789TJQKA'
export const wholeDeck: readonly string[] = [...'SHDC'].flatMap((suit) => [...rankCodes].map((rank) => rank + suit))

/** The hand order of rulebook 4, low to high, in the words of the page. */
export const handNames = [
  'high',
  'pair',
  'twoPair',
  'trips',
  'straight',
  'flush',
  'fullHouse',
  'quads',
  'straightFlush',
  'royal',
] as const
const placeOf = (name: (typeof handNames)[number]) => handNames.indexOf(name)

/** Place in the hand order, then the ranks that decide between equals, the most important first. */
export type Strength = readonly number[]

export function compare(a: Strength, b: Strength): number {
  const at = a.findIndex((each, i) => each !== b[i])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

const rankOf = (card: string) => rankCodes.indexOf(card.charAt(0))
const suitOf = (card: string) => card.charAt(1)

/** Rulebook 4: the ace is high, and low only in A-2-3-4-5, whose top card is the 5. Null: no straight. */
function straightTop(ranks: readonly number[]): number | null {
  const text = ranks.map((rank) => rankCodes[rank]).join('')
  if (text === 'A5432') return rankCodes.indexOf('5')
  return [...rankCodes].toReversed().join('').includes(text) ? (ranks[0] ?? null) : null
}

function strengthOfFive(cards: readonly string[]): Strength {
  const ranks = cards.map(rankOf).toSorted((a, b) => b - a)
  const groups = [...Map.groupBy(ranks, (rank) => rank)]
    .map(([rank, all]) => ({ rank, count: all.length }))
    .toSorted((a, b) => b.count - a.count || b.rank - a.rank)
  const shape = groups.map(({ count }) => count).join('')
  const isFlush = new Set(cards.map(suitOf)).size === 1
  const top = shape === '11111' ? straightTop(ranks) : null
  if (top !== null) {
    if (!isFlush) return [placeOf('straight'), top]
    return [placeOf(rankCodes[top] === 'A' ? 'royal' : 'straightFlush'), top]
  }
  const shapes = { '41': 'quads', '32': 'fullHouse', '311': 'trips', '221': 'twoPair', '2111': 'pair' } as const
  const name = isFlush ? 'flush' : (shapes[shape as keyof typeof shapes] ?? 'high')
  return [placeOf(name), ...groups.map(({ rank }) => rank)]
}

/** Rulebook 4: the best five of the cards. */
export function bestOf(cards: readonly string[]): Strength {
  const fives = cards.length === 5 ? [cards] : cards.map((_, i) => cards.toSpliced(i, 1))
  return fives
    .map((some) => (some.length === 5 ? strengthOfFive(some) : bestOf(some)))
    .reduce((best, each) => (compare(each, best) > 0 ? each : best))
}

export const nameOf = ([place = 0]: Strength) => handNames[place] ?? 'high'

/** Rulebook 5.2. */
export function bonusHolding(hole: readonly string[], board: readonly string[], dealer: readonly string[]): Holding {
  const mine = bestOf([...board, ...hole])
  const by = Math.sign(compare(mine, bestOf([...board, ...dealer])))
  // A winning ante is paid with a straight or better, else it is a push.
  const ante = by === 1 ? Number((mine[0] ?? 0) >= placeOf('straight')) : by
  return {
    code: by === 1 ? 'player_wins' : by === 0 ? 'tie' : 'dealer_wins',
    odds: { ANTE: ante, FLOP: by, TURN: by, RIVER: by, BONUS: bonusOdds(hole, dealer) },
  }
}

/** Rulebook 5.2: BONUS by the hole cards alone; -1 loses. */
function bonusOdds(hole: readonly string[], dealer: readonly string[]): number {
  const ranks = (cards: readonly string[]) =>
    cards
      .toSorted((a, b) => rankOf(b) - rankOf(a))
      .map((card) => card.charAt(0))
      .join('')
  const mine = ranks(hole)
  if (mine === 'AA') return ranks(dealer) === 'AA' ? 1000 : 30
  if (mine.charAt(0) === mine.charAt(1)) return 'KQJ'.includes(mine.charAt(0)) ? 10 : 3
  const isSuited = new Set(hole.map(suitOf)).size === 1
  if (mine === 'AK') return isSuited ? 25 : 15
  if (mine === 'AQ' || mine === 'AJ') return isSuited ? 20 : 5
  return -1
}
