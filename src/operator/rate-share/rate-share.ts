import type { RateLimit } from '../../domain/rate-limit.ts'
import { type ThrottleOptions, throttled } from '../../http/client/throttle.ts'
import type { Transport } from '../../http/contract/wire-types.ts'

/**
 * Limits requests to a share of the tenant's rate limit, including bursts, so that the operator's site can use the rest.
 * The API does not return the limit, so the rate adapts to refusals.
 */
export function sharing(transport: Transport, options: Omit<ThrottleOptions, 'adapts'>): Transport {
  return throttled(transport, { ...options, adapts: true })
}

/** Returns a share of a rate in percent. The burst is at least one request. */
export function shareOf({ perSecond, burst }: RateLimit, percent: number): RateLimit {
  return { perSecond: (perSecond * percent) / 100, burst: Math.max(1, Math.floor((burst * percent) / 100)) }
}
