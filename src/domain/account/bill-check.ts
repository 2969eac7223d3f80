/**
 * Whether a bill adds up: the usage of its days against the charges of each statement, the fee of each day against the
 * price of a table, and the credit of today against the last statement. Pure: what it is handed is all there is.
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
  /** A part of a day is charged as a part: no money, so a plain number. */
  readonly tableDays: number
  readonly tableFee: bigint
  readonly streamFee: bigint
}

export interface BillFacts {
  /** Newest first, as the API lists them. */
  readonly statements: readonly StatementFigures[]
  /** Of the months of the statements, and of those after them up to today. */
  readonly usage: readonly UsageFigures[]
  /** The UTC day on which all this was read, and the prepaid credit then; null where only past months are looked at. */
  readonly current: { readonly today: Day; readonly balance: bigint } | null
  /** What a table costs in a month, in units of US dollars. */
  readonly tablePrice: bigint
}

/** What in a bill is wrong, whatever else is in doubt. */
export type BillFinding =
  | StatementFault
  /** The charges of a statement are not the usage of its days. */
  | { readonly code: 'CHARGES_DIFFER'; readonly period: Period; readonly stated: bigint; readonly computed: bigint }
  /** A day's table fee is not pro rata of the table's price. */
  | {
      readonly code: 'FEE_DIFFERS'
      readonly period: Period
      readonly day: Day
      readonly tableDays: number
      readonly stated: bigint
      readonly computed: bigint
    }
  /** The credit is lower than the last statement less what was charged since; payments could only make it higher. */
  | { readonly code: 'BALANCE_DIFFERS'; readonly period: Period; readonly stated: bigint; readonly computed: bigint }

/** What stands against a conclusion. */
export type BillReason =
  | { readonly code: 'NO_STATEMENT'; readonly period: null }
  /** The statement of the month that has just ended is not there yet. */
  | { readonly code: 'STATEMENT_LATE'; readonly period: Period }
  /** Days of the month have no usage, and its charges are higher than the usage of the others. */
  | {
      readonly code: 'USAGE_MISSING'
      readonly period: Period
      readonly days: readonly Day[]
      readonly stated: bigint
      readonly computed: bigint
    }

/** What explains a charge that is not simply tables times price. */
export type BillExplanation =
  | { readonly code: 'BEGAN_WITHIN'; readonly period: Period; readonly day: Day }
  | { readonly code: 'DAYS_WITHOUT_USAGE'; readonly period: Period; readonly days: readonly Day[] }
  | { readonly code: 'TABLES_CHANGED'; readonly period: Period; readonly runs: readonly Run[] }
  | { readonly code: 'PARTS_OF_DAYS'; readonly period: Period; readonly days: readonly Day[] }
  | { readonly code: 'NOT_CHARGED'; readonly period: Period; readonly days: readonly Day[] }
  | { readonly code: 'TODAY_CHARGED'; readonly period: Period; readonly day: Day }

/** Days one after another with as many tables each. */
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
  /** The usage less what the statement charges: 0 where they agree. */
  readonly difference: bigint
  readonly missing: readonly Day[]
  readonly runs: readonly Run[]
}

/** From the last statement to today. */
export interface SinceStatement {
  readonly period: Period
  readonly opening: bigint
  /** Charged since, today not among it. */
  readonly charged: bigint
  /** What must have been paid since, for the credit to be what it is. */
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

/** One cent: a platform may round a table-day to cents, and none may be further off than that. */
const cent = 10n ** BigInt(usdScale - 2)

/** Proves a bill, or says where it does not add up. Months stand in the order of the statements, newest first. */
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

/** What a number of table-days costs by the price of a month, cut. */
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

/** Days put together as long as their tables stay the same and none is left out. */
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
  // Fees are never below zero: usage that is missing can only add, so it never excuses charges that are too low.
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

/** Days whose table fee is further from pro rata than rounding can take it. A fee of nothing is explained, not found fault with. */
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

/** The credit of today from the last statement: what was charged since is known, what was paid since follows. */
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
  // Today is charged when it is over; a platform that has begun to is at most today's own fee ahead.
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
