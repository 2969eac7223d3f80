import type { SlipRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { demoDayLimit } from '../../../domain/account/plan-limits.ts'
import { formatUnits, parseAmount, playerScale } from '../../../domain/money.ts'
import { utcDayOf } from '../../../domain/time/calendar.ts'
import { limitsFor } from '../api/limits.ts'
import { dayBets, saveDayBets } from '../queries/day-bets.ts'

/** Shares of the daily limit are counted in millionths, truncated. */
const whole = 1_000_000n

/**
 * Returns whether a demo tenant's players have reached their common betting limit of this UTC day. The limits of all
 * currencies are worth the same, so the used shares add up.
 */
export async function isDayOver(reader: Reader, tenant: TenantRow): Promise<boolean> {
  if (!limitsFor(tenant).isDemo) return false
  let used = 0n
  for (const { currency, total } of await dayBets(reader, tenant.code, utcDayOf(reader.now)))
    used += (parseAmount(total) * whole) / demoDayLimit(currency)
  return used >= whole
}

/** Counts bets, if the tenant has a daily limit. */
export async function countDayBets(
  tx: Tx,
  tenant: TenantRow,
  slips: readonly Pick<SlipRow, 'currency' | 'stake'>[],
): Promise<void> {
  if (!limitsFor(tenant).isDemo) return
  const day = utcDayOf(tx.now)
  const totals = new Map<string, bigint>()
  for (const { currency, total } of await dayBets(tx, tenant.code, day)) totals.set(currency, parseAmount(total))
  for (const { currency, stake } of slips) totals.set(currency, (totals.get(currency) ?? 0n) + parseAmount(stake))
  for (const [currency, total] of totals)
    await saveDayBets(tx, { tenant: tenant.code, day, currency, total: formatUnits(total, playerScale) })
}
