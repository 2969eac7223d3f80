import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Log, silentLog } from '../../kit/log.ts'
import { Problem } from '../../kit/problem.ts'
import { timeHeaders } from '../contract/platform-time.ts'
import { remoteCodes, type WireReply, type WireRequest } from '../contract/wire-types.ts'
import { type Mishaps, misbehave, noMishaps } from './fault-injection.ts'
import { type Departure, RequestGone, type Service } from './handle.ts'
import { arrivalOf, plainAddress, send, type Visit } from './request.ts'
import type { Routes } from './routes.ts'
import type { Http } from './socket-server.ts'

export interface ServerOptions {
  readonly services: readonly Service[]
  readonly routes?: readonly Routes[]
  readonly log?: Log
  /** What is done wrong on purpose with what is asked of the services; pages and streams are let be. */
  readonly mishaps?: Mishaps
  /** The machine's clock, by which an answer in process says when it was given, as HTTP does by itself. */
  readonly now?: () => number
  /** The served world's time, which every response bears; none does where it is not given. */
  readonly worldNow?: () => number
  /** Names each request, for the log and for `x-request-id`. Counted when not given. */
  readonly requestId?: () => string
  /** The proxies whose word is taken for where a request came from, each as `isProxyRange` has it. */
  readonly trustedProxies?: readonly string[]
  /** The base of every URL that is handed out. Without it a request is answered as its proxy, or its connection, says. */
  readonly publicUrl?: string | undefined
  /** Whether streams continue on detached sockets, where this version of Node allows it. Default: true. */
  readonly detachStreams?: boolean
  /** How long a whole request may take to arrive. */
  readonly requestTimeoutMs?: number
  /** How long a connection may idle between two requests. */
  readonly keepAliveMs?: number
  /** How long closing waits for what is under way before the sockets are cut. */
  readonly closeWithinMs?: number
}

/** All services and pages of one origin. */
export interface Server {
  /** Opens the port; 0 picks a free one. */
  listen(options?: { host?: string; port?: number }): Promise<{ port: number; url: string }>
  /** The same server without a socket: everything but the wire itself is real. */
  inject(request: Omit<WireRequest, 'signal'>, options?: { address?: string }): Promise<WireReply>
  /** Takes no more work, finishes what it holds, and cuts what is not done by the deadline. Twice is as good as once. */
  close(): Promise<void>
}

/**
 * Opens a server for these services. Nothing is compiled and no port is open until somebody asks; and until somebody asks
 * over a socket, or for something beside the contracts, HTTP itself is not even loaded: a command that asks one thing in
 * process has no use for it.
 */
export function openServer(options: ServerOptions): Server {
  const { services, routes = [], log = silentLog, mishaps = noMishaps } = options
  const mounts = services
    .flatMap((service) => service.prefixes.map((prefix) => ({ prefix, service })))
    .sort((a, b) => b.prefix.length - a.prefix.length)
  const requestId = options.requestId ?? counted()
  const worldTime = () => (options.worldNow === undefined ? {} : timeHeaders(options.worldNow()))
  const closeWithinMs = options.closeWithinMs ?? 2_500
  const underWay = new Set<Promise<unknown>>()
  const closing = new AbortController()
  let http: Promise<Http> | undefined
  let closed: Promise<void> | undefined

  const openedHttp = () =>
    (http ??= import('./socket-server.ts').then(({ openHttp }) =>
      openHttp({
        routes,
        log,
        requestId,
        worldTime,
        requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
        keepAliveMs: options.keepAliveMs ?? 72_000,
        trustedProxies: options.trustedProxies ?? [],
        publicUrl: options.publicUrl,
        detachStreams: options.detachStreams ?? true,
        answerFor,
        isEndpoint: (method, path) => endpointAt(method, path) !== undefined,
      }),
    ))

  /** The service whose prefix a URL lies below, and what of the path it reads. */
  function mountOf(url: string) {
    const mount = mounts.find(({ prefix }) => isBelow(prefix, url))
    return mount && { ...mount, path: (url.split('?')[0] ?? '').slice(mount.prefix.length) }
  }

  function endpointAt(method: string, url: string) {
    const mount = mountOf(url)
    return mount?.service.nameOf(method, mount.path) === undefined ? undefined : mount
  }

  /** Keeps closing waiting until it is done. */
  function kept<T>(work: Promise<T>): Promise<T> {
    underWay.add(work)
    const done = () => underWay.delete(work)
    work.then(done, done)
    return work
  }

  /** Lets the service below whose prefix the URL lies answer; `false` when there is none. */
  function answerFor(raw: IncomingMessage, out: ServerResponse, url: string, visit: Visit): boolean {
    const mount = mountOf(url)
    if (!mount) return false
    const { service, prefix, path } = mount
    const { contract } = service
    const answer = () => service.respond(arrivalOf(raw, url, visit), prefix, log)
    const give = (departure: Departure) => send(raw, out, departure)
    const method = raw.method ?? 'GET'
    const handle = async () => {
      const endpoint = () => service.nameOf(method, path)
      const mishap = mishaps.areSet() && (await mishaps.meet({ contract, endpoint: endpoint(), method, path }))
      if (!mishap) return give(await answer())
      await misbehave(mishap, { raw, out, contract, requestId: visit.id, answer, send: give, closing: closing.signal })
    }
    void kept(
      handle().catch((error: unknown) => {
        if (!(error instanceof RequestGone))
          log.error({ requestId: visit.id, error: String(error) }, 'An answer was not sent')
        out.destroy()
      }),
    )
    return true
  }

  /** The answer of an endpoint, or nothing where there is none or something is to go wrong on the way. */
  async function answered(request: Omit<WireRequest, 'signal'>, address: string): Promise<WireReply | undefined> {
    const { method, path: url, body = '' } = request
    const mount = mishaps.areSet() ? undefined : endpointAt(method, url)
    if (!mount) return undefined
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const arrival = {
      method,
      url,
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])),
      address: plainAddress(address),
      requestId: requestId(),
      readBody: async (limit: number) => (bytes.byteLength > limit ? ('too-large' as const) : bytes),
    }
    const departure = await kept(mount.service.respond(arrival, mount.prefix, log))
    const date = options.now && { date: new Date(options.now()).toUTCString() }
    const headers = { ...date, ...worldTime(), ...departure.headers }
    return { status: departure.status, headers, body: departure.body }
  }

  async function shut(): Promise<void> {
    closing.abort()
    const all = Promise.allSettled(underWay)
    if (http) return (await http).close(all, closeWithinMs)
    const deadline = Promise.withResolvers<void>()
    const timer = setTimeout(deadline.resolve, closeWithinMs)
    await Promise.race([all, deadline.promise])
    clearTimeout(timer)
  }

  return {
    async listen({ host = '127.0.0.1', port = 0 } = {}) {
      const bound = await (await openedHttp()).listen({ host, port })
      return { port: bound, url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` }
    },

    async inject(request, { address = '127.0.0.1' } = {}) {
      if (closed) {
        throw new Problem(remoteCodes.unreachable, 'This server has closed', { outcome: 'none' })
      }
      return (await answered(request, address)) ?? (await openedHttp()).inject(request, address)
    },

    close: () => (closed ??= shut()),
  }
}

function isBelow(prefix: string, url: string): boolean {
  if (!url.startsWith(prefix)) return false
  const next = url.charAt(prefix.length)
  return next === '' || next === '/' || next === '?'
}

function counted(): () => string {
  let count = 0
  return () => `r${(++count).toString(36)}`
}
