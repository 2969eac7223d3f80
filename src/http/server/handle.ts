import { channel } from 'node:diagnostics_channel'
import { parse as parseQuery } from 'node:querystring'
import type { TObject } from 'typebox'
import { type Log, silentLog } from '../../kit/log.ts'
import { isProblem, Problem, RequestRestart } from '../../kit/problem.ts'
import {
  Answer,
  type Authenticate,
  type AuthenticateRequest,
  type Contract,
  type Endpoint,
  type Handlers,
  type Refusal,
} from '../contract/contract.ts'
import { Written, wrapWritten } from '../contract/preserialized.ts'
import { projector } from '../contract/project.ts'
import { pathFinder } from '../contract/router.ts'
import { readForm, readObject } from './body.ts'
import type { Exchange } from './exchanges/exchange-log.ts'
import { readTexts, type SchemaFault, validateInput, withoutNulls } from './validate.ts'

/** A request from the wire, with its body not yet read. */
export interface IncomingRequest {
  readonly method: string
  /** Path and query exactly as sent. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly address: string
  readonly requestId: string
  readonly publicUrl?: string | undefined
  /** Record of this request, where requests are recorded. */
  readonly exchange?: Exchange | undefined
  /** Reads the body once; `too-large` as soon as it exceeds the limit. */
  readBody(limit: number): Promise<Uint8Array | 'too-large'>
}

/** A response ready for the wire. */
export interface OutgoingResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An API ready to be mounted at its prefixes. */
export interface Service {
  readonly contract: Contract
  readonly prefixes: readonly string[]
  /** Returns the name of the endpoint for a method and path below the prefix. */
  nameOf(method: string, path: string): string | undefined
  /** Handles any request below the prefix. Throws only if the client disconnected. */
  respond(incoming: IncomingRequest, prefix: string, log?: Log): Promise<OutgoingResponse>
}

/** A response of a contract's endpoint, as subscribers of `responses` get it. */
export interface ObservedResponse {
  readonly contract: Contract
  /** Absent when the request matched no endpoint. */
  readonly endpoint: Endpoint | undefined
  readonly method: string
  readonly url: string
  readonly sent: OutgoingResponse
}

/** Publishes every response of every contract (`ObservedResponse`). Without subscribers it has no cost. */
export const responses = channel('countroom:response')

/** A check of an authenticated caller that consumes something, such as a nonce or a token. */
export interface AdmissionCheck<Caller> {
  /** Runs once per request, before any refusal of its path or input. Throws the refusal. */
  check(caller: Caller): Promise<void>
  /** Endpoints whose handlers check it themselves, in the transaction of their work. */
  readonly byHandler: readonly string[]
}

export interface ServeOptions<Caller = never> {
  /** Replaces the contract's own prefixes: the same API served a second time, such as a sandbox. */
  readonly prefixes?: readonly string[]
  /**
   * Returns the CORS headers; `undefined` for none. Called before authentication, because browsers send preflights
   * without credentials.
   */
  readonly cors?: (request: Omit<IncomingRequest, 'readBody'>) => Promise<Readonly<Record<string, string>> | undefined>
  readonly admission?: AdmissionCheck<Caller>
}

/**
 * Combines a contract with its handlers. Rules for all APIs:
 *
 * - Authentication precedes parsing the body and reporting an unknown path.
 * - HTTP errors have the contract's form and codes.
 * - Responses are projected to their schema, or were when they were serialized (`src/http/contract/preserialized.ts`).
 * Unexpected errors are `standardCodes.internal`: their text is only logged.
 */
export function serve<const C extends Contract, Callers>(
  contract: C,
  authenticate: Authenticate<Callers>,
  handlers: Handlers<C, Callers>,
  options: ServeOptions<Callers[keyof Callers]> = {},
): Service {
  const { admission } = options
  const find = pathFinder<Endpoint>(contract.endpoints)
  // Streams and files are served elsewhere; for a wrong method they return the allowed methods too.
  const findRaw = pathFinder<Pick<Endpoint, 'method' | 'path'>>(contract.rawRoutes ?? {})
  // Calls are untyped here: the compiler has checked each handler against its endpoint at the call of `serve`.
  const handle = handlers as Readonly<Record<string, (call: object) => Promise<unknown>>>

  async function respond(incoming: IncomingRequest, prefix: string, log: Log = silentLog): Promise<OutgoingResponse> {
    const outgoing = await answerTo(incoming, prefix, log)
    if (responses.hasSubscribers) {
      const { method, url } = incoming
      const match = find(method, (url.split('?')[0] ?? '').slice(prefix.length))
      const endpoint = match && 'endpoint' in match ? match.endpoint : undefined
      responses.publish({ contract, endpoint, method, url, sent: outgoing } satisfies ObservedResponse)
    }
    return outgoing
  }

  async function answerTo(incoming: IncomingRequest, prefix: string, log: Log): Promise<OutgoingResponse> {
    let extra: Readonly<Record<string, string>> = {}
    const responseHeaders: Record<string, string> = {}
    try {
      // Sent also without an Origin: a cached response of this kind must not be used for other origins.
      if (options.cors) extra = { vary: 'Origin' }
      const allowed = await options.cors?.(incoming)
      if (allowed) extra = { vary: 'Origin', ...allowed }
      if (allowed && isPreflight(incoming)) return finishRequest(204, '', extra, incoming)
      const { status, headers, body } = await run(incoming, prefix, responseHeaders)
      return finishRequest(status, body, { ...extra, ...responseHeaders, ...headers }, incoming)
    } catch (error) {
      if (error instanceof ClientDisconnected || error instanceof RequestRestart) throw error
      const refusal = refusalOf(contract, error, incoming, log)
      if (incoming.exchange) incoming.exchange.refusal = refusal
      return finishRequest(
        refusal.status,
        write(contract.envelope.refuse(refusal)),
        { ...extra, ...responseHeaders, ...headersOf(refusal) },
        incoming,
      )
    }
  }

  async function run(
    incoming: IncomingRequest,
    prefix: string,
    responseHeaders: Record<string, string>,
  ): Promise<OutgoingResponse> {
    const [path = '', query = ''] = splitOnce(incoming.url, '?')
    const match = find(incoming.method, path.slice(prefix.length))
    const endpointMatch = match && 'endpoint' in match ? match : undefined
    const body = await incoming.readBody(contract.bodyLimit)
    if (incoming.exchange) recordInput(incoming.exchange, body, endpointMatch)
    const isTooLarge = body === 'too-large'
    const tooLarge = () =>
      new Problem(contract.standardCodes.large, `The body must be at most ${contract.bodyLimit} bytes`)
    if (isTooLarge && !contract.keyBeforeSize) throw tooLarge()
    const request = authenticateRequest(incoming, { prefix, body, match: endpointMatch, responseHeaders })
    const caller = await authenticate(request)
    const isByHandler = !isTooLarge && endpointMatch && admission?.byHandler.includes(endpointMatch.name)
    if (!isByHandler) await admission?.check(caller)
    if (isTooLarge) throw tooLarge()
    if (!endpointMatch) {
      throwUnsupported(contract, path.slice(prefix.length))
      const allowed = [match, findRaw(incoming.method, path.slice(prefix.length))].flatMap((each) =>
        each && 'allowed' in each ? each.allowed : [],
      )
      throw notFound(contract, incoming.method, path, allowed)
    }
    const { endpoint, params, name } = endpointMatch
    const input = inputOf(contract, endpoint, params, query, request)
    // A request with invalid input never reaches its handler, so it is admitted here before its input is refused.
    if (isByHandler) await input.catch(() => admission?.check(caller))
    const call = { caller, sender: request, ...(await input) }
    return replyOf(contract, endpoint, await handle[name]?.(call))
  }

  const nameOf = (method: string, path: string) => {
    const match = find(method, path)
    return match && 'name' in match ? match.name : undefined
  }
  return { contract, prefixes: options.prefixes ?? contract.prefixes, nameOf, respond }
}

function authenticateRequest(
  { method, url, headers, address, requestId, publicUrl }: IncomingRequest,
  parts: {
    readonly prefix: string
    readonly body: Uint8Array | 'too-large'
    readonly match: { readonly endpoint: Endpoint; readonly params: Record<string, string> } | undefined
    readonly responseHeaders: Record<string, string>
  },
): AuthenticateRequest {
  const { prefix, body, match, responseHeaders } = parts
  const isTooLarge = body === 'too-large'
  return {
    ...{ method, url, headers, address, requestId, publicUrl, prefix, isTooLarge, responseHeaders },
    body: isTooLarge ? new Uint8Array() : body,
    endpoint: match?.endpoint,
    params: match?.params ?? {},
  }
}

function recordInput(
  exchange: Exchange,
  body: Uint8Array | 'too-large',
  match: { readonly name: string; readonly endpoint: Endpoint } | undefined,
): void {
  exchange.body = body
  exchange.endpointName = match?.name
  exchange.endpoint = match?.endpoint
}

/** Runs a request, and runs it again after a `RequestRestart`, which no handler catches. */
export type RequestRunner = <T>(work: () => Promise<T>) => Promise<T>

/** The client disconnected before its request was complete: a response has no recipient. */
export class ClientDisconnected extends Error {}

/** Returns the handler's params, query and body: validated and projected to the contract. */
async function inputOf(
  contract: Contract,
  endpoint: Endpoint,
  pathParams: Record<string, string>,
  query: string,
  request: AuthenticateRequest,
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {}
  const object = endpoint.body ? objectOf(contract, endpoint, request) : {}
  if (endpoint.params) {
    const { faults, value } = await validateInput(endpoint.params, readTexts(endpoint.params, pathParams))
    const [first] = faults
    if (first) {
      const unknownPath = notFound(contract, request.method, request.url, [])
      const problem = noSuch(contract, endpoint, first.field, pathParams) ?? unknownPath
      throw new Problem(problem.code, `${problem.message}: ${first.message}`)
    }
    input['params'] = value
  }
  if (endpoint.query) {
    const texts = readTexts(endpoint.query, parseQuery(query), { blankIsAbsent: contract.blankIsAbsent ?? false })
    input['query'] = await partOf(contract, endpoint, endpoint.query, texts)
  }
  if (endpoint.body) {
    const fields = contract.nullIsAbsent ? withoutNulls(endpoint.body, object) : object
    input['body'] = await partOf(contract, endpoint, endpoint.body, fields)
  }
  return input
}

function objectOf(
  contract: Contract,
  endpoint: Endpoint,
  { body, headers }: AuthenticateRequest,
): Record<string, unknown> {
  if (body.byteLength === 0 && endpoint.bodyOptional) return {}
  const isForm = contract.forms && headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const read = isForm ? readForm(body) : readObject(body)
  if ('fault' in read) throw new Problem(contract.standardCodes.json, read.fault)
  return read.value
}

async function partOf(contract: Contract, endpoint: Endpoint, schema: TObject, fields: Record<string, unknown>) {
  const { faults, value } = await validateInput(schema, fields)
  const [first] = faults
  if (!first) return value
  const special = (first.kind === 'absent' ? endpoint.absent : endpoint.malformed)?.[first.field]
  throw new Problem(special ?? contract.standardCodes.invalid, first.message, {
    field: first.field,
    faults: faults.map(toFault),
  })
}

function toFault({ field, kind, message }: SchemaFault) {
  return { field, code: kind, message }
}

/** Returns the refusal of an invalid id, with the text for a missing one: for callers both are the same. */
function noSuch(contract: Contract, { refusals }: Endpoint, field: string, params: Record<string, string>) {
  const code = contract.unknown?.[field]
  if (code === undefined || !refusals.includes(code)) return undefined
  const resource = field.replace(/(Id|Code)$/, '')
  return new Problem(code, `There is no ${resource} ${(params[field] ?? '').slice(0, 200).toWellFormed()}`)
}

function throwUnsupported({ unsupported = {} }: Contract, path: string): void {
  for (const [root, { code, message }] of Object.entries(unsupported))
    if (path === root || path.startsWith(`${root}/`)) throw new Problem(code, message)
}

function notFound(contract: Contract, method: string, path: string, allowed: readonly string[]): Problem {
  if (allowed.length > 0 && contract.standardCodes.method) {
    return new Problem(contract.standardCodes.method, `${shown(path)} does not support ${method}`, {
      allow: allowed.join(', '),
    })
  }
  return new Problem(contract.standardCodes.missing, `There is no ${method} ${shown(path)}`)
}

/** Returns a path for a message: shortened, and without its query, which may contain secrets. */
function shown(url: string): string {
  return (url.split('?')[0] ?? '').slice(0, 200)
}

function replyOf(contract: Contract, endpoint: Endpoint, outcome: unknown): OutgoingResponse {
  if (outcome instanceof Written) {
    return { status: endpoint.status, headers: {}, body: wrapWritten(contract.envelope, outcome) }
  }
  const { data, status, headers } =
    outcome instanceof Answer ? outcome : { data: outcome, status: undefined, headers: {} }
  const code = status ?? endpoint.status
  if (code === 204 || code === 304) return { status: code, headers, body: '' }
  const projected = projector(endpoint.reply)(data)
  if (!projected.matches) {
    throw new Error(
      `the response of ${endpoint.method} ${endpoint.path} does not match its schema at ${projected.at || 'its top level'}`,
    )
  }
  return { status: code, headers, body: write(contract.envelope.wrap(projected.value)) }
}

function write(value: unknown): string {
  return JSON.stringify(value)
}

/** Returns the refusal of an error. A code that the contract does not list is our bug and is not exposed. */
function refusalOf(contract: Contract, error: unknown, incoming: IncomingRequest, log: Log): Refusal {
  const { method, url, requestId, exchange } = incoming
  const { internal } = contract.standardCodes
  const isForCaller = isProblem(error) && Object.hasOwn(contract.problems, error.code) && error.code !== internal
  if (isForCaller) {
    const { code, message, detail } = error
    return { code, message, status: contract.problems[code] ?? 500, detail, requestId }
  }
  const thrown = error instanceof Error ? error : new Error(String(error))
  log.error({ requestId, method, path: shown(url), error: thrown.stack }, 'Unexpected error in a request')
  if (exchange) exchange.error = thrown.stack ?? thrown.message
  // Aborted by concurrent changes: nothing was changed, and a retry may succeed.
  const isBusy = isProblem(error) && error.detail['outcome'] === 'none'
  return {
    code: internal,
    message: isBusy ? 'The service is busy: try again later' : 'Internal error',
    status: contract.problems[internal] ?? 500,
    detail: isBusy ? { retryAfterMs: 1_000 } : {},
    requestId,
  }
}

function headersOf({ detail }: Refusal): Record<string, string> {
  const { retryAfterMs, allow } = detail
  return {
    ...(typeof retryAfterMs === 'number' ? { 'retry-after': String(Math.max(0, Math.ceil(retryAfterMs / 1000))) } : {}),
    ...(typeof allow === 'string' ? { allow } : {}),
  }
}

/** Adds headers to every response: API responses must not be cached, sniffed or run. */
function finishRequest(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
  { requestId }: IncomingRequest,
): OutgoingResponse {
  return {
    status,
    headers: {
      ...(status === 204 || status === 304 ? {} : { 'content-type': 'application/json; charset=utf-8' }),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-request-id': requestId,
      ...headers,
    },
    body,
  }
}

function isPreflight({ method, headers }: Omit<IncomingRequest, 'readBody'>): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
