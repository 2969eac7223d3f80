import { isProblem } from '../../kit/problem.ts'
import type { Transport } from '../contract/wire-types.ts'

/** A completed exchange, without its contents. */
export interface Exchange {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** The status, or the Problem's code without a response. */
  readonly outcome: string
  readonly ms: number
  /** Request id from the server, if it sent one. */
  readonly requestId: string | undefined
}

/** Calls a function after every exchange. */
export function observed(transport: Transport, onExchange: (exchange: Exchange) => void): Transport {
  return async (request) => {
    const startedMs = performance.now()
    const over = (outcome: string, requestId?: string) =>
      onExchange({
        method: request.method,
        path: request.path,
        outcome,
        ms: Math.round(performance.now() - startedMs),
        requestId,
      })
    try {
      const reply = await transport(request)
      over(String(reply.status), reply.headers['x-request-id'])
      return reply
    } catch (error) {
      over(isProblem(error) ? error.code : 'aborted')
      throw error
    }
  }
}
