import type { Environment } from '../../domain/account/state.ts'
import { createClient } from '../../http/client/client.ts'
import { type RetryOptions, retrying } from '../../http/client/retry.ts'
import type { Client } from '../../http/contract/contract.ts'
import type { Transport } from '../../http/contract/wire-types.ts'
import { casino } from '../../services/casino/api/contract.ts'
import { withinShare } from './transport.ts'

export interface SharedCasinoOptions extends Omit<RetryOptions, 'repeatable'> {
  readonly environment: Environment
  /** Percent of the tenant's request rate. */
  readonly rateShare: number
}

/**
 * A client for jobs that ask much: it takes a share of the tenant's request rate, as the plan has it, and leaves the rest to
 * the site.
 */
export async function sharedCasino(transport: Transport, options: SharedCasinoOptions): Promise<Client<typeof casino>> {
  const { environment, rateShare } = options
  const throttled = await withinShare(transport, { environment, rateShare, rate: undefined }, options)
  return createClient(casino, retrying(throttled, options))
}
