import { usdScale } from '../money.ts'
import { dayMs, daysInMonth, startOfMonth } from '../time/calendar.ts'
import type { AccountState } from './state.ts'

/** Monthly price of an enabled table, in USD units. */
const tableMonthUsd = 100n * 10n ** BigInt(usdScale)
/** Time an account without credit keeps the paid plan. */
export const graceMs = 7 * dayMs

/**
 * Returns the fee of a number of tables for the UTC day that begins at `dayStart`, in USD units. Each day is charged
 * the monthly price due by its end less that due by its start, so that the days add up to exactly the price.
 */
export function tableFee(tables: number, dayStart: number): bigint {
  const days = BigInt(daysInMonth(dayStart))
  const before = BigInt(Math.round((dayStart - startOfMonth(dayStart)) / dayMs))
  const dueBy = (day: bigint) => (tableMonthUsd * day) / days
  return BigInt(tables) * (dueBy(before + 1n) - dueBy(before))
}

/** Sources of streaming usage, most trusted first: network totals, client reports, an estimate. */
export const streamSources = ['cdn', 'client', 'estimate'] as const
export type StreamSource = (typeof streamSources)[number]

/** Decimals of a gigabyte amount. */
export const gbScale = 3

/** Price of a gigabyte, in USD units. */
const streamGbUsd = 5n * 10n ** BigInt(usdScale - 2)

/** Returns the fee for streamed gigabytes, in USD units, truncated. `gb` is in units of `gbScale`. */
export function streamFee(gb: bigint): bigint {
  return (streamGbUsd * gb) / 10n ** BigInt(gbScale)
}

/** Returns the measurement of the most trusted source available. */
export function countedStream<M extends { readonly source: StreamSource }>(measured: readonly M[]): M | undefined {
  return streamSources.flatMap((source) => measured.filter((each) => each.source === source))[0]
}

export interface Standing {
  readonly state: AccountState
  /** Prepaid credit in USD units. */
  readonly credit: bigint
  readonly graceUntil: number | null
}

/** Returns the standing after a day was charged. A paid account without credit enters its grace period. */
export function afterCharge(standing: Standing, now: number): Standing {
  const hasRunOut = standing.state === 'PAID' && standing.credit <= 0n
  return hasRunOut ? { ...standing, state: 'GRACE', graceUntil: now + graceMs } : standing
}

/** Returns the standing at a moment. An account whose grace period has ended gets the limits of the free plan. */
export function afterTime(standing: Standing, now: number): Standing {
  const isGraceOver = standing.state === 'GRACE' && standing.graceUntil !== null && standing.graceUntil <= now
  return isGraceOver ? { ...standing, state: 'DOWNGRADED', graceUntil: null } : standing
}

/** Returns the standing after a payment was credited. An account with credit is on the paid plan again. */
export function afterTopup(standing: Standing): Standing {
  const isRestored = (standing.state === 'GRACE' || standing.state === 'DOWNGRADED') && standing.credit > 0n
  return isRestored ? { ...standing, state: 'PAID', graceUntil: null } : standing
}
