/**
 * A revision of a slip as a bet record states it, with everything that its settlement depends on. Amounts are units at
 * the player scale.
 */

import type { NiuniuRanks, NiuniuWinners, SlipStatus } from '../../bets/slip.ts'
import type { GameName, Variant } from '../../games/game.ts'

/** A leg as recorded. `hold` and `mult` are null where the record has none. */
export interface RecordedLeg {
  readonly zone: string
  readonly amount: bigint
  readonly return: bigint
  readonly hold: bigint | null
  readonly mult: number | null
}

export interface RecordedRevision {
  readonly slipId: string
  readonly rev: number
  readonly status: SlipStatus
  readonly username: string
  readonly currency: string
  readonly tableId: string
  readonly game: GameName
  readonly variant: Variant
  readonly roundId: string
  readonly settledAt: number
  readonly isOnsite: boolean
  readonly legs: readonly RecordedLeg[]
  readonly stake: bigint
  readonly hold: bigint
  readonly validStake: bigint
  readonly rolling: bigint
  readonly payout: bigint
  readonly winLoss: bigint
  readonly delta: bigint
  readonly rake: bigint
  readonly code: string
  readonly cardInfo: string
  readonly hands: NiuniuRanks | undefined
  readonly winners: NiuniuWinners | undefined
}

/** A figure or fact that the platform states otherwise than the rules give it. */
export interface SettlementDifference {
  /** `B.return`, `payout`, `result.code`. */
  readonly field: string
  readonly platform: string
  readonly rules: string
  /** Platform minus rules in units; null for a fact that is not an amount. */
  readonly units: bigint | null
}

export const uncheckedReasons = [
  /** An amount, a time or the whole record cannot be read. */
  'RECORD_UNREADABLE',
  /** The record names a game or variant without rules here. */
  'GAME_UNKNOWN',
  /** The revision before is not in the book, so that the change of the balance cannot be checked. */
  'REVISION_MISSING',
  /** The source gave no cards, and the record does not state the fact that decides a leg. */
  'CARDS_UNKNOWN',
  /** The slips of a round name different cards, and no majority decides. */
  'CARDS_DISAGREE',
  /** No-limit: not every seat of the hand is in the book, so that its pots are unknown. */
  'SEATS_UNKNOWN',
  /** No-limit: blinds, chip, rake and button are settings of the table that no record states. */
  'STAKES_UNKNOWN',
  /** The slip fits only a setting of its table that is in no record and was not stated. */
  'TABLE_RULES_UNSTATED',
] as const
export type UncheckedReason = (typeof uncheckedReasons)[number]

/** Outcome of settling one revision again. Without differences and reason it is as the rules give it. */
export interface Settled {
  readonly differences: readonly SettlementDifference[]
  /** Reason why cards or bets cannot be those of any round, in words; null if they can. */
  readonly impossible: string | null
  /** Reason why a part of it could not be checked; null if everything was. */
  readonly unchecked: UncheckedReason | null
}

export const asTheRules: Settled = { differences: [], impossible: null, unchecked: null }

export const isWrong = ({ differences, impossible }: Settled): boolean => differences.length > 0 || impossible !== null
