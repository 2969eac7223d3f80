import { limitsOf } from '../../domain/account/plan-limits.ts'
import type { Environment } from '../../domain/account/state.ts'
import { createClient } from '../../http/client/client.ts'
import { type RetryOptions, retrying } from '../../http/client/retry.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import type { Transport } from '../../http/contract/wire-types.ts'
import { Problem } from '../../kit/problem.ts'
import { casino } from '../../services/casino/api/contract.ts'
import { shareOf, sharing } from './rate-share.ts'

/** Rate limit of a run with many requests. */
export interface Share {
  readonly environment: Environment
  /** Percent. */
  readonly rateShare: number
  /** Requests per second, if it differs from the tenant's plan. */
  readonly rate: number | undefined
}

/** Opens a throttled transport; reads the plan from the account if no rate is given. */
export async function withinShare(
  transport: Transport,
  { environment, rateShare, rate }: Share,
  retry: Omit<RetryOptions, 'repeatable'>,
): Promise<Transport> {
  const limit =
    rate === undefined
      ? limitsOf((await createClient(casino, retrying(transport, retry)).account({})).plan, environment).rate
      : { perSecond: rate, burst: 2 * rate }
  return sharing(transport, { limit: shareOf(limit, rateShare), now: retry.now, sleep: untilAbandoned(retry.sleep) })
}

/** Reports a request that was canceled during throttling as not sent, so that its outcome is known. */
function untilAbandoned(sleep: Sleep): Sleep {
  return async (ms, signal) => {
    try {
      await sleep(ms, signal)
    } catch (error) {
      throw new Problem('INTERRUPTED', 'Canceled before it was sent', { outcome: 'none' }, { cause: error })
    }
  }
}
