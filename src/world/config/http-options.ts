import type { OutgoingProxy } from '../../http/client/agent/proxy.ts'
import type { HttpOptions } from '../../http/client/transport.ts'
import { durationMs } from '../../kit/duration.ts'
import type { Config } from './config.ts'

/** Returns the timeout of a response: over HTTP until its first byte and between its pieces; in process, in total. */
export function timeoutOf({ settings }: Pick<Config, 'settings'>): number {
  return durationMs(settings.timeout) ?? 0
}

/** Returns the timeouts and the proxy of HTTP connections to a remote platform. */
export function httpOptions(config: Pick<Config, 'settings' | 'env'>): HttpOptions {
  const timeoutMs = timeoutOf(config)
  return { headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs, proxy: proxyOf(config.env) }
}

/** Returns the proxy of HTTPS_PROXY. As for other tools, names in lower case win, and an empty one is none. */
export function proxyOf(env: Config['env']): OutgoingProxy | undefined {
  const https = env['https_proxy'] ?? env['HTTPS_PROXY'] ?? ''
  return https === '' ? undefined : { https, except: env['no_proxy'] ?? env['NO_PROXY'] ?? '' }
}

/** Returns the maximum attempts of a request as a retry option; empty if not set. */
export function attemptsOf({ settings }: Pick<Config, 'settings'>): { attempts?: number } {
  return settings.attempts === undefined ? {} : { attempts: Number(settings.attempts) }
}
