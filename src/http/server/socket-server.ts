import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import type { Log } from '../../kit/log.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { keepable } from '../contract/storable-text.ts'
import { remoteCodes, type WireReply, type WireRequest } from '../contract/wire-types.ts'
import { responseWith } from './added-headers.ts'
import { linesOf } from './detached-socket.ts'
import type { Departure } from './handle.ts'
import { METHODS, STATUS_CODES } from './node-http.ts'
import { reachOf } from './public-reach.ts'
import { basePathOf, isWildcard } from './public-url.ts'
import { send, textHeaders, type Visit } from './request.ts'

/**
 * Routes outside of the contracts: pages, scripts, streams. They may be below a contract's prefix, next to its
 * endpoints.
 */
export type Routes = (app: FastifyInstance) => void | Promise<void>

export interface HttpOptions {
  readonly routes: readonly Routes[]
  readonly log: Log
  readonly requestId: () => string
  /** Returns the headers with the world's time when a response begins. */
  readonly worldTime: () => Readonly<Record<string, string>>
  readonly requestTimeoutMs: number
  readonly keepAliveMs: number
  readonly trustedProxies: readonly string[]
  /** Base of every public URL, if configured: then no request changes it. */
  readonly publicUrl?: string | undefined
  /** Lets the matching service respond; `false` when there is none. */
  answerFor(raw: IncomingMessage, out: ServerResponse, visit: Visit): boolean
  /** Returns whether a service has an endpoint there. */
  isEndpoint(method: string, path: string): boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Base of the URLs in this response, if not the service's usual one. */
    publicUrl?: string | undefined
  }
}

/** HTTP: sockets, malformed requests, and the routes outside of the contracts. */
export interface Http {
  listen(where: { host: string; port: number }): Promise<number>
  inject(request: Omit<WireRequest, 'signal'>, address: string): Promise<WireReply>
  /** Closes after the running requests were answered; closes all sockets after a timeout. */
  close(underWay: Promise<unknown>, withinMs: number): Promise<void>
}

export function openHttp(options: HttpOptions): Http {
  const { log, answerFor, worldTime } = options
  const basePath = options.publicUrl === undefined ? '' : basePathOf(options.publicUrl)
  let isOnAllAddresses = false
  const reach =
    options.publicUrl === undefined
      ? reachOf({ trustedProxies: options.trustedProxies, isOnAllAddresses: () => isOnAllAddresses })
      : () => undefined
  const visitOf = ({ id, ip, raw }: FastifyRequest): Visit => ({ id, address: ip ?? '', publicUrl: reach(raw) })
  const sockets = new Set<Socket>()
  const app = fastify({
    logger: false,
    genReqId: options.requestId,
    trustProxy: options.trustedProxies.length > 0 && [...options.trustedProxies],
    // A request on an open connection is still handled while closing: its client could not know.
    return503OnClosing: false,
    keepAliveTimeout: options.keepAliveMs,
    requestTimeout: options.requestTimeoutMs,
    http: {
      ServerResponse: responseWith(worldTime),
      headersTimeout: Math.min(10_000, options.requestTimeoutMs),
      connectionsCheckingInterval: 500,
    },
    rewriteUrl: (raw) => below(basePath, exactUrl(raw)),
    frameworkErrors: (_error, request, reply) => {
      const mounted = answerFor(request.raw, reply.raw, visitOf(request))
      reply.hijack()
      if (!mounted) send(request.raw, reply.raw, nothingHere(request.id))
    },
    clientErrorHandler: (error, socket) => refuseBadHttp(error, socket, worldTime()),
    // Contracts validate and serialize by themselves; without this option Fastify would load two compilers.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  })
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
  }
  app.decorateRequest('publicUrl', undefined)
  app.addHook('onRequest', async (request, reply) => {
    const visit = visitOf(request)
    request.publicUrl = visit.publicUrl
    reply.headers({ 'x-content-type-options': 'nosniff', 'x-request-id': request.id })
    // Routes outside of contracts have no schema that validates ids; they are looked up as they are.
    const params = request.params as Record<string, string>
    for (const [name, text] of Object.entries(params)) params[name] = keepable(text)
    if (!request.is404) return
    const mounted = answerFor(request.raw, reply.raw, visit)
    if (mounted) reply.hijack()
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: nothing }))
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error)
    if (status < 500) return reply.code(status).send({ message: STATUS_CODES[status] })
    const told = error instanceof Error ? error.stack : String(error)
    log.error({ requestId: request.id, error: told }, 'Unexpected error in a page')
    return reply.code(500).send({ message: 'Internal error' })
  })
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // An endpoint may be handled without Fastify: a page at the same path would be served for some requests only.
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat())
      if (options.isEndpoint(each, url)) throw new Error(`the route ${each} ${url} collides with an endpoint`)
  })
  for (const add of options.routes) app.register(async (part) => add(part))

  return {
    async listen(where) {
      isOnAllAddresses = isWildcard(where.host)
      await app.listen(where)
      const address = app.server.address()
      return typeof address === 'object' && address ? address.port : where.port
    },

    async inject(request, address) {
      const asked = app.inject({
        // A method outside of Fastify's type still reaches authentication, as it does over a socket.
        method: request.method as 'GET',
        url: '/',
        headers: { ...request.headers, [exactUrlHeader]: request.path },
        remoteAddress: address,
        ...(request.body === undefined ? {} : { payload: bytesOf(request.body) }),
      })
      const reply = await asked.catch((error: unknown) => {
        // Equivalent of a broken connection: the request was accepted, and no complete response came.
        throw new Problem(
          remoteCodes.lost,
          'The connection was lost before the response was complete',
          { outcome: 'unknown' },
          { cause: error },
        )
      })
      // The injector creates responses of its own class.
      return { status: reply.statusCode, headers: { ...textHeaders(reply.headers), ...worldTime() }, body: reply.body }
    },

    async close(underWay, withinMs) {
      const { server } = app
      // A connection whose last response was running when closing began becomes idle only later; only polling closes
      // it.
      const sweep = setInterval(() => {
        server.closeIdleConnections()
        // Node does not treat a connection without any request as idle.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      }, 20)
      let deadline: NodeJS.Timeout | undefined
      const cut = new Promise<void>((resolve) => {
        deadline = setTimeout(() => {
          server.closeAllConnections()
          linesOf(server).cut()
          resolve()
        }, withinMs)
      })
      try {
        await Promise.race([Promise.all([app.close(), underWay]).then(() => linesOf(server).closed()), cut])
        await app.close()
      } finally {
        clearInterval(sweep)
        clearTimeout(deadline)
      }
    },
  }
}

const nothing = 'Not found'

const nothingHere = (id: string): Departure => ({
  status: 404,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
  },
  body: JSON.stringify({ message: nothing }),
})

/**
 * Header with the exact path of an in-process request: the injector normalizes its `url` like a browser (`/a/../b`,
 * `|`, `"`), but the signature covers the path as written.
 */
const exactUrlHeader = 'x-exact-url'

/** Returns the path and query as the client wrote them. */
function exactUrl(raw: { url?: string | undefined; headers: IncomingMessage['headers'] }): string {
  const url = raw.url ?? '/'
  // The injector sets this mark on its own requests, and it cannot come over a socket; the header can, but is then
  // ignored.
  if ('isLightMyRequest' in raw) {
    const exact = raw.headers[exactUrlHeader]
    delete raw.headers[exactUrlHeader]
    return typeof exact === 'string' ? exact : url
  }
  return originForm(url)
}

/** Returns the path below the public URL's: some proxies remove the prefix, others keep it. */
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
  socket: Socket,
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

function bytesOf(body: string | Uint8Array): string | Buffer {
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

function noCompiler(): never {
  throw new Error('routes outside of a contract must not have schemas')
}
