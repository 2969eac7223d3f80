/**
 * One player's bets in a round, their settlement, and the revisions that correct or void it. The return of a leg is
 * decided by its game.
 */
import assert from 'node:assert/strict'
import { sum } from '../money.ts'

/** A placed bet. All amounts are units at the player scale. */
export interface Bet {
  readonly zone: string
  readonly amount: bigint
  /** Amount held on top of the stake. Only on a Niu Niu double leg. */
  readonly hold?: bigint
}

/** A bet with its return. */
export interface SettledLeg extends Bet {
  /** Stake plus net win; for a Niu Niu double leg also the returned part of the hold. */
  readonly return: bigint
  /** Applied multiplier, 0 when refunded. Only on a Niu Niu double leg. */
  readonly mult?: number
}

export const niuniuHands = ['B', 'P1', 'P2', 'P3'] as const
export type NiuniuHand = (typeof niuniuHands)[number]
/** Known ranks: 0 no bull, 1 to 9, 10 Niu Niu, 11 Five Face Bull, 12 Bomb, 13 Five Small Bull. */
export type NiuniuRanks = { readonly [hand in NiuniuHand]?: number }
/** Known winners: `P` when that player hand beat the banker, `B` when it lost. */
export type NiuniuWinners = { readonly [hand in 'P1' | 'P2' | 'P3']?: 'P' | 'B' }

/** The `result` of a bet record. Both texts are empty on a slip voided without a result (Hold'em: the code is `void`). */
export interface SlipResult {
  readonly code: string
  readonly cardInfo: string
  readonly hands?: NiuniuRanks
  readonly winners?: NiuniuWinners
}

/** Amounts of a slip under one result. `hold` is 0 outside of Niu Niu, `rake` outside of no-limit Hold'em. */
export interface Settlement {
  readonly legs: readonly SettledLeg[]
  readonly stake: bigint
  readonly hold: bigint
  readonly validStake: bigint
  readonly rolling: bigint
  readonly payout: bigint
  readonly winLoss: bigint
  readonly rake: bigint
  readonly result: SlipResult
}

export const slipStatuses = ['settled', 'recalculated', 'void'] as const
export type SlipStatus = (typeof slipStatuses)[number]

/** One revision of a slip. The highest `rev` is final; all deltas add up to the last payout. */
export interface Revision extends Settlement {
  readonly rev: number
  readonly status: SlipStatus
  /** Change of the player's balance. */
  readonly delta: bigint
}

/** Returns the cost of placing a slip: the stake and, in Niu Niu, the hold. */
export function costOf(bets: readonly Bet[]): { stake: bigint; hold: bigint } {
  return { stake: sum(bets.map((bet) => bet.amount)), hold: sum(bets.map((bet) => bet.hold ?? 0n)) }
}

/** Sums that a game adds to the plain ones. `payout` is given only if it is not the sum of the returns. */
export interface Measures {
  readonly validStake: bigint
  readonly rolling: bigint
  readonly rake?: bigint
  readonly payout?: bigint
}

/** Returns settled legs with their sums. */
export function settlementOf(legs: readonly SettledLeg[], measures: Measures, result: SlipResult): Settlement {
  const { stake, hold } = costOf(legs)
  const payout = measures.payout ?? sum(legs.map((leg) => leg.return))
  assert(payout >= 0n, 'a payout is never negative')
  return {
    legs,
    stake,
    hold,
    validStake: measures.validStake,
    rolling: measures.rolling,
    payout,
    winLoss: payout - stake - hold,
    rake: measures.rake ?? 0n,
    result,
  }
}

/**
 * Returns the settlement of a void: stake and hold are returned, and nothing counts. `result` is the code and card string
 * that stay.
 */
export function voidSettlement(bets: readonly Bet[], result: SlipResult): Settlement {
  const legs = bets.map((bet): SettledLeg => {
    const leg = { zone: bet.zone, amount: bet.amount, return: bet.amount + (bet.hold ?? 0n) }
    return bet.hold === undefined ? leg : { ...leg, hold: bet.hold, mult: 0 }
  })
  return settlementOf(legs, { ...zeroFigures, payout: sum(legs.map((leg) => leg.return)) }, result)
}

const zeroFigures = { validStake: 0n, rolling: 0n, rake: 0n }

/** Returns the first settlement of a slip. */
export function firstSettlement(settlement: Settlement): Revision {
  return { ...settlement, rev: 1, status: 'settled', delta: settlement.payout }
}

/**
 * Returns the revision of a slip under a corrected result; written even when no amount changes. A voided slip stays
 * void.
 */
export function recalculation(previous: Revision, settlement: Settlement): Revision | 'void-is-final' {
  if (previous.status === 'void') return 'void-is-final'
  assert(
    settlement.stake === previous.stake && settlement.hold === previous.hold,
    'a correction changes what a slip returns, never what was staked',
  )
  return { ...settlement, rev: previous.rev + 1, status: 'recalculated', delta: settlement.payout - previous.payout }
}

/**
 * Voids a slip after its settlements, or before any (`previous` null). A voided Hold'em hand has the code `void`; other
 * games keep their last code.
 */
export function voiding(
  previous: Revision | null,
  bets: readonly Bet[],
  isHoldem: boolean,
): Revision | 'void-is-final' {
  if (previous?.status === 'void') return 'void-is-final'
  const last = previous?.result ?? { code: '', cardInfo: '' }
  const settlement = voidSettlement(bets, { code: isHoldem ? 'void' : last.code, cardInfo: last.cardInfo })
  const paid = previous?.payout ?? 0n
  return { ...settlement, rev: (previous?.rev ?? 0) + 1, status: 'void', delta: settlement.payout - paid }
}

/** One player's sums over a day. */
export interface DaySums {
  readonly slips: number
  readonly stake: bigint
  readonly validStake: bigint
  readonly rolling: bigint
  readonly payout: bigint
  readonly winLoss: bigint
  readonly rake: bigint
}

export const noSlips: DaySums = {
  slips: 0,
  stake: 0n,
  validStake: 0n,
  rolling: 0n,
  payout: 0n,
  winLoss: 0n,
  rake: 0n,
}

/** Fields of a slip's latest revision that enter the day's sums. */
export type Counted = Pick<Revision, 'status' | 'stake' | 'validStake' | 'rolling' | 'winLoss' | 'rake'>

/**
 * Adds a slip to the day's sums; pass its latest revision only. A voided slip is counted without amounts. The payout is
 * stake plus win or loss, which excludes a returned Niu Niu hold.
 */
export function withSlip(sums: DaySums, slip: Counted): DaySums {
  if (slip.status === 'void') return { ...sums, slips: sums.slips + 1 }
  return {
    slips: sums.slips + 1,
    stake: sums.stake + slip.stake,
    validStake: sums.validStake + slip.validStake,
    rolling: sums.rolling + slip.rolling,
    payout: sums.payout + slip.stake + slip.winLoss,
    winLoss: sums.winLoss + slip.winLoss,
    rake: sums.rake + slip.rake,
  }
}

/** Adds a revision to the day's sums; `before` is the slip's previous revision, which the sums include, if it has one. */
export function withRevision(sums: DaySums, before: Counted | null, after: Counted | null): DaySums {
  const without = before ? minus(sums, withSlip(noSlips, before)) : sums
  return after ? withSlip(without, after) : without
}

function minus(a: DaySums, b: DaySums): DaySums {
  return {
    slips: a.slips - b.slips,
    stake: a.stake - b.stake,
    validStake: a.validStake - b.validStake,
    rolling: a.rolling - b.rolling,
    payout: a.payout - b.payout,
    winLoss: a.winLoss - b.winLoss,
    rake: a.rake - b.rake,
  }
}
