import type { ChainTxRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { coinOf, contractOf } from '../../../domain/chains/coins.ts'
import {
  confirmationsOf,
  type GatewayEnvironment,
  heightAt,
  type NetworkCode,
  networks,
} from '../../../domain/chains/networks.ts'
import { amountText } from '../../../domain/payments/amounts.ts'
import { refuse } from '../api/contract.ts'
import { chainTxOf, chainTxsTo, openChainTxs, saveChainTx } from '../queries/chain.ts'
import { depositOf, paymentAt, paymentOf } from '../queries/payments.ts'
import { payoutOf } from '../queries/payouts.ts'
import { theCoin } from '../rates/currencies.ts'
import type { Gateway } from '../service.ts'
import { removeTx } from './chains.ts'

/** Actions of the simulator on the chains, except deposits: blocks, confirmations, reorganizations and lists. */

/** A transaction to a payment's address, with the gateway's state of it. */
export interface SeenDeposit {
  readonly txId: string
  readonly hash: string
  readonly network: NetworkCode
  readonly sender: string
  /** Amount in the payment's coin; null for another token, which has its own decimals. */
  readonly amount: string | null
  readonly contract: string | null
  readonly confirmations: number
  readonly needed: number
  readonly state: 'unseen' | 'seen' | 'confirmed' | 'removed' | 'frozen' | 'stray'
  /** Payment it counts toward: the address's first one, or a further one. */
  readonly paymentId: number | null
}

/**
 * Lists every transaction to a payment's address, oldest first. Includes other tokens and those of further payments.
 */
export function listDeposits(app: Gateway, paymentId: number): Promise<SeenDeposit[]> {
  return app.store.read(async (reader) => {
    const seen: SeenDeposit[] = []
    for (const row of await txsOf(reader, paymentId)) seen.push(await seenOf(reader, paymentId, row))
    return seen
  })
}

async function txsOf(reader: Reader, paymentId: number): Promise<ChainTxRow[]> {
  const payment = await paymentOf(reader, paymentId)
  if (!payment) throw refuse('NOT_FOUND', `There is no payment ${paymentId}`)
  return chainTxsTo(reader, payment.environment, payment.address)
}

async function seenOf(reader: Reader, paymentId: number, row: ChainTxRow): Promise<SeenDeposit> {
  const deposit = await depositOf(reader, row.id)
  const payment = await paymentOf(reader, paymentId)
  const coin = theCoin(payment?.pay_currency ?? '')
  const isOurs = row.contract === contractOf(coin, row.environment)
  return {
    txId: row.id,
    hash: row.hash,
    network: row.network,
    sender: row.sender,
    amount: isOurs ? amountText(BigInt(row.units), coin.code) : null,
    contract: row.contract,
    confirmations: row.removed === 1 ? 0 : confirmationsOf(row.block, heightAt(row.network, reader.now)),
    needed: networks[row.network].confirmations,
    state: row.removed === 1 ? 'removed' : (deposit?.state ?? 'unseen'),
    paymentId: deposit?.payment_id ?? null,
  }
}

/**
 * Confirms the deposits to a payment's address at once, without moving the clock. Returns the number of confirmed ones.
 */
export function confirmDeposits(app: Gateway, paymentId: number): Promise<{ confirmed: number }> {
  return app.store.write(async (tx) => {
    let confirmed = 0
    for (const row of await txsOf(tx, paymentId)) if (await confirmAtOnce(tx, row)) confirmed++
    return { confirmed }
  })
}

/** Confirms one transaction at once. Returns false if it is unknown, removed or already confirmed. */
export function confirmTx(app: Gateway, txId: string): Promise<boolean> {
  return app.store.write(async (tx) => {
    const row = await chainTxOf(tx, txId)
    return row !== undefined && confirmAtOnce(tx, row)
  })
}

async function confirmAtOnce(tx: Tx, row: ChainTxRow): Promise<boolean> {
  const { confirmations } = networks[row.network]
  const height = heightAt(row.network, tx.now)
  if (row.removed === 1 || confirmationsOf(row.block, height) >= confirmations) return false
  await saveChainTx(tx, row.id, { block: height - confirmations + 1, due_at: tx.now })
  return true
}

/** Makes the network drop an unconfirmed payout. The payout then fails and its funds are released. */
export function dropPayout(app: Gateway, id: string): Promise<ChainTxRow> {
  return app.store.write(async (tx) => {
    const payout = await payoutOf(tx, id)
    if (!payout) throw refuse('NOT_FOUND', `There is no payout ${id}`)
    if (payout.status !== 'sending')
      throw refuse('CONFLICT', `A ${payout.status} payout is not on a chain, or is already confirmed`)
    return removeTx(tx, 'out', id)
  })
}

/** Adds blocks to a network: every unconfirmed transaction on it gets that many more confirmations. */
export function addBlocks(
  app: Gateway,
  environment: GatewayEnvironment,
  network: NetworkCode,
  blocks: number,
): Promise<{ moved: number }> {
  return app.store.write(async (tx) => {
    const open = await openChainTxs(tx, environment, network)
    for (const row of open) await saveChainTx(tx, row.id, { block: row.block - blocks, due_at: tx.now })
    return { moved: open.length }
  })
}

/** Returns the id of the latest unconfirmed deposit to a payment's address. Throws CONFLICT if there is none. */
export function takeableDeposit(app: Gateway, paymentId: number): Promise<string> {
  return app.store.read(async (reader) => {
    const rows = (await txsOf(reader, paymentId)).filter(
      (row) =>
        row.removed === 0 &&
        confirmationsOf(row.block, heightAt(row.network, reader.now)) < networks[row.network].confirmations,
    )
    const latest = rows.at(-1)
    if (!latest) throw refuse('CONFLICT', `Payment ${paymentId} has no deposit that a reorganization could remove`)
    return latest.id
  })
}

/** Returns the ids of all payments that share an address: the first one, and those of further deposits. */
export function paymentsAtAddressOf(app: Gateway, paymentId: number): Promise<number[]> {
  return app.store.read(async (reader) => {
    const payment = await paymentOf(reader, paymentId)
    if (!payment) throw refuse('NOT_FOUND', `There is no payment ${paymentId}`)
    const first = await paymentAt(reader, payment.environment, payment.address)
    const ids = await Promise.all(
      (await txsOf(reader, paymentId)).map(async (row) => (await depositOf(reader, row.id))?.payment_id),
    )
    return [...new Set([first?.id ?? paymentId, ...ids.filter((id) => id !== undefined)])]
  })
}

/** Returns the contract for a coin's code, for `native` (null, the network's own coin) or for a contract itself. */
export function contractNamed(app: Gateway, paymentId: number, name: string): Promise<string | null> {
  return app.store.read(async (reader) => {
    const payment = await paymentOf(reader, paymentId)
    if (!payment) throw refuse('NOT_FOUND', `There is no payment ${paymentId}`)
    if (name === 'native') return null
    const coin = coinOf(name)
    if (!coin) return name
    if (coin.network !== payment.network)
      throw refuse('CURRENCY_UNAVAILABLE', `${coin.code} is not on ${payment.network}, the network of the address`)
    return contractOf(coin, payment.environment)
  })
}
