import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Log, silentLog } from '../../kit/log.ts'
import { Problem } from '../../kit/problem.ts'
import { timeHeaders } from '../contract/platform-time.ts'
import { remoteCodes, type WireReply, type WireRequest } from '../contract/wire-types.ts'
import type { Exchange, ExchangeLog } from './exchanges/exchange-log.ts'
import { applyFault, type FaultInjector, noFaults } from './fault-injection.ts'
import {
  ClientDisconnected,
  type IncomingRequest,
  type OutgoingResponse,
  type RequestRunner,
  type Service,
} from './handle.ts'
import { incomingRequestOf, plainAddress, type RequestContext, send } from './request.ts'
import type { Routes } from './routes.ts'
import type { Http } from './socket-server.ts'

export interface ServerOptions {
  readonly services: readonly Service[]
  readonly routes?: readonly Routes[]
  readonly log?: Log
  /** Injected faults of endpoints; pages and streams have none. */
  readonly faultInjector?: FaultInjector
  /** Record of requests; none by default. */
  readonly exchanges?: ExchangeLog | undefined
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
  /** Runs each request, and may run it again from its beginning. Default: runs it once. */
  readonly requestRunner?: RequestRunner
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
  /** Handles a request without a socket. Everything but the transport is the same. */
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
export const openServer = (options: ServerOptions): Server => new ServiceServer(options)

/** A service at one of its prefixes. */
interface Mount {
  readonly prefix: string
  readonly service: Service
}

class ServiceServer implements Server {
  readonly #options: ServerOptions
  readonly #log: Log
  readonly #faults: FaultInjector
  readonly #run: RequestRunner
  /** The longest prefix first. */
  readonly #mounts: readonly Mount[]
  readonly #requestId: () => string
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #http: Promise<Http> | undefined
  #closed: Promise<void> | undefined

  constructor(options: ServerOptions) {
    const { services, log = silentLog, faultInjector = noFaults, requestId = counted() } = options
    this.#run = options.requestRunner ?? ((work) => work())
    this.#options = options
    this.#log = log
    this.#faults = faultInjector
    this.#requestId = requestId
    this.#mounts = services
      .flatMap((service) => service.prefixes.map((prefix) => ({ prefix, service })))
      .sort((a, b) => b.prefix.length - a.prefix.length)
  }

  async listen({ host = '127.0.0.1', port = 0 } = {}): Promise<{ port: number; url: string }> {
    const bound = await (await this.#openedHttp()).listen({ host, port })
    return { port: bound, url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` }
  }

  async inject(request: Omit<WireRequest, 'signal'>, { address = '127.0.0.1' } = {}): Promise<WireReply> {
    if (this.#closed) throw new Problem(remoteCodes.unreachable, 'The server has closed', { outcome: 'none' })
    return (await this.#endpointReply(request, address)) ?? (await this.#openedHttp()).inject(request, address)
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown()
    return this.#closed
  }

  #openedHttp(): Promise<Http> {
    const { routes = [], requestTimeoutMs = 30_000, keepAliveMs = 72_000 } = this.#options
    const { trustedProxies = [], publicUrl, detachStreams = true, exchanges } = this.#options
    this.#http ??= import('./socket-server.ts').then(({ openHttp }) =>
      openHttp({
        ...{ routes, requestTimeoutMs, keepAliveMs, trustedProxies, publicUrl, detachStreams, exchanges },
        log: this.#log,
        run: this.#run,
        requestId: this.#requestId,
        worldTime: () => this.#worldTime(),
        answerFor: (raw, out, url, context) => this.#answer(raw, out, url, context),
        isEndpoint: (method, path) => this.#endpointAt(method, path) !== undefined,
      }),
    )
    return this.#http
  }

  #worldTime(): Readonly<Record<string, string>> {
    const { worldNow } = this.#options
    return worldNow === undefined ? {} : timeHeaders(worldNow())
  }

  /** Returns the service whose prefix matches a URL, with the rest of the path. */
  #mountOf(url: string): (Mount & { readonly path: string }) | undefined {
    const mount = this.#mounts.find(({ prefix }) => isBelow(prefix, url))
    return mount && { ...mount, path: (url.split('?')[0] ?? '').slice(mount.prefix.length) }
  }

  #endpointAt(method: string, url: string): Mount | undefined {
    const mount = this.#mountOf(url)
    return mount?.service.nameOf(method, mount.path) === undefined ? undefined : mount
  }

  /** Makes closing wait for this work. */
  #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work)
    const done = () => this.#underWay.delete(work)
    work.then(done, done)
    return work
  }

  /** Lets the service whose prefix matches the URL respond; `false` when there is none. */
  #answer(raw: IncomingMessage, out: ServerResponse, url: string, context: RequestContext): boolean {
    const mount = this.#mountOf(url)
    if (!mount) return false
    const { service, prefix, path } = mount
    const { contract } = service
    const method = raw.method ?? 'GET'
    const incoming = incomingRequestOf(raw, url, context, (request) => this.#begin(request, mount))
    const { exchange } = incoming
    const answer = () => this.#run(() => service.respond(incoming, prefix, this.#log))
    const give = (outgoing: OutgoingResponse) => {
      send(raw, out, outgoing)
      if (exchange) this.#options.exchanges?.end(exchange, outgoing)
    }
    const handle = async () => {
      const fault =
        this.#faults.areSet() &&
        (await this.#faults.faultFor({ contract, endpoint: service.nameOf(method, path), method, path }))
      if (!fault) return give(await answer())
      if (exchange) exchange.fault = fault.kind
      const { signal } = this.#closing
      const handled = async () => {
        const outgoing = await answer()
        if (exchange) exchange.handledStatus = outgoing.status
        return outgoing
      }
      await applyFault(fault, {
        raw,
        out,
        contract,
        requestId: context.id,
        answer: handled,
        send: give,
        closing: signal,
      })
      // Without effect if the fault let a whole response through.
      if (exchange) this.#options.exchanges?.end(exchange, out.headersSent ? sentOf(out) : undefined)
    }
    void this.#track(
      handle().catch((error: unknown) => {
        if (!(error instanceof ClientDisconnected))
          this.#log.error({ requestId: context.id, error: String(error) }, 'Cannot send a response')
        if (exchange) {
          exchange.error ??= error instanceof ClientDisconnected ? 'The client disconnected' : String(error)
          this.#options.exchanges?.end(exchange)
        }
        out.destroy()
      }),
    )
    return true
  }

  #begin(
    {
      requestId,
      method,
      url,
      headers,
      address,
    }: Pick<IncomingRequest, 'requestId' | 'method' | 'url' | 'headers' | 'address'>,
    { service: { contract }, prefix }: Mount,
  ): Exchange | undefined {
    const { exchanges } = this.#options
    return exchanges?.begin({ kind: 'request', id: requestId, method, url, address, headers, contract, prefix })
  }

  /** Returns the response of an endpoint; undefined when there is none or a fault applies. */
  async #endpointReply(request: Omit<WireRequest, 'signal'>, address: string): Promise<WireReply | undefined> {
    const { method, path: url, body = '' } = request
    const mount = this.#faults.areSet() ? undefined : this.#endpointAt(method, url)
    if (!mount) return undefined
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const known = {
      method,
      url,
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])),
      address: plainAddress(address),
      requestId: this.#requestId(),
    }
    const exchange = this.#begin(known, mount)
    const incoming = {
      ...known,
      exchange,
      readBody: async (limit: number) => (bytes.byteLength > limit ? ('too-large' as const) : bytes),
    }
    const outgoing = await this.#track(this.#run(() => mount.service.respond(incoming, mount.prefix, this.#log)))
    const { now } = this.#options
    const date = now && { date: new Date(now()).toUTCString() }
    const headers = { ...date, ...this.#worldTime(), ...outgoing.headers }
    if (exchange) this.#options.exchanges?.end(exchange, outgoing)
    return { status: outgoing.status, headers, body: outgoing.body }
  }

  async #shutDown(): Promise<void> {
    const { closeWithinMs = 2_500 } = this.#options
    this.#closing.abort()
    const all = Promise.allSettled(this.#underWay)
    if (this.#http) return (await this.#http).close(all, closeWithinMs)
    const deadline = Promise.withResolvers<void>()
    const timer = setTimeout(deadline.resolve, closeWithinMs)
    await Promise.race([all, deadline.promise])
    clearTimeout(timer)
  }
}

/** Returns what was sent of a response that a fault wrote in parts. */
function sentOf(out: ServerResponse): OutgoingResponse {
  const headers = Object.entries(out.getHeaders()).map(([name, value]) => [name, String(value)])
  return { status: out.statusCode, headers: Object.fromEntries(headers), body: '' }
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
