import type { Card } from '../../../domain/games/cards.ts'
import type { Moment, Outcome } from '../../../domain/games/game.ts'
import type { NoLimitHand } from '../../../domain/games/holdem/no-limit.ts'

/** What a live table holds of its round beyond the rows that every round has. Kept as JSON, so a restart goes on where it stood. */
export interface LiveState {
  /** The seats of Hold'em, in the order they were taken; empty at other games. */
  readonly seats: readonly LiveSeat[]
  /** The cards, once they are dealt: fixed then, whatever is shown of them yet. */
  readonly outcome?: Outcome
  /** Against the dealer: after which cards the players are asked at the moment, and who has answered or is out. */
  readonly moment?: Moment
  readonly decided?: readonly string[]
  readonly folded?: readonly string[]
  /** No-limit: the hand in play, what each seat did last, and how many actions there were. */
  readonly hand?: NoLimitHand
  readonly lastActions?: Readonly<Record<string, string>>
  readonly actions?: number
  /** No-limit: the seat that has the button. */
  readonly button?: number
  /** What each player's slip came to, by player. */
  readonly results?: Readonly<Record<string, LiveResult>>
}

export interface LiveSeat {
  readonly seat: number
  /** `null` for a guest of the studio, whom the house lets play. */
  readonly playerId: string | null
  readonly name: string
  /** No-limit: the chips at the table when the hand began. */
  readonly stack?: string
  readonly hole?: readonly Card[]
}

/** A settled slip as the page tells it. */
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

/** The state as text. Units are marked, since JSON has no whole numbers of their size. */
export function packed(state: LiveState): string {
  return JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** The state that `packed` wrote. */
export function unpacked(text: string): LiveState {
  return JSON.parse(text, (_, value) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  )
}
