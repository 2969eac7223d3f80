/** A request on its way: text and bytes, nothing left to interpretation. */
export interface WireRequest {
  readonly method: string
  /** Path and query, exactly as they go on the wire and into a signature. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
  /** Whether a reply came whole, for requests that may be made again where it did not. */
  readonly isWhole?: (reply: WireReply) => boolean
}

/** What came back, before anybody made sense of it. */
export interface WireReply {
  readonly status: number
  /** Names in lower case; a header sent twice is one text. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How a request reaches a server: over a socket, or by a function call. Answers with whatever the server said, or throws a Problem when it said nothing. */
export type Transport = (request: WireRequest) => Promise<WireReply>

/** A transport that holds connections open. */
export interface OpenTransport extends Transport {
  close(): Promise<void>
}

/**
 * The codes of what goes wrong between two programs, beside the codes that an API answers with.
 *
 * Each such Problem's `detail.outcome` says whether the request may have been carried out:
 * `none` when it was never sent, `unknown` otherwise.
 */
export const remoteCodes = {
  /** No answer in time. */
  timeout: 'REMOTE_TIMEOUT',
  /** Never sent: no such host, no connection. */
  unreachable: 'REMOTE_UNREACHABLE',
  /** The connection broke before the answer was whole. */
  lost: 'REMOTE_LOST',
  /** An answer that says "later" without the API's own words, as the edge before a server gives it. */
  unavailable: 'REMOTE_UNAVAILABLE',
  /** An answer that is not of this API. */
  unintelligible: 'REMOTE_UNINTELLIGIBLE',
} as const

export type RemoteCode = (typeof remoteCodes)[keyof typeof remoteCodes]
