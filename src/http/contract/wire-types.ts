/** A request on the wire: text and bytes. */
export interface WireRequest {
  readonly method: string
  /** Path and query, exactly as sent and signed. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
  /** Returns whether a response is complete, for requests that can be repeated if it is not. */
  readonly isWhole?: (reply: WireReply) => boolean
  /** True for a caller that reads the body's bytes. A transport over a socket then keeps them, see `WireReply.bytes`. */
  readonly takesBytes?: boolean
}

/** A response on the wire, not yet interpreted. */
export interface WireReply {
  readonly status: number
  /** Names in lower case; repeated headers are joined. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The bytes of the body, if the request takes them and they arrived over a socket. */
  readonly bytes?: ReplyBytes
}

/** The bytes of a body in memory that is used again. */
export interface ReplyBytes {
  /** The bytes until their release. */
  readonly all: Buffer
  /** Gives the memory to a later response: nothing may read these bytes any more, nor a body that was not read before. */
  release(): void
}

/**
 * Sends a request to a server, over a socket or by a function call. Returns any response, or throws a Problem without
 * one.
 */
export type Transport = (request: WireRequest) => Promise<WireReply>

/** A transport with open connections. */
export interface OpenTransport extends Transport {
  close(): Promise<void>
}

/**
 * Codes of failures between two programs, in addition to an API's own. Each such Problem's `detail.outcome` says
 * whether the request may have been executed: `none` when it was never sent, `unknown` otherwise.
 */
export const remoteCodes = {
  /** No response in time. */
  timeout: 'REMOTE_TIMEOUT',
  /** Never sent: no such host, no connection. */
  unreachable: 'REMOTE_UNREACHABLE',
  /** The connection broke before the response was complete. */
  lost: 'REMOTE_LOST',
  /** A response that means "later" without the API's own error, as from a proxy. */
  unavailable: 'REMOTE_UNAVAILABLE',
  /** A response that is not from this API. */
  unintelligible: 'REMOTE_UNINTELLIGIBLE',
} as const

export type RemoteCode = (typeof remoteCodes)[keyof typeof remoteCodes]
