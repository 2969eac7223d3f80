import type { Transport, WireRequest } from '../contract/wire-types.ts'

/** Returns the authentication headers of one request. */
export type Sign = (
  request: WireRequest,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

/**
 * Adds authentication headers. Wrapped inside the retries, so that every attempt is signed again with its own nonce and
 * time.
 */
export function signed(transport: Transport, sign: Sign): Transport {
  return async (request) => transport({ ...request, headers: { ...request.headers, ...(await sign(request)) } })
}
