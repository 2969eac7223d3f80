import ipaddr from 'ipaddr.js'

/** Allowlists of IP addresses and CIDR ranges: one reading for the casino, the gateway and trusted proxies. */

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [base: Address, bits: number]

/** Returns whether an address equals one of the entries or lies in one of their ranges. */
export function isAllowed(address: string, entries: readonly string[]): boolean {
  // A dual-stack socket reports a link-local address with its zone. The zone names an interface, not the peer.
  const caller = addressOf(address.replace(/%[0-9A-Za-z._-]+$/, ''))
  return caller !== undefined && entries.some((entry) => isWithin(caller, rangeOf(entry)))
}

/** Returns whether a text is an IPv4 or IPv6 address or a CIDR range. */
export function isRange(entry: string): boolean {
  return rangeOf(entry) !== undefined
}

/** Returns whether a range contains every IPv4 or every IPv6 address. */
export function includesEveryAddress(entry: string): boolean {
  const range = rangeOf(entry)
  if (range === undefined) return false
  const [base, bits] = range
  // Express-style proxy lists compare an IPv4 peer with IPv6 ranges in its mapped form, so ::/8 trusts all of IPv4.
  return bits === 0 || (base instanceof ipaddr.IPv6 && bits <= 96 && mappedZero.match(base, bits))
}

const mappedZero = ipaddr.IPv6.parse('::ffff:0:0')

/** The library also accepts `1.2`, `0x7f000001` and the octal `010.1.1.1`, which are usually mistakes. */
const dottedQuad = /^(?:0|[1-9]\d{0,2})(?:[.](?:0|[1-9]\d{0,2})){3}$/
const hexGroups = /^[0-9a-fA-F:]+$/
const prefixLength = /^(?:0|[1-9]\d{0,2})$/

/** Parses one address. An IPv4-mapped one becomes the IPv4 address, because one peer has both forms. */
function addressOf(text: string): Address | undefined {
  const address = plainAddressOf(text)
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function plainAddressOf(text: string): Address | undefined {
  const lastColon = text.lastIndexOf(':')
  const [groups, quad] = [text.slice(0, lastColon + 1), text.slice(lastColon + 1)]
  const isWellFormed = quad.includes('.')
    ? dottedQuad.test(quad) && (groups === '' || hexGroups.test(groups))
    : hexGroups.test(text) && groups !== ''
  return isWellFormed && ipaddr.isValid(text) ? ipaddr.parse(text) : undefined
}

/** Parses an entry. A single address is the range of itself; host bits below the prefix are ignored. */
function rangeOf(entry: string): Range | undefined {
  const slash = entry.indexOf('/')
  if (slash < 0) {
    const address = addressOf(entry)
    return address && [address, widthOf(address)]
  }
  const base = plainAddressOf(entry.slice(0, slash))
  const length = entry.slice(slash + 1)
  if (base === undefined || !prefixLength.test(length) || Number(length) > widthOf(base)) return undefined
  const bits = Number(length)
  if (base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96) return [base.toIPv4Address(), bits - 96]
  return [base, bits]
}

function widthOf(address: Address): number {
  return address instanceof ipaddr.IPv4 ? 32 : 128
}

function isWithin(caller: Address, range: Range | undefined): boolean {
  if (range === undefined) return false
  const [base, bits] = range
  if (caller instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && caller.match(base, bits)
  return base instanceof ipaddr.IPv6 && caller.match(base, bits)
}
