import { inParts } from '../../../db/chunks.ts'
import { prepared } from '../../../db/prepared.ts'
import type { TransferRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

/** Lists a tenant's transfers with one txnId, latest first. More than one only if players used it months apart. */
export async function transfersOf(reader: Reader, tenant: string, txnId: string): Promise<TransferRow[]> {
  const transfers = await transfersByTxn(reader, { tenant, txnId })
  return latestFirst(transfers)
}

/** Sorts transfers here: an `order by` costs SQLite five times the search, even where no row or one is found. */
export function latestFirst(transfers: readonly TransferRow[]): TransferRow[] {
  return transfers.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
}

const transfersByTxn = prepared((q, { tenant, txnId }: { tenant: string; txnId: string }) =>
  q.selectFrom('casino_transfers').selectAll().where('tenant', '=', tenant).where('txn_id', '=', txnId),
)

export function insertTransfer(tx: Tx, row: TransferRow): Promise<void> {
  return insertTransfers(tx, [row])
}

export async function insertTransfers(tx: Tx, rows: readonly TransferRow[]): Promise<void> {
  await inParts(rows, (part) => insert(tx, {}, part))
}

const insert = prepared((q, _: object, rows: readonly TransferRow[]) =>
  q.insertInto('casino_transfers').values(
    rows.map((row) => ({
      id: row.id,
      tenant: row.tenant,
      txn_id: row.txn_id,
      player_id: row.player_id,
      dir: row.dir,
      amount: row.amount,
      change: row.change,
      balance: row.balance,
      at: row.at,
    })),
  ),
)
