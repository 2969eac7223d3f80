import ipaddr from 'ipaddr.js'
import { Problem } from '../kit/problem.ts'

/** Where callbacks may go: public addresses over https; and, for developers, plain http to this very machine. */

const longestUrl = 2_048

/** A callback's URL in one spelling, or INVALID_PARAMETER. What a name leads to is looked at when it is connected to, not here. */
export function callbackUrl(text: string, allowsLoopback: boolean): string {
  const url = URL.parse(text)
  if (!url || text.length > longestUrl) throw unfit(`must be a URL of at most ${longestUrl} characters`)
  if (url.username !== '' || url.password !== '') throw unfit('must not carry a name or password')
  if (url.hash !== '') throw unfit('must not have a fragment')
  if (isLoopbackUrl(url)) {
    if (!allowsLoopback) throw unfit('must start with https://; this world sends to public addresses only')
    return url.href
  }
  if (url.protocol !== 'https:') throw unfit('must start with https://')
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(literal) && !isPublicAddress(literal)) throw unfit('must not lead to a private address')
  return url.href
}

function unfit(because: string): Problem {
  return new Problem('INVALID_PARAMETER', `url ${because}`, { field: 'url' })
}

/** A developer's own receiver, by its two usual names. */
export function isLoopbackUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === 'localhost')
}

/**
 * Whether an address is anybody's on the internet. Whatever wraps another address (mapped, translated, tunnelled) could
 * lead to a private one and is none; nor is an IPv6 address outside of 2000::/3, which is all that is given out.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(ipaddr.IPv6.parse('2000::'), 3)
}

/** Whether an address is this machine's own. */
export function isLoopbackAddress(text: string): boolean {
  return text === '::1' || /^127\.\d+\.\d+\.\d+$/.test(text)
}
