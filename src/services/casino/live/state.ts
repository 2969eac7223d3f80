import type { Card } from '../../../domain/games/cards.ts'
import type { Moment, Outcome } from '../../../domain/games/game.ts'
import type { NoLimitHand } from '../../../domain/games/holdem/no-limit.ts'

/** State of a live table's round beyond the columns of every round. Stored as JSON, so a restart continues from it. */
export interface LiveState {
  /** Seats of Hold'em, in the order they were taken; empty for other games. */
  readonly seats: readonly LiveSeat[]
  /** The dealt cards: fixed from then on, also those that are not shown yet. */
  readonly outcome?: Outcome
  /** Against the dealer: the cards after which players are asked now, and who has answered or is out. */
  readonly moment?: Moment
  readonly decided?: readonly string[]
  readonly folded?: readonly string[]
  /** No-limit: the hand in play, the last action of each seat, and the number of actions. */
  readonly hand?: NoLimitHand
  readonly lastActions?: Readonly<Record<string, string>>
  readonly actions?: number
  /** No-limit: the seat with the button. */
  readonly button?: number
  /** Result of each player's slip, by player. */
  readonly results?: Readonly<Record<string, LiveResult>>
}

export interface LiveSeat {
  readonly seat: number
  /** `null` for a studio guest. */
  readonly playerId: string | null
  readonly name: string
  /** No-limit: the chips at the table when the hand began. */
  readonly stack?: string
  readonly hole?: readonly Card[]
}

/** A settled slip as the page shows it. */
export interface LiveResult {
  readonly status: string
  readonly code: string
  readonly stake: string
  readonly hold: string
  readonly payout: string
  readonly winLoss: string
  readonly returns: Readonly<Record<string, string>>
}

export const noState: LiveState = { seats: [] }

/** Serializes the state. Units are marked, because JSON has no integers of their size. */
export function packed(state: LiveState): string {
  return JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** Parses the state that `packed` wrote. */
export function unpacked(text: string): LiveState {
  return JSON.parse(text, (_, value) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  )
}
