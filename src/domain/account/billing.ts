import { usdScale } from '../money.ts'
import { dayMs, daysInMonth, startOfMonth } from '../time/calendar.ts'
import type { AccountState } from './state.ts'

/** What one enabled table costs in a month, in USD units. */
const tableMonthUsd = 100n * 10n ** BigInt(usdScale)
/** How long an account whose credit ran out keeps the paid plan. */
export const graceMs = 7 * dayMs

/**
 * What a number of tables costs on the UTC day that begins at `dayStart`, in USD units. Each day takes what is due of
 * the month's price by its end less what was due by its start, so the days of a month add up to the price exactly.
 */
export function tableFee(tables: number, dayStart: number): bigint {
  const days = BigInt(daysInMonth(dayStart))
  const before = BigInt(Math.round((dayStart - startOfMonth(dayStart)) / dayMs))
  const dueBy = (day: bigint) => (tableMonthUsd * day) / days
  return BigInt(tables) * (dueBy(before + 1n) - dueBy(before))
}

/** How streaming is measured, the most trusted first: the network's own totals, what players' clients report, an estimate. */
export const streamSources = ['cdn', 'client', 'estimate'] as const
export type StreamSource = (typeof streamSources)[number]

/** Decimals of gigabytes. */
export const gbScale = 3

/** What a gigabyte costs, in USD units. */
const streamGbUsd = 5n * 10n ** BigInt(usdScale - 2)

/** What so many gigabytes cost, in USD units, cut; gigabytes in units of their scale. */
export function streamFee(gb: bigint): bigint {
  return (streamGbUsd * gb) / 10n ** BigInt(gbScale)
}

/** The measurement that counts: that of the most trusted source there is. */
export function countedStream<M extends { readonly source: StreamSource }>(measured: readonly M[]): M | undefined {
  return streamSources.flatMap((source) => measured.filter((each) => each.source === source))[0]
}

export interface Standing {
  readonly state: AccountState
  /** Prepaid credit in USD units. */
  readonly credit: bigint
  readonly graceUntil: number | null
}

/** Where an account stands once a day has been charged: a paid one whose credit has run out gets its grace. */
export function afterCharge(standing: Standing, now: number): Standing {
  const hasRunOut = standing.state === 'PAID' && standing.credit <= 0n
  return hasRunOut ? { ...standing, state: 'GRACE', graceUntil: now + graceMs } : standing
}

/** Where an account stands at a moment: grace that has ended leaves it on the free plan's limits. */
export function afterTime(standing: Standing, now: number): Standing {
  const isGraceOver = standing.state === 'GRACE' && standing.graceUntil !== null && standing.graceUntil <= now
  return isGraceOver ? { ...standing, state: 'DOWNGRADED', graceUntil: null } : standing
}

/** Where an account stands once a payment was credited: back on the paid plan as soon as there is credit again. */
export function afterTopup(standing: Standing): Standing {
  const isRestored = (standing.state === 'GRACE' || standing.state === 'DOWNGRADED') && standing.credit > 0n
  return isRestored ? { ...standing, state: 'PAID', graceUntil: null } : standing
}
