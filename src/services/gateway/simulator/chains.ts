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
import type { Chains, Outgoing, Sighting } from '../service.ts'

/**
 * Ten pretended chains. Their blocks are made by the world's clock, so nothing has to be mined: a transaction goes into
 * the next block after it was sent, and how deep it lies follows from the time.
 */
export function simulatedChains(store: Store): Chains {
  return {
    nextDue: nextDueChainTx,
    news: (limit) =>
      store.read(async (reader) => (await dueChainTxs(reader, limit)).map((row) => sightingOf(row, reader.now))),
    async noted(tx, sighting) {
      const row = await chainTxOf(tx, sighting.id)
      if (!row) return
      // A reorganisation that came after the look is still to be told.
      if (row.removed === 1 && !sighting.isRemoved) return
      const isDeep = sighting.confirmations >= networks[row.network].confirmations
      await saveChainTx(tx, row.id, {
        due_at: row.removed === 1 || isDeep ? null : confirmedAt(row.network, row.block),
      })
    },
    async depthOf(reader, id) {
      const row = await chainTxOf(reader, id)
      return row === undefined || row.removed === 1 ? 0 : sightingOf(row, reader.now).confirmations
    },
    send: (order) =>
      store.write(async (tx) => {
        const known = await chainTxOf(tx, order.id)
        return known?.hash ?? (await addTx(tx, 'out', { ...order, sender: 'gateway' })).hash
      }),
  }
}

/** A transfer as somebody outside makes it. */
export interface Incoming extends Outgoing {
  readonly sender: string
}

/** Puts a transfer to one of our addresses on its chain, inside a transaction: the simulator's hand. */
export function payIn(tx: Tx, order: Incoming): Promise<ChainTxRow> {
  return addTx(tx, 'in', order)
}

/**
 * Takes a deposit away, as a reorganisation does, or a transfer of ours, as a network does that drops it; CONFLICT for one
 * that lies too deep for that.
 */
export async function takeAway(tx: Tx, direction: ChainTxRow['direction'], id: string): Promise<ChainTxRow> {
  const what = direction === 'in' ? 'deposit' : 'transfer'
  const row = await chainTxOf(tx, id)
  if (row?.direction !== direction) throw refuse('NOT_FOUND', `There is no ${what} ${id} on any chain`)
  if (row.removed === 1) throw refuse('CONFLICT', `The ${what} ${id} was taken away already`)
  if (confirmationsOf(row.block, heightAt(row.network, tx.now)) >= networks[row.network].confirmations)
    throw refuse('CONFLICT', `The ${what} ${id} lies too deep to be taken away`)
  await saveChainTx(tx, id, { removed: 1, due_at: tx.now })
  return { ...row, removed: 1 }
}

/** The moment at which a deposit counts. */
export function countsAt(row: ChainTxRow): number {
  return confirmedAt(row.network, row.block)
}

async function addTx(tx: Tx, direction: 'in' | 'out', order: Incoming): Promise<ChainTxRow> {
  const row: ChainTxRow = {
    id: order.id,
    environment: order.environment,
    network: order.network,
    direction,
    hash: hashOf(order.environment, order.network, order.id),
    sender: order.sender,
    recipient: order.recipient,
    contract: order.contract,
    units: String(order.units),
    block: heightAt(order.network, tx.now) + 1,
    removed: 0,
    // What comes in is seen at once, before it is in a block; what goes out is of interest only when it is deep enough.
    due_at: tx.now,
    created_at: tx.now,
  }
  await insertChainTx(tx, row)
  return row
}

function sightingOf(row: ChainTxRow, now: number): Sighting {
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

/** A hash in the form its network writes them. */
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
