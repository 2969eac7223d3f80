import type { PatientOptions } from '../../http/client/retry.ts'
import { realSleep } from '../../http/client/sleep.ts'
import type { Config } from '../../world/config/config.ts'
import { attemptsOf } from '../../world/config/timeouts.ts'
import { retryText } from '../outcome/request-log.ts'
import { Flags } from './flags.ts'

/** Percent of the rate, unless said. */
export const usualShare = 50

/** On commands that ask much: how much of the tenant's rate they take. */
export const shareFlags = {
  'rate-share': Flags.integer({
    summary: "Percent of the tenant's request rate to use, so that the rest is left to the site",
    default: usualShare,
    min: 1,
    max: 100,
    helpValue: 'PERCENT',
  }),
  rate: Flags.integer({
    summary: 'Requests per second the tenant has, where it is not what the plan says',
    min: 1,
    max: 100_000,
    helpValue: 'N',
  }),
}

/** Many requests wait for the same thing: of what they wait for a line is said at most this often. */
const noteEveryMs = 2_000

/** How a run of many requests tries again: what it waits for is told, and given up once `stop` is aborted. */
export function patienceHere(
  config: Config,
  note: (text: string) => void,
  stop: AbortSignal,
): Omit<PatientOptions, 'repeatable'> {
  let saidAt = Number.NEGATIVE_INFINITY
  return {
    sleep: (ms, signal) => realSleep(ms, signal ?? stop),
    random: Math.random,
    now: Date.now,
    observe: (retry) => {
      if (performance.now() - saidAt < noteEveryMs) return
      saidAt = performance.now()
      note(retryText(retry))
    },
    ...attemptsOf(config),
  }
}
