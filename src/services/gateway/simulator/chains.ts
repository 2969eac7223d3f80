import { base58 } from '@scure/base'
import type { ChainTxRow } from '../../../db/schema/gateway.ts'
import type { Store, Tx } from '../../../db/store.ts'
import {
  blockAt,
  confirmationsOf,
  confirmedAt,
  type GatewayEnvironment,
  heightAt,
  type NetworkCode,
  networks,
} from '../../../domain/chains/networks.ts'
import { hmacHex, sha256Hex } from '../../../kit/hmac.ts'
import { refuse } from '../api/contract.ts'
import { chainTxOf, dueChainTxs, insertChainTx, nextDueChainTx, saveChainTx } from '../queries/chain.ts'
import type { ChainReport, Chains, Outgoing } from '../service.ts'

/**
 * Returns the ten simulated chains. Their blocks follow from the world's clock. A transaction is in the next block
 * after it was sent, and its depth follows from the time.
 */
export function simulatedChains(store: Store): Chains {
  return {
    nextRun: nextDueChainTx,
    reports: (limit) =>
      store.read(async (reader) => (await dueChainTxs(reader, limit)).map((row) => reportOf(row, reader.now))),
    async acknowledge(tx, report) {
      const row = await chainTxOf(tx, report.id)
      if (!row) return
      // A removal after this report must still be reported, so the row stays due.
      if (row.removed === 1 && !report.isRemoved) return
      const isDeep = report.confirmations >= networks[row.network].confirmations
      await saveChainTx(tx, row.id, {
        due_at: row.removed === 1 || isDeep ? null : confirmedAt(row.network, row.block),
      })
    },
    async depthOf(reader, id) {
      const row = await chainTxOf(reader, id)
      return row === undefined || row.removed === 1 ? 0 : reportOf(row, reader.now).confirmations
    },
    hashOf: async (reader, id) => (await chainTxOf(reader, id))?.hash,
    send: (input) =>
      store.write(async (tx) => {
        const known = await chainTxOf(tx, input.id)
        return known?.hash ?? (await addTx(tx, 'out', { ...input, sender: 'gateway' })).hash
      }),
  }
}

/** A transfer from outside to an address of the gateway. */
export interface Incoming extends Outgoing {
  readonly sender: string
}

/** Adds a transfer to one of our addresses to its chain, inside a transaction. */
export function payIn(tx: Tx, input: Incoming): Promise<ChainTxRow> {
  return addTx(tx, 'in', input)
}

/**
 * Removes a deposit, as a reorganization does, or an outgoing transfer, as a network does that drops it. Throws
 * CONFLICT if it is confirmed or was already removed.
 */
export async function removeTx(tx: Tx, direction: ChainTxRow['direction'], id: string): Promise<ChainTxRow> {
  const kind = direction === 'in' ? 'deposit' : 'transfer'
  const row = await chainTxOf(tx, id)
  if (row?.direction !== direction) throw refuse('NOT_FOUND', `There is no ${kind} ${id} on any chain`)
  if (row.removed === 1) throw refuse('CONFLICT', `The ${kind} ${id} was already removed`)
  if (confirmationsOf(row.block, heightAt(row.network, tx.now)) >= networks[row.network].confirmations)
    throw refuse('CONFLICT', `The ${kind} ${id} is confirmed and cannot be removed`)
  await saveChainTx(tx, id, { removed: 1, due_at: tx.now })
  return { ...row, removed: 1 }
}

/** Returns when a deposit counts as confirmed. */
export function countsAt(row: ChainTxRow): number {
  return confirmedAt(row.network, row.block)
}

async function addTx(tx: Tx, direction: 'in' | 'out', input: Incoming): Promise<ChainTxRow> {
  const row: ChainTxRow = {
    id: input.id,
    environment: input.environment,
    network: input.network,
    direction,
    hash: hashOf(input.environment, input.network, input.id),
    sender: input.sender,
    recipient: input.recipient,
    contract: input.contract,
    units: String(input.units),
    block: heightAt(input.network, tx.now) + 1,
    removed: 0,
    // Reported at once, before it is in a block, and again once it is confirmed.
    due_at: tx.now,
    created_at: tx.now,
  }
  await insertChainTx(tx, row)
  return row
}

function reportOf(row: ChainTxRow, now: number): ChainReport {
  return {
    id: row.id,
    environment: row.environment,
    network: row.network,
    direction: row.direction,
    hash: row.hash,
    sender: row.sender,
    recipient: row.recipient,
    contract: row.contract,
    units: BigInt(row.units),
    confirmations: now < blockAt(row.network, row.block) ? 0 : confirmationsOf(row.block, heightAt(row.network, now)),
    isRemoved: row.removed === 1,
  }
}

/** Returns a hash in the form of its network. */
function hashOf(environment: GatewayEnvironment, network: NetworkCode, id: string): string {
  const name = `${environment}/${network}/${id}`
  switch (networks[network].form) {
    case 'evm':
      return `0x${sha256Hex(name)}`
    case 'solana':
      return base58.encode(Buffer.from(hmacHex('sha512', network, name), 'hex'))
    case 'tron':
    case 'bitcoin':
      return sha256Hex(name)
  }
}
