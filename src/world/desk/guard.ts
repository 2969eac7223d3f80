import type { RouteHandler, RouteReply } from '../../http/server/routes.ts'
import { isProblem, type Problem } from '../../kit/problem.ts'
import { deskRefusal } from './access.ts'

/**
 * Wraps a handler of the desk's interface: admits only requests of this machine with the token, and sends refusals as
 * JSON.
 */
export function guarded(token: () => string | undefined, handle: RouteHandler): RouteHandler {
  return async (request, reply) => {
    const refusal = deskRefusal(request, token())
    reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
    if (refusal !== undefined) return reply.code(refusal).send({ message: messages[refusal] ?? 'Refused' })
    try {
      await handle(request, reply)
    } catch (error) {
      if (!isProblem(error) || reply.isTaken) throw error
      await sendProblem(reply, error)
    }
  }
}

/** Sends a refusal of a service or of the desk itself. */
function sendProblem(reply: RouteReply, { code, message, detail }: Problem): Promise<void> {
  const status = code.startsWith('STORE_') ? 503 : /NOT_FOUND$/.test(code) ? 404 : conflicts.includes(code) ? 409 : 400
  return reply.code(status).send({ code, message, detail })
}

const conflicts = ['CONFLICT', 'LOCKED_BY_ANOTHER']

const messages: Readonly<Record<number, string>> = {
  401: 'The token is missing or wrong: it is in the ready file',
  403: 'The Origin is another site',
  404: 'Not found',
}
