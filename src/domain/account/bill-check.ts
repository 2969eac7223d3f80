/**
 * Checks a bill: charges of each statement against the usage of its days, daily fees against the table price, and
 * today's credit against the last statement.
 */

import { larger, sum, usdScale } from '../money.ts'
import type { Verdict } from '../reconcile/daily.ts'
import { type Day, daysBetween } from '../time/day.ts'
import {
  daysOfPeriod,
  type Period,
  periodAfter,
  periodOf,
  type StatementFault,
  type StatementFigures,
  statementFaults,
} from './statement-check.ts'

/** One UTC day of usage, fees in units of US dollars. */
export interface UsageFigures {
  readonly day: Day
  /** Fractional: a table that is enabled for part of a day is charged for that part. Not money, so a plain number. */
  readonly tableDays: number
  readonly tableFee: bigint
  readonly streamFee: bigint
}

export interface BillFacts {
  /** Newest first, as the API lists them. */
  readonly statements: readonly StatementFigures[]
  /** Usage of the statements' months and of the days since, up to today. */
  readonly usage: readonly UsageFigures[]
  /** UTC day of the readings and the prepaid credit on it; null when only past months are checked. */
  readonly current: { readonly today: Day; readonly balance: bigint } | null
  /** Monthly price of a table, in units of US dollars. */
  readonly tablePrice: bigint
}

/** A proven error in a bill, regardless of other doubts. */
export type BillFinding =
  | StatementFault
  /** The charges of a statement differ from the usage of its days. */
  | { readonly code: 'CHARGES_DIFFER'; readonly period: Period; readonly stated: bigint; readonly computed: bigint }
  /** A day's table fee is not pro rata of the table price. */
  | {
      readonly code: 'FEE_DIFFERS'
      readonly period: Period
      readonly day: Day
      readonly tableDays: number
      readonly stated: bigint
      readonly computed: bigint
    }
  /** The credit is lower than the last statement less the charges since. Payments could only make it higher. */
  | { readonly code: 'BALANCE_DIFFERS'; readonly period: Period; readonly stated: bigint; readonly computed: bigint }

/** A reason why a conclusion is not possible. */
export type BillReason =
  | { readonly code: 'NO_STATEMENT'; readonly period: null }
  /** The statement of the month that just ended does not exist yet. */
  | { readonly code: 'STATEMENT_LATE'; readonly period: Period }
  /** Days of the month have no usage, and its charges exceed the usage of the other days. */
  | {
      readonly code: 'USAGE_MISSING'
      readonly period: Period
      readonly days: readonly Day[]
      readonly stated: bigint
      readonly computed: bigint
    }

/** An explanation of a charge that is not simply tables times price. */
export type BillExplanation =
  | { readonly code: 'BEGAN_WITHIN'; readonly period: Period; readonly day: Day }
  | { readonly code: 'DAYS_WITHOUT_USAGE'; readonly period: Period; readonly days: readonly Day[] }
  | { readonly code: 'TABLES_CHANGED'; readonly period: Period; readonly runs: readonly Run[] }
  | { readonly code: 'PARTS_OF_DAYS'; readonly period: Period; readonly days: readonly Day[] }
  | { readonly code: 'NOT_CHARGED'; readonly period: Period; readonly days: readonly Day[] }
  | { readonly code: 'TODAY_CHARGED'; readonly period: Period; readonly day: Day }

/** Consecutive days with the same number of tables. */
export interface Run {
  readonly from: Day
  readonly to: Day
  readonly tableDays: number
  readonly fee: bigint
}

export interface MonthBill {
  readonly statement: StatementFigures
  readonly days: readonly UsageFigures[]
  readonly tableFee: bigint
  readonly streamFee: bigint
  /** Usage less the statement's charges; 0 when they agree. */
  readonly difference: bigint
  readonly missing: readonly Day[]
  readonly runs: readonly Run[]
}

/** Charges and payments from the last statement until today. */
export interface SinceStatement {
  readonly period: Period
  readonly opening: bigint
  /** Charges since the statement, without today. */
  readonly charged: bigint
  /** Payments since the statement that the current credit implies. */
  readonly payments: bigint
  readonly balance: bigint
}

export interface BillProof {
  readonly verdict: Verdict
  readonly months: readonly MonthBill[]
  readonly since: SinceStatement | null
  readonly findings: readonly BillFinding[]
  readonly reasons: readonly BillReason[]
  readonly explanations: readonly BillExplanation[]
}

/** One cent: the maximum rounding difference of a table-day. */
const cent = 10n ** BigInt(usdScale - 2)

/** Checks a bill. Months are in the order of the statements, newest first. */
export function proveBill(facts: BillFacts): BillProof {
  const { statements, usage, current } = facts
  const ofMonth = Map.groupBy(usage, ({ day }) => periodOf(day))
  const months = statements.map((statement) => monthBill(statement, ofMonth.get(statement.period) ?? []))
  const monthly = months.map((month, i) => judged(month, facts.tablePrice, i === months.length - 1))
  const [last] = statements
  const open = last ? usage.filter(({ day }) => periodOf(day) > last.period) : []
  const toDate = current && last ? sinceStatement(last, current, open) : nothingSince
  const findings: BillFinding[] = [
    ...toDate.findings,
    ...feeFindings(open, facts.tablePrice),
    ...statementFaults(statements),
    ...monthly.flatMap((month) => month.findings),
  ]
  const reasons: BillReason[] = [...lateness(statements, current?.today), ...monthly.flatMap((month) => month.reasons)]
  const explanations = [...toDate.explanations, ...monthly.flatMap((month) => month.explanations)]
  const verdict = findings.length > 0 ? 'differences' : reasons.length > 0 ? 'cannot-conclude' : 'balanced'
  return { verdict, months, since: toDate.since, findings, reasons, explanations }
}

export const feeOf = ({ tableFee, streamFee }: Pick<UsageFigures, 'tableFee' | 'streamFee'>): bigint =>
  tableFee + streamFee

/** Returns the fee for a number of table-days at the monthly price, truncated. */
export function feeFor(tableDays: number, day: Day, tablePrice: bigint): bigint {
  const parts = 1_000_000
  const share = BigInt(Math.round(tableDays * parts))
  return (tablePrice * share) / BigInt(parts) / BigInt(daysOfPeriod(periodOf(day)).count)
}

function monthBill(statement: StatementFigures, days: readonly UsageFigures[]): MonthBill {
  const { first, last } = daysOfPeriod(statement.period)
  const known = new Set(days.map(({ day }) => day))
  const tableFee = sum(days.map((day) => day.tableFee))
  const streamFee = sum(days.map((day) => day.streamFee))
  return {
    statement,
    days,
    tableFee,
    streamFee,
    difference: tableFee + streamFee + statement.charges,
    missing: daysBetween(first, last).filter((day) => !known.has(day)),
    runs: runsOf(days),
  }
}

/** Groups consecutive days with the same number of tables. */
function runsOf(days: readonly UsageFigures[]): Run[] {
  const runs: Run[] = []
  for (const { day, tableDays, tableFee } of days) {
    const last = runs.at(-1)
    if (last && last.tableDays === tableDays && daysBetween(last.to, day).length === 2)
      runs[runs.length - 1] = { ...last, to: day, fee: last.fee + tableFee }
    else runs.push({ from: day, to: day, tableDays, fee: tableFee })
  }
  return runs
}

function judged(month: MonthBill, tablePrice: bigint, isOldest: boolean) {
  const { statement, days, missing, difference, runs } = month
  const { period } = statement
  const findings: BillFinding[] = feeFindings(days, tablePrice)
  const reasons: BillReason[] = []
  const explanations: BillExplanation[] = []
  const [stated, computed] = [-statement.charges, feeOf(month)]
  // Fees are never negative. Missing usage can only add to the sum, so it never excuses charges that are too low.
  if (difference < 0n && missing.length > 0)
    reasons.push({ code: 'USAGE_MISSING', period, days: missing, stated, computed })
  else if (difference !== 0n) findings.push({ code: 'CHARGES_DIFFER', period, stated, computed })
  else if (missing.length > 0) {
    const [first] = days
    const isBeginning = isOldest && first !== undefined && missing.every((day) => day < first.day)
    explanations.push(
      isBeginning && first
        ? { code: 'BEGAN_WITHIN', period, day: first.day }
        : { code: 'DAYS_WITHOUT_USAGE', period, days: missing },
    )
  }
  if (runs.length > 1) explanations.push({ code: 'TABLES_CHANGED', period, runs })
  const inParts = days.filter(({ tableDays }) => !Number.isInteger(tableDays)).map(({ day }) => day)
  if (inParts.length > 0) explanations.push({ code: 'PARTS_OF_DAYS', period, days: inParts })
  const free = days.filter(({ tableDays, tableFee }) => tableDays > 0 && tableFee === 0n).map(({ day }) => day)
  if (free.length > 0) explanations.push({ code: 'NOT_CHARGED', period, days: free })
  return { findings, reasons, explanations }
}

/**
 * Returns days whose table fee differs from pro rata by more than rounding. A fee of zero is explained, not reported.
 */
function feeFindings(days: readonly UsageFigures[], tablePrice: bigint): BillFinding[] {
  return days.flatMap((usage): BillFinding[] => {
    const { day, tableDays, tableFee: stated } = usage
    const computed = feeFor(tableDays, day, tablePrice)
    const allowed = cent * larger(1n, BigInt(Math.ceil(tableDays)))
    const off = stated > computed ? stated - computed : computed - stated
    if (off <= allowed || stated === 0n) return []
    return [{ code: 'FEE_DIFFERS', period: periodOf(day), day, tableDays, stated, computed }]
  })
}

interface ToDate {
  readonly since: SinceStatement | null
  readonly findings: readonly BillFinding[]
  readonly explanations: readonly BillExplanation[]
}

const nothingSince: ToDate = { since: null, findings: [], explanations: [] }

/** Derives the payments since the last statement from today's credit and the charges since. */
function sinceStatement(
  last: StatementFigures,
  { today, balance }: { readonly today: Day; readonly balance: bigint },
  open: readonly UsageFigures[],
): ToDate {
  const period = periodOf(today)
  const opening = last.closing
  const charged = sum(open.filter(({ day }) => day < today).map(feeOf))
  const payments = balance - opening + charged
  const since = { period, opening, charged, payments, balance }
  if (payments >= 0n) return { ...nothingSince, since }
  // Today is charged after it ends. A platform that charges during the day is ahead by at most today's fee.
  const todays = open.find(({ day }) => day === today)
  if (todays && -payments <= feeOf(todays))
    return { ...nothingSince, since, explanations: [{ code: 'TODAY_CHARGED', period, day: today }] }
  const finding: BillFinding = { code: 'BALANCE_DIFFERS', period, stated: balance, computed: opening - charged }
  return { ...nothingSince, since, findings: [finding] }
}

function lateness(statements: readonly StatementFigures[], today: Day | undefined): BillReason[] {
  const [last] = statements
  if (!last) return [{ code: 'NO_STATEMENT', period: null }]
  const due = today && periodAfter(periodOf(today), -1)
  return due && last.period < due ? [{ code: 'STATEMENT_LATE', period: due }] : []
}
