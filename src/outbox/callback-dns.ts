import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopbackUrl, isPublicAddress } from './callback-url.ts'

/** Timeout of the DNS lookup that an API request waits for. */
const waitMs = 1_500

/**
 * Returns whether the host name of a callback URL currently resolves to private addresses only. Returns false if the
 * lookup fails or times out: the name may resolve later, and every connection checks its address again.
 */
export async function resolvesToPrivate(url: URL, lookup: LookupFunction = systemLookup): Promise<boolean> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isLoopbackUrl(url) || isIP(host) !== 0) return false
  const addresses = await addressesOf(host, lookup)
  return addresses.length > 0 && !addresses.some(isPublicAddress)
}

function addressesOf(host: string, lookup: LookupFunction): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => resolve([]), waitMs)
    lookup(host, { all: true }, (error, result) => {
      clearTimeout(timeout)
      if (error) resolve([])
      else resolve(typeof result === 'string' ? [result] : result.map(({ address }) => address))
    })
  })
}
