import ipaddr from 'ipaddr.js'

/** Whether an entry of an allowlist is an IPv4 or IPv6 address or a range in CIDR form. */
export function isRange(entry: string): boolean {
  if (!/^[0-9a-fA-F.:]+(\/[0-9]{1,3})?$/.test(entry)) return false
  if (!entry.includes(':') && !/^\d+\.\d+\.\d+\.\d+(\/\d+)?$/.test(entry)) return false
  return entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry)
}

/** Whether an address is one of the entries or lies in one of the ranges. */
export function isAllowed(address: string, entries: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const asked = ipaddr.process(address)
  return entries.some((entry) => {
    const [base, bits] = rangeOf(entry)
    return base.kind() === asked.kind() && asked.match([base, bits] as [typeof asked, number])
  })
}

function rangeOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry)
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
