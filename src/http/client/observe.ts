import { isProblem } from '../../kit/problem.ts'
import type { Transport } from '../contract/wire-types.ts'

/** One exchange that is over. It tells nothing of what was in it. */
export interface Exchange {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** The status, or the code of the Problem when there was no answer. */
  readonly outcome: string
  readonly ms: number
  /** The name the server gave this request, where it did. */
  readonly requestId: string | undefined
}

/** Tells of every exchange when it is over. */
export function watched(transport: Transport, tell: (exchange: Exchange) => void): Transport {
  return async (request) => {
    const startedMs = performance.now()
    const over = (outcome: string, requestId?: string) =>
      tell({
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
      over(isProblem(error) ? error.code : 'given up')
      throw error
    }
  }
}
