import { Problem } from '../../kit/problem.ts'
import { remoteCodes, type Transport } from '../contract/wire-types.ts'
import type { Server } from '../server/server.ts'
import { below } from './base-path.ts'

/** Reaches a server of this process by a function call. Not a mock: gate, judging, handler and serialising all run; only the socket is missing. */
export function inProcess(
  server: Pick<Server, 'inject'>,
  options: {
    basePath?: string
    address?: string
    /** How long an answer is waited for; as long as it takes when not given. */
    timeoutMs?: number | undefined
  } = {},
): Transport {
  const from = options.address === undefined ? {} : { address: options.address }
  const { timeoutMs } = options
  return below(options.basePath ?? '', async ({ signal, ...request }) => {
    if (!signal && timeoutMs === undefined) return server.inject(request, from)
    signal?.throwIfAborted()
    // Whoever gives up stops waiting; as over a socket, the server may carry on with what it was told.
    const { promise: givenUp, reject } = Promise.withResolvers<never>()
    const giveUp = () => reject(signal?.reason)
    signal?.addEventListener('abort', giveUp, { once: true })
    const patience = timeoutMs === undefined ? undefined : setTimeout(() => reject(tooLate()), timeoutMs)
    try {
      return await Promise.race([server.inject(request, from), givenUp])
    } finally {
      signal?.removeEventListener('abort', giveUp)
      clearTimeout(patience)
    }
  })
}

function tooLate(): Problem {
  return new Problem(remoteCodes.timeout, 'The services in this process did not answer in time', { outcome: 'unknown' })
}
