import { openDetachedStream } from '../../../http/server/detached-socket.ts'
import { reachedBy } from '../../../http/server/public-url.ts'
import type { RouteHandler, RouteReply, RouteRequest, Routes } from '../../../http/server/routes.ts'
import { sseEvent, sseHeaders, sseRetry } from '../../../http/server/sse.ts'
import { momentText } from '../../../kit/moment.ts'
import { isProblem, RequestRestart } from '../../../kit/problem.ts'
import { refuse, widget } from '../api/contract.ts'
import { type AuthRequest, agentOfToken, authenticateStream, corsFor, spend } from '../auth/auth.ts'
import { rates } from '../auth/rate-limits.ts'
import type { Chat } from '../service.ts'
import type { Broadcaster } from './broadcaster.ts'
import { openConnectionLimits } from './connection-limits.ts'
import type { PushedEvent } from './pushed-events.ts'
import { Stream, type StreamAuthorization } from './sse-connection.ts'
import { roomSource, type Source, type Start, tenantSource } from './subscriptions.ts'

/** Maximum number of open streams: per room or agent, per address, per process. */
const limits = { perHolder: 12, perAddress: 200, inAll: 10_000 } as const

/** Returns the routes of the SSE streams for customers and agents. */
export function pushRoutes(app: Chat, broadcaster: Broadcaster): Routes {
  const streams = new EventStreams(app, broadcaster)
  return (table) => {
    // Runs before the server waits for open responses: a stream does not end by itself.
    table.onClose(() => broadcaster.close())
    table.get('/api/widget/v1/rooms/:roomId/events', streams.customer, { head: false })
    table.get('/api/agent/v1/events', streams.agent, { head: false })
  }
}

class EventStreams {
  readonly #app: Chat
  readonly #broadcaster: Broadcaster
  readonly #connectionLimits = openConnectionLimits()

  constructor(app: Chat, broadcaster: Broadcaster) {
    this.#app = app
    this.#broadcaster = broadcaster
  }

  readonly customer: RouteHandler = (request, reply) =>
    refusing(this.#app, request, reply, async (authRequest, cors) => {
      const app = this.#app
      const { tenant, room, tokenExpiresAt } = await authenticateStream(app, authRequest)
      await spend(app, authRequest, [{ key: `stream ${room.id}`, limit: rates.streamConnect }])
      const now = await app.store.read(async (reader) => reader.now)
      await this.#stream(request, reply, cors, {
        source: await roomSource(app, tenant.code, room.id),
        audience: 'customer',
        holder: room.id,
        tenantKey: tenant.tenant_key,
        roomId: room.id,
        roomEpoch: room.token_epoch,
        // The token expires by the world's clock, the stream by the machine's.
        expiresAt: app.machineNow() + tokenExpiresAt - now,
      })
    })

  readonly agent: RouteHandler = (request, reply) =>
    refusing(this.#app, request, reply, async (authRequest, headers) => {
      const { tenant, agentId, keyId } = await agentOfToken(this.#app, authRequest)
      const source = await tenantSource(this.#app, tenant)
      await this.#stream(request, reply, headers, { source, audience: 'agent', holder: agentId, keyId })
    })

  async #stream(
    request: RouteRequest,
    reply: RouteReply,
    headers: Readonly<Record<string, string>>,
    { source, ...right }: { source: Source } & StreamAuthorization,
  ): Promise<void> {
    const { address } = request
    this.#checkLimits(right.holder, address)
    const cursor = request.headers['last-event-id'] ?? request.query['lastEventId']
    const { publicUrl } = reachedBy(this.#app, request).config
    const stream = new Stream(right, { address, publicUrl }, this.#connectionLimits)
    reply.hijack()
    try {
      const end = await this.#broadcaster.listen(
        source,
        typeof cursor === 'string' ? cursor : undefined,
        stream,
        (start) => {
          const now = this.#app.machineNow()
          const date = new Date(now).toUTCString()
          const head = { ...sseHeaders, ...headers, date, 'x-request-id': request.id }
          const first = sseRetry(1_000) + firstEvents(source, start, now).map(sseEvent).join('')
          stream.begin(openDetachedStream(reply.raw, request.server, head), first)
        },
        stream,
      )
      stream.endBy(end)
    } catch (error) {
      stream.over()
      reply.raw.destroy()
      throw error
    }
  }

  #checkLimits(holder: string, address: string): void {
    const open = this.#connectionLimits
    const isLimited = this.#app.config.rateLimits
    if (
      this.#broadcaster.size >= limits.inAll ||
      (isLimited && (open.ofHolder(holder) >= limits.perHolder || open.ofAddress(address) >= limits.perAddress))
    )
      throw refuse('TOO_MANY_STREAMS', 'Too many streams are open', { retryAfterMs: 5_000 })
  }
}

/** Returns the events that a stream starts with. */
function firstEvents(source: Source, start: Start, now: number): PushedEvent[] {
  const eventCursor = source.cursor(start.at)
  const { resumed } = start
  const replayed = resumed ? start.replayed : 0
  const ready = { eventCursor, serverTime: momentText(now), resumed, replayed }
  const first: PushedEvent[] = [{ id: eventCursor, event: 'ready', data: JSON.stringify(ready) }]
  if (!resumed && start.resync)
    first.push({ id: eventCursor, event: 'resync', data: JSON.stringify({ reason: start.resync, eventCursor }) })
  return first
}

/** Runs a route outside the contracts, and responds to errors as the contracts do. */
export async function refusing(
  app: Chat,
  request: RouteRequest,
  reply: RouteReply,
  work: (authRequest: AuthRequest, cors: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
  const { url, address, method, params } = request
  // CORS headers and, set by authentication, the remaining rates.
  const responseHeaders: Record<string, string> = {}
  const authRequest: AuthRequest = { headers, url, address, method, params, responseHeaders }
  const isWidgets = request.pattern.startsWith('/api/widget/')
  try {
    if (isWidgets) Object.assign(responseHeaders, { vary: 'Origin', ...(await corsFor(app, authRequest)) })
    await work(authRequest, responseHeaders)
  } catch (error) {
    if (error instanceof RequestRestart) throw error
    if (reply.isTaken) return
    const { code, message, detail } = publicError(app, error, request.id)
    const retryAfterMs = detail['retryAfterMs']
    if (typeof retryAfterMs === 'number') reply.header('retry-after', String(Math.ceil(retryAfterMs / 1000)))
    const status = widget.problems[code]
    await reply
      .code(status)
      .headers(responseHeaders)
      .header('cache-control', 'no-store')
      .header('x-request-id', request.id)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(widget.envelope.refuse({ code, message, status, detail, requestId: request.id })))
  }
}

function publicError(app: Chat, error: unknown, requestId: string) {
  if (isProblem(error) && Object.hasOwn(widget.problems, error.code)) {
    // The check above proves that it is one of the contract's codes.
    return { code: error.code as keyof typeof widget.problems, message: error.message, detail: error.detail }
  }
  const message = error instanceof Error ? error.stack : String(error)
  app.log.error({ requestId, error: message }, 'Unexpected error in a stream or file request')
  return { code: 'INTERNAL_ERROR' as const, message: 'Internal error', detail: {} }
}
