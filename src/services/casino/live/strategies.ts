/**
 * Decisions of simulated Hold'em players by their cards: sensible, simple, and sometimes random. Pure: random draws are
 * a parameter.
 */
import { type Card, rankNumber, suitOf } from '../../../domain/games/cards.ts'
import { categories, categoryOf, rankBit, strengthOf } from '../../../domain/games/holdem/hands.ts'
import { type Action, choices, type NoLimitHand } from '../../../domain/games/holdem/no-limit.ts'
import { larger, smaller, sum } from '../../../domain/money.ts'

/** Returns a whole number from 0 to `below - 1`. */
export type Draw = (below: number) => number

/** Queen, counted from 0 for the deuce. */
const queen = 10

/** Casino Hold'em: calls with a pair, a flush or straight draw, or a queen or better; folds about one hand in five. */
export function callsOnFlop(hole: readonly Card[], flop: readonly Card[]): boolean {
  if (categoryIndexOf([...hole, ...flop]) >= categories.indexOf('one pair')) return true
  return hole.some((card) => rankBit(card) >= queen) || hasFlushDraw(hole, flop) || hasStraightDraw([...hole, ...flop])
}

/** Bonus Poker: bets to see the flop with all but the smallest unsuited cards. */
export function betsToSeeFlop(hole: readonly Card[]): boolean {
  return preflopScore(hole) > 5
}

/** Bonus Poker: bets on the turn and the river with a pair of their own or better. */
export function betsOnStreet(hole: readonly Card[], board: readonly Card[]): boolean {
  return improvesBoard(hole, board)
}

/** No-limit: returns the action of the seat to act. `board` is the visible part. */
export function seatAction(hand: NoLimitHand, hole: readonly Card[], board: readonly Card[], draw: Draw): Action {
  const may = choices(hand)
  if (!may) return { kind: 'check' }
  const strength = strengthInTenths(hole, board) + draw(3) - 1
  const pot = sum(hand.players.map((player) => player.put))
  const passive: Action = may.canCheck ? { kind: 'check' } : { kind: 'fold' }
  if (may.raise && (strength >= 8 || (strength >= 6 && draw(3) === 0) || draw(40) === 0)) {
    // A raise of about the pot, in whole chips of the table.
    const to = smaller(larger(hand.bet + pot - (pot % hand.unit), may.raise.from), may.raise.to)
    // All in only with the best hands, so that not every hand ends before the flop.
    if (to < may.raise.to || strength >= 9) return { kind: 'raise', to }
  }
  if (may.call === null) return passive
  const isCheap = may.call * 6n <= pot
  const isFair = may.call * 2n <= pot
  const isWorth = strength >= 7 || (strength >= 4 && isFair) || (strength >= 2 && isCheap)
  return isWorth ? { kind: 'call' } : passive
}

/** Returns 0 for the weakest to 10 for the strongest hands. */
function strengthInTenths(hole: readonly Card[], board: readonly Card[]): number {
  if (board.length === 0) return Math.min(10, Math.floor(preflopScore(hole) / 2))
  const categoryIndex = categoryIndexOf([...hole, ...board])
  const isOwn = improvesBoard(hole, board)
  if (categoryIndex >= categories.indexOf('straight')) return isOwn ? 10 : 5
  if (categoryIndex >= categories.indexOf('two pair')) return isOwn ? 8 : 4
  if (categoryIndex >= categories.indexOf('one pair')) return isOwn ? 6 : 2
  return hasFlushDraw(hole, board) || hasStraightDraw([...hole, ...board]) ? 4 : 1
}

/**
 * Scores two cards after Bill Chen: the higher card, doubled for a pair, more for suited and connected ones. 0 to 20.
 */
function preflopScore(hole: readonly Card[]): number {
  const [high = 0, low = 0] = hole.map(rankBit).toSorted((a, b) => b - a)
  const points = (rank: number) => ({ 12: 10, 11: 8, 10: 7, 9: 6 })[rank] ?? (rank + 2) / 2
  if (high === low) return Math.max(5, points(high) * 2)
  const [first, second] = hole
  const suited = first && second && suitOf(first) === suitOf(second) ? 2 : 0
  const gap = high - low - 1
  return points(high) + suited - ([0, 1, 2, 4][gap] ?? 5) + (gap < 2 && high < queen ? 1 : 0)
}

const categoryIndexOf = (cards: readonly Card[]) => categories.indexOf(categoryOf(strengthOf(cards)))

/** Returns whether the player's own cards improve on the board. */
function improvesBoard(hole: readonly Card[], board: readonly Card[]): boolean {
  const categoryIndex = categoryIndexOf([...hole, ...board])
  if (categoryIndex === 0) return false
  return board.length >= 5 ? categoryIndex > categoryIndexOf(board) : categoryIndex > boardPairs(board)
}

function boardPairs(board: readonly Card[]): number {
  return board.length - new Set(board.map(rankNumber)).size
}

function hasFlushDraw(hole: readonly Card[], board: readonly Card[]): boolean {
  if (board.length >= 5) return false
  return hole.some((card) => [...hole, ...board].filter((other) => suitOf(other) === suitOf(card)).length >= 4)
}

/** Returns whether four cards make an open-ended straight draw. */
function hasStraightDraw(cards: readonly Card[]): boolean {
  const ranks = new Set(cards.map(rankBit))
  return cards.length < 7 && [...ranks].some((rank) => [1, 2, 3].every((step) => ranks.has(rank + step)))
}
