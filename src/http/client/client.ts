import { Problem } from '../../kit/problem.ts'
import type { CallOptions, Client, Contract, Endpoint, Input, Reply } from '../contract/contract.ts'
import { projector } from '../contract/project.ts'
import { remoteCodes, type Transport, type WireReply, type WireRequest } from '../contract/wire-types.ts'
import { retryAfterMs } from './retry.ts'

/** Fields that any call may have, before its endpoint's types apply. */
interface AnyInput {
  readonly params?: object
  readonly query?: object
  readonly body?: object
}

/**
 * Creates a typed client of an API, wherever it is served. The only place where a response status becomes a Problem.
 */
export function createClient<const C extends Contract>(contract: C, transport: Transport): Client<C> {
  const calls = Object.keys(contract.endpoints).map((name) => [
    name,
    async (input: AnyInput = {}, options: CallOptions = {}) =>
      fromReply(contract, name, await transport(toRequest(contract, name, input as never, options))),
  ])
  // Built by name from the same list as the type.
  return Object.fromEntries(calls) as Client<C>
}

/** Returns the request of one call, ready to be signed and sent. */
export function toRequest<const C extends Contract, Name extends keyof C['endpoints'] & string>(
  contract: C,
  name: Name,
  input: Input<C['endpoints'][Name]>,
  options: CallOptions = {},
): WireRequest {
  const endpoint = endpointOf(contract, name)
  const { params, query, body }: AnyInput = input as AnyInput
  const path = (contract.prefixes[0] ?? '') + pathWith(endpoint.path, params ?? {}) + queryText(query ?? {})
  const hasBody = endpoint.body !== undefined && !(endpoint.bodyOptional && body === undefined)
  return {
    method: endpoint.method,
    path,
    headers: {
      accept: 'application/json',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...options.headers,
    },
    ...(hasBody ? { body: JSON.stringify(body ?? {}) } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(endpoint.method === 'GET' ? { isWhole } : {}),
  }
}

/** Returns false for a success that is not JSON, such as a truncated response or a proxy's page. */
function isWhole(reply: WireReply): boolean {
  return !isSuccess(reply) || reply.status === 204 || parsed(reply) !== undefined
}

const isSuccess = ({ status }: WireReply) => status >= 200 && status < 300

/**
 * Returns the data of a successful response, or throws its refusal as a Problem with the API's own code. A response in
 * neither form is `REMOTE_UNAVAILABLE` when its status means "later" (429 and 5xx from a proxy), or when a GET
 * succeeded without JSON. Otherwise it is `REMOTE_UNINTELLIGIBLE`. Its body is not repeated, because it may contain
 * anything.
 */
export function fromReply<const C extends Contract, Name extends keyof C['endpoints'] & string>(
  contract: C,
  name: Name,
  reply: WireReply,
): Reply<C['endpoints'][Name]> {
  const endpoint = endpointOf(contract, name)
  const { status } = reply
  // 204 is a success without a body.
  const json = status === 204 ? {} : parsed(reply)
  const read = json === undefined ? undefined : contract.envelope.read(status, json)
  if (read === undefined) throw notOfThisApi(contract, endpoint, reply)
  if ('code' in read) {
    const wait = retryAfterMs(reply.headers['retry-after'], Date.parse(reply.headers['date'] ?? ''))
    const detail = { ...read.detail, status, ...(Number.isFinite(wait) ? { retryAfterMs: wait } : {}) }
    throw new Problem(read.code, read.message || read.code, detail)
  }
  const projected = projector(endpoint.reply)(read.data)
  if (!projected.matches) throw notOfThisApi(contract, endpoint, reply, projected.at)
  // The projection has just checked it against the endpoint's schema.
  return projected.value as Reply<C['endpoints'][Name]>
}

function endpointOf(contract: Contract, name: string): Endpoint {
  const endpoint = contract.endpoints[name]
  if (!endpoint) throw new Error(`${contract.title} has no ${name}`)
  return endpoint
}

function pathWith(path: string, params: object): string {
  const values = new Map<string, unknown>(Object.entries(params))
  return path.replace(/:([A-Za-z_]+)/g, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`${path} needs ${name}`)
    // An empty segment would address a different path.
    if (value === '') throw new Problem('INVALID_USAGE', `${name} must not be empty`, { outcome: 'none' })
    return segment(String(value))
  })
}

/** Encodes one segment of a path. A plain `.` or `..` would be resolved by proxies. */
function segment(text: string): string {
  return /^\.\.?$/.test(text) ? text.replaceAll('.', '%2E') : encodeURIComponent(text)
}

function queryText(query: object): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) pairs.append(name, String(one))
    }
  }
  return pairs.size > 0 ? `?${pairs}` : ''
}

/** Bodies that were parsed to check completeness are not parsed again. */
const parsedBodies = new WeakMap<WireReply, unknown>()

function parsed(reply: WireReply): unknown {
  if (parsedBodies.has(reply)) return parsedBodies.get(reply)
  const value = jsonOf(reply.body)
  parsedBodies.set(reply, value)
  return value
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function notOfThisApi(contract: Contract, endpoint: Endpoint, reply: WireReply, at?: string): Problem {
  const { status, body } = reply
  const target = `${endpoint.method} ${endpoint.path}`
  const isTemporary = status === 429 || status >= 500
  if (endpoint.method === 'GET' && !isWhole(reply))
    return new Problem(
      remoteCodes.unavailable,
      `The response to ${target} of the ${contract.title} is not JSON or is truncated (status ${status}, ${body.length} characters)`,
      { status, bytes: body.length, outcome: 'unknown' },
    )
  const code = isTemporary ? remoteCodes.unavailable : remoteCodes.unintelligible
  const message = isTemporary
    ? `${target} of the ${contract.title} is not available now (status ${status})`
    : `The response to ${target} of the ${contract.title} has an unknown form (status ${status}${at ? `, at ${at}` : ''})`
  return new Problem(code, message, { status, bytes: body.length, outcome: status === 429 ? 'none' : 'unknown' })
}
