import type { HttpOptions } from '../../http/client/transport.ts'
import { durationMs } from '../../kit/duration.ts'
import type { Config } from './config.ts'

/** Returns the timeout of a response: over HTTP until its first byte and between its pieces; in process, in total. */
export function timeoutOf({ settings }: Pick<Config, 'settings'>): number {
  return durationMs(settings.timeout) ?? 0
}

/** Returns the timeouts of HTTP connections. */
export function httpTimeouts(config: Pick<Config, 'settings'>): HttpOptions {
  const timeoutMs = timeoutOf(config)
  return { headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs }
}

/** Returns the maximum attempts of a request as a retry option; empty if not set. */
export function attemptsOf({ settings }: Pick<Config, 'settings'>): { attempts?: number } {
  return settings.attempts === undefined ? {} : { attempts: Number(settings.attempts) }
}
