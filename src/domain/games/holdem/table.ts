/** Shared parts of the three Hold'em variants: one deck, a board, two cards each, and their notation. */
import assert from 'node:assert/strict'
import type { SlipResult } from '../../bets/slip.ts'
import { type Card, notDealt, spacedCards, surplusCard } from '../cards.ts'
import {
  type Dealt,
  type Hand,
  isNo,
  type No,
  no,
  type Outcome,
  type Report,
  type Seating,
  type Wager,
} from '../game.ts'

export type HoldemVariant = 'casino' | 'thbp' | 'nlhe'

/** The public cards. Each player's outcome depends on their own cards and is part of their slip. */
export interface HoldemOutcome extends Outcome {
  readonly game: 'holdem'
  readonly code: null
  readonly cardInfo: string
  readonly result: null
  readonly variant: HoldemVariant
  /** All five against the dealer; in nlhe the cards that were dealt: 0, 3, 4 or 5. */
  readonly board: readonly Card[]
  /** Empty in nlhe. */
  readonly dealer: readonly Card[]
  /** Seat with the button; `null` against the dealer. */
  readonly button: number | null
}

/** Seats are numbered 1 to 9. */
export const maxSeats = 9

const spaced = (cards: readonly Card[]) => cards.join(' ')

export function outcomeOf(
  variant: HoldemVariant,
  board: readonly Card[],
  dealer: readonly Card[],
  button: number | null,
): HoldemOutcome {
  const cardInfo = variant === 'nlhe' ? spaced(board) : `${spaced(board)}||${spaced(dealer)}`
  return { game: 'holdem', code: null, cardInfo, result: null, complete: true, variant, board, dealer, button }
}

/** Returns a player's card string: the board, their two cards and, against the dealer, the dealer's cards. */
export function slipResult(outcome: HoldemOutcome, hand: Hand, code: string): SlipResult {
  const groups = [outcome.board, hand.hole, ...(outcome.variant === 'nlhe' ? [] : [outcome.dealer])]
  return { code, cardInfo: groups.map(spaced).join('|') }
}

/** Deals one card at a time clockwise, the dealer last, twice; then the board. `holes` is in dealing order. */
export function dealHand(variant: HoldemVariant, cards: readonly Card[], seating: Seating): Dealt<HoldemOutcome> {
  const players = seating.hands ?? 0
  const isAgainstDealer = variant !== 'nlhe'
  assert(players >= 1 && players <= maxSeats, `a hand has 1 to ${maxSeats} players`)
  assert(isAgainstDealer || isSeat(seating.button ?? 0), 'a no-limit hand has its button at a seat')
  const hands = players + (isAgainstDealer ? 1 : 0)
  const used = 2 * hands + 5
  assert(cards.length >= used, `a hand of ${players} needs ${used} cards`)
  const holes = Array.from({ length: hands }, (_, i) =>
    [cards[i], cards[hands + i]].filter((card) => card !== undefined),
  )
  const board = cards.slice(2 * hands, used)
  const dealer = isAgainstDealer ? (holes.pop() ?? []) : []
  return { outcome: outcomeOf(variant, board, dealer, seating.button ?? null), holes, used }
}

/** Reads the public cards: `board||dealer` against the dealer, the board alone at nlhe. */
export function readTable(variant: HoldemVariant, report: Report): HoldemOutcome | No {
  if (!('cardInfo' in report)) return no('result-unclear', 'A hand of Hold’em is settled by its cards, not by a code')
  if (report.cardInfo.includes(notDealt))
    return no('cards-malformed', 'A Hold’em card string must contain dealt cards only')
  return variant === 'nlhe' ? readBoard(report.cardInfo, report.button) : readDealer(variant, report.cardInfo)
}

function readBoard(cardInfo: string, button: number | undefined): HoldemOutcome | No {
  const board = spacedCards(cardInfo)
  if (!board) return no('cards-malformed', `"${cardInfo}" is not a list of cards`)
  if (![0, 3, 4, 5].includes(board.length)) return no('cards-impossible', 'A board must have 0, 3, 4 or 5 cards')
  if (button === undefined || !isSeat(button)) {
    return no('seat-impossible', `The button must be at a seat from 1 to ${maxSeats}`)
  }
  return refuseTwice(board) ?? outcomeOf('nlhe', board, [], button)
}

function readDealer(variant: HoldemVariant, cardInfo: string): HoldemOutcome | No {
  const [boardText = '', own, dealerText = '', ...more] = cardInfo.split('|')
  const board = spacedCards(boardText)
  const dealer = spacedCards(dealerText)
  if (!board || !dealer || own !== '' || more.length > 0) {
    return no('cards-malformed', `"${cardInfo}" is not a board and the dealer's cards: "board||dealer"`)
  }
  if (board.length !== 5 || dealer.length !== 2) {
    return no('cards-impossible', 'Against the dealer the board must have five cards and the dealer two')
  }
  return refuseTwice([...board, ...dealer]) ?? outcomeOf(variant, board, dealer, null)
}

export function isSeat(seat: number): boolean {
  return Number.isInteger(seat) && seat >= 1 && seat <= maxSeats
}

function refuseTwice(cards: readonly Card[]): No | null {
  const twice = surplusCard(cards, 1)
  return twice ? no('cards-impossible', `${twice} occurs twice`) : null
}

/** A wager whose hand is known. */
export type DealtWager = Wager & { readonly hand: Hand }

/** Returns the wagers with their hands. Refuses wagers without two cards and cards that occur twice. */
export function handsOf(outcome: HoldemOutcome, wagers: readonly Wager[]): readonly DealtWager[] | No {
  const dealt: DealtWager[] = []
  for (const wager of wagers) {
    assert(wager.variant === outcome.variant, 'a hand of Hold’em has one variant')
    if (wager.hand?.hole.length !== 2) return no('hand-missing', 'Each player’s slip needs their two cards')
    dealt.push({ ...wager, hand: wager.hand })
  }
  const twice = refuseTwice([...outcome.board, ...outcome.dealer, ...dealt.flatMap((wager) => wager.hand.hole)])
  return isNo(twice) ? twice : dealt
}
