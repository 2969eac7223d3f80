import { isProblem } from '../../kit/problem.ts'
import type { Transport, WireReply, WireRequest } from '../contract/wire-types.ts'

/** A completed exchange, without its contents. */
export interface Exchange {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** The status; without a response, the Problem's code or `aborted`. */
  readonly outcome: string
  readonly ms: number
  /** Request id from the server, if it sent one. */
  readonly requestId: string | undefined
}

/** Request and response of an exchange, with their secrets. */
export interface ExchangeContent {
  readonly request: WireRequest
  /** Undefined without a response. */
  readonly reply: WireReply | undefined
}

/** Called after every exchange. */
export type OnExchange = (exchange: Exchange, content: ExchangeContent) => void

/** Calls a function after every exchange. */
export function observed(transport: Transport, onExchange: OnExchange): Transport {
  return async (request) => {
    const startedMs = performance.now()
    const over = (outcome: string, reply?: WireReply) =>
      onExchange(
        {
          method: request.method,
          path: request.path,
          outcome,
          ms: Math.round(performance.now() - startedMs),
          requestId: reply?.headers['x-request-id'],
        },
        { request, reply },
      )
    try {
      const reply = await transport(request)
      over(String(reply.status), reply)
      return reply
    } catch (error) {
      over(isProblem(error) ? error.code : 'aborted')
      throw error
    }
  }
}
