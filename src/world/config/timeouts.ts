import type { HttpOptions } from '../../http/client/transport.ts'
import { durationMs } from '../../kit/duration.ts'
import type { Config } from './config.ts'

/** How long an answer is waited for: over HTTP to its first byte, and between its pieces; in this process, in all. */
export function timeoutOf({ settings }: Pick<Config, 'settings'>): number {
  return durationMs(settings.timeout) ?? 0
}

export function httpPatience(config: Pick<Config, 'settings'>): HttpOptions {
  const timeoutMs = timeoutOf(config)
  return { headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs }
}

/** How often a request is made at most, as the part of its patience that is left out where nothing was set. */
export function attemptsOf({ settings }: Pick<Config, 'settings'>): { attempts?: number } {
  return settings.attempts === undefined ? {} : { attempts: Number(settings.attempts) }
}
