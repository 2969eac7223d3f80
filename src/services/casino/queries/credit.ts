import type { CreditEntryRow, StreamRow, UsageDayRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

export async function insertCreditEntry({ q }: Tx, row: CreditEntryRow): Promise<void> {
  await q.insertInto('casino_credit_entries').values(row).execute()
}

/** The entries of a tenant, oldest first, from a moment on. */
export function creditEntries({ q }: Reader, tenant: string, since = 0): Promise<CreditEntryRow[]> {
  return q
    .selectFrom('casino_credit_entries')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('at', '>=', since)
    .orderBy('at')
    .orderBy('id')
    .execute()
}

/** The entry of a top-up with that reference, if it was credited before. */
export function topupOf({ q }: Reader, tenant: string, ref: string): Promise<CreditEntryRow | undefined> {
  return q
    .selectFrom('casino_credit_entries')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('kind', '=', 'topup')
    .where('ref', '=', ref)
    .executeTakeFirst()
}

/** The charged days of a tenant from one day to another, both included. */
export function usageDays({ q }: Reader, tenant: string, from: string, to: string): Promise<UsageDayRow[]> {
  return q
    .selectFrom('casino_usage_days')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute()
}

export async function insertUsageDay({ q }: Tx, row: UsageDayRow): Promise<void> {
  await q.insertInto('casino_usage_days').values(row).execute()
}

/** What each source measured of a day's streaming. */
export function streamsOn({ q }: Reader, tenant: string, day: string): Promise<StreamRow[]> {
  return q.selectFrom('casino_streams').selectAll().where('tenant', '=', tenant).where('day', '=', day).execute()
}

/** Keeps a source's total of a day, in place of what it said before. */
export async function saveStream({ q }: Tx, row: StreamRow): Promise<void> {
  await q
    .insertInto('casino_streams')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant', 'day', 'source']).doUpdateSet({ gb: row.gb }))
    .execute()
}
