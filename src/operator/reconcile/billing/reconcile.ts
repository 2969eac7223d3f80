import {
  type BillProof,
  feeOf,
  type MonthBill,
  proveBill,
  type UsageFigures,
} from '../../../domain/account/bill-check.ts'
import type { Environment } from '../../../domain/account/state.ts'
import {
  daysOfPeriod,
  type Period,
  periodAfter,
  periodOf,
  type StatementFigures,
} from '../../../domain/account/statement-check.ts'
import { formatUsd, parseUsd } from '../../../domain/money.ts'
import { utcDayOf } from '../../../domain/time/calendar.ts'
import type { Client } from '../../../http/contract/contract.ts'
import type { casino } from '../../../services/casino/api/contract.ts'
import type { Statement, UsageDay } from '../../../services/casino/api/schemas/index.ts'
import { explanationText, findingText, reasonText } from './messages.ts'
import type { BilledMonth, BillResult, Finding } from './schema.ts'

/** API calls for the bill. */
export type BillingPlatform = Pick<Client<typeof casino>, 'account' | 'statements' | 'usage'>

export interface Billing {
  readonly platform: BillingPlatform
  now(): Promise<number>
  readonly signal?: AbortSignal
  /** Called for each month of usage. */
  readonly onMonth?: (read: number, of: number, period: Period) => void
}

export interface BillOptions {
  readonly tenant: { readonly companyCode: string; readonly environment: Environment }
  /** Months to check (default: all that the platform lists). */
  readonly from?: Period | undefined
  readonly to?: Period | undefined
  readonly tablePrice: bigint
}

/** A reconciled bill with its days. */
export interface ReconciledBill {
  readonly result: BillResult
  readonly proof: BillProof
  /** All days, oldest first, as the platform returned them. */
  readonly days: readonly UsageDay[]
}

/** A statement in units. */
export function figuresOf(statement: Statement): StatementFigures {
  return {
    period: statement.period,
    opening: parseUsd(statement.openingUsd),
    charges: parseUsd(statement.chargesUsd),
    payments: parseUsd(statement.paymentsUsd),
    closing: parseUsd(statement.closingUsd),
  }
}

function usageOf(day: UsageDay): UsageFigures {
  return {
    day: day.day,
    tableDays: day.tableDays,
    tableFee: parseUsd(day.tableFeeUsd),
    streamFee: parseUsd(day.streamFeeUsd),
  }
}

/**
 * Reads the statements, the usage of their days and the credit, and checks that they add up. Usage is read month by month,
 * because a platform may limit the range although the document does not.
 */
export async function reconcileBilling(work: Billing, options: BillOptions): Promise<ReconciledBill> {
  const { platform, signal } = work
  const callOptions = signal ? { signal } : {}
  const now = await work.now()
  const here = utcDayOf(now)
  const { from, to } = options
  const listed = (await platform.statements({}, callOptions)).statements
  const isInRange = (period: Period) => (from === undefined || period >= from) && (to === undefined || period <= to)
  const statements = listed.filter(({ period }) => isInRange(period)).map(figuresOf)
  const periods = statements.map(({ period }) => period).reverse()
  const last = periods.at(-1)
  // A month gets its statement when it is over: if this one has it already, the local clock is behind the platform's.
  const isBehind = last !== undefined && last >= periodOf(here)
  // The current credit follows from the newest statement only, so it is skipped if `to` is given.
  const open =
    to === undefined && last !== undefined ? periodsAfter(last, isBehind ? periodAfter(last, 1) : periodOf(here)) : []
  const allPeriods = [...periods, ...open]
  const days: UsageDay[] = []
  for (const [i, period] of allPeriods.entries()) {
    signal?.throwIfAborted()
    const { first, last } = daysOfPeriod(period)
    days.push(...(await platform.usage({ query: { from: first, to: last } }, callOptions)).days)
    work.onMonth?.(i + 1, allPeriods.length, period)
  }
  // Usage ends with the platform's current day.
  const today = isBehind ? (days.at(-1)?.day ?? here) : here
  const current =
    to === undefined ? { today, balance: parseUsd((await platform.account({}, callOptions)).balanceUsd) } : null
  const proof = proveBill({ statements, usage: days.map(usageOf), current, tablePrice: options.tablePrice })
  return { result: resultOf(options, now, proof), proof, days }
}

/** Returns the months after one up to and including another. */
function periodsAfter(last: Period, until: Period): Period[] {
  const periods: Period[] = []
  for (let next = periodAfter(last, 1); next <= until; next = periodAfter(next, 1)) periods.push(next)
  return periods
}

function resultOf({ tenant, tablePrice }: BillOptions, now: number, proof: BillProof): BillResult {
  const { since } = proof
  return {
    companyCode: tenant.companyCode,
    environment: tenant.environment,
    verdict: proof.verdict,
    asOf: new Date(now).toISOString(),
    tablePriceUsd: formatUsd(tablePrice),
    months: proof.months.map(monthOf).reverse(),
    since: since && {
      period: since.period,
      openingUsd: formatUsd(since.opening),
      chargesUsd: formatUsd(-since.charged),
      paymentsUsd: formatUsd(since.payments),
      balanceUsd: formatUsd(since.balance),
    },
    findings: proof.findings.map(
      (finding): Finding => ({
        code: finding.code,
        period: finding.period,
        day: 'day' in finding ? finding.day : null,
        stated: 'stated' in finding ? formatUsd(finding.stated) : null,
        computed: 'computed' in finding ? formatUsd(finding.computed) : null,
        message: findingText(finding),
      }),
    ),
    reasons: proof.reasons.map((reason) => ({
      code: reason.code,
      period: reason.period,
      message: reasonText(reason),
    })),
    explanations: proof.explanations.map((explanation) => ({
      code: explanation.code,
      period: explanation.period,
      message: explanationText(explanation),
    })),
  }
}

function monthOf(month: MonthBill): BilledMonth {
  const { statement, days } = month
  return {
    period: statement.period,
    openingUsd: formatUsd(statement.opening),
    chargesUsd: formatUsd(statement.charges),
    paymentsUsd: formatUsd(statement.payments),
    closingUsd: formatUsd(statement.closing),
    days: days.length,
    daysInMonth: daysOfPeriod(statement.period).count,
    tableDays: tableDaysOf(days),
    tableFeeUsd: formatUsd(month.tableFee),
    streamFeeUsd: formatUsd(month.streamFee),
    usageUsd: formatUsd(feeOf(month)),
    differenceUsd: formatUsd(month.difference),
    runs: month.runs.map(({ from, to, tableDays, fee }) => ({ from, to, tableDays, feeUsd: formatUsd(fee) })),
  }
}

/** These are floats by contract; rounding hides the error of the binary sum. */
export function tableDaysOf(days: readonly { readonly tableDays: number }[]): number {
  return Math.round(days.reduce((total, day) => total + day.tableDays, 0) * 1e6) / 1e6
}
