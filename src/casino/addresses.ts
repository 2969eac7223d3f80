import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [base: Address, bits: number]

/** Whether an address is one of the entries or lies in one of the ranges. */
export function isAllowed(address: string, entries: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4 address in an IPv6 coat, as a socket for both families shows it, is the IPv4 address.
  const asked = ipaddr.process(address)
  return entries.some((entry) => isWithin(asked, rangeOf(entry)))
}

/** Whether a text may stand on an allowlist: an IPv4 or IPv6 address, or a range of them. */
export function isRange(entry: string): boolean {
  if (!/^[0-9a-fA-F.:]+(\/[0-9]{1,3})?$/.test(entry)) return false
  // "1.2" and "010.1.1.1" are addresses to the library, as they were to BSD; to people they are slips of the pen.
  if (!entry.includes(':') && !dottedQuad.test(entry)) return false
  return entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry)
}

const dottedQuad = /^(0|[1-9]\d{0,2})([.](0|[1-9]\d{0,2})){3}(\/\d+)?$/

/** An entry as a range; one address is the range of itself. */
function rangeOf(entry: string): Range {
  if (!entry.includes('/')) {
    const address = ipaddr.process(entry)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  }
  const [base, bits] = ipaddr.parseCIDR(entry)
  if (base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96) return [base.toIPv4Address(), bits - 96]
  return [base, bits]
}

function isWithin(asked: Address, [base, bits]: Range): boolean {
  if (asked instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && asked.match(base, bits)
  return base instanceof ipaddr.IPv6 && asked.match(base, bits)
}
