import { once } from 'node:events'
import type { Server as HttpServer, IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathFinder } from '../contract/router.ts'
import { readForm } from './body.ts'
import { readBody } from './request.ts'

/** Routes next to the contracts: pages, scripts, files and streams. */

export interface RouteRequest {
  readonly raw: IncomingMessage
  readonly server: HttpServer
  /** Request id in the log and in `x-request-id`. */
  readonly id: string
  /** The client's address; behind a trusted proxy, the one the proxy reports. */
  readonly address: string
  /** Path and query, without the base path of the public URL. */
  readonly url: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** The pattern that matched, such as `/pay/:token`. */
  readonly pattern: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[] | undefined>>
  /** The base of the URLs in the response, where it is not the service's usual one. */
  readonly publicUrl?: string | undefined
}

/** A refusal by HTTP status alone. */
export class StatusError extends Error {
  readonly statusCode: number

  constructor(statusCode: number) {
    super(`status ${statusCode}`)
    this.statusCode = statusCode
  }
}

/** A response that is put together in steps and sent once. */
export class RouteReply {
  readonly raw: ServerResponse
  readonly #isHead: boolean
  readonly #headers: Record<string, string>
  #status = 200
  #isTaken = false

  constructor(raw: ServerResponse, isHead: boolean, headers: Readonly<Record<string, string>>) {
    this.raw = raw
    this.#isHead = isHead
    this.#headers = { ...headers }
  }

  /** True once the response was sent, or the caller has taken over `raw`. */
  get isTaken(): boolean {
    return this.#isTaken
  }

  code(status: number): this {
    this.#status = status
    return this
  }

  header(name: string, value: string): this {
    this.#headers[name] = value
    return this
  }

  headers(all: Readonly<Record<string, string>>): this {
    Object.assign(this.#headers, all)
    return this
  }

  type(value: string): this {
    return this.header('content-type', value)
  }

  /** Leaves `raw` to the caller, for streams. */
  hijack(): void {
    this.#isTaken = true
  }

  /** Sends text, bytes, a stream or a value as JSON. Resolves when the response is written or the connection is gone. */
  async send(payload: string | Uint8Array | Readable | object = ''): Promise<void> {
    if (isStream(payload)) return this.#sendStream(payload)
    const isBytes = typeof payload === 'string' || payload instanceof Uint8Array
    if (payload !== '' && !this.#headers['content-type'])
      this.type(isBytes ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
    const body = isBytes ? payload : JSON.stringify(payload)
    this.#isTaken = true
    if (this.raw.destroyed) return
    const length = this.#status === 304 ? {} : { 'content-length': Buffer.byteLength(body) }
    this.raw.writeHead(this.#status, { ...this.#headers, ...length })
    const written = new Promise<void>((resolve) => this.raw.once('close', resolve).once('finish', resolve))
    this.raw.end(this.#isHead ? undefined : body)
    await written
  }

  async #sendStream(stream: Readable): Promise<void> {
    // Nothing is written before the stream is readable, so that a file that cannot be opened gets a status.
    await once(stream, 'readable')
    this.#isTaken = true
    this.raw.writeHead(this.#status, this.#headers)
    if (this.#isHead) {
      stream.destroy()
      this.raw.end()
      return
    }
    await pipeline(stream, this.raw)
  }
}

function isStream(payload: unknown): payload is Readable {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload
}

export type RouteHandler = (request: RouteRequest, reply: RouteReply) => unknown

interface RouteOptions {
  /** Answers HEAD too, with the same handler. Default: true. */
  readonly head?: boolean
  /** Service that the route belongs to. Requests of routes without one are not recorded. */
  readonly service?: string
}

export interface Route extends RouteOptions {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly handle: RouteHandler
}

/** A table to add routes to. */
export interface RouteTable {
  get(path: string, handle: RouteHandler, options?: RouteOptions): void
  post(path: string, handle: RouteHandler, options?: RouteOptions): void
  put(path: string, handle: RouteHandler, options?: RouteOptions): void
  /** Called when closing begins, before open requests are waited for. */
  onClose(end: () => void | Promise<void>): void
}

/** Adds the routes of one service. They may lie below a contract's prefix, but not in place of its endpoints. */
export type Routes = (table: RouteTable) => void

/** Collects routes, in their order. */
export function collectRoutes(all: readonly Routes[]) {
  const routes: Route[] = []
  const closers: (() => void | Promise<void>)[] = []
  const table: RouteTable = {
    get: (path, handle, options) => void routes.push({ method: 'GET', path, handle, ...options }),
    post: (path, handle, options) => void routes.push({ method: 'POST', path, handle, ...options }),
    put: (path, handle, options) => void routes.push({ method: 'PUT', path, handle, ...options }),
    onClose: (end) => void closers.push(end),
  }
  for (const add of all) add(table)
  return { routes, closers }
}

/** Names the service of routes, for the record of requests. */
export function routesOf(service: string, add: Routes): Routes {
  return (table) =>
    add({
      ...table,
      get: (path, handle, options) => table.get(path, handle, { ...options, service }),
      post: (path, handle, options) => table.post(path, handle, { ...options, service }),
      put: (path, handle, options) => table.put(path, handle, { ...options, service }),
    })
}

/** Finds the route of a method and path. GET routes answer HEAD, unless they say not to. */
export function routeFinder(routes: readonly Route[]) {
  const find = pathFinder(Object.fromEntries(routes.map((route) => [`${route.method} ${route.path}`, route])))
  return (method: string, path: string) => {
    const match = find(method === 'HEAD' ? 'GET' : method, path)
    if (!match || !('endpoint' in match)) return undefined
    const { endpoint: route, params } = match
    return method === 'HEAD' && route.head === false ? undefined : { route, params }
  }
}

export function queryOf(url: string): RouteRequest['query'] {
  const mark = url.indexOf('?')
  return mark < 0 ? {} : { ...parseQuery(url.slice(mark + 1)) }
}

/** Reads the fields of a form. Other media types are refused (415), and so is a body over the limit (413). */
export async function readFormOf({ raw, headers }: RouteRequest, limit: number): Promise<Record<string, unknown>> {
  const body = await readBody(raw, limit)
  if (body === 'too-large') throw new StatusError(413)
  if (body.byteLength === 0) return {}
  if (!headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded'))
    throw new StatusError(415)
  const form = readForm(body)
  if ('fault' in form) throw new StatusError(400)
  return form.value
}
