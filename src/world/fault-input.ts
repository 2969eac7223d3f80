import type { FaultRow } from '../db/schema/store.ts'
import {
  type AnsweringService,
  answerFaults,
  callbackFaults,
  certainty,
  type FaultKind,
  type FaultStatus,
  type FaultyService,
  faultStatuses,
  isCallbackFault,
  matchesPattern,
} from '../domain/faults.ts'
import { paymentStatuses } from '../domain/payments/payment.ts'
import { payoutStatuses } from '../domain/payments/payout.ts'
import { webhookEvents } from '../domain/webhooks/events.ts'
import { schedules } from '../domain/webhooks/retry-schedule.ts'
import type { Contract } from '../http/contract/contract.ts'
import { codesOf } from '../http/docs/openapi.ts'
import type { FaultTarget } from '../http/server/fault-injection.ts'
import { nearest } from '../kit/nearest.ts'
import { Problem } from '../kit/problem.ts'
import { casino } from '../services/casino/api/contract.ts'
import { agent, chat, widget } from '../services/chat/api/contract.ts'
import { gateway } from '../services/gateway/api/contract.ts'

/** A fault to inject into a world. */
export interface FaultInput {
  readonly kind: FaultKind
  /** Service; default: all. Callback faults take none but their own. */
  readonly service?: FaultyService | undefined
  /** A contract's endpoint name, a method and path, or the event of a callback; `*` matches anything. */
  readonly endpoint?: string | undefined
  /** Status for the kinds `status` and `html`. */
  readonly status?: FaultStatus | undefined
  /** Error code for `refuse`; must be one that the endpoint can return. */
  readonly code?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  /** Delay or duration in milliseconds. */
  readonly forMs?: number | undefined
  /** Maximum number of hits. */
  readonly times?: number | undefined
  /** Applies to every Nth matching request. */
  readonly every?: number | undefined
  /** From 0 to 1. */
  readonly chance?: number | undefined
  /** World time at which it expires. */
  readonly until?: number | undefined
}

const contracts: readonly (readonly [AnsweringService, Contract])[] = [
  ['casino', casino],
  ['gateway', gateway],
  ['chat', chat],
  ['chat', widget],
  ['chat', agent],
]
export const serviceOf = new Map<Contract, AnsweringService>(contracts.map(([name, contract]) => [contract, name]))
const events = [
  ...new Set<string>([...webhookEvents, ...paymentStatuses, ...payoutStatuses, ...Object.keys(schedules)]),
]

/** Returns whether an endpoint can return an error code. Streams and files are not in a contract's list. */
export function canAnswer(
  { contract, endpoint: name }: Pick<FaultTarget, 'contract' | 'endpoint'>,
  code: string,
): boolean {
  const endpoint = name === undefined ? undefined : contract.endpoints[name]
  return endpoint !== undefined && codesOf(contract, endpoint).includes(code)
}

/** Returns all names of an endpoint that a pattern can match. */
export function namesOf({ contract, endpoint, method, path }: FaultTarget): string[] {
  const asIs = [`${method} ${path}`, `${method} ${contract.prefixes[0] ?? ''}${path}`]
  return endpoint === undefined ? asIs : [...asIs, ...namesOfEndpoint(contract, endpoint)]
}

function namesOfEndpoint(contract: Contract, name: string): string[] {
  const endpoint = contract.endpoints[name]
  if (endpoint === undefined) return [name]
  const { method, path } = endpoint
  return [name, `${method} ${path}`, `${method} ${contract.prefixes[0] ?? ''}${path}`]
}

type Checked = Pick<
  FaultRow,
  | 'kind'
  | 'service'
  | 'endpoint'
  | 'status'
  | 'code'
  | 'retry_after_seconds'
  | 'for_ms'
  | 'times'
  | 'every'
  | 'chance'
  | 'until'
>

/** Returns a fault in stored form, or throws INVALID_USAGE. */
export function checked(input: FaultInput): Checked {
  const { kind, endpoint, status, code, retryAfterSeconds, forMs, times, every = 1, chance = 1, until } = input
  const isOfCallbacks = isCallbackFault(kind)
  const service = input.service ?? (isOfCallbacks ? 'callbacks' : null)
  if (isOfCallbacks !== (service === 'callbacks')) {
    const kinds = Object.keys(isOfCallbacks ? answerFaults : callbackFaults).join(', ')
    throw wrong(
      isOfCallbacks
        ? `"${kind}" is a fault of callbacks; for ${service} use ${kinds}`
        : `"${kind}" is a fault of responses; for callbacks use ${kinds}`,
    )
  }
  if (status !== undefined && kind !== 'status' && kind !== 'html') throw wrong(`"${kind}" takes no status`)
  if (status !== undefined && !faultStatuses.includes(status))
    throw wrong(`The status must be one of ${faultStatuses.join(', ')}`)
  if (kind !== 'refuse' && code !== undefined) throw wrong(`A code requires "refuse", not "${kind}"`)
  if (kind === 'refuse' && !code) throw wrong('"refuse" requires a code, for example POOL_EXHAUSTED')
  if (retryAfterSeconds !== undefined && kind !== 'status' && kind !== 'refuse')
    throw wrong('Retry-After requires "status" or "refuse"')
  if (forMs !== undefined && !['late', 'slow', 'delay', 'reorder'].includes(kind))
    throw wrong(`"${kind}" takes no duration`)
  if (retryAfterSeconds !== undefined && !(Number.isSafeInteger(retryAfterSeconds) && retryAfterSeconds >= 0))
    throw wrong('Retry-After must be a whole number of seconds, 0 or more')
  for (const [name, value] of Object.entries({ times, every, forMs, until }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw wrong(`${name} must be a whole number above 0`)
  if (!(chance > 0 && chance <= 1)) throw wrong('The chance must be above 0 and at most 1')
  if (endpoint !== undefined) checkEndpoint(service, endpoint)
  if (code !== undefined) checkCode(service, endpoint, code)
  return {
    kind,
    service,
    endpoint: endpoint ?? null,
    status: status ?? null,
    code: code ?? null,
    retry_after_seconds: retryAfterSeconds ?? null,
    for_ms: forMs ?? null,
    times: times ?? null,
    every,
    chance: Math.max(1, Math.round(chance * certainty)),
    until: until ?? null,
  }
}

const longestPattern = 200

/** Refuses a pattern that matches nothing: its fault would never apply. */
function checkEndpoint(service: FaultyService | null, pattern: string): void {
  const known =
    service === 'callbacks'
      ? events
      : contracts
          .filter(([name]) => name === (service ?? name))
          .flatMap(([, contract]) => Object.keys(contract.endpoints).map((name) => namesOfEndpoint(contract, name)))
  if (pattern === '') throw wrong('The endpoint is empty; omit it to match every request')
  if (pattern.length > longestPattern) throw wrong(`The endpoint must be at most ${longestPattern} characters long`)
  // A path with a value in the place of its parameter is matched by its form.
  if (
    known.some(
      (names) => matchesPattern(pattern, [names].flat()) || [names].flat().some((name) => matchesPath(name, pattern)),
    )
  )
    return
  const targetKind = service === 'callbacks' ? 'event' : 'endpoint'
  const suggestions = nearest(
    pattern,
    known.map((names) => [names].flat()[0] ?? ''),
  )
  const hint = suggestions.length === 0 ? '' : `: did you mean ${suggestions.join(' or ')}?`
  throw wrong(`There is no ${targetKind} "${pattern}"${service === null ? '' : ` of ${service}`}${hint}`)
}

/** Refuses an error code that none of the matching endpoints can return. */
function checkCode(service: FaultyService | null, pattern: string | undefined, code: string): void {
  const able = everyEndpoint.filter((each) => canAnswer(each, code))
  const ofService = everyEndpoint.filter((each) => each.service === (service ?? each.service))
  const matching = ofService.filter(({ contract, endpoint }) => {
    const names = namesOfEndpoint(contract, endpoint)
    return matchesPattern(pattern ?? '*', names) || names.some((name) => matchesPath(name, pattern ?? ''))
  })
  if (matching.some((each) => able.includes(each))) return
  const names = new Set(able.filter((each) => ofService.includes(each)).map(({ endpoint }) => endpoint))
  if (names.size > 0)
    throw wrong(`The endpoint ${pattern} never returns ${code}. Endpoints that do: ${[...names].join(', ')}`)
  const services = new Set(able.map(({ service }) => service))
  const hint = services.size > 0 ? `. Services that do: ${[...services].join(', ')}` : hintOfCode(code, matching)
  throw wrong(`No endpoint${service === null ? '' : ` of ${service}`} returns ${code}${hint}`)
}

type ServiceEndpoint = Pick<FaultTarget, 'contract'> & { readonly service: AnsweringService; readonly endpoint: string }

const everyEndpoint: readonly ServiceEndpoint[] = contracts.flatMap(([service, contract]) =>
  Object.keys(contract.endpoints).map((endpoint) => ({ service, contract, endpoint })),
)

/** Suggests the codes of these endpoints that are closest to an unknown one, or lists them if none is close. */
function hintOfCode(code: string, endpoints: readonly ServiceEndpoint[]): string {
  const codes = endpoints.flatMap(({ contract, endpoint: name }) => {
    const endpoint = contract.endpoints[name]
    return endpoint === undefined ? [] : codesOf(contract, endpoint)
  })
  const known = [...new Set(codes)].sort()
  const suggestions = nearest(code, known)
  return suggestions.length > 0 ? `: did you mean ${suggestions.join(' or ')}?` : `. Codes: ${known.join(', ')}`
}

/** Returns whether a concrete path matches an endpoint's. */
function matchesPath(name: string, pattern: string): boolean {
  return name.includes(':') && matchesPattern(name.replace(/:[A-Za-z_]+/g, '*'), [pattern])
}

function wrong(message: string): Problem {
  return new Problem('INVALID_USAGE', message)
}
