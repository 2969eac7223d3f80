import type { Transport, WireRequest } from '../contract/wire-types.ts'

/** The headers that say who is asking, made for this one request. */
export type Sign = (
  request: WireRequest,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

/** Adds who is asking. Goes inside of `patient`, so that every attempt is signed anew, with its own nonce and time. */
export function signed(transport: Transport, sign: Sign): Transport {
  return async (request) => transport({ ...request, headers: { ...request.headers, ...(await sign(request)) } })
}
