import { sql } from 'kysely'
import type { ConversionRow, SubaccountRow, SubTransferRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { countOf, type Pagination, pageOf } from './pagination.ts'

const oldestFirst = ['created_at', 'id'] as const

export async function insertConversion({ q }: Tx, row: ConversionRow): Promise<void> {
  await q.insertInto('gateway_conversions').values(row).execute()
}

export function conversionOf({ q }: Reader, id: string): Promise<ConversionRow | undefined> {
  return q.selectFrom('gateway_conversions').selectAll().where('id', '=', id).executeTakeFirst()
}

export interface ConversionFilter {
  readonly merchant: string
  readonly ids?: readonly string[] | undefined
  readonly statuses?: readonly string[] | undefined
  readonly fromCurrency?: string | undefined
  readonly toCurrency?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Returns a page of matching conversions, oldest first, and their total number. */
export async function conversionsOf({ q }: Reader, filter: ConversionFilter, pagination: Pagination) {
  let query = q.selectFrom('gateway_conversions').where('merchant', '=', filter.merchant)
  if (filter.ids) query = query.where('id', 'in', filter.ids)
  if (filter.statuses) query = query.where(sql<string>`status`, 'in', filter.statuses)
  if (filter.fromCurrency !== undefined) query = query.where('from_currency', '=', filter.fromCurrency)
  if (filter.toCurrency !== undefined) query = query.where('to_currency', '=', filter.toCurrency)
  if (filter.from !== undefined) query = query.where('created_at', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('created_at', '<=', filter.to)
  return { rows: await pageOf(query, oldestFirst, pagination), count: await countOf(query) }
}

export function subaccountOf({ q }: Reader, id: string): Promise<SubaccountRow | undefined> {
  return q.selectFrom('gateway_subaccounts').selectAll().where('id', '=', id).executeTakeFirst()
}

export function subaccountNamed({ q }: Reader, merchant: string, name: string): Promise<SubaccountRow | undefined> {
  return q
    .selectFrom('gateway_subaccounts')
    .selectAll()
    .where('merchant', '=', merchant)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Returns a page of a merchant's sub-accounts, all or those with these ids, oldest first, and their total number. */
export async function subaccountsOf(
  { q }: Reader,
  merchant: string,
  ids: readonly string[] | undefined,
  pagination: Pagination,
) {
  let query = q.selectFrom('gateway_subaccounts').where('merchant', '=', merchant)
  if (ids) query = query.where('id', 'in', ids)
  return { rows: await pageOf(query, oldestFirst, pagination), count: await countOf(query) }
}

export async function insertSubaccount({ q }: Tx, row: SubaccountRow): Promise<void> {
  await q.insertInto('gateway_subaccounts').values(row).execute()
}

export async function insertSubTransfer({ q }: Tx, row: SubTransferRow): Promise<void> {
  await q.insertInto('gateway_sub_transfers').values(row).execute()
}

export function subTransferOf({ q }: Reader, id: string): Promise<SubTransferRow | undefined> {
  return q.selectFrom('gateway_sub_transfers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns a page of a merchant's internal transfers, oldest first, and their total number. */
export async function subTransfersOf(
  { q }: Reader,
  merchant: string,
  { ids, statuses }: { ids: readonly string[] | undefined; statuses: readonly string[] | undefined },
  pagination: Pagination,
) {
  let query = q.selectFrom('gateway_sub_transfers').where('merchant', '=', merchant)
  if (ids) query = query.where('id', 'in', ids)
  if (statuses) query = query.where(sql<string>`status`, 'in', statuses)
  return { rows: await pageOf(query, oldestFirst, pagination), count: await countOf(query) }
}
