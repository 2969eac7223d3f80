import type { TenantRow } from '../../db/schema/casino.ts'
import type { Store } from '../../db/store.ts'
import type { Ambient } from '../../kit/ambient.ts'
import type { Log } from '../../kit/log.ts'

/** What the casino service needs to run. */
export interface Casino extends Ambient {
  readonly store: Store
  readonly log: Log
  readonly config: CasinoConfig
  /** The machine's own clock, however far the world's has been moved. */
  machineNow(): number
}

export interface CasinoConfig {
  /** Where players reach the service: launch URLs begin with it. */
  publicUrl(): string
  /** Whether request rates are limited. */
  rateLimits: boolean
  /** Whether webhooks may go to a developer's receiver on this machine. */
  loopbackCallbacks(): boolean
}

/** The tenant who asks, as the gate found it. */
export interface Tenant extends TenantRow {
  /** The key the request was signed with. */
  readonly keyId: string
}
