import type { CreditEntryRow, TenantRow, UsageDayRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { countedStream, gbScale, streamFee, tableFee } from '../../../domain/account/billing.ts'
import { limits } from '../../../domain/account/plan-limits.ts'
import { isOver } from '../../../domain/account/state.ts'
import { formatFixed, formatUsd, parseUnits, parseUsd, sum } from '../../../domain/money.ts'
import { dayMs, isDay, startOfMonth, startOfUtcDay, utcDayOf } from '../../../domain/time/calendar.ts'
import { momentText } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import { isPaying, limitsFor, planNow } from '../api/limits.ts'
import type { Account, Statement, UsageDay } from '../api/schemas/index.ts'
import { creditEntries, streamsOn, usageDays } from '../queries/credit.ts'
import { enabledTables, spansBetween } from '../queries/tables.ts'
import { tenantOf } from '../queries/tenants.ts'
import type { Casino, Tenant } from '../service.ts'

/** Returns the current plan, state and credit. */
export function readAccount(app: Casino, tenant: Tenant): Promise<Account> {
  return app.store.read(async (reader) => {
    const row = await asItIs(reader, tenant)
    const { average, daysLeft } = await costsOf(reader, row)
    return {
      plan: planNow(row),
      state: row.state,
      balanceUsd: row.credit_usd,
      tablesUsed: (await enabledTables(reader, row.code)).length,
      tablesQuota: limitsFor(row).tables,
      streamGbMonth: await streamedThisMonth(reader, row),
      avgDailyUsd7d: formatUsd(average),
      daysLeft,
      graceUntil: row.state === 'GRACE' && row.grace_until !== null ? momentText(row.grace_until) : null,
    }
  })
}

/** Returns a tenant's average daily cost over the last week, in USD units, and the days its credit lasts. */
export async function costsOf(
  reader: Reader,
  tenant: TenantRow,
): Promise<{ average: bigint; daysLeft: number | null }> {
  const today = startOfUtcDay(reader.now)
  const week = await usageDays(reader, tenant.code, utcDayOf(today - 7 * dayMs), utcDayOf(today - dayMs))
  const average = sum(week.map((day) => parseUsd(day.table_fee_usd) + parseUsd(day.stream_fee_usd))) / 7n
  const credit = parseUsd(tenant.credit_usd)
  return { average, daysLeft: average > 0n ? Number(credit > 0n ? credit / average : 0n) : null }
}

/** Returns the tenant's row from this snapshot: the authenticated one may be older. */
async function asItIs(reader: Reader, tenant: Tenant): Promise<TenantRow> {
  return (await tenantOf(reader, tenant.code)) ?? tenant
}

/**
 * Returns the cost of each UTC day of a range, both ends included: as charged, or the running total. Days before the
 * tenant existed and future days are omitted.
 */
export async function readUsage(app: Casino, tenant: Tenant, range: { from: string; to: string }) {
  const from = realDay('from', range.from)
  const to = realDay('to', range.to)
  if (to < from) throw refuse('INVALID_PARAMETER', 'to must not be before from', { field: 'to' })
  return app.store.read(async (reader) => {
    const row = await asItIs(reader, tenant)
    const first = Math.max(from, startOfUtcDay(row.created_at))
    const last = Math.min(to, startOfUtcDay(reader.now))
    const charged = new Map<string, UsageDayRow>()
    for (const day of await usageDays(reader, row.code, range.from, range.to)) charged.set(day.day, day)
    const days: UsageDay[] = []
    for (let day = first; day <= last; day += dayMs)
      days.push(toUsageDay(charged.get(utcDayOf(day)) ?? (await usageOn(reader, row, day))))
    return { days }
  })
}

function realDay(field: 'from' | 'to', text: string): number {
  if (!isDay(text)) throw refuse('INVALID_PARAMETER', `${field} must be an existing date, YYYY-MM-DD`, { field })
  return Date.parse(text)
}

/** Returns the gigabytes of this UTC month: charged days, and the running total of today. */
async function streamedThisMonth(reader: Reader, tenant: TenantRow): Promise<string> {
  const [first, today] = [startOfMonth(reader.now), startOfUtcDay(reader.now)]
  const charged = await usageDays(reader, tenant.code, utcDayOf(first), utcDayOf(reader.now))
  const open = charged.some(({ day }) => day === utcDayOf(today)) ? [] : [await usageOn(reader, tenant, today)]
  const gb = sum([...charged, ...open].map((day) => parseUnits(day.stream_gb, gbScale)))
  return formatFixed(gb, gbScale, gbScale)
}

/**
 * Returns a day's usage from the tables enabled on it and the streamed gigabytes. A table enabled and disabled on one
 * day counts once. Streaming is charged on the free plan too; a sandbox has no bill.
 */
export async function usageOn(reader: Reader, tenant: TenantRow, dayStart: number): Promise<UsageDayRow> {
  // The day of leaving the paid plan counts, unless the account was closed on it: such a day costs nothing.
  const counts = isPaying(tenant) || (tenant.paid_day === utcDayOf(dayStart) && !isOver(tenant.state))
  const spans = counts ? await spansBetween(reader, tenant.code, dayStart, dayStart + dayMs) : []
  const tables = new Set(spans.map((span) => span.table_id)).size
  const streamed = countedStream(await streamsOn(reader, tenant.code, utcDayOf(dayStart)))
  const gb = parseUnits(streamed?.gb ?? '0', gbScale)
  return {
    tenant: tenant.code,
    day: utcDayOf(dayStart),
    table_days: tables,
    stream_gb: formatFixed(gb, gbScale, gbScale),
    // Without a measurement nothing was streamed: that is an estimate too.
    stream_source: streamed?.source ?? 'estimate',
    table_fee_usd: formatUsd(tableFee(tables, dayStart)),
    stream_fee_usd: formatUsd(tenant.environment === 'live' ? streamFee(gb) : 0n),
  }
}

function toUsageDay(row: UsageDayRow): UsageDay {
  return {
    day: row.day,
    tableDays: row.table_days,
    streamGb: row.stream_gb,
    streamSource: row.stream_source,
    tableFeeUsd: row.table_fee_usd,
    streamFeeUsd: row.stream_fee_usd,
  }
}

/** Returns the last 24 fully charged months, newest first. Each opens with the closing balance of the one before. */
export function listStatements(app: Casino, tenant: Tenant): Promise<{ statements: Statement[] }> {
  return app.store.read(async (reader) => {
    const row = await asItIs(reader, tenant)
    const entries = Map.groupBy(await creditEntries(reader, row.code), (entry) => entry.day.slice(0, 7))
    const statements: Statement[] = []
    let opening = 0n
    for (let month = startOfMonth(row.created_at); isCharged(row, month, reader.now); month = startOfMonth(month, 1)) {
      const period = utcDayOf(month).slice(0, 7)
      const statement = statementOf(period, opening, entries.get(period) ?? [])
      statements.push(statement)
      opening = parseUsd(statement.closingUsd)
    }
    return { statements: statements.slice(-limits.statements).reverse() }
  })
}

/** Returns whether a month is over and its last day was charged. */
function isCharged(tenant: TenantRow, month: number, now: number): boolean {
  const next = startOfMonth(month, 1)
  return next <= now && tenant.charged_through !== null && tenant.charged_through >= utcDayOf(next - dayMs)
}

function statementOf(period: string, opening: bigint, entries: readonly CreditEntryRow[]): Statement {
  const amountOf = (some: readonly CreditEntryRow[]) => sum(some.map((entry) => parseUsd(entry.amount_usd)))
  const charges = amountOf(entries.filter(isFee))
  const payments = amountOf(entries.filter((entry) => !isFee(entry)))
  return {
    period,
    openingUsd: formatUsd(opening),
    chargesUsd: formatUsd(charges),
    paymentsUsd: formatUsd(payments),
    closingUsd: formatUsd(opening + charges + payments),
  }
}

function isFee(entry: CreditEntryRow): boolean {
  return entry.kind === 'table_fee' || entry.kind === 'stream_fee'
}
