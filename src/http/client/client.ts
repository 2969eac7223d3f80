import { Problem } from '../../kit/problem.ts'
import type { CallOptions, Client, Contract, Endpoint, Input, Reply } from '../contract/contract.ts'
import { fitting } from '../contract/project.ts'
import { remoteCodes, type Transport, type WireReply, type WireRequest } from '../contract/wire-types.ts'
import { retryAfterMs } from './retry.ts'

/** What any call may carry, before its endpoint's types are looked at. */
interface AnyInput {
  readonly params?: object
  readonly query?: object
  readonly body?: object
}

/** A typed client of an API, wherever it is served: the only place where a status becomes a Problem. */
export function createClient<const C extends Contract>(contract: C, transport: Transport): Client<C> {
  const calls = Object.keys(contract.endpoints).map((name) => [
    name,
    async (input: AnyInput = {}, options: CallOptions = {}) =>
      fromReply(contract, name, await transport(toRequest(contract, name, input as never, options))),
  ])
  // Made by name from the same list the type is made from.
  return Object.fromEntries(calls) as Client<C>
}

/** The request of one call, ready to be signed and sent. */
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

/** Whether a success is JSON at all. One that was cut off on the way, or a page put in its place, is not. */
function isWhole(reply: WireReply): boolean {
  return !isSuccess(reply) || reply.status === 204 || parsed(reply) !== undefined
}

const isSuccess = ({ status }: WireReply) => status >= 200 && status < 300

/**
 * What a reply says: the data of success, or its refusal thrown as a Problem with the API's own code.
 *
 * A reply in neither form is `REMOTE_UNAVAILABLE` where the status alone says "later" (429 and 5xx, as the edge
 * before a server gives them), and where a GET succeeded without JSON: it was cut off, or something between put a page in its
 * place. Otherwise it is `REMOTE_UNINTELLIGIBLE`. Nothing of such a body is repeated: it may hold anything.
 */
export function fromReply<const C extends Contract, Name extends keyof C['endpoints'] & string>(
  contract: C,
  name: Name,
  reply: WireReply,
): Reply<C['endpoints'][Name]> {
  const endpoint = endpointOf(contract, name)
  const { status } = reply
  // 204 says yes, and that there is nothing to read.
  const json = status === 204 ? {} : parsed(reply)
  const read = json === undefined ? undefined : contract.envelope.read(status, json)
  if (read === undefined) throw notOfThisApi(contract, endpoint, reply)
  if ('code' in read) {
    const wait = retryAfterMs(reply.headers['retry-after'], Date.parse(reply.headers['date'] ?? ''))
    const detail = { ...read.detail, status, ...(Number.isFinite(wait) ? { retryAfterMs: wait } : {}) }
    throw new Problem(read.code, read.message || read.code, detail)
  }
  const fitted = fitting(endpoint.reply)(read.data)
  if (!fitted.fits) throw notOfThisApi(contract, endpoint, reply, fitted.at)
  // Cut to the endpoint's schema a line above.
  return fitted.value as Reply<C['endpoints'][Name]>
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
    // An empty one would make another path of it, and so another question.
    if (value === '') throw new Problem('INVALID_USAGE', `The ${name} is empty`, { outcome: 'none' })
    return segment(String(value))
  })
}

/** One segment of a path, whatever it holds. A bare `.` or `..` would be taken for a step by whatever stands between. */
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

/** What was parsed to see whether a reply is whole is not parsed again to read it. */
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
  const asked = `${endpoint.method} ${endpoint.path}`
  const isTemporary = status === 429 || status >= 500
  if (endpoint.method === 'GET' && !isWhole(reply))
    return new Problem(
      remoteCodes.unavailable,
      `${asked} of the ${contract.title} was answered with something that is not JSON, or was cut off (status ${status}, ${body.length} characters)`,
      { status, bytes: body.length, outcome: 'unknown' },
    )
  const code = isTemporary ? remoteCodes.unavailable : remoteCodes.unintelligible
  const message = isTemporary
    ? `${asked} of the ${contract.title} is not available now (status ${status})`
    : `${asked} of the ${contract.title} answered in an unknown form (status ${status}${at ? `, at ${at}` : ''})`
  return new Problem(code, message, { status, bytes: body.length, outcome: status === 429 ? 'none' : 'unknown' })
}
