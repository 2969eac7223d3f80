import { limitsOf } from '../../domain/account/plan-limits.ts'
import type { Environment } from '../../domain/account/state.ts'
import { createClient } from '../../http/client/client.ts'
import { type RetryOptions, retrying } from '../../http/client/retry.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import type { Transport } from '../../http/contract/wire-types.ts'
import { Problem } from '../../kit/problem.ts'
import { casino } from '../../services/casino/api/contract.ts'
import { shareOf, sharing } from './rate-share.ts'

/** How much of a tenant's request rate a run of many requests takes. */
export interface Share {
  readonly environment: Environment
  /** Percent. */
  readonly rateShare: number
  /** Requests per second, where it is not what the tenant's plan says. */
  readonly rate: number | undefined
}

/** The transport at the pace of a share; asks the account for its plan where no rate is said. */
export async function withinShare(
  transport: Transport,
  { environment, rateShare, rate }: Share,
  patience: Omit<RetryOptions, 'repeatable'>,
): Promise<Transport> {
  const limit =
    rate === undefined
      ? limitsOf((await createClient(casino, retrying(transport, patience)).account({})).plan, environment).rate
      : { perSecond: rate, burst: 2 * rate }
  return sharing(transport, { limit: shareOf(limit, rateShare), now: patience.now, sleep: givenUp(patience.sleep) })
}

/** Waiting for one's turn and given up: nothing was sent, and whoever moves money has to know that. */
function givenUp(sleep: Sleep): Sleep {
  return async (ms, signal) => {
    try {
      await sleep(ms, signal)
    } catch (error) {
      throw new Problem('INTERRUPTED', 'Given up before it was sent', { outcome: 'none' }, { cause: error })
    }
  }
}
