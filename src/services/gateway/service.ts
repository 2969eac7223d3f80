import type { LookupFunction } from 'node:net'
import type { ChainTxRow, GatewayUserRow, MerchantRow } from '../../db/schema/gateway.ts'
import type { Reader, Store, Tx } from '../../db/store.ts'
import type { GatewayEnvironment } from '../../domain/chains/networks.ts'
import type { RateTable } from '../../domain/payments/rates.ts'
import type { Ambient } from '../../kit/ambient.ts'
import type { Log } from '../../kit/log.ts'
import type { Signer } from './signer/signer.ts'

/** Dependencies of the gateway. */
export interface Gateway extends Ambient {
  readonly store: Store
  readonly log: Log
  readonly chains: Chains
  readonly rates: RateSource
  readonly signer: Signer
  readonly config: GatewayConfig
}

export interface GatewayConfig {
  /** Public base URL: links of payments and invoices begin with it. */
  publicUrl(): string
  /** True if request rates are limited. */
  rateLimits: boolean
  /** True if callbacks may go to a developer's receiver on this machine. */
  loopbackCallbacks(): boolean
  /** DNS lookup for callback URLs; default: the system's. */
  readonly lookup?: LookupFunction | undefined
}

/** Source of prices. A source that queries an exchange caches its latest table and returns it here. */
export interface RateSource {
  table(): RateTable
  /** Maximum age of a table to trade on; absent for constant tables. */
  readonly maxAgeMs?: number
}

/** A chain's report of a transaction that concerns us. */
export interface ChainReport {
  readonly id: string
  readonly environment: GatewayEnvironment
  readonly network: ChainTxRow['network']
  readonly direction: 'in' | 'out'
  readonly hash: string
  readonly sender: string
  readonly recipient: string
  /** Contract of the token; null for the network's own coin. */
  readonly contract: string | null
  readonly units: bigint
  readonly confirmations: number
  /** True if a reorganization removed it. */
  readonly isRemoved: boolean
}

/** A transfer to send to a chain. */
export interface Outgoing {
  /** Idempotency key: the same id is sent once. */
  readonly id: string
  readonly environment: GatewayEnvironment
  readonly network: ChainTxRow['network']
  readonly recipient: string
  readonly contract: string | null
  readonly units: bigint
}

/**
 * Chains as the gateway uses them: they report transactions and accept transfers. Simulated here; a node of a real
 * network would implement the same interface, so no other code may depend on how blocks are made.
 */
export interface Chains {
  /** Returns when the next report is due, if known. */
  nextRun(reader: Reader): Promise<number | undefined>
  /** Returns at most `limit` reports. They are repeated until acknowledged. */
  reports(limit: number): Promise<readonly ChainReport[]>
  /** Records, in the transaction that processed it, that a report was handled. */
  acknowledge(tx: Tx, report: ChainReport): Promise<void>
  /** Returns the confirmations of a transaction; 0 if it is in no block, removed or unknown. */
  depthOf(reader: Reader, id: string): Promise<number>
  /** Returns the hash of a transaction that was reported; undefined if it is unknown. */
  hashOf(reader: Reader, id: string): Promise<string | undefined>
  /** Sends a transfer to its chain and returns its hash. Never called inside a transaction. */
  send(input: Outgoing): Promise<string>
}

/** A caller authenticated by key. */
export interface MerchantCaller {
  readonly merchant: MerchantRow
  /** Undefined if the compatibility option allowed a token without a key. */
  readonly keyHash: string | undefined
}

/** A caller authenticated by token as well. */
export interface UserCaller extends MerchantCaller {
  readonly user: GatewayUserRow
}
