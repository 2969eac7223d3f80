import { below } from './below.ts'
import type { Transport } from './remote.ts'
import type { Server } from './server.ts'

/** Reaches a server of this process by a function call. Not a mock: gate, judging, handler and serialising all run; only the socket is missing. */
export function inProcess(
  server: Pick<Server, 'inject'>,
  options: { basePath?: string; address?: string } = {},
): Transport {
  const { address } = options
  return below(options.basePath ?? '', (request) => server.inject(request, address === undefined ? {} : { address }))
}
