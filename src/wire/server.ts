import { type IncomingMessage, METHODS, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { type Log, silentLog } from '../kit/log.ts'
import { isProblem, Problem } from '../kit/problem.ts'
import { linesOf } from './line.ts'
import { type Mishaps, misbehave } from './mishaps.ts'
import { remoteCodes, type WireReply, type WireRequest } from './remote.ts'
import { type Arrival, type Departure, RequestGone, type Service } from './serve.ts'

/** Ordinary routes beside the contracts: pages, scripts, streams. They may also lie below a contract's prefix, and win there. */
export type Routes = (app: FastifyInstance) => void | Promise<void>

export interface ServerOptions {
  readonly services: readonly Service[]
  readonly routes?: readonly Routes[]
  readonly log?: Log
  /** What is done wrong on purpose with what is asked of the services; pages and streams are let be. */
  readonly mishaps?: Mishaps
  /** Names each request, for the log and for `x-request-id`. Counted when not given. */
  readonly requestId?: () => string
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

/** Opens a server for these services. Nothing is compiled and no port is open until somebody asks. */
export function openServer(options: ServerOptions): Server {
  const { services, routes = [], log = silentLog, mishaps = () => undefined } = options
  const closeWithinMs = options.closeWithinMs ?? 2_500
  const mounts = services
    .flatMap((service) => service.prefixes.map((prefix) => ({ prefix, service })))
    .sort((a, b) => b.prefix.length - a.prefix.length)
  const requestId = options.requestId ?? counted()
  const underWay = new Set<Promise<void>>()
  const sockets = new Set<Socket>()
  const closing = new AbortController()
  let closed: Promise<void> | undefined

  const app = fastify({
    logger: false,
    genReqId: requestId,
    // A request that comes in on a connection already open is still answered while closing: its sender could not know.
    return503OnClosing: false,
    keepAliveTimeout: options.keepAliveMs ?? 72_000,
    requestTimeout: options.requestTimeoutMs ?? 30_000,
    http: { headersTimeout: Math.min(10_000, options.requestTimeoutMs ?? 30_000), connectionsCheckingInterval: 500 },
    rewriteUrl: exactUrl,
    frameworkErrors: (_error, request, reply) => {
      const mounted = answerFor(request.raw, reply.raw, request.id)
      reply.hijack()
      if (!mounted) send(request.raw, reply.raw, nothingHere)
    },
    clientErrorHandler: refuseBadHttp,
    // Contracts judge and serialise by themselves; without these Fastify would load two compilers before the first request.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
  })
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
  }
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    if (!request.is404) return
    const mounted = answerFor(request.raw, reply.raw, request.id)
    if (mounted) reply.hijack()
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: nothing }))
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error)
    if (status < 500) return reply.code(status).send({ message: STATUS_CODES[status] })
    const told = error instanceof Error ? error.stack : String(error)
    log.error({ requestId: request.id, error: told }, 'A page failed in an unforeseen way')
    return reply.code(500).send({ message: 'Something went wrong on our side' })
  })
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  for (const add of routes) app.register(async (part) => add(part))

  /** Lets the service below whose prefix the URL lies answer; `false` when there is none. */
  function answerFor(raw: IncomingMessage, out: ServerResponse, id: string): boolean {
    const url = raw.url ?? '/'
    const mount = mounts.find(({ prefix }) => isBelow(prefix, url))
    if (!mount) return false
    const { service, prefix } = mount
    const answer = () => service.respond(arrivalOf(raw, url, id), prefix, log)
    const give = (departure: Departure) => send(raw, out, departure)
    const met = mishaps(() => {
      const method = raw.method ?? 'GET'
      const path = (url.split('?')[0] ?? '').slice(prefix.length)
      return { contract: service.contract, endpoint: service.nameOf(method, path), method, path }
    })
    const handled =
      met === undefined
        ? answer().then(give)
        : met.then((mishap) => {
            if (mishap === undefined) return answer().then(give)
            const { contract } = service
            return misbehave(mishap, { raw, out, contract, requestId: id, answer, send: give, closing: closing.signal })
          })
    const work = handled.catch((error: unknown) => {
      if (!(error instanceof RequestGone)) log.error({ requestId: id, error: String(error) }, 'An answer was not sent')
      out.destroy()
    })
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
    return true
  }

  async function shut(): Promise<void> {
    const { server } = app
    closing.abort()
    // A connection whose last answer was under way when closing began is idle only afterwards; nothing but asking again closes it.
    const sweep = setInterval(() => {
      server.closeIdleConnections()
      // One that never asked for anything is not idle in the eyes of Node, which waits for its first request.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, 20)
    let deadline: NodeJS.Timeout | undefined
    const cut = new Promise<void>((resolve) => {
      deadline = setTimeout(() => {
        server.closeAllConnections()
        linesOf(server).cut()
        resolve()
      }, closeWithinMs)
    })
    try {
      await Promise.race([Promise.all([app.close(), ...underWay]).then(() => linesOf(server).closed()), cut])
      await app.close()
    } finally {
      clearInterval(sweep)
      clearTimeout(deadline)
    }
  }

  return {
    async listen({ host = '127.0.0.1', port = 0 } = {}) {
      await app.listen({ host, port })
      const address = app.server.address()
      const bound = typeof address === 'object' && address ? address.port : port
      return { port: bound, url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` }
    },

    async inject(request, { address } = {}) {
      if (closed) {
        throw new Problem(remoteCodes.unreachable, 'This server has closed', { outcome: 'none' })
      }
      const asked = app.inject({
        // A method outside Fastify's own list of types still reaches the gate, as it does over a socket.
        method: request.method as 'GET',
        url: '/',
        headers: { ...request.headers, [exactUrlHeader]: request.path },
        remoteAddress: address ?? '127.0.0.1',
        ...(request.body === undefined ? {} : { payload: bytesOf(request.body) }),
      })
      const reply = await asked.catch((error: unknown) => {
        // What a broken connection is to a socket: the request was taken, and no whole answer came.
        throw new Problem(
          remoteCodes.lost,
          'The connection was lost before the answer was whole',
          { outcome: 'unknown' },
          { cause: error },
        )
      })
      return { status: reply.statusCode, headers: textHeaders(reply.headers), body: reply.body }
    },

    close: () => (closed ??= shut()),
  }
}

const nothing = 'There is nothing at this address'

const nothingHere: Departure = {
  status: 404,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: JSON.stringify({ message: nothing }),
}

/**
 * Carries the exact path of a request that comes without a socket: the injector reads its `url` as a browser would
 * and thereby changes spellings (`/a/../b`, `|`, `"`), but the path is signed as it was written.
 */
const exactUrlHeader = 'x-exact-url'

/** The path and query as the sender wrote them. */
function exactUrl(raw: { url?: string | undefined; headers: IncomingMessage['headers'] }): string {
  const url = raw.url ?? '/'
  // The mark is set by the injector on its own requests and cannot come over a socket; the header can, and is then nothing special.
  if ('isLightMyRequest' in raw) {
    const exact = raw.headers[exactUrlHeader]
    delete raw.headers[exactUrlHeader]
    return typeof exact === 'string' ? exact : url
  }
  return originForm(url)
}

/** A request line may name the whole URL, as proxies want it; what counts is the path. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url
  const path = /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1]
  if (path === undefined) return url
  return path.startsWith('/') ? path : `/${path}`
}

function isBelow(prefix: string, url: string): boolean {
  if (!url.startsWith(prefix)) return false
  const next = url.charAt(prefix.length)
  return next === '' || next === '/' || next === '?'
}

function arrivalOf(raw: IncomingMessage, url: string, requestId: string): Arrival {
  return {
    method: raw.method ?? 'GET',
    url,
    headers: textHeaders(raw.headers),
    address: plainAddress(raw.socket.remoteAddress ?? ''),
    requestId,
    readBody: (limit) => readBody(raw, limit),
  }
}

/** An IPv4 address that arrived on a socket for both families, as IPv4. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

function textHeaders(headers: Readonly<Record<string, string | string[] | number | undefined>>) {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) texts[name] = Array.isArray(value) ? value.join(', ') : String(value)
  }
  return texts
}

/** How much of a body over the limit is still taken off the wire, so that its sender gets to read the refusal. */
const drainBytes = 8 * 1024 * 1024
const drainMs = 2_000

function readBody(raw: IncomingMessage, limit: number): Promise<Uint8Array | 'too-large'> {
  const length = raw.headers['content-length']
  if (raw.headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) {
    return Promise.resolve(new Uint8Array())
  }
  if (Number(length) > limit) {
    drain(raw)
    return Promise.resolve('too-large')
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return void chunks.push(chunk)
      raw.off('data', take)
      drain(raw)
      resolve('too-large')
    }
    raw.on('data', take)
    raw.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    raw.once('error', () => reject(new RequestGone()))
    // Every request closes in the end; only one that closes before its body is whole is gone.
    raw.once('close', () => {
      if (!raw.readableEnded) reject(new RequestGone())
    })
  })
}

/** Lets the rest of a body go by unread; a sender that does not come to an end is cut off. */
function drain(raw: IncomingMessage): void {
  let size = 0
  const cut = () => raw.socket.destroy()
  const timer = setTimeout(cut, drainMs)
  raw.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > drainBytes) cut()
  })
  raw.once('error', () => clearTimeout(timer))
  raw.once('close', () => clearTimeout(timer))
  raw.once('end', () => clearTimeout(timer))
  raw.resume()
}

function send(raw: IncomingMessage, out: ServerResponse, { status, headers, body }: Departure): void {
  if (out.destroyed || out.headersSent) return
  const hasBody = status !== 204 && status !== 304
  out.writeHead(status, { ...headers, ...(hasBody ? { 'content-length': Buffer.byteLength(body) } : {}) })
  out.end(raw.method === 'HEAD' ? undefined : body)
}

/** What cannot be read as HTTP at all has no path, so no contract's manner applies. */
function refuseBadHttp(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const status = badHttpStatus[error.code ?? ''] ?? 400
  const body = JSON.stringify({ message: STATUS_CODES[status] })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
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
  throw new Error('routes beside a contract carry no schemas')
}

function counted(): () => string {
  let count = 0
  return () => `r${(++count).toString(36)}`
}
