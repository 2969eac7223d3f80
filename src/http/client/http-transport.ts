import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { Problem } from '../../kit/problem.ts'
import {
  type OpenTransport,
  type RemoteCode,
  remoteCodes,
  type Transport,
  type WireReply,
  type WireRequest,
} from '../contract/wire-types.ts'
import { isLoopback } from '../server/public-url.ts'
import { type HttpAgent, openHttpAgent } from './agent/http-agent.ts'
import { type OutgoingProxy, proxyTo } from './agent/proxy.ts'
import { below } from './base-path.ts'
import type { ReceivedBytes } from './received-bytes.ts'
import { wholeResponse } from './whole-response.ts'

export interface HttpOptions {
  /** Maximum concurrent connections to one origin. */
  readonly connections?: number
  readonly connectTimeoutMs?: number
  /** Time from the end of the request to the first byte of the response; 0 for no limit. */
  readonly headersTimeoutMs?: number
  /** Timeout between two chunks of a response. */
  readonly bodyTimeoutMs?: number
  /** Timeout of a whole exchange, so that a slow response ends. */
  readonly totalTimeoutMs?: number
  /** Maximum length of a response body. */
  readonly largestReply?: number
  /** For callers that need only the status: a body that is too long or breaks off is truncated instead of refused. */
  readonly cutsReply?: boolean
  /**
   * Returns whether an address may be connected to. Called with the address after the DNS lookup, so that a name of a
   * private network is refused in any spelling.
   */
  readonly admits?: (address: string) => boolean
  /** DNS lookup for checked addresses. Default: the system's. */
  readonly lookup?: LookupFunction
  readonly userAgent?: string
  /** Proxy for https origins. Without effect where addresses are checked: a proxy would look up the names. */
  readonly proxy?: OutgoingProxy | undefined
}

/** Outgoing HTTP, shared by many origins. */
export interface OutgoingHttp {
  to(baseUrl: string): Transport
  close(): Promise<void>
}

/**
 * Creates a transport to one origin with its own connections. Redirects are returned and not followed, so that no
 * signed request reaches their target.
 */
export function overHttp(baseUrl: string, options: HttpOptions = {}): OpenTransport {
  const proxy = options.admits ? undefined : proxyTo(new URL(checkedBase(baseUrl).origin), options.proxy)
  const outgoing = openOutgoingHttp({ ...options, proxy })
  return Object.assign(outgoing.to(baseUrl), { close: outgoing.close })
}

/** Opens outgoing HTTP with keep-alive. The HTTP library is loaded with the first request. */
export function openOutgoingHttp(options: HttpOptions = {}): OutgoingHttp {
  let agent: Promise<HttpAgent> | undefined
  let closed: Promise<void> | undefined
  return {
    to(baseUrl) {
      const { origin, pathname } = checkedBase(baseUrl)
      return below(pathname, async (request) => {
        if (closed) throw problem('unreachable', 'The network is closed', undefined)
        agent ??= openAgent(options)
        return exchange(await agent, origin, request, options)
      })
    },
    close: () => (closed ??= (async () => (await agent)?.close())()),
  }
}

/** Refuses base URLs that would expose credentials: anything but https, except for this machine. */
export function checkedBase(baseUrl: string): { origin: string; pathname: string } {
  const url = URL.parse(baseUrl)
  if (!url) throw new Problem('REMOTE_INSECURE', `${baseUrl} is not a URL`)
  if (url.username !== '' || url.password !== '') {
    throw new Problem('REMOTE_INSECURE', `A base URL must not contain a user name or password (${url.host})`)
  }
  if (url.search !== '' || url.hash !== '')
    throw new Problem('REMOTE_INSECURE', `${url.host}: a base URL must not have a query`)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new Problem('REMOTE_INSECURE', `${url.origin} must use https; plain http is allowed for this machine only`)
  }
  return { origin: url.origin, pathname: url.pathname }
}

function openAgent(options: HttpOptions): Promise<HttpAgent> {
  const { admits, lookup = systemLookup } = options
  return openHttpAgent({
    connections: options.connections ?? 16,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    proxy: options.proxy,
    connect: {
      timeout: options.connectTimeoutMs ?? 5_000,
      ...(admits ? { lookup: guardedLookup(admits, lookup) } : {}),
    },
    headersTimeout: options.headersTimeoutMs ?? 15_000,
    bodyTimeout: options.bodyTimeoutMs ?? 15_000,
  })
}

/** Looks up a name and keeps only allowed addresses; the connection goes to one of these. */
function guardedLookup(admits: (address: string) => boolean, lookup: LookupFunction): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, result, family) => {
      const all = typeof result === 'string' ? [{ address: result, family: family ?? isIP(result) }] : result
      const admitted = error ? [] : all.filter(({ address }) => admits(address))
      const [first] = admitted
      if (error) return done(error, '', 0)
      if (!first) return done(notAdmitted(hostname), '', 0)
      if (options.all) return done(null, admitted)
      done(null, first.address, first.family)
    })
  }
}

function notAdmitted(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} does not resolve to an allowed address`), {
    code: 'ENOTADMITTED',
  })
}

async function exchange(agent: HttpAgent, origin: string, request: WireRequest, options: HttpOptions) {
  const { admits } = options
  const { hostname } = new URL(origin)
  // A literal address is connected to without a lookup, so it is checked here.
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (admits && isIP(literal) !== 0 && !admits(literal)) {
    throw problem('unreachable', `${origin} is not an allowed address`, notAdmitted(literal))
  }
  request.signal?.throwIfAborted()
  const sent = {
    origin,
    path: request.path,
    method: request.method as Dispatcher.HttpMethod,
    headers: { accept: 'application/json', 'user-agent': options.userAgent ?? 'countroom', ...request.headers },
    body: request.body ?? null,
  }
  const limits = { signal: request.signal, check: checkOf(origin, options), cuts: options.cutsReply ?? false }
  try {
    const { status, headers, received } = await wholeResponse(agent, sent, limits)
    if (request.takesBytes) return new ReplyInBytes(status, oneText(headers), received)
    const body = received.text()
    received.release()
    return { status, headers: oneText(headers), body }
  } catch (error) {
    // Aborted by the caller, whose reason is thrown.
    request.signal?.throwIfAborted()
    throw asProblem(error, origin, options)
  }
}

/** A response whose body becomes text only if it is read as text. */
class ReplyInBytes implements WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: ReceivedBytes
  #body: string | undefined

  constructor(status: number, headers: Readonly<Record<string, string>>, bytes: ReceivedBytes) {
    this.status = status
    this.headers = headers
    this.bytes = bytes
  }

  get body(): string {
    this.#body ??= this.bytes.text()
    return this.#body
  }
}

/** Returns a check of a response's size and duration. The duration is measured from this call. */
function checkOf(origin: string, options: HttpOptions): (size: number) => void {
  const { totalTimeoutMs = 60_000, largestReply = 32 * 1024 * 1024 } = options
  const startedMs = performance.now()
  return (size) => {
    if (size > largestReply) throw problem('unintelligible', `The response of ${origin} is too long`, undefined)
    if (performance.now() - startedMs > totalTimeoutMs)
      throw problem('timeout', `The response of ${origin} took too long`, undefined)
  }
}

function oneText(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) texts[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return texts
}

/** Maps a socket error to its meaning for the request: never sent, timed out, or lost. */
function asProblem(error: unknown, origin: string, { proxy }: HttpOptions): unknown {
  if (error instanceof Problem) return error
  const { code, syscall } = causeOf(error)
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return problem('timeout', `${origin} did not respond in time`, error)
  }
  if (/CERT|TLS_|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    const isUnknown = /SELF_SIGNED|UNABLE_TO_/.test(code)
    const hint = 'If your own certificate authority issued it, set NODE_EXTRA_CA_CERTS to its certificate file'
    const message = `The certificate of ${origin} is not accepted (${code})${isUnknown ? `. ${hint}` : ''}`
    return problem('unreachable', message, error, { certificate: code })
  }
  const refusal = refusalOfProxy(error)
  if (refusal !== undefined)
    return problem('unreachable', `The proxy (HTTPS_PROXY) opened no connection to ${origin} (${refusal})`, error)
  if (neverSent.has(code) || syscall === 'connect' || syscall === 'getaddrinfo') {
    const more = proxy ? '. HTTPS_PROXY is set' : ''
    return problem('unreachable', `Cannot reach ${origin} (${code || 'no connection'})${more}`, error)
  }
  if (code === 'UND_ERR_INVALID_ARG') return error
  return problem('lost', `The connection to ${origin} was lost before the response was complete`, error)
}

/** Returns why a proxy opened no tunnel, as its status or a code; `undefined` for any other error. */
function refusalOfProxy(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = causeOf(error)
  return code.startsWith('UND_ERR_PRX_') ? code : /^Proxy response \((\d+)\)/.exec(error.message)?.[1]
}

const neverSent = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ENOTADMITTED',
])

/** Returns the most specific code: that of the error, or of the first nested one. */
function causeOf(error: unknown): { code: string; syscall: string } {
  const all = error instanceof AggregateError ? [error, ...error.errors] : [error]
  for (const one of all) {
    if (typeof one === 'object' && one !== null && 'code' in one && typeof one.code === 'string') {
      return { code: one.code, syscall: 'syscall' in one ? String(one.syscall) : '' }
    }
  }
  return { code: '', syscall: '' }
}

function problem(
  kind: keyof typeof remoteCodes,
  message: string,
  cause: unknown,
  more: { readonly certificate?: string } = {},
): Problem {
  const code: RemoteCode = remoteCodes[kind]
  const outcome = kind === 'unreachable' ? 'none' : 'unknown'
  return new Problem(code, message, { outcome, ...more }, cause === undefined ? {} : { cause })
}
