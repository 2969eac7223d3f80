/**
 * A bet record on its way from the platform into the book and the files. It holds texts: cell values, and whole parts
 * as the JSON they came as, because nothing on that way reads them.
 */

import { amountPattern } from '../money.ts'
import { isDay } from '../time/calendar.ts'

export interface PulledBet {
  readonly recSeq: number
  readonly slipId: string
  readonly rev: number
  readonly status: 'settled' | 'recalculated' | 'void'
  readonly username: string
  readonly currency: string
  readonly tableId: string
  readonly game: string
  readonly variant: string
  readonly roundId: string
  readonly shoe: string
  readonly round: number
  readonly stake: string
  readonly hold: string | undefined
  readonly validStake: string
  readonly rolling: string
  readonly payout: string
  readonly winLoss: string
  readonly delta: string
  readonly rake: string | undefined
  readonly onsite: boolean | undefined
  readonly resultCode: string
  readonly cardInfo: string
  readonly placedAt: string
  readonly settledAt: string
  /** Compact JSON. */
  readonly bets: string
  readonly result: string
  /** The whole record as compact JSON. */
  readonly record: string
}

/** A record as the contract returns it. */
export interface BetInParts
  extends Omit<PulledBet, 'hold' | 'rake' | 'onsite' | 'resultCode' | 'cardInfo' | 'bets' | 'result' | 'record'> {
  readonly hold?: string
  readonly rake?: string
  readonly onsite?: boolean
  readonly bets: readonly { readonly amount: string; readonly return: string; readonly hold?: string }[]
  readonly result: { readonly code: string; readonly cardInfo: string }
}

export function pulledBet(bet: BetInParts): PulledBet {
  const { hold, rake, onsite, result } = bet
  return {
    recSeq: bet.recSeq,
    slipId: bet.slipId,
    rev: bet.rev,
    status: bet.status,
    username: bet.username,
    currency: bet.currency,
    tableId: bet.tableId,
    game: bet.game,
    variant: bet.variant,
    roundId: bet.roundId,
    shoe: bet.shoe,
    round: bet.round,
    stake: bet.stake,
    hold,
    validStake: bet.validStake,
    rolling: bet.rolling,
    payout: bet.payout,
    winLoss: bet.winLoss,
    delta: bet.delta,
    rake,
    onsite,
    resultCode: result.code,
    cardInfo: result.cardInfo,
    placedAt: bet.placedAt,
    settledAt: bet.settledAt,
    bets: JSON.stringify(bet.bets),
    result: JSON.stringify(result),
    record: JSON.stringify(bet),
  }
}

const amounts = ['stake', 'validStake', 'rolling', 'payout', 'winLoss', 'delta'] as const

/**
 * Returns the name of the first field with an invalid value, or `null`. The contract checks the schema; this checks
 * amounts and times, which would otherwise fail weeks later in a sum.
 */
export function faultOfBet(bet: BetInParts): string | null {
  if (!Number.isSafeInteger(bet.recSeq) || bet.recSeq < 0) return 'recSeq'
  if (bet.slipId === '') return 'slipId'
  if (!Number.isSafeInteger(bet.rev) || bet.rev < 1) return 'rev'
  if (!Number.isSafeInteger(bet.round)) return 'round'
  for (const name of amounts) if (!amountPattern.test(bet[name])) return name
  if (bet.hold !== undefined && !amountPattern.test(bet.hold)) return 'hold'
  if (bet.rake !== undefined && !amountPattern.test(bet.rake)) return 'rake'
  for (const leg of bet.bets) {
    const isValid = amountPattern.test(leg.amount) && amountPattern.test(leg.return)
    if (!isValid || (leg.hold !== undefined && !amountPattern.test(leg.hold))) return 'bets'
  }
  if (!isMoment(bet.placedAt)) return 'placedAt'
  return isMoment(bet.settledAt) ? null : 'settledAt'
}

/**
 * UTC in ISO 8601, as the document promises. Such a cell needs no quotes and does not depend on the machine's time
 * zone.
 */
const momentForm = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,9})?Z$/

function isMoment(text: string): boolean {
  // Date.parse alone reads the 30th of February as the 2nd of March.
  return momentForm.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
}
