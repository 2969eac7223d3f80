import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../../kit/log.ts'
import { isProblem } from '../../kit/problem.ts'
import { storable } from '../contract/storable-text.ts'
import type { WireReply, WireRequest } from '../contract/wire-types.ts'
import { responseWith } from './added-headers.ts'
import { detachedSocketsOf, probeDetaching } from './detached-socket.ts'
import type { ExchangeLog } from './exchanges/exchange-log.ts'
import type { RequestRunner } from './handle.ts'
import { requestInMemory } from './memory-connection.ts'
import { createServer, STATUS_CODES } from './node-http.ts'
import { reachOf } from './public-reach.ts'
import { basePathOf, isWildcard } from './public-url.ts'
import { plainAddress, type RequestContext, send, textHeaders } from './request.ts'
import {
  collectRoutes,
  queryOf,
  type Route,
  RouteReply,
  type RouteRequest,
  type Routes,
  routeFinder,
} from './routes.ts'
import { forwardedAddress, proxyTest } from './trusted-proxies.ts'

export interface HttpOptions {
  readonly routes: readonly Routes[]
  readonly log: Log
  readonly requestId: () => string
  /** Returns the headers with the world's time when a response begins. */
  readonly worldTime: () => Readonly<Record<string, string>>
  readonly requestTimeoutMs: number
  readonly keepAliveMs: number
  readonly trustedProxies: readonly string[]
  /** Continues streams on detached sockets, where this version of Node allows it. */
  readonly detachStreams: boolean
  /** Record of requests; none by default. */
  readonly exchanges?: ExchangeLog | undefined
  /** Base of every public URL if configured: then no request changes it. */
  readonly publicUrl?: string | undefined
  /** Passes a request to the service of its prefix. Returns false if there is none. */
  answerFor(raw: IncomingMessage, out: ServerResponse, url: string, context: RequestContext): boolean
  readonly run: RequestRunner
  /** Returns whether a service has an endpoint at a method and path. */
  isEndpoint(method: string, path: string): boolean
}

/** The HTTP layer: connections, malformed requests, and the routes next to the contracts. */
export interface Http {
  listen(bindAddress: { host: string; port: number }): Promise<number>
  inject(request: Omit<WireRequest, 'signal'>, address: string): Promise<WireReply>
  /** Closes after the running requests were answered; closes all sockets after a timeout. */
  close(underWay: Promise<unknown>, withinMs: number): Promise<void>
}

export function openHttp(options: HttpOptions): Http {
  const { worldTime } = options
  const connections = trackConnections()
  let isOnAllAddresses = false
  let isClosing = false
  const { routes, closers } = collectRoutes(options.routes)
  refuseHiddenEndpoints(routes, options.isEndpoint)
  const listener = requestListener(options, routes, {
    isOnAllAddresses: () => isOnAllAddresses,
    isClosing: () => isClosing,
  })
  const server = createServer(
    {
      ServerResponse: responseWith(worldTime),
      keepAliveTimeout: options.keepAliveMs,
      requestTimeout: options.requestTimeoutMs,
      headersTimeout: Math.min(10_000, options.requestTimeoutMs),
      connectionsCheckingInterval: 500,
    },
    (raw, out) => listener(server, raw, out),
  )
  server.on('clientError', (error: Error, socket) => refuseBadHttp(error, socket, worldTime()))
  server.on('connection', connections.add)
  let closeSecond = () => {}

  return {
    async listen(bindAddress) {
      isOnAllAddresses = isWildcard(bindAddress.host)
      // "localhost" is both loopback addresses: which of them a client tries first is up to its resolver.
      const host = bindAddress.host === 'localhost' ? '127.0.0.1' : bindAddress.host
      const port = await listening(server, { ...bindAddress, host })
      if (options.detachStreams) detachedSocketsOf(server).mayDetach = await probeDetaching()
      if (bindAddress.host === 'localhost') closeSecond = alsoOn('::1', port, server)
      return port
    },

    inject: (request, address) => requestInMemory(server, request, address),

    async close(underWay, withinMs) {
      isClosing = true
      const deadline = Promise.withResolvers<void>()
      const timer = setTimeout(deadline.resolve, withinMs)
      // A connection whose last response was under way when closing began is idle only afterwards.
      const sweep = setInterval(() => {
        server.closeIdleConnections()
        connections.closeUnused()
      }, 20)
      const end = async () => {
        for (const close of closers) await close()
        closeSecond()
        server.close()
        await Promise.all([connections.closed(), underWay])
        await detachedSocketsOf(server).closed()
      }
      try {
        await Promise.race([end(), deadline.promise])
      } finally {
        clearInterval(sweep)
        clearTimeout(timer)
        connections.cut()
        detachedSocketsOf(server).cut()
      }
      await Promise.all([connections.closed(), detachedSocketsOf(server).closed()])
    },
  }
}

/**
 * Refuses a route in place of an endpoint. Calls without a socket bypass the routes, so only some callers would reach
 * it.
 */
function refuseHiddenEndpoints(routes: readonly Route[], isEndpoint: HttpOptions['isEndpoint']): void {
  const hiding = routes.find(({ method, path }) => isEndpoint(method, path))
  if (hiding) throw new Error(`the route ${hiding.method} ${hiding.path} collides with an endpoint`)
}

function trackConnections() {
  const open = new Set<Duplex>()
  const drain = Promise.withResolvers<void>()
  let isAwaited = false
  const settle = () => {
    if (isAwaited && open.size === 0) drain.resolve()
  }
  return {
    add(connection: Duplex) {
      open.add(connection)
      connection.once('close', () => {
        open.delete(connection)
        settle()
      })
    },
    /** Closes connections without a request, which Node does not count as idle. */
    closeUnused() {
      for (const each of open) if ('bytesRead' in each && each.bytesRead === 0) each.destroy()
    },
    closed(): Promise<void> {
      isAwaited = true
      settle()
      return drain.promise
    },
    cut() {
      for (const each of open) each.destroy()
    },
  }
}

function listening(server: HttpServer, bindAddress: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(bindAddress, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : bindAddress.port)
    })
  })
}

/**
 * Accepts connections for the server on a second address, where this machine has it. Returns the function that stops
 * this.
 */
function alsoOn(host: string, port: number, server: HttpServer): () => void {
  const second = createTcpServer((socket) => server.emit('connection', socket))
  // Containers often have no ::1.
  second.on('error', () => {})
  second.listen({ host, port })
  return () => void second.close()
}

interface Situation {
  isOnAllAddresses(): boolean
  isClosing(): boolean
}

/** Routes one request: a route next to the contracts first, then the service below whose prefix it lies. */
function requestListener(options: HttpOptions, routes: readonly Route[], { isOnAllAddresses, isClosing }: Situation) {
  const { log, answerFor, publicUrl } = options
  const basePath = publicUrl === undefined ? '' : basePathOf(publicUrl)
  const isProxy = proxyTest(options.trustedProxies)
  const reach = publicUrl === undefined ? reachOf({ isProxy, isOnAllAddresses }) : () => undefined
  const find = routeFinder(routes)
  return (server: HttpServer, raw: IncomingMessage, out: ServerResponse): void => {
    const url = below(basePath, originForm(raw.url ?? '/'))
    const context: RequestContext = {
      id: options.requestId(),
      address: forwardedAddress(raw, isProxy),
      publicUrl: reach(raw),
    }
    // A request on an open connection is still answered, because its sender may not know of the close.
    if (isClosing()) out.setHeader('connection', 'close')
    const method = raw.method ?? 'GET'
    const match = find(method, pathOf(url))
    if (!match) {
      if (answerFor(raw, out, url, context)) return
      recordRoute(options.exchanges, { raw, out, url, context })
      send(raw, out, refusal(context.id, 404, nothing))
      return
    }
    const { route, params } = match
    if (route.service !== undefined) recordRoute(options.exchanges, { raw, out, url, context }, route.service)
    const paramEntries = Object.entries(params).map(([name, text]) => [name, storable(text)])
    const request: RouteRequest = {
      ...context,
      raw,
      server,
      url,
      method,
      headers: raw.headers,
      pattern: route.path,
      // No schema checks these ids, so text that cannot be stored is replaced here.
      params: Object.fromEntries(paramEntries),
      query: queryOf(url),
    }
    const reply = new RouteReply(out, method === 'HEAD', routeHeaders(context.id))
    // A response that has begun cannot begin again.
    const handle = async () => (reply.isTaken ? reply.raw.destroy() : route.handle(request, reply))
    // Runs after this event: a stream detaches the socket, which the request's parser uses until then.
    Promise.resolve()
      .then(() => options.run(handle))
      .catch((error: unknown) => refuseRoute(error, request, reply, log))
  }
}

/** Records a request of a page or a stream, without bodies, or of a path that does not exist. */
function recordRoute(
  exchanges: ExchangeLog | undefined,
  { raw, out, url, context }: { raw: IncomingMessage; out: ServerResponse; url: string; context: RequestContext },
  service?: string,
): void {
  if (!exchanges) return
  const { id, address } = context
  const headers = textHeaders(raw.headers)
  const method = raw.method ?? 'GET'
  const exchange = exchanges.begin({
    ...{ kind: 'request', id, method, url, headers, prefix: '', service },
    address: plainAddress(address),
  })
  out.once('close', () => {
    if (!out.headersSent) exchange.error = 'The client disconnected'
    exchanges.end(
      exchange,
      out.headersSent ? { status: out.statusCode, headers: textHeaders(out.getHeaders()), body: '' } : undefined,
    )
  })
}

function refuseRoute(error: unknown, { raw, id }: RouteRequest, reply: RouteReply, log: Log): void {
  const status = statusOf(error)
  const isGone = reply.raw.destroyed || raw.destroyed
  if (status >= 500 && !isGone)
    log.error({ requestId: id, error: error instanceof Error ? error.stack : String(error) }, 'A page failed')
  if (reply.isTaken) return void reply.raw.destroy()
  const message = status < 500 ? (STATUS_CODES[status] ?? '') : 'Internal error'
  send(raw, reply.raw, refusal(id, status, message))
}

const pathOf = (url: string) => {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

const nothing = 'Not found'

const routeHeaders = (id: string) => ({ 'x-content-type-options': 'nosniff', 'x-request-id': id })

const refusal = (id: string, status: number, message: string) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...routeHeaders(id) },
  body: JSON.stringify({ message }),
})

/** Removes the public URL's path from a URL: some proxies strip it, and others forward it. */
function below(basePath: string, url: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest.startsWith('/') ? rest : url
}

/** Returns the path of a request line, which may contain a whole URL for proxies. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url
  const path = /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1]
  if (path === undefined) return url
  return path.startsWith('/') ? path : `/${path}`
}

/** Refuses malformed HTTP: without a path, no contract's form applies. */
function refuseBadHttp(
  error: Error & { code?: string },
  socket: Duplex,
  headers: Readonly<Record<string, string>>,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const status = badHttpStatus[error.code ?? ''] ?? 400
  const body = JSON.stringify({ message: STATUS_CODES[status] })
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n${fields.join('')}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const badHttpStatus: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

function statusOf(error: unknown): number {
  if (isProblem(error) || typeof error !== 'object' || error === null || !('statusCode' in error)) return 500
  return typeof error.statusCode === 'number' && error.statusCode >= 400 ? error.statusCode : 500
}
