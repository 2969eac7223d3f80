import { isIP } from 'node:net'

/** Ranges that have a name of their own, as Fastify knows them. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

/** Whether this names proxies whose `X-Forwarded-For` may be believed: an address, a network such as 10.0.0.0/8, or a named range. */
export function isProxyRange(text: string): boolean {
  if (namedRanges.includes(text)) return true
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return false
  // A network of everybody would let every caller say who it is.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
