import { prepared } from '../../../db/prepared.ts'
import type { TransferRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

/** Lists a tenant's transfers with one txnId, latest first. More than one only if players used it months apart. */
export async function transfersOf(reader: Reader, tenant: string, txnId: string): Promise<TransferRow[]> {
  const transfers = await transfersByTxn(reader, { tenant, txnId })
  // Sorted here: an `order by` costs SQLite five times the search, even where no row or one is found.
  return transfers.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
}

const transfersByTxn = prepared((q, { tenant, txnId }: { tenant: string; txnId: string }) =>
  q.selectFrom('casino_transfers').selectAll().where('tenant', '=', tenant).where('txn_id', '=', txnId),
)

export async function insertTransfer(tx: Tx, row: TransferRow): Promise<void> {
  await insert(tx, row)
}

const insert = prepared((q, row: TransferRow) =>
  q.insertInto('casino_transfers').values({
    id: row.id,
    tenant: row.tenant,
    txn_id: row.txn_id,
    player_id: row.player_id,
    dir: row.dir,
    amount: row.amount,
    change: row.change,
    balance: row.balance,
    at: row.at,
  }),
)
