import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../../http/server/public-url.ts'
import { plainAddress } from '../../http/server/request.ts'
import type { RouteRequest } from '../../http/server/routes.ts'
import { sameText } from '../../kit/hmac.ts'

/** Access to what only this machine may see of a served world: its recorded requests and its metrics. */

/** Headers that a proxy adds. A request with one of them comes from elsewhere, whatever its connection. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Returns whether a request was made on this machine: from a loopback address, to a loopback name, and not through a
 * proxy. The name is checked because a page of another site may have its own name resolve to this machine.
 */
export function isFromThisMachine({ raw }: Pick<RouteRequest, 'raw'>): boolean {
  return (
    isLoopback(plainAddress(raw.socket.remoteAddress ?? '')) &&
    isLoopback(hostnameOf(raw)) &&
    forwarding.every((name) => raw.headers[name] === undefined)
  )
}

/** Returns why a request may not use the desk's interface: a status, or undefined if it may. */
export function deskRefusal(request: RouteRequest, token: string | undefined): number | undefined {
  if (token === undefined || !isFromThisMachine(request)) return 404
  const { origin } = request.headers
  if (origin !== undefined && origin !== `http://${request.headers.host}`) return 403
  const given = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  return sameText(given, token) ? undefined : 401
}

function hostnameOf(raw: IncomingMessage): string {
  return URL.parse(`http://${raw.headers.host ?? ''}`)?.hostname ?? ''
}
