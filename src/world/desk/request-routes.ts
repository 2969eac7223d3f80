import { readObject } from '../../http/server/body.ts'
import { readBody } from '../../http/server/request.ts'
import type { RouteHandler, RouteReply, RouteRequest, Routes } from '../../http/server/routes.ts'
import { sseEvent, sseHeaders, sseHeartbeat } from '../../http/server/sse.ts'
import { hmacHex } from '../../kit/hmac.ts'
import { Problem } from '../../kit/problem.ts'
import { type RequestFilter, recordedServices } from '../requests/filter.ts'
import { createHandoverReader, handoverPaths, proofText } from '../requests/handed-over.ts'
import type { RecordedRequests } from '../requests/recorded-requests.ts'
import { isFromThisMachine } from './access.ts'
import { guarded } from './guard.ts'

/** Paths of the desk's interface to recorded requests. */
export const requestPaths = {
  list: '/desk/api/requests',
  stream: '/desk/api/requests/stream',
  show: '/desk/api/requests/:id',
} as const

/** Maximum number of requests in one response. */
const maxListed = 10_000
/** Maximum number of open streams. */
const maxStreams = 20
const heartbeatMs = 15_000
/** A reader that is this far behind is disconnected. */
const maxUnsentBytes = 4 * 1024 * 1024

/** Serves the recorded requests to commands and pages of this machine that have the token. */
export function requestRoutes(requests: RecordedRequests, token: () => string | undefined): Routes {
  const open = new Set<RouteReply>()
  const guard = (handle: RouteHandler) => guarded(() => (requests.isRecording ? token() : undefined), handle)
  return (table) => {
    table.get(
      requestPaths.list,
      guard((request, reply) => reply.send({ requests: requests.list(filterOf(request)) })),
    )
    table.get(
      requestPaths.stream,
      guard((request, reply) => stream(request, reply, requests, open)),
      { head: false },
    )
    table.get(
      requestPaths.show,
      guard(async (request, reply) => reply.send(await requests.show(request.params['id'] ?? ''))),
    )
    handoverRoutes(requests, token, guard)(table)
    table.onClose(() => {
      for (const reply of open) reply.raw.end()
    })
  }
}

/**
 * Maximum bytes of the requests that a command hands over at once: a batch, or one request with two bodies of maximum
 * size.
 */
const maxHandedOver = 16 * 1024 * 1024

/** Serves the handover of the requests that commands next to this process have recorded. */
function handoverRoutes(
  requests: RecordedRequests,
  token: () => string | undefined,
  guard: (handle: RouteHandler) => RouteHandler,
): Routes {
  const readHandedOver = createHandoverReader()
  return (table) => {
    // Proves to a command that this process has the token, before the command sends any secret.
    table.get(handoverPaths.proof, (request, reply) => {
      const key = requests.isRecording && isFromThisMachine(request) ? token() : undefined
      const { challenge } = request.query
      if (key === undefined || typeof challenge !== 'string') return reply.code(404).send({ message: 'Not found' })
      return reply.header('cache-control', 'no-store').send(hmacHex('sha256', key, proofText(challenge)))
    })
    table.post(
      handoverPaths.take,
      guard(async ({ raw }, reply) => {
        const body = await readBody(raw, maxHandedOver)
        const read = body === 'too-large' ? { fault: 'The body is too large' } : readObject(body)
        if ('fault' in read) throw new Problem('INVALID_USAGE', read.fault)
        requests.add(readHandedOver(read.value))
        await reply.code(204).send()
      }),
    )
  }
}

/** Reads a filter from a query, or throws INVALID_USAGE: an unknown value would match everything. */
function filterOf({ query }: RouteRequest): RequestFilter {
  const text = (name: string) => (typeof query[name] === 'string' && query[name] !== '' ? query[name] : undefined)
  const number = (name: string) => {
    const value = text(name)
    if (value === undefined) return undefined
    if (/^\d{1,15}$/.test(value)) return Number(value)
    throw new Problem('INVALID_USAGE', `${name} must be a whole number`)
  }
  return {
    service: oneOf(recordedServices, 'service', text('service')),
    kind: oneOf(['request', 'callback'] as const, 'kind', text('kind')),
    status: text('status'),
    path: text('path'),
    since: number('since'),
    age: number('age'),
    limit: Math.min(Math.max(number('limit') ?? maxListed, 1), maxListed),
  }
}

function oneOf<T extends string>(values: readonly T[], name: string, value: string | undefined): T | undefined {
  if (value === undefined) return undefined
  const match = values.find((each) => each === value)
  if (match !== undefined) return match
  throw new Problem('INVALID_USAGE', `${name} must be one of ${values.join(', ')}`)
}

/** Sends each matching request as an event when it ends, until the client disconnects or the server closes. */
function stream(request: RouteRequest, reply: RouteReply, requests: RecordedRequests, open: Set<RouteReply>): unknown {
  if (open.size >= maxStreams) return reply.code(429).send({ message: `There are ${maxStreams} streams already` })
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, sseHeaders)
  raw.write(sseHeartbeat)
  open.add(reply)
  const write = (text: string) => {
    if (raw.writableLength > maxUnsentBytes) raw.destroy()
    else raw.write(text)
  }
  const stop = requests.follow(filterOf(request), (summary) =>
    write(sseEvent({ event: 'request', data: JSON.stringify(summary) })),
  )
  const heartbeat = setInterval(() => write(sseHeartbeat), heartbeatMs)
  raw.once('close', () => {
    clearInterval(heartbeat)
    stop()
    open.delete(reply)
  })
  return undefined
}
