import type { TenantRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { limits, oldestReadableMonth } from '../../../domain/account/plan-limits.ts'
import {
  type Cursor,
  cursorOf,
  formatCursor,
  type Month,
  monthOf,
  monthStart,
  nextMonth,
} from '../../../domain/bets/cursor.ts'
import { momentIn } from '../../../domain/time/calendar.ts'
import { type Written, writtenPage } from '../../../http/contract/preserialized.ts'
import { refuse } from '../api/contract.ts'
import { limitsFor } from '../api/limits.ts'
import type { BetPage } from '../api/schemas/index.ts'
import { firstSince, lastSequence, openMonthOf, recordsAfter, saveOpenMonth } from '../queries/bets.ts'
import type { Casino, Tenant } from '../service.ts'

/**
 * Returns the tenant's bet records from a cursor on, in write order. A page ends at the end of its month; the next one
 * begins with the next month, up to the current one.
 */
export async function readBets(
  app: Casino,
  tenant: Tenant,
  query: { cursor?: string; limit?: number; from?: string },
): Promise<Written<BetPage>> {
  const limit = query.limit ?? limits.betsPage.default
  const page = await app.store.read(async (reader) => {
    const position = await startOf(reader, tenant, query)
    const rows = await recordsAfter(reader, tenant.code, position.month, rowNumber(position.seq), limit + 1)
    const open = (await openMonthOf(reader, tenant.code)) ?? ''
    const isCurrent = position.month >= laterMonth(monthOf(reader.now), open)
    return { position, rows, isCurrent, isClosed: open > position.month }
  })
  const { position, isCurrent } = page
  const rows = page.rows.slice(0, limit)
  const upTo = (next: Cursor, hasMore: boolean) =>
    writtenPage<BetPage>(
      rows.map((row) => row.record),
      { nextCursor: formatCursor(next), hasMore },
    )
  const reached = { month: position.month, seq: BigInt(rows.at(-1)?.rec_seq ?? position.seq) }
  if (page.rows.length > limit) return upTo(reached, true)
  if (isCurrent) return upTo(reached, false)
  if (page.isClosed) return upTo({ month: nextMonth(position.month), seq: 0n }, true)
  // A record of that month may be in the process of being written. Once the month is closed none can be, so it is read
  // again after that.
  await closeMonth(app, tenant)
  return readBets(app, tenant, { ...query, cursor: formatCursor(position) })
}

/** Returns a sequence as a row number. No row has one beyond the safe integers, so a larger one is behind them all. */
function rowNumber(seq: bigint): number {
  return seq > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(seq)
}

/**
 * Closes past months: a tenant's next records go into the current month, so that a reader can leave the earlier ones.
 */
async function closeMonth(app: Casino, tenant: Tenant): Promise<void> {
  await app.store.write(async (tx) => {
    const month = monthOf(tx.now)
    if (((await openMonthOf(tx, tenant.code)) ?? '') < month) await saveOpenMonth(tx, tenant.code, month)
  })
}

function laterMonth(a: Month, b: Month): Month {
  return a > b ? a : b
}

async function startOf(reader: Reader, tenant: TenantRow, query: { cursor?: string; from?: string }): Promise<Cursor> {
  const first = oldestReadableMonth(reader.now, limitsFor(tenant).retentionDays)
  if (query.cursor !== undefined) {
    const cursor = cursorOf(query.cursor)
    if (!cursor) throw refuse('INVALID_CURSOR', 'cursor must be a nextCursor of this API', { field: 'cursor' })
    // The earlier months were deleted: reading starts with the first readable one.
    return cursor.month < first ? { month: first, seq: 0n } : cursor
  }
  if (query.from === undefined) return { month: monthOf(reader.now), seq: 0n }
  const since = Math.floor(momentOf(query.from) / 60_000) * 60_000
  const month = monthOf(since)
  if (month < first) return { month: first, seq: 0n }
  // After the clock was set back, the month being written may be in the future.
  const current = laterMonth(monthOf(reader.now), (await openMonthOf(reader, tenant.code)) ?? '')
  if (month > current) return { month: current, seq: BigInt(await lastSequence(reader, tenant.code, current)) }
  if (since === monthStart(month)) return { month, seq: 0n }
  return { month, seq: BigInt((await firstSince(reader, tenant.code, month, since)) - 1) }
}

function momentOf(text: string): number {
  const at = momentIn(text)
  if (at === undefined || at < 0)
    throw refuse('INVALID_PARAMETER', 'from must be an ISO 8601 time such as 2026-01-31T00:00:00.000Z', {
      field: 'from',
    })
  return at
}
