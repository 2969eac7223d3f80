import { Problem } from '../../kit/problem.ts'
import { startDeadline } from '../../kit/time/deadline.ts'
import { remoteCodes, type Transport } from '../contract/wire-types.ts'
import type { Server } from '../server/server.ts'
import { below } from './base-path.ts'

/**
 * Creates a transport that calls a server of this process directly. Not a mock: authentication, validation, handler and
 * serialization run; only the socket is missing.
 */
export function inProcess(
  server: Pick<Server, 'inject'>,
  options: {
    basePath?: string
    address?: string
    /** Timeout of a response; default: none. */
    timeoutMs?: number | undefined
  } = {},
): Transport {
  const from = options.address === undefined ? {} : { address: options.address }
  const { timeoutMs } = options
  return below(options.basePath ?? '', async ({ signal, ...request }) => {
    if (!signal && timeoutMs === undefined) return server.inject(request, from)
    signal?.throwIfAborted()
    // After a timeout the server may continue, as it would over a socket.
    const { promise: abandoned, reject } = Promise.withResolvers<never>()
    const onAbort = () => reject(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const deadline = timeoutMs === undefined ? undefined : startDeadline(timeoutMs)
    deadline?.signal.addEventListener('abort', () => reject(tooLate()), { once: true })
    try {
      return await Promise.race([server.inject(request, from), abandoned])
    } finally {
      signal?.removeEventListener('abort', onAbort)
      deadline?.end()
    }
  })
}

function tooLate(): Problem {
  return new Problem(remoteCodes.timeout, 'The services in this process did not respond in time', {
    outcome: 'unknown',
  })
}
