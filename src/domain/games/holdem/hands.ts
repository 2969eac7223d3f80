/**
 * Strength of a poker hand: the best five of five to seven cards as one number; higher wins, equal numbers tie. Cards
 * are one mask of ranks per suit, so that a straight, flush or pair takes a few bit operations.
 */
import assert from 'node:assert/strict'
import { type Card, rankNumber, type Suit, suitOf } from '../cards.ts'

/** Weakest first: the index is the upper part of a strength. */
export const categories = [
  'high card',
  'one pair',
  'two pair',
  'three of a kind',
  'straight',
  'flush',
  'full house',
  'four of a kind',
  'straight flush',
  'royal flush',
] as const
export type Category = (typeof categories)[number]

/** Index of each category. */
const level = {
  pair: 1,
  twoPair: 2,
  trips: 3,
  straight: 4,
  flush: 5,
  fullHouse: 6,
  quads: 7,
  straightFlush: 8,
  royalFlush: 9,
} as const

/** The ranks of one suit, bit 0 the deuce to bit 12 the ace. */
export type RankMask = number

const masks = 1 << 13
const ace = 12
/** Five-four-three-two-ace: the only straight with a low ace. */
const wheel = 0b1_0000_0000_1111

/**
 * For every mask: the number of ranks; the top of its best straight (0 for none); its five highest ranks, four bits
 * each, highest first.
 */
const counts = new Uint8Array(masks)
const straightTops = new Uint8Array(masks)
const topFives = new Int32Array(masks)
for (let mask = 0; mask < masks; mask++) {
  let count = 0
  for (let rank = ace; rank >= 0; rank--) {
    if ((mask & (1 << rank)) === 0) continue
    if (count < 5) topFives[mask] = (topFives[mask] ?? 0) | (rank << (4 * (4 - count)))
    count++
  }
  counts[mask] = count
  straightTops[mask] = straightTop(mask)
}

function straightTop(mask: RankMask): number {
  for (let top = ace; top >= 4; top--) {
    const run = 0b11111 << (top - 4)
    if ((mask & run) === run) return top
  }
  return (mask & wheel) === wheel ? 3 : 0
}

/** Combines a category with the deciding ranks, left-aligned in five groups of four bits. */
function strength(category: number, first: number, second = 0, kickers = 0): number {
  return (category << 20) | (first << 16) | (second << 12) | kickers
}

const highest = (mask: RankMask) => 31 - Math.clz32(mask)
const without = (mask: RankMask, rank: number) => mask & ~(1 << rank)
/** Returns the `count` highest ranks of a mask, placed after `after` other ranks. */
const kickers = (mask: RankMask, count: number, after: number) =>
  ((topFives[mask] ?? 0) >> (4 * (5 - count))) << (4 * (5 - count - after))

/** Returns the strength of five to seven different cards, given as one mask of ranks per suit. */
export function strengthOfMasks(s: RankMask, h: RankMask, d: RankMask, c: RankMask): number {
  const all = s | h | d | c
  const suited = longSuit(s, h, d, c)
  if (suited !== 0) {
    const top = straightTops[suited] ?? 0
    if (top !== 0) return strength(top === ace ? level.royalFlush : level.straightFlush, top)
  }
  const quads = s & h & d & c
  if (quads !== 0) {
    const rank = highest(quads)
    return strength(level.quads, rank, 0, kickers(without(all, rank), 1, 1))
  }
  const trips = (s & h & d) | (s & h & c) | (s & d & c) | (h & d & c)
  const pairs = (s & h) | (s & d) | (s & c) | (h & d) | (h & c) | (d & c)
  if (trips !== 0) {
    const rank = highest(trips)
    // A second set of trips serves as the pair.
    const pair = without(pairs, rank)
    if (pair !== 0) return strength(level.fullHouse, rank, highest(pair))
    if (suited !== 0) return (level.flush << 20) | (topFives[suited] ?? 0)
    const top = straightTops[all] ?? 0
    return top !== 0 ? strength(level.straight, top) : strength(level.trips, rank, 0, kickers(without(all, rank), 2, 1))
  }
  if (suited !== 0) return (level.flush << 20) | (topFives[suited] ?? 0)
  const top = straightTops[all] ?? 0
  if (top !== 0) return strength(level.straight, top)
  return strengthOfPairs(all, pairs)
}

/** Ranks two pair, one pair or high card. A third pair can only be the kicker. */
function strengthOfPairs(all: RankMask, pairs: RankMask): number {
  if (pairs === 0) return topFives[all] ?? 0
  const high = highest(pairs)
  const rest = without(pairs, high)
  if (rest === 0) return strength(level.pair, high, 0, kickers(without(all, high), 3, 1))
  const low = highest(rest)
  return strength(level.twoPair, high, low, kickers(without(without(all, high), low), 1, 2))
}

/** Returns the ranks of the suit with five or more cards, else 0. Seven cards have at most one such suit. */
function longSuit(s: RankMask, h: RankMask, d: RankMask, c: RankMask): RankMask {
  if ((counts[s] ?? 0) >= 5) return s
  if ((counts[h] ?? 0) >= 5) return h
  if ((counts[d] ?? 0) >= 5) return d
  return (counts[c] ?? 0) >= 5 ? c : 0
}

/** Returns the bit of a card's rank: 0 the deuce to 12 the ace. */
export function rankBit(card: Card): number {
  return (rankNumber(card) + 11) % 13
}

/** Returns the strength of the best five of five to seven cards. */
export function strengthOf(cards: readonly Card[]): number {
  assert(cards.length >= 5 && cards.length <= 7, 'a hand has five to seven cards')
  const bySuit: Record<Suit, RankMask> = { S: 0, H: 0, D: 0, C: 0 }
  for (const card of cards) bySuit[suitOf(card)] |= 1 << rankBit(card)
  return strengthOfMasks(bySuit.S, bySuit.H, bySuit.D, bySuit.C)
}

export function categoryOf(strength: number): Category {
  return categories[strength >> 20] ?? 'high card'
}

/** Returns whether a hand is at least a pair of this rank. Every higher category is. */
export function isPairOrBetter(strengthOfHand: number, rank: '4' | 'A'): boolean {
  return strengthOfHand >= strength(level.pair, rank === 'A' ? ace : 2)
}

/** Returns whether a hand is of this category or a higher one. */
export function isAtLeast(strengthOfHand: number, category: Category): boolean {
  return strengthOfHand >> 20 >= categories.indexOf(category)
}
