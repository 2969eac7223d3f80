/** Checks monthly statements: each must add up, and open with the closing balance of the one before. */
import type { Day } from '../time/day.ts'

/** A calendar month as statements name it, `YYYY-MM`. Text order is time order. */
export type Period = string

/** A statement in units of US dollars. Charges are negative. */
export interface StatementFigures {
  readonly period: Period
  readonly opening: bigint
  readonly charges: bigint
  readonly payments: bigint
  readonly closing: bigint
}

export type StatementFault =
  /** The closing balance is not opening + charges + payments. */
  | { readonly code: 'SUM_DIFFERS'; readonly period: Period; readonly stated: bigint; readonly computed: bigint }
  /** The opening balance is not the previous closing balance. */
  | {
      readonly code: 'CHAIN_BROKEN'
      readonly period: Period
      readonly before: Period
      readonly stated: bigint
      readonly computed: bigint
    }
  /** Months between two statements have none. */
  | { readonly code: 'MONTH_MISSING'; readonly period: Period; readonly before: Period }

/** Returns the closing balance that a statement's other figures require. */
export function closingOf({ opening, charges, payments }: Omit<StatementFigures, 'closing' | 'period'>): bigint {
  return opening + charges + payments
}

/** Returns every fault in a series of statements, newest first, as the API lists them. */
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

/** Sums up all statements: the first opening balance, all movements and the last closing balance. */
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

/** Returns the month `count` months later; negative counts go back. */
export function periodAfter(period: Period, count: number): Period {
  const [year = 0, month = 1] = period.split('-').map(Number)
  const months = year * 12 + month - 1 + count
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((((months % 12) + 12) % 12) + 1).padStart(2, '0')}`
}

/** Returns the month of a day. */
export const periodOf = (day: Day): Period => day.slice(0, 7)

/** Returns the first and last day of a month and its number of days. */
export function daysOfPeriod(period: Period): { first: Day; last: Day; count: number } {
  const [year = 0, month = 1] = period.split('-').map(Number)
  // Day 0 of the next month is the last of this one. Set, not constructed: Date.UTC maps the year 99 to 1999.
  const count = new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate()
  return { first: `${period}-01`, last: `${period}-${String(count).padStart(2, '0')}`, count }
}
