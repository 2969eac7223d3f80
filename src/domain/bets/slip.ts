/**
 * One player's bets in one round and what became of them: the amounts of a settlement, and the
 * revisions by which a settlement is corrected or taken back. What a leg returns is decided by its game.
 */
import assert from 'node:assert/strict'
import { sum } from '../money.ts'

/** One bet as it was placed. All amounts are units at the player scale. */
export interface Bet {
  readonly zone: string
  readonly amount: bigint
  /** Only on a Niu Niu double leg: what is held on top of the amount. */
  readonly hold?: bigint
}

/** One bet and what it returned. */
export interface SettledLeg extends Bet {
  /** The stake and the net win; a Niu Niu double leg's hold too, as far as it comes back. */
  readonly return: bigint
  /** Only on a Niu Niu double leg: the multiplier applied, 0 when refunded. */
  readonly mult?: number
}

export const niuniuHands = ['B', 'P1', 'P2', 'P3'] as const
export type NiuniuHand = (typeof niuniuHands)[number]
/** The known ranks: 0 no bull, 1 to 9, 10 Niu Niu, 11 Five Face Bull, 12 Bomb, 13 Five Small Bull. */
export type NiuniuRanks = { readonly [hand in NiuniuHand]?: number }
/** The known winners: `P` when that player hand beat the banker, `B` when it lost. */
export type NiuniuWinners = { readonly [hand in 'P1' | 'P2' | 'P3']?: 'P' | 'B' }

/** The `result` of a bet record. Both texts are empty on a slip voided without a result (Hold'em: the code is `void`). */
export interface SlipResult {
  readonly code: string
  readonly cardInfo: string
  readonly hands?: NiuniuRanks
  readonly winners?: NiuniuWinners
}

/** The amounts of one slip under one result. `hold` is 0 outside Niu Niu, `rake` outside no-limit Hold'em. */
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

/** One version of a slip. The highest `rev` is final; the deltas of all add up to the last payout. */
export interface Revision extends Settlement {
  readonly rev: number
  readonly status: SlipStatus
  /** What this revision adds to the player's balance. */
  readonly delta: bigint
}

/** What a slip takes from the balance when it is placed: the stake and, at Niu Niu, the hold. */
export function costOf(bets: readonly Bet[]): { stake: bigint; hold: bigint } {
  return { stake: sum(bets.map((bet) => bet.amount)), hold: sum(bets.map((bet) => bet.hold ?? 0n)) }
}

/** What the games add to the plain sums of a slip. `payout` is named only where it is not the sum of the returns. */
export interface Measures {
  readonly validStake: bigint
  readonly rolling: bigint
  readonly rake?: bigint
  readonly payout?: bigint
}

/** Settled legs with their sums. */
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

/** The settlement of a void: everything staked and held comes back, and nothing counts. `kept` is the code and card string that stay. */
export function voidSettlement(bets: readonly Bet[], kept: SlipResult): Settlement {
  const legs = bets.map((bet): SettledLeg => {
    const leg = { zone: bet.zone, amount: bet.amount, return: bet.amount + (bet.hold ?? 0n) }
    return bet.hold === undefined ? leg : { ...leg, hold: bet.hold, mult: 0 }
  })
  return settlementOf(legs, { ...costless, payout: sum(legs.map((leg) => leg.return)) }, kept)
}

const costless = { validStake: 0n, rolling: 0n, rake: 0n }

/** The first settlement of a slip. */
export function firstSettlement(settlement: Settlement): Revision {
  return { ...settlement, rev: 1, status: 'settled', delta: settlement.payout }
}

/** The slip under a corrected result: written also when no amount changes. Nothing follows a void. */
export function recalculation(previous: Revision, settlement: Settlement): Revision | 'void-is-final' {
  if (previous.status === 'void') return 'void-is-final'
  assert(
    settlement.stake === previous.stake && settlement.hold === previous.hold,
    'a correction changes what a slip returns, never what was staked',
  )
  return { ...settlement, rev: previous.rev + 1, status: 'recalculated', delta: settlement.payout - previous.payout }
}

/**
 * Takes a slip back: after its settlements, or (`previous` null) before there was any. `isHoldem` because a
 * voided hand says so in its code, where the other games keep the last code they had.
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

/** What the day's sums need of a slip's latest revision. */
export type Counted = Pick<Revision, 'status' | 'stake' | 'validStake' | 'rolling' | 'winLoss' | 'rake'>

/**
 * The day's sums with one more slip, of which only the latest revision may be given. A voided slip is counted and
 * adds no amounts. The payout is the stake and what was won or lost: at Niu Niu that leaves the returned hold out.
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
