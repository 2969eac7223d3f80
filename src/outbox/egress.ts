import type { LookupFunction } from 'node:net'
import { openNetwork } from '../http/client/network.ts'
import { remoteCodes, type Transport } from '../http/client/transport.ts'
import { Problem } from '../kit/problem.ts'
import { isLoopbackAddress, isLoopbackUrl, isPublicAddress } from './callback-url.ts'

/** How callbacks leave. The address is judged after the name was looked up, and the connection goes to that address. */
export interface CallbackDoor {
  to(url: URL, allowsLoopback: boolean): Transport
  close(): Promise<void>
}

/** More connections to one origin than messages can be on their way to it, so that none waits for another's. */
const connections = 256
/** The answer's status is all that counts; its body is read so far that the connection can mostly be used again. */
const largestReply = 4_096

/** Opens the door. `lookup` takes the place of the system's way to find addresses. */
export function openCallbackDoor(lookup?: LookupFunction): CallbackDoor {
  const options = {
    connections,
    connectTimeoutMs: 5_000,
    headersTimeoutMs: 10_000,
    bodyTimeoutMs: 2_000,
    largestReply,
    cutsReply: true,
    ...(lookup ? { lookup } : {}),
  }
  // Two ways, so that the address of this machine is reached by its own names only and never by somebody else's.
  const outside = openNetwork({ ...options, admits: isPublicAddress })
  const loopback = openNetwork({ ...options, admits: isLoopbackAddress })
  return {
    to(url, allowsLoopback) {
      if (!isLoopbackUrl(url)) return outside(url.origin)
      if (allowsLoopback) return loopback(url.origin)
      throw new Problem(remoteCodes.unreachable, `${url.origin} is not public, and this world sends nowhere else`)
    },
    async close() {
      await Promise.all([outside.close(), loopback.close()])
    },
  }
}
