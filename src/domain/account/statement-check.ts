/** Whether monthly statements follow from each other: each adds up, and opens with what the one before closed with. */
import type { Day } from '../time/day.ts'

/** A calendar month as statements name it, `YYYY-MM`. Text order is time order. */
export type Period = string

/** A statement in units of US dollars. Charges are below zero. */
export interface StatementFigures {
  readonly period: Period
  readonly opening: bigint
  readonly charges: bigint
  readonly payments: bigint
  readonly closing: bigint
}

export type StatementFault =
  /** It does not close with its own opening, charges and payments added up. */
  | { readonly code: 'SUM_DIFFERS'; readonly period: Period; readonly stated: bigint; readonly computed: bigint }
  /** It does not open with what the one before closed with. */
  | {
      readonly code: 'CHAIN_BROKEN'
      readonly period: Period
      readonly before: Period
      readonly stated: bigint
      readonly computed: bigint
    }
  /** Between it and the one before, months have no statement. */
  | { readonly code: 'MONTH_MISSING'; readonly period: Period; readonly before: Period }

/** What a statement must close with by its own figures. */
export function closingOf({ opening, charges, payments }: Omit<StatementFigures, 'closing' | 'period'>): bigint {
  return opening + charges + payments
}

/** Everything in which statements do not follow from each other, the newest first, as the API lists them. */
export function statementFaults(newestFirst: readonly StatementFigures[]): StatementFault[] {
  return newestFirst.flatMap((statement, i) => {
    const { period, opening, closing } = statement
    const before = newestFirst[i + 1]
    const faults: StatementFault[] = []
    const computed = closingOf(statement)
    if (computed !== closing) faults.push({ code: 'SUM_DIFFERS', period, stated: closing, computed })
    if (before && opening !== before.closing)
      faults.push({
        code: 'CHAIN_BROKEN',
        period,
        before: before.period,
        stated: opening,
        computed: before.closing,
      })
    if (before && before.period !== periodAfter(period, -1))
      faults.push({ code: 'MONTH_MISSING', period, before: before.period })
    return faults
  })
}

/** All statements as one: what the first opened with, all movements, and what the last closed with. */
export function wholeOf(oldestFirst: readonly StatementFigures[]): Omit<StatementFigures, 'period'> | undefined {
  const [first, last] = [oldestFirst[0], oldestFirst.at(-1)]
  if (!first || !last) return undefined
  let [charges, payments] = [0n, 0n]
  for (const statement of oldestFirst) {
    charges += statement.charges
    payments += statement.payments
  }
  return { opening: first.opening, charges, payments, closing: last.closing }
}

/** The month so many months later, or earlier when below zero. */
export function periodAfter(period: Period, count: number): Period {
  const [year = 0, month = 1] = period.split('-').map(Number)
  const months = year * 12 + month - 1 + count
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((((months % 12) + 12) % 12) + 1).padStart(2, '0')}`
}

/** The month a day is in. */
export const periodOf = (day: Day): Period => day.slice(0, 7)

/** The first and the last day of a month. */
export function daysOfPeriod(period: Period): { first: Day; last: Day; count: number } {
  const [year = 0, month = 1] = period.split('-').map(Number)
  // Day 0 of the month after is the last of this one; set, not constructed, which would take the year 99 for 1999.
  const count = new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate()
  return { first: `${period}-01`, last: `${period}-${String(count).padStart(2, '0')}`, count }
}
