import type { TenantRow } from '../../db/schema/casino.ts'
import type { Store } from '../../db/store.ts'
import type { Ambient } from '../../kit/ambient.ts'
import type { Log } from '../../kit/log.ts'

/** Dependencies of the casino service. */
export interface Casino extends Ambient {
  readonly store: Store
  readonly log: Log
  readonly config: CasinoConfig
  /** The machine's own clock, independent of the world's clock. */
  machineNow(): number
}

export interface CasinoConfig {
  /** Public base URL: launch URLs begin with it. */
  publicUrl(): string
  /** True if request rates are limited. */
  rateLimits: boolean
  /** True if webhooks may go to a developer's receiver on this machine. */
  loopbackCallbacks(): boolean
}

/** An authenticated tenant. */
export interface Tenant extends TenantRow {
  /** Key that signed the request. */
  readonly keyId: string
}
