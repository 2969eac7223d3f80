import type { Reader, Tx } from '../../store/store.ts'
import type { ConversionRow, SubaccountRow, SubTransferRow } from '../../store/tables/gateway.ts'

export async function insertConversion({ q }: Tx, row: ConversionRow): Promise<void> {
  await q.insertInto('gateway_conversions').values(row).execute()
}

/** A merchant's conversions, oldest first. */
export function conversionsOf({ q }: Reader, merchant: string): Promise<ConversionRow[]> {
  return q
    .selectFrom('gateway_conversions')
    .selectAll()
    .where('merchant', '=', merchant)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
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

/** A merchant's sub-accounts, oldest first. */
export function subaccountsOf({ q }: Reader, merchant: string): Promise<SubaccountRow[]> {
  return q
    .selectFrom('gateway_subaccounts')
    .selectAll()
    .where('merchant', '=', merchant)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function insertSubaccount({ q }: Tx, row: SubaccountRow): Promise<void> {
  await q.insertInto('gateway_subaccounts').values(row).execute()
}

export async function insertSubTransfer({ q }: Tx, row: SubTransferRow): Promise<void> {
  await q.insertInto('gateway_sub_transfers').values(row).execute()
}

/** A merchant's transfers among its accounts, oldest first. */
export function subTransfersOf({ q }: Reader, merchant: string): Promise<SubTransferRow[]> {
  return q
    .selectFrom('gateway_sub_transfers')
    .selectAll()
    .where('merchant', '=', merchant)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
