import type { TransferRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

/** Lists a tenant's transfers with one txnId, latest first. More than one only if players used it months apart. */
export function transfersOf({ q }: Reader, tenant: string, txnId: string): Promise<TransferRow[]> {
  return q
    .selectFrom('casino_transfers')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('txn_id', '=', txnId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function insertTransfer({ q }: Tx, row: TransferRow): Promise<void> {
  await q.insertInto('casino_transfers').values(row).execute()
}
