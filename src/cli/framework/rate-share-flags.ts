import type { RetryOptions } from '../../http/client/retry.ts'
import { realSleep } from '../../http/client/sleep.ts'
import type { Config } from '../../world/config/config.ts'
import { attemptsOf } from '../../world/config/http-options.ts'
import { retryText } from '../outcome/request-log.ts'
import { Flags } from './flags.ts'

/** Default share of the rate limit in percent. */
export const defaultShare = 50

/** Flags of commands with many requests: their share of the tenant's rate limit. */
export const shareFlags = {
  'rate-share': Flags.integer({
    summary: "Share of the tenant's rate limit to use, in percent; the rest is left to your site",
    default: defaultShare,
    min: 1,
    max: 100,
    helpValue: 'PERCENT',
  }),
  rate: Flags.integer({
    summary: "Rate limit of the tenant in requests per second (default: the plan's limit)",
    min: 1,
    max: 100_000,
    helpValue: 'N',
  }),
}

/** Shortest time between two lines about retries for the same reason. */
const noteEveryMs = 2_000

/** Returns the retry options of a run with many requests: retries are logged, and stop when `stop` is aborted. */
export function batchRetryOptions(
  config: Config,
  note: (text: string) => void,
  stop: AbortSignal,
): Omit<RetryOptions, 'repeatable'> {
  let lastNoteAt = Number.NEGATIVE_INFINITY
  return {
    sleep: (ms, signal) => realSleep(ms, signal ?? stop),
    random: Math.random,
    now: Date.now,
    observe: (retry) => {
      if (performance.now() - lastNoteAt < noteEveryMs) return
      lastNoteAt = performance.now()
      note(retryText(retry))
    },
    ...attemptsOf(config),
  }
}
