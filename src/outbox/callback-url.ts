import ipaddr from 'ipaddr.js'
import { Problem } from '../kit/problem.ts'

/** Where callbacks may go: public addresses over https; and, for developers, plain http to this very machine. */

const longestUrl = 2_048

/** A callback's URL in one spelling, or INVALID_PARAMETER. What a name leads to is looked at when it is connected to, not here. */
export function callbackUrl(text: string, allowsLoopback: boolean): string {
  const found = judgeCallbackUrl(text, allowsLoopback)
  if (typeof found !== 'string') return found.href
  throw new Problem('INVALID_PARAMETER', `url ${found}`, { field: 'url' })
}

/** The URL that a callback may be sent to as far as its text says; else why it may not, as the end of a sentence. */
export function judgeCallbackUrl(text: string, allowsLoopback: boolean): URL | string {
  const url = URL.parse(text)
  if (!url || text.length > longestUrl) return `must be a URL of at most ${longestUrl} characters`
  if (url.username !== '' || url.password !== '') return 'must not carry a name or password'
  if (url.hash !== '') return 'must not have a fragment'
  if (isLoopbackUrl(url))
    return allowsLoopback ? url : 'must start with https://; this world sends to public addresses only'
  if (url.protocol !== 'https:') return 'must start with https://'
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  const isInside = ipaddr.isValid(literal) ? !isPublicAddress(literal) : /(^|\.)localhost\.?$/.test(literal)
  return isInside ? 'must not lead to a private address' : url
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
