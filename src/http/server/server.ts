import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Log, silentLog } from '../../kit/log.ts'
import { Problem } from '../../kit/problem.ts'
import { timeHeaders } from '../contract/platform-time.ts'
import { remoteCodes, type WireReply, type WireRequest } from '../contract/wire-types.ts'
import { applyFault, type FaultInjector, noFaults } from './fault-injection.ts'
import { type Departure, RequestGone, type Service } from './handle.ts'
import { arrivalOf, plainAddress, send, type Visit } from './request.ts'
import type { Routes } from './routes.ts'
import type { Http } from './socket-server.ts'

export interface ServerOptions {
  readonly services: readonly Service[]
  readonly routes?: readonly Routes[]
  readonly log?: Log
  /** Injected faults of endpoints; pages and streams have none. */
  readonly faultInjector?: FaultInjector
  /** The machine's clock, for the `date` of in-process responses, which HTTP adds by itself. */
  readonly now?: () => number
  /** The served world's time, added to every response; none by default. */
  readonly worldNow?: () => number
  /** Returns the id of each request, for the log and `x-request-id`. Default: a counter. */
  readonly requestId?: () => string
  /** Proxies whose X-Forwarded-For is trusted, each as `isProxyRange` accepts it. */
  readonly trustedProxies?: readonly string[]
  /** Base of every public URL. Without it, the proxy's headers or the connection determine it. */
  readonly publicUrl?: string | undefined
  /** Continues streams on detached sockets, where this version of Node allows it. Default: true. */
  readonly detachStreams?: boolean
  /** Maximum time for a complete request to arrive. */
  readonly requestTimeoutMs?: number
  /** Idle timeout of a connection between two requests. */
  readonly keepAliveMs?: number
  /** Time that closing waits for running requests before it closes the sockets. */
  readonly closeWithinMs?: number
}

/** All services and pages of one origin. */
export interface Server {
  /** Opens the port; 0 picks a free one. */
  listen(options?: { host?: string; port?: number }): Promise<{ port: number; url: string }>
  /** Handles a request without a socket: everything but the wire is real. */
  inject(request: Omit<WireRequest, 'signal'>, options?: { address?: string }): Promise<WireReply>
  /**
   * Accepts no more requests, finishes the running ones, and closes the rest at the deadline. Repeated calls have no
   * effect.
   */
  close(): Promise<void>
}

/**
 * Opens a server for these services. Nothing is compiled and no port opened before the first request. Node's HTTP is
 * loaded only for a socket or a route outside of the contracts: commands with in-process requests do not need it.
 */
export function openServer(options: ServerOptions): Server {
  const { services, routes = [], log = silentLog, faultInjector = noFaults } = options
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

  /** Returns the service whose prefix matches a URL, with the rest of the path. */
  function mountOf(url: string) {
    const mount = mounts.find(({ prefix }) => isBelow(prefix, url))
    return mount && { ...mount, path: (url.split('?')[0] ?? '').slice(mount.prefix.length) }
  }

  function endpointAt(method: string, url: string) {
    const mount = mountOf(url)
    return mount?.service.nameOf(method, mount.path) === undefined ? undefined : mount
  }

  /** Makes closing wait for this work. */
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
      const fault =
        faultInjector.areSet() && (await faultInjector.faultFor({ contract, endpoint: endpoint(), method, path }))
      if (!fault) return give(await answer())
      await applyFault(fault, { raw, out, contract, requestId: visit.id, answer, send: give, closing: closing.signal })
    }
    void kept(
      handle().catch((error: unknown) => {
        if (!(error instanceof RequestGone))
          log.error({ requestId: visit.id, error: String(error) }, 'Cannot send a response')
        out.destroy()
      }),
    )
    return true
  }

  /** Returns the response of an endpoint; undefined when there is none or a fault applies. */
  async function answered(request: Omit<WireRequest, 'signal'>, address: string): Promise<WireReply | undefined> {
    const { method, path: url, body = '' } = request
    const mount = faultInjector.areSet() ? undefined : endpointAt(method, url)
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
        throw new Problem(remoteCodes.unreachable, 'The server has closed', { outcome: 'none' })
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
