import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopbackUrl, isPublicAddress } from './callback-url.ts'

/** How long a request waits to learn what a name leads to. */
const waitMs = 1_500

/**
 * Whether the name in a callback's URL leads into private networks and nowhere else, at this moment. A name that nothing
 * is known of does not: it may lead somewhere later, and every connection is judged again by the address it goes to.
 */
export async function leadsInside(url: URL, lookup: LookupFunction = systemLookup): Promise<boolean> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isLoopbackUrl(url) || isIP(host) !== 0) return false
  const addresses = await addressesOf(host, lookup)
  return addresses.length > 0 && !addresses.some(isPublicAddress)
}

function addressesOf(host: string, lookup: LookupFunction): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const patience = setTimeout(() => resolve([]), waitMs)
    lookup(host, { all: true }, (error, found) => {
      clearTimeout(patience)
      if (error) resolve([])
      else resolve(typeof found === 'string' ? [found] : found.map(({ address }) => address))
    })
  })
}
