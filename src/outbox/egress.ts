import type { LookupFunction } from 'node:net'
import { openNetwork } from '../http/client/network.ts'
import { remoteCodes, type Transport } from '../http/client/transport.ts'
import { Problem } from '../kit/problem.ts'
import { isLoopbackAddress, isLoopbackUrl, isPublicAddress } from './callback-url.ts'

/**
 * Outgoing HTTP for callbacks. The address is checked after the DNS lookup, and the connection goes to exactly that
 * address.
 */
export interface CallbackEgress {
  to(url: URL, allowsLoopback: boolean): Transport
  close(): Promise<void>
}

/** Maximum connections per origin: one run's concurrent requests if all of its URLs have the same origin. */
const connections = 256
/** Maximum bytes read of a response body. The body has no effect; reading it lets the connection be reused. */
const largestReply = 4_096

/** Opens the callback client. `lookup` replaces the system's DNS lookup. */
export function openCallbackEgress(lookup?: LookupFunction): CallbackEgress {
  const options = {
    connections,
    connectTimeoutMs: 5_000,
    // None of its own: the deadline of an attempt does not count a pause of this process.
    headersTimeoutMs: 0,
    bodyTimeoutMs: 2_000,
    largestReply,
    cutsReply: true,
    ...(lookup ? { lookup } : {}),
  }
  // Two networks, so that loopback addresses are reached only through loopback URLs and never through a public host
  // name that resolves to them.
  const outside = openNetwork({ ...options, admits: isPublicAddress })
  const loopback = openNetwork({ ...options, admits: isLoopbackAddress })
  return {
    to(url, allowsLoopback) {
      if (!isLoopbackUrl(url)) return outside(url.origin)
      if (allowsLoopback) return loopback(url.origin)
      throw new Problem(
        remoteCodes.unreachable,
        `${url.origin} is not a public address; this world sends to public addresses only`,
      )
    },
    async close() {
      await Promise.all([outside.close(), loopback.close()])
    },
  }
}
