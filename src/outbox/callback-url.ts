import ipaddr from 'ipaddr.js'
import { Problem } from '../kit/problem.ts'

/** Maximum length of a callback URL, in characters. */
const longestUrl = 2_048

/**
 * Returns a callback URL in normalized spelling, or throws INVALID_PARAMETER. The addresses of a host name are checked
 * when connecting, not here.
 */
export function callbackUrl(text: string, allowsLoopback: boolean): string {
  const result = checkCallbackUrl(text, allowsLoopback)
  if (typeof result !== 'string') return result.href
  throw new Problem('INVALID_PARAMETER', `url ${result}`, { field: 'url' })
}

/**
 * Returns the parsed URL if callbacks to it are allowed: to public https addresses and, for developers, to plain http
 * on this machine. Otherwise returns the reason, as the predicate of a sentence.
 */
export function checkCallbackUrl(text: string, allowsLoopback: boolean): URL | string {
  const url = URL.parse(text)
  if (!url || text.length > longestUrl) return `must be a URL of at most ${longestUrl} characters`
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.hash !== '') return 'must not have a fragment'
  if (isLoopbackUrl(url))
    return allowsLoopback ? url : 'must start with https://; this world sends to public addresses only'
  if (url.protocol !== 'https:') return 'must start with https://'
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  const isInside = ipaddr.isValid(literal) ? !isPublicAddress(literal) : /(^|\.)localhost\.?$/.test(literal)
  return isInside ? 'must not point to a private address' : url
}

/** Returns whether a URL is a developer's receiver on this machine: `localhost` or `127.0.0.1` over http. */
export function isLoopbackUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === 'localhost')
}

/**
 * Returns whether an address is public. Addresses that embed another one (mapped, translated, tunneled) are not,
 * because they could lead to a private address. IPv6 outside 2000::/3 is not allocated, so it is not public either.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(ipaddr.IPv6.parse('2000::'), 3)
}

/** Returns whether an address is `::1` or in 127.0.0.0/8. */
export function isLoopbackAddress(text: string): boolean {
  return text === '::1' || /^127\.\d+\.\d+\.\d+$/.test(text)
}
