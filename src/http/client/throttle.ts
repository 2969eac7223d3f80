import type { Transport } from '../contract/wire-types.ts'
import type { Sleep } from './sleep.ts'

export interface ThrottleOptions {
  readonly perSecond: number
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly sleep: Sleep
}

/** Spaces requests evenly, in order, so that a long job uses only its share of an API's rate. */
export function throttled(transport: Transport, { perSecond, now, sleep }: ThrottleOptions): Transport {
  const spaceMs = 1000 / perSecond
  let free = Number.NEGATIVE_INFINITY
  return async (request) => {
    const at = Math.max(now(), free)
    free = at + spaceMs
    const waitMs = Math.ceil(at - now())
    if (waitMs > 0) await sleep(waitMs, request.signal)
    return transport(request)
  }
}
