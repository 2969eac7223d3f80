import type { CreditEntryRow, StreamRow, UsageDayRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

export async function insertCreditEntry({ q }: Tx, row: CreditEntryRow): Promise<void> {
  await q.insertInto('casino_credit_entries').values(row).execute()
}

/** Lists the entries of a tenant from a moment on, oldest first. */
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

/** Returns the top-up with this reference, if it was credited. */
export function topupOf({ q }: Reader, tenant: string, ref: string): Promise<CreditEntryRow | undefined> {
  return q
    .selectFrom('casino_credit_entries')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('kind', '=', 'topup')
    .where('ref', '=', ref)
    .executeTakeFirst()
}

/** Lists a tenant's charged days in a range, both ends included. */
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

/** Lists the streaming measurements of a day by source. */
export function streamsOn({ q }: Reader, tenant: string, day: string): Promise<StreamRow[]> {
  return q.selectFrom('casino_streams').selectAll().where('tenant', '=', tenant).where('day', '=', day).execute()
}

/** Saves a source's total of a day, replacing the previous one. */
export async function saveStream({ q }: Tx, row: StreamRow): Promise<void> {
  await q
    .insertInto('casino_streams')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant', 'day', 'source']).doUpdateSet({ gb: row.gb }))
    .execute()
}
