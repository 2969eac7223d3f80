import { aheadBy } from '../contract/platform-time.ts'
import type { Transport } from '../contract/wire-types.ts'

/** The platform's time, taken from its responses. */
export interface PlatformClock {
  /** Returns the platform's time. Sends one request if no response has contained it yet. */
  now(): Promise<number>
  /**
   * Returns the lead of the platform's time over this machine's, in milliseconds; `undefined` before the first
   * response.
   */
  aheadMs(): number | undefined
  /** Wraps a transport and reads the time from each response. */
  observing(transport: Transport): Transport
}

/** Date headers have whole seconds, so smaller differences are within their precision. */
const precisionMs = 1_000

/**
 * Opens a clock based on this machine's. `ask` sends a request through the observed transport; only the headers of its
 * response matter. A platform without a time in its responses is assumed to have this machine's.
 */
export function openPlatformClock(machineNow: () => number, ask: () => Promise<unknown>): PlatformClock {
  let ahead: number | undefined
  return {
    async now() {
      if (ahead !== undefined) return machineNow() + ahead
      try {
        await ask()
      } catch (error) {
        // A refusal contains the time as well.
        if (ahead === undefined) throw error
      }
      return machineNow() + (ahead ?? 0)
    },
    aheadMs: () => ahead,
    observing: (transport) => async (request) => {
      const sentAt = machineNow()
      const reply = await transport(request)
      const offsetMs = aheadBy(reply, sentAt, machineNow())
      if (offsetMs !== undefined && (ahead === undefined || Math.abs(offsetMs - ahead) > precisionMs)) ahead = offsetMs
      return reply
    },
  }
}
