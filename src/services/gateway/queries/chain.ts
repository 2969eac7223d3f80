import type { ChainTxRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { GatewayEnvironment, NetworkCode } from '../../../domain/chains/networks.ts'

export async function insertChainTx({ q }: Tx, row: ChainTxRow): Promise<void> {
  await q.insertInto('gateway_chain_txs').values(row).execute()
}

export async function saveChainTx({ q }: Tx, id: string, change: Partial<ChainTxRow>): Promise<void> {
  await q.updateTable('gateway_chain_txs').set(change).where('id', '=', id).execute()
}

export function chainTxOf({ q }: Reader, id: string): Promise<ChainTxRow | undefined> {
  return q.selectFrom('gateway_chain_txs').selectAll().where('id', '=', id).executeTakeFirst()
}

export function dueChainTxs({ q, now }: Reader, limit: number): Promise<ChainTxRow[]> {
  return q
    .selectFrom('gateway_chain_txs')
    .selectAll()
    .where('due_at', 'is not', null)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function nextDueChainTx({ q }: Reader): Promise<number | undefined> {
  const row = await q
    .selectFrom('gateway_chain_txs')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** Lists transactions to an address, oldest first. */
export function chainTxsTo({ q }: Reader, environment: GatewayEnvironment, recipient: string): Promise<ChainTxRow[]> {
  return q
    .selectFrom('gateway_chain_txs')
    .selectAll()
    .where('environment', '=', environment)
    .where('recipient', '=', recipient)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Lists a network's transactions whose confirmation was not reported yet. */
export function openChainTxs(
  { q }: Reader,
  environment: GatewayEnvironment,
  network: NetworkCode,
): Promise<ChainTxRow[]> {
  return q
    .selectFrom('gateway_chain_txs')
    .selectAll()
    .where('environment', '=', environment)
    .where('network', '=', network)
    .where('removed', '=', 0)
    .where('due_at', 'is not', null)
    .execute()
}
