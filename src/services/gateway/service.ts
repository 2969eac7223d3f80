import type { LookupFunction } from 'node:net'
import type { ChainTxRow, GatewayUserRow, MerchantRow } from '../../db/schema/gateway.ts'
import type { Reader, Store, Tx } from '../../db/store.ts'
import type { GatewayEnvironment } from '../../domain/chains/networks.ts'
import type { RateTable } from '../../domain/payments/rates.ts'
import type { Ambient } from '../../kit/ambient.ts'
import type { Log } from '../../kit/log.ts'
import type { Signer } from './signer/signer.ts'

/** What the gateway needs to run. */
export interface Gateway extends Ambient {
  readonly store: Store
  readonly log: Log
  readonly chains: Chains
  readonly rates: RateSource
  readonly signer: Signer
  readonly config: GatewayConfig
}

export interface GatewayConfig {
  /** Where customers reach the service: the links of payments and invoices begin with it. */
  publicUrl(): string
  /** Whether request rates are limited. */
  rateLimits: boolean
  /** Whether callbacks may go to a developer's receiver on this very machine. */
  loopbackCallbacks(): boolean
  /** Finds addresses of names in callback URLs; the system's way when not given. */
  readonly lookup?: LookupFunction | undefined
}

/** Where prices come from; a source that asks an exchange keeps its latest table and hands it out here. */
export interface RateSource {
  table(): RateTable
  /** How old a table may be before nobody should trade on it; absent for a table that is meant to stand still. */
  readonly maxAgeMs?: number
}

/** What a chain says of one transaction that touches us. */
export interface Sighting {
  readonly id: string
  readonly environment: GatewayEnvironment
  readonly network: ChainTxRow['network']
  readonly direction: 'in' | 'out'
  readonly hash: string
  readonly sender: string
  readonly recipient: string
  /** The token's contract; null for the network's own coin. */
  readonly contract: string | null
  readonly units: bigint
  readonly confirmations: number
  /** Whether a reorganisation took it away. */
  readonly isRemoved: boolean
}

/** A transfer to be put on a chain. */
export interface Outgoing {
  /** Sent again under the same id it is still one transfer. */
  readonly id: string
  readonly environment: GatewayEnvironment
  readonly network: ChainTxRow['network']
  readonly recipient: string
  readonly contract: string | null
  readonly units: bigint
}

/**
 * The chains as the gateway knows them: they tell of transactions, and take some. Simulated here; a node of a real
 * network goes in at the same place, so nothing outside of it may know how blocks come to be.
 */
export interface Chains {
  /** When there is news next, as far as that can be known. */
  nextDue(reader: Reader): Promise<number | undefined>
  /** Transactions there is something new to tell of, at most so many. Told again until it is noted. */
  news(limit: number): Promise<readonly Sighting[]>
  /** Notes, beside what was done about it, that a sighting was acted on. */
  noted(tx: Tx, sighting: Sighting): Promise<void>
  /** How deep a transaction lies; 0 before it is in a block, or where it is none of the chain's. */
  depthOf(reader: Reader, id: string): Promise<number>
  /** Puts a transfer on its chain and says by which hash it is known there. Never inside a transaction. */
  send(order: Outgoing): Promise<string>
}

/** Who asks with a key: a merchant, and what the key may do. */
export interface MerchantCaller {
  readonly merchant: MerchantRow
  /** Undefined where the compatibility option let a token do without a key. */
  readonly keyHash: string | undefined
}

/** Who asks with a token besides. */
export interface UserCaller extends MerchantCaller {
  readonly user: GatewayUserRow
}
