import { Problem } from '../../../kit/problem.ts'
import { isLoopback } from '../../server/public-url.ts'

/** A proxy for https origins, as the environment names it. */
export interface OutgoingProxy {
  /** URL of the proxy; without a scheme it is reached by http. */
  readonly https: string
  /** Hosts that are reached without it, separated by commas or spaces. */
  readonly except: string
}

/** Returns the proxy for an origin. Plain http is for this machine only, which a proxy on another one cannot reach. */
export function proxyTo(origin: URL, proxy: OutgoingProxy | undefined): OutgoingProxy | undefined {
  return origin.protocol === 'https:' && !isLoopback(origin.hostname) ? proxy : undefined
}

/** Returns the URL of a proxy. Throws REMOTE_INSECURE for anything else than an http or https proxy. */
export function proxyUrl({ https }: OutgoingProxy): string {
  const url = URL.parse(https.includes('://') ? https : `http://${https}`)
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new Problem('REMOTE_INSECURE', 'HTTPS_PROXY is not the URL of an http or https proxy')
}
