import type { IncomingMessage } from 'node:http'
import { includesEveryAddress, isAllowed, isRange } from './ip-allowlist.ts'
import { plainAddress } from './request.ts'

/** Named ranges, as in Fastify. */
const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Returns whether a text names trusted proxies: an address, a network such as 10.0.0.0/8, or a named range. */
export function isProxyRange(text: string): boolean {
  if (Object.hasOwn(namedRanges, text)) return true
  // A network of all addresses would let every client forge its address.
  return isRange(text) && !includesEveryAddress(text)
}

/** Returns a function that tests whether an address is one of these proxies. */
export function proxyTest(ranges: readonly string[]): (address: string) => boolean {
  const all = ranges.flatMap((each) => namedRanges[each] ?? [each])
  return (address) => all.length > 0 && isAllowed(address, all)
}

/**
 * Returns the client's address: the other end of the connection or, behind trusted proxies, the last address in
 * `X-Forwarded-For` that is no trusted proxy. The client wrote everything before that one.
 */
export function forwardedAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  isProxy: (address: string) => boolean,
): string {
  let address = plainAddress(socket.remoteAddress ?? '')
  if (!isProxy(address)) return address
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((each) => plainAddress(each.trim()))
  while (isProxy(address)) {
    const next = forwarded.pop()
    if (next === undefined || next === '') break
    address = next
  }
  return address
}
