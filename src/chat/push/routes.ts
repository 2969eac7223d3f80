import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isProblem } from '../../kit/problem.ts'
import type { Routes } from '../../wire/server.ts'
import { agentKnocking, corsFor, type Knock, listenerKnocking, queryOf, spend } from '../callers.ts'
import type { Chat } from '../chat.ts'
import { refuse, widget } from '../contract.ts'
import { rates } from '../limiter.ts'
import { momentText } from '../views.ts'
import { roomSource, type Source, tenantSource } from './channels.ts'
import { type Audience, type Frame, textOf } from './frames.ts'
import type { Goodbye, Guard, Hub } from './hub.ts'

/** How much may wait unsent for one reader before it is cut: a reader that has stopped must not hold our memory. */
const mostUnsent = 1_048_576
/** Open streams at most: of one room's token or agent, of one address, of this process. */
const limits = { perHolder: 12, perAddress: 200, inAll: 10_000 } as const

/** The streams of server-sent events, for customers and for agents. */
export function pushRoutes(app: Chat, hub: Hub): Routes {
  const holders = counts()
  const addresses = counts()

  return (server) => {
    // Before the server waits for what is under way: a stream would never end by itself.
    server.addHook('preClose', async () => hub.close())

    const withoutHead = { exposeHeadRoute: false }
    server.get('/api/widget/v1/rooms/:roomId/events', withoutHead, (request, reply) =>
      refusing(app, request, reply, async (knock, cors) => {
        const { tenant, room, tokenExpiresAt } = await listenerKnocking(app, knock)
        spend(app, [{ key: `stream ${room.id}`, limit: rates.streamConnect }])
        const now = await app.store.read(async (reader) => reader.now)
        await stream(request, reply, cors, {
          source: roomSource(app, tenant.code, room.id),
          audience: 'customer',
          holder: room.id,
          tenantKey: tenant.tenant_key,
          // The token ends by the world's clock, the stream by the machine's.
          expiresAt: app.machineNow() + tokenExpiresAt - now,
        })
      }),
    )
    server.get('/api/agent/v1/events', withoutHead, (request, reply) =>
      refusing(app, request, reply, async (knock) => {
        const { tenant, agentId } = await agentKnocking(app, knock)
        await stream(request, reply, {}, { source: tenantSource(app, tenant), audience: 'agent', holder: agentId })
      }),
    )
  }

  async function stream(
    request: FastifyRequest,
    reply: FastifyReply,
    headers: Readonly<Record<string, string>>,
    to: { source: Source; audience: Audience; holder: string; tenantKey?: string; expiresAt?: number },
  ): Promise<void> {
    const address = request.ip
    if (
      hub.size >= limits.inAll ||
      (app.config.rateLimits &&
        (holders.of(to.holder) >= limits.perHolder || addresses.of(address) >= limits.perAddress))
    )
      throw refuse('TOO_MANY_STREAMS', 'Too many streams are open', { retryAfterMs: 5_000 })
    const cursor = request.headers['last-event-id'] ?? queryOf(request.url, 'lastEventId')
    const out = reply.raw
    // Taken out here, so that what stays for the life of a stream does not hold on to the whole request.
    const requestId = request.id
    const { source } = to
    const cursorFrom = typeof cursor === 'string' ? cursor : undefined
    let leave = () => {}
    let isOver = false
    const over = () => {
      if (isOver) return
      isOver = true
      leave()
      holders.less(to.holder)
      addresses.less(address)
    }
    const put = (text: string) => {
      if (isOver) return
      out.write(text)
      if (out.writableLength > mostUnsent) goodbye(out, 'slowConsumer', over)
    }
    const guard: Guard = {
      ...(to.tenantKey === undefined ? {} : { tenantKey: to.tenantKey }),
      ...(to.expiresAt === undefined ? {} : { expiresAt: to.expiresAt }),
      leave: (reason) => goodbye(out, reason, over),
      beat: () => put(': hb\n\n'),
    }
    holders.more(to.holder)
    addresses.more(address)
    reply.hijack()
    out.once('close', over)
    try {
      const end = await hub.listen(
        source,
        cursorFrom,
        { audience: to.audience, take: (frames) => put(frames.map(textOf).join('')), guard },
        (start) => {
          out.writeHead(200, { ...streamHeaders, ...headers, 'x-request-id': requestId })
          const eventCursor = source.cursor(start.at)
          const serverTime = momentText(app.machineNow())
          const replayed = start.resumed ? start.replayed : 0
          const first: Frame[] = [
            {
              id: eventCursor,
              event: 'ready',
              data: JSON.stringify({ eventCursor, serverTime, resumed: start.resumed, replayed }),
            },
          ]
          if (!start.resumed && start.resync)
            first.push({
              id: eventCursor,
              event: 'resync',
              data: JSON.stringify({ reason: start.resync, eventCursor }),
            })
          put(`retry: 1000\n\n${first.map(textOf).join('')}`)
        },
      )
      leave = end
      // The reader may have gone while we looked where it begins.
      if (isOver || out.destroyed) end()
    } catch (error) {
      over()
      out.destroy()
      throw error
    }
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy that gathers what it passes on would keep the events to itself.
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

function goodbye(out: ServerResponse, reason: Goodbye, over: () => void): void {
  over()
  if (out.destroyed || !out.headersSent) return void out.destroy()
  const retryAfterMs = reason === 'shutdown' ? 1_000 : 0
  const text = textOf({ event: 'goodbye', data: JSON.stringify({ reason, retryAfterMs }) })
  if (reason !== 'slowConsumer') return void out.end(text)
  // What waits is not read; there is nothing to be gained by waiting for it.
  out.write(text)
  out.destroy()
}

/** Runs a route that is not a contract's call, and refuses in the contract's manner. */
export async function refusing(
  app: Chat,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (knock: Knock, cors: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<unknown> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
  const knock: Knock = { headers, url: request.url, address: request.ip, method: request.method }
  const isWidgets = request.url.startsWith('/api/widget/')
  const cors = isWidgets ? { vary: 'Origin', ...(await corsFor(app, knock)) } : {}
  try {
    await work(knock, cors)
    return reply
  } catch (error) {
    if (reply.sent || reply.raw.headersSent) return reply
    const { code, message, detail } = tellable(app, error, request.id)
    const retryAfterMs = detail['retryAfterMs']
    if (typeof retryAfterMs === 'number') reply.header('retry-after', String(Math.ceil(retryAfterMs / 1000)))
    const status = widget.problems[code]
    return reply
      .code(status)
      .headers(cors)
      .header('cache-control', 'no-store')
      .header('x-request-id', request.id)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(widget.envelope.refuse({ code, message, status, detail, requestId: request.id })))
  }
}

function tellable(app: Chat, error: unknown, requestId: string) {
  if (isProblem(error) && Object.hasOwn(widget.problems, error.code)) {
    // It is one of the contract's codes: that was just looked up.
    return { code: error.code as keyof typeof widget.problems, message: error.message, detail: error.detail }
  }
  const told = error instanceof Error ? error.stack : String(error)
  app.log.error({ requestId, error: told }, 'A stream or file failed in an unforeseen way')
  return { code: 'INTERNAL_ERROR' as const, message: 'Something went wrong on our side', detail: {} }
}

function counts() {
  const open = new Map<string, number>()
  return {
    of: (key: string) => open.get(key) ?? 0,
    more: (key: string) => open.set(key, (open.get(key) ?? 0) + 1),
    less(key: string) {
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    },
  }
}
