import { holdsEverybody, isRange } from './ip-ranges.ts'

/** Ranges that have a name of their own, as Fastify knows them. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

/** Whether this names proxies whose `X-Forwarded-For` may be believed: an address, a network such as 10.0.0.0/8, or a named range. */
export function isProxyRange(text: string): boolean {
  if (namedRanges.includes(text)) return true
  // A network of everybody would let every caller say who it is.
  return isRange(text) && !holdsEverybody(text)
}
