/**
 * Interface of a game, as pure functions: offered zones, accepting slips, dealing, reading a reported result, and
 * settling. A round is settled as a whole, because players of no-limit Hold'em share a pot. Refusals are values (`No`),
 * never thrown.
 */

import type { Bet, NiuniuRanks, NiuniuWinners, Settlement } from '../bets/slip.ts'
import type { Card } from './cards.ts'

/** All games. */
export const gameNames = ['baccarat', 'dragontiger', 'holdem', 'niuniu'] as const
export type GameName = (typeof gameNames)[number]

/** Variants of each game. A slip has one; in Hold'em the table has one too. */
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

/** Reasons of a refusal. */
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

/** A refusal: the reason for programs, and a sentence for people. */
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
 * Settings of a table. One flat JSON object for all games; each game reads its own fields, and absent ones have the
 * default named here. Amounts and rates are decimal text.
 */
export interface TableSettings {
  /** Dragon tiger: offers big, small, odd and even of each card. Default: off. */
  readonly sideBets?: boolean
  /** Niu Niu: Five Face Bull, Bomb and Five Small Bull rank above Niu Niu and pay x5. Default: off. */
  readonly specialHands?: boolean
  /**
   * Niu Niu: hold of a double bet as a multiple of its amount; at least the largest multiplier less one. Default: 2,
   * with special hands 4.
   */
  readonly holdFactor?: number
  /** Niu Niu: share of a win that the house keeps. Default: `0`. */
  readonly commission?: string
  /** No-limit Hold'em: the blinds. Default: `1` and `2`. */
  readonly smallBlind?: string
  readonly bigBlind?: string
  /** No-limit Hold'em: the smallest chip. Rake and shares of a pot are truncated to it. Default: `0.01`. */
  readonly unit?: string
  /** No-limit Hold'em: rake as a share of each pot, and its maximum per hand in big blinds. Default: `0.05` and 3. */
  readonly rakeRate?: string
  readonly rakeCapBlinds?: number
}

/** Properties of the shoe a game is dealt from. */
export interface Shoe {
  readonly decks: number
  /** Cards below which a new shoe is started before a round; the whole shoe when every round has a fresh deck. */
  readonly freshBelow: number
  /** Rounds per shoe number, if fixed: a session of Niu Niu. `null`: as long as the shoe lasts. */
  readonly roundsPerShoe: number | null
  /** True if rounds name their `shoe`. Hold'em numbers its hands by table instead. */
  readonly isNumbered: boolean
}

/** Returns whether a new shoe must be shuffled before the next round. */
export function isSpent(shoe: Shoe, cardsLeft: number): boolean {
  return cardsLeft < shoe.freshBelow
}

/** Moments at which a player may bet: before any card, or after seeing their own cards, the flop, the turn. */
export type Moment = 'opening' | 'hole' | 'flop' | 'turn'

/** Bets allowed at one moment of a round. */
export interface Stage {
  readonly moment: Moment
  readonly zones: readonly Zone[]
  /**
   * Required multiple of the ante, where the bet is fixed. Not betting is a fold at the first such stage and a check
   * later.
   */
  readonly timesAnte?: number
}

/** A slip to be placed. Zone names are unchecked input. */
export interface SlipRequest {
  readonly variant: Variant
  readonly bets: readonly { readonly zone: string; readonly amount: bigint }[]
  /** Hold'em against the dealer: the player folded. Optional: without a CALL or FLOP leg a hand is folded. */
  readonly folded?: boolean
}

/** An accepted slip with its cost. */
export interface Accepted {
  readonly bets: readonly Bet[]
  readonly stake: bigint
  readonly hold: bigint
}

/** Players at a table before the cards are dealt. */
export interface Seating {
  readonly variant: Variant
  readonly settings: TableSettings
  /** Hold'em: number of hands in addition to the dealer's, in dealing order (nlhe: from the left of the button). */
  readonly hands?: number
  /** nlhe: the seat that has the button. */
  readonly button?: number
}

/** A dealt round. */
export interface Dealt<O extends Outcome = Outcome> {
  readonly outcome: O
  /** Hold'em: the two cards of each hand, in dealing order. Empty for other games. */
  readonly holes: readonly (readonly Card[])[]
  /** Number of cards taken from the front. */
  readonly used: number
}

/**
 * A result as a source reports it: the cards or, when they are unknown, the code with any known details. `button` is
 * for nlhe, where the odd chip of a shared pot depends on it.
 */
export type Report =
  | { readonly cardInfo: string; readonly button?: number }
  | {
      readonly code: string
      /** Baccarat `player` and `banker` 0 to 9; dragon tiger `dragon` and `tiger` 1 to 13. */
      readonly points?: { readonly [hand: string]: number }
      /** Dragon tiger: whether a tie was suited, if the source knows. Code `C` implies it. */
      readonly suitedTie?: boolean
      /**
       * Niu Niu: the winners that the source knows, when it does not know all. Without it the code's mask gives all
       * three.
       */
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

/** Structured result of a Round. Hold'em has none: each player has their own outcome. */
export type RoundResult = BaccaratResult | DragonTigerResult | NiuniuResult

/**
 * Result of a round: the four fields of a Round and, in each game's own type, the facts that slips are settled by.
 * Plain data, so it can be stored as JSON.
 */
export interface Outcome {
  readonly game: GameName
  readonly code: string | null
  /** `null` when cards are unknown: a card string is never partial. */
  readonly cardInfo: string | null
  /** `null` in Hold'em, and for a code reported without the points it needs. */
  readonly result: RoundResult | null
  readonly complete: boolean
  /** nlhe: the seat that had the button. */
  readonly button?: number | null
}

/** A slip to settle. */
export interface Wager {
  readonly variant: Variant
  readonly bets: readonly Bet[]
  /** Hold'em only. */
  readonly hand?: Hand
}

/** A Hold'em player's cards and actions. */
export interface Hand {
  readonly hole: readonly Card[]
  /** Used in nlhe only; against the dealer a hand without a CALL or FLOP leg is folded. */
  readonly folded: boolean
  /** Used in nlhe only, 1 to 9. */
  readonly seat: number
}

/**
 * A game. All games have the same method types, so that callers need not know which game a table has. Passing another
 * game's outcome is a bug and asserted.
 */
export interface Game<O extends Outcome = Outcome> {
  readonly name: GameName
  readonly variants: readonly Variant[]
  readonly shoe: Shoe
  /** Returns why a table cannot have these settings, or `null`. All other methods trust settings that passed. */
  refuseSettings(settings: TableSettings): No | null
  /** Returns the betting stages in order. */
  stages(variant: Variant, settings: TableSettings): readonly Stage[]
  /** Returns the slip with its holds, or a refusal. A slip is checked as a whole each time a leg is added. */
  accept(request: SlipRequest, settings: TableSettings): Accepted | No
  /** Deals a round from the front of a row of cards. The row must be long enough. */
  deal(cards: readonly Card[], seating: Seating): Dealt<O>
  /** Interprets a reported result, or refuses an impossible one. */
  read(report: Report, seating: Seating): O | No
  /**
   * Settles every slip of the round in the given order. Refuses slips and an outcome that cannot belong to one round.
   */
  settle(outcome: O, wagers: readonly Wager[], settings: TableSettings): readonly Settlement[] | No
}

/** Returns every zone a table offers for a variant. */
export function offeredZones(game: Game, variant: Variant, settings: TableSettings): readonly Zone[] {
  return game.stages(variant, settings).flatMap((stage) => stage.zones)
}
