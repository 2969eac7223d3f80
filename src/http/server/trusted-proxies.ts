import { holdsEverybody, isAllowed, isRange } from './ip-allowlist.ts'

/** Named ranges, as in Fastify. */
const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Returns whether a text names trusted proxies: an address, a network such as 10.0.0.0/8, or a named range. */
export function isProxyRange(text: string): boolean {
  if (Object.hasOwn(namedRanges, text)) return true
  // A network of all addresses would let every client forge its own.
  return isRange(text) && !holdsEverybody(text)
}

/** Returns a function that tests whether an address is one of these proxies. */
export function proxyTest(ranges: readonly string[]): (address: string) => boolean {
  const all = ranges.flatMap((each) => namedRanges[each] ?? [each])
  return (address) => all.length > 0 && isAllowed(address, all)
}
