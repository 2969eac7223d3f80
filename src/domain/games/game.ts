/**
 * What a game is. Every game answers the same questions as a pure function: which zones a table offers, whether a slip may
 * be placed, what a row of cards makes of a round, what a reported result means, and what it does to all slips of the round.
 *
 * A round is settled as a whole and not slip by slip, because the players of no-limit Hold'em share one pot. An answer that
 * is no is a value (`No`), never thrown.
 */

import type { Bet, NiuniuRanks, NiuniuWinners, Settlement } from '../bets/slip.ts'
import type { Card } from './cards.ts'

/** All games there are. */
export const gameNames = ['baccarat', 'dragontiger', 'holdem', 'niuniu'] as const
export type GameName = (typeof gameNames)[number]

/** The variants of each game. A slip has one; at Hold'em the table has one too. */
export const variantsOf = {
  baccarat: ['classic', 'nocomm'],
  dragontiger: ['standard'],
  holdem: ['casino', 'thbp', 'nlhe'],
  niuniu: ['standard'],
} as const satisfies Record<GameName, readonly string[]>
export type Variant = (typeof variantsOf)[GameName][number]

/** Every zone a bet record can name, by game. */
export const zonesOf = {
  baccarat: ['B', 'P', 'T', 'BP', 'PP', 'S6'],
  dragontiger: ['D', 'TG', 'T', 'ST', 'DB', 'DS', 'DO', 'DE', 'TB', 'TS', 'TO', 'TE'],
  holdem: ['ANTE', 'CALL', 'AAB', 'FLOP', 'TURN', 'RIVER', 'BONUS', 'POT'],
  niuniu: ['P1E', 'P2E', 'P3E', 'P1D', 'P2D', 'P3D'],
} as const satisfies Record<GameName, readonly string[]>
export type Zone = (typeof zonesOf)[GameName][number]

/** Why a rule said no. */
export type Reason =
  | 'variant-unknown'
  | 'settings-impossible'
  | 'bets-missing'
  | 'zone-not-offered'
  | 'zone-twice'
  | 'amount-not-positive'
  | 'amount-too-large'
  | 'leg-missing'
  | 'leg-after-fold'
  | 'multiple-wrong'
  | 'cards-malformed'
  | 'cards-impossible'
  | 'code-impossible'
  | 'result-unclear'
  | 'seat-impossible'
  | 'hand-missing'
  | 'hand-unfinished'
  | 'action-not-open'
  | 'raise-too-small'

/** A rule's no: the reason for programs, and a sentence for people. */
export interface No {
  readonly no: Reason
  readonly because: string
}

export function no(reason: Reason, because: string): No {
  return { no: reason, because }
}

export function isNo<T>(answer: T | No): answer is No {
  return typeof answer === 'object' && answer !== null && 'no' in answer
}

/**
 * What a table may set. One flat, JSON-able list for all games; each game reads its own lines, and what is absent has the
 * default named here. Amounts and rates are decimal text.
 */
export interface TableSettings {
  /** Dragon tiger: big, small, odd and even of each card are offered. Off. */
  readonly sideBets?: boolean
  /** Niu Niu: Five Face Bull, Bomb and Five Small Bull rank above Niu Niu and pay x5. Off. */
  readonly specialHands?: boolean
  /** Niu Niu: how many times the amount a double bet holds on top; at least the largest multiplier less one. 2, with special hands 4. */
  readonly holdFactor?: number
  /** Niu Niu: the share of a win that the house keeps. `0`. */
  readonly commission?: string
  /** No-limit Hold'em: the blinds. `1` and `2`. */
  readonly smallBlind?: string
  readonly bigBlind?: string
  /** No-limit Hold'em: the smallest chip, to which rake and shares of a pot are cut. `0.01`. */
  readonly unit?: string
  /** No-limit Hold'em: the share of each pot that is raked, `0.05`, and the most per hand in big blinds, 3. */
  readonly rakeRate?: string
  readonly rakeCapBlinds?: number
}

/** Where a game's cards come from. */
export interface Shoe {
  readonly decks: number
  /** A new shoe is started before a round when fewer cards than this remain; the whole of it when every round has a fresh deck. */
  readonly freshBelow: number
  /** How many rounds bear one shoe number, where that is fixed: a session of Niu Niu. `null`: as long as the shoe lasts. */
  readonly roundsPerShoe: number | null
  /** Whether the round's `shoe` is named at all. Hold'em numbers its hands by table instead. */
  readonly isNumbered: boolean
}

/** Whether a new shoe has to be shuffled before the next round. */
export function isSpent(shoe: Shoe, cardsLeft: number): boolean {
  return cardsLeft < shoe.freshBelow
}

/** The moments at which a player may bet: before any card, or after having seen their own cards, the flop, the turn. */
export type Moment = 'opening' | 'hole' | 'flop' | 'turn'

/** What may be bet at one moment of a round. */
export interface Stage {
  readonly moment: Moment
  readonly zones: readonly Zone[]
  /** Set where the bet is exactly so many times the ante. Not betting is a fold at the first such stage and a check later. */
  readonly timesAnte?: number
}

/** A slip somebody wants to place, as far as it goes: zone names come from outside. */
export interface Wanted {
  readonly variant: Variant
  readonly bets: readonly { readonly zone: string; readonly amount: bigint }[]
  /** Hold'em against the dealer: said of a player who folded. Not needed: without a CALL or FLOP leg a hand is folded. */
  readonly folded?: boolean
}

/** A slip that may be placed, and what it takes from the balance. */
export interface Accepted {
  readonly bets: readonly Bet[]
  readonly stake: bigint
  readonly hold: bigint
}

/** Who sits at a table before the cards are dealt. */
export interface Seating {
  readonly variant: Variant
  readonly settings: TableSettings
  /** Hold'em: how many hands are dealt besides the dealer's, in the order they are dealt (nlhe: from the left of the button). */
  readonly hands?: number
  /** nlhe: the seat that has the button. */
  readonly button?: number
}

/** A dealt round. */
export interface Dealt<O extends Outcome = Outcome> {
  readonly outcome: O
  /** Hold'em: each hand's two cards, in dealing order. Empty at the other games. */
  readonly holes: readonly (readonly Card[])[]
  /** How many cards were taken from the front of the row. */
  readonly used: number
}

/**
 * A result as a source reports it: the cards, or, when they are not known, the code with what else the source knows.
 * `button` belongs to nlhe, where the odd chip of a shared pot depends on it.
 */
export type Report =
  | { readonly cardInfo: string; readonly button?: number }
  | {
      readonly code: string
      /** Baccarat `player` and `banker` 0 to 9; dragon tiger `dragon` and `tiger` 1 to 13. */
      readonly points?: { readonly [hand: string]: number }
      /** Dragon tiger: whether a tie was of one suit, where the source says so. A code `C` says so itself. */
      readonly suitedTie?: boolean
      /** Niu Niu: the winners that the source knows, when it does not know all. Without it the code's mask tells all three. */
      readonly winners?: NiuniuWinners
    }

export interface BaccaratResult {
  readonly cards: { readonly [slot: string]: Card }
  readonly player: number
  readonly banker: number
  readonly winner: 'B' | 'P' | 'T'
  readonly playerPair: boolean
  readonly bankerPair: boolean
}

export interface DragonTigerResult {
  readonly cards: { readonly [slot: string]: Card }
  readonly dragon: number
  readonly tiger: number
  readonly winner: 'D' | 'TG' | 'T'
  readonly suitedTie: boolean
}

export interface NiuniuResult {
  readonly cards: { readonly [slot: string]: Card }
  readonly hands: NiuniuRanks
  readonly winners: NiuniuWinners
}

/** The structured result of a Round. Hold'em has none: each player has an own outcome. */
export type RoundResult = BaccaratResult | DragonTigerResult | NiuniuResult

/**
 * How a round came out: the four fields of a Round, and beside them, in each game's own type, what its slips are settled by.
 * Plain data throughout, so it can be kept as JSON.
 */
export interface Outcome {
  readonly game: GameName
  readonly code: string | null
  /** `null` when cards are unknown: a card string is never partly known. */
  readonly cardInfo: string | null
  /** `null` at Hold'em, and where a source gave a code without the points that belong into it. */
  readonly result: RoundResult | null
  readonly complete: boolean
}

/** One slip of a round that is to be settled. */
export interface Entry {
  readonly variant: Variant
  readonly bets: readonly Bet[]
  /** Hold'em only. */
  readonly hand?: Hand
}

/** What a Hold'em player held and did. */
export interface Hand {
  readonly hole: readonly Card[]
  /** Read at nlhe only; against the dealer a hand without a CALL or FLOP leg is folded. */
  readonly folded: boolean
  /** Read at nlhe only, 1 to 9. */
  readonly seat: number
}

/**
 * One game. The methods of all take and give the same types, so that whoever runs a table need not know which game it has;
 * an outcome handed to another game than its own is a bug and asserted.
 */
export interface Game<O extends Outcome = Outcome> {
  readonly name: GameName
  readonly variants: readonly Variant[]
  readonly shoe: Shoe
  /** Why a table cannot have these settings, or `null`. All other methods trust settings that passed. */
  refuseSettings(settings: TableSettings): No | null
  /** What may be bet when, in order. */
  stages(variant: Variant, settings: TableSettings): readonly Stage[]
  /** The slip with its holds, or why it may not be placed. A slip is asked about as a whole each time a leg is added to it. */
  accept(wanted: Wanted, settings: TableSettings): Accepted | No
  /** Deals a round from the front of a row of cards, of which there must be enough. */
  deal(cards: readonly Card[], seating: Seating): Dealt<O>
  /** What a reported result means, or why it cannot be. */
  read(report: Report, seating: Seating): O | No
  /** Settles every slip of the round, in the order given, or says why these slips and this outcome cannot be of one round. */
  settle(outcome: O, entries: readonly Entry[], settings: TableSettings): readonly Settlement[] | No
}

/** Every zone a table offers for a variant. */
export function offeredZones(game: Game, variant: Variant, settings: TableSettings): readonly Zone[] {
  return game.stages(variant, settings).flatMap((stage) => stage.zones)
}
