import { aheadBy } from '../contract/platform-time.ts'
import type { Transport } from '../contract/wire-types.ts'

/** The platform's time, learned from its responses. */
export interface PlatformClock {
  /** Returns the platform's time. Where no response has told it yet, one request is made for it. */
  now(): Promise<number>
  /** How far the platform's time is ahead of this machine's, in milliseconds; `undefined` until a response has told it. */
  aheadMs(): number | undefined
  /** Passes requests on and learns from each response. */
  observing(transport: Transport): Transport
}

/** Dates are whole seconds, so a smaller step is within their precision and no news. */
const precisionMs = 1_000

/**
 * Opens a clock that counts on from this machine's. `ask` makes a request through the observed transport; whatever its
 * response says, its headers tell the time. A platform whose responses bear no time is taken to have this machine's.
 */
export function openPlatformClock(machineNow: () => number, ask: () => Promise<unknown>): PlatformClock {
  let ahead: number | undefined
  return {
    async now() {
      if (ahead !== undefined) return machineNow() + ahead
      try {
        await ask()
      } catch (error) {
        // A refusal tells the time as well as anything else.
        if (ahead === undefined) throw error
      }
      return machineNow() + (ahead ?? 0)
    },
    aheadMs: () => ahead,
    observing: (transport) => async (request) => {
      const sentAt = machineNow()
      const reply = await transport(request)
      const found = aheadBy(reply, sentAt, machineNow())
      if (found !== undefined && (ahead === undefined || Math.abs(found - ahead) > precisionMs)) ahead = found
      return reply
    },
  }
}
