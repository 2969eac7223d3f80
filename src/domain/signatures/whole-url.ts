import type { TenantRequest } from '../signing.ts'
import { type Diagnosis, diagnose } from './diagnosis.ts'

/** Diagnosis of a signature that was made over the whole URL in place of the path. */

const schemeAndHost = /^https?:\/\/([^/?#]*)/i

/** Returns a URL's path with its query, and its scheme and host; an empty one for a path. */
export function splitUrl(url: string): { readonly origin: string; readonly path: string } {
  const [origin = ''] = schemeAndHost.exec(url) ?? []
  return { origin, path: url.slice(origin.length) }
}

/**
 * Explains a signature like `diagnose`, and also tries the whole URL. `hosts` are those that the client may have addressed, each
 * with or without a scheme.
 */
export function diagnoseSent(
  secret: string,
  request: TenantRequest,
  signature: string,
  hosts: readonly string[],
): Diagnosis {
  const diagnosis = diagnose(secret, request, signature)
  if (diagnosis.verdict === 'match' || diagnosis.hints.length > 0) return diagnosis
  for (const prefix of new Set(hosts.flatMap(prefixesOf))) {
    const signedValue = prefix + request.url
    if (diagnose(secret, { ...request, url: signedValue }, signature).verdict === 'match')
      return { verdict: 'differs', differs: 'path', signedValue, hints: [hint] }
  }
  return diagnosis
}

const hint = 'The signature was made for the whole URL: sign the path with its query, without scheme and host'

function prefixesOf(host: string): string[] {
  const bare = schemeAndHost.exec(host)?.[1] ?? host
  return bare === '' ? [] : [`http://${bare}`, `https://${bare}`, bare]
}
