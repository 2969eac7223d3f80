import type { RateLimit } from '../../domain/rate-limit.ts'
import { type ThrottleOptions, throttled } from '../../http/client/throttle.ts'
import type { Transport } from '../../http/contract/wire-types.ts'

/**
 * Takes no more than a share of a tenant's request rate, burst included, so that the operator's site finds the rest of it.
 * The API does not say what the server allows, so the rate adapts to refusals.
 */
export function sharing(transport: Transport, options: Omit<ThrottleOptions, 'adapts'>): Transport {
  return throttled(transport, { ...options, adapts: true })
}

/** A share of a rate, in percent. A burst of less than one request would never let any go. */
export function shareOf({ perSecond, burst }: RateLimit, percent: number): RateLimit {
  return { perSecond: (perSecond * percent) / 100, burst: Math.max(1, Math.floor((burst * percent) / 100)) }
}
