import assert from 'node:assert/strict'
import { seededBytes } from '../kit/ambient.ts'

/** Injected faults: deliberate misbehavior of a served world, so that integrations can be tested against it. */

/** Faults of responses. Each says whether the request is carried out. */
export const answerFaults = {
  late: { isDone: true, means: 'carries out the request and responds late' },
  slow: { isDone: true, means: 'carries out the request and sends the response slowly, in pieces' },
  hang: { isDone: false, means: 'ignores the request and never responds' },
  'cut-before': { isDone: false, means: 'ignores the request and closes the connection' },
  'cut-after': { isDone: true, means: 'carries out the request and closes the connection without a response' },
  status: { isDone: false, means: 'ignores the request and responds with the HTTP status of --status' },
  refuse: { isDone: false, means: 'ignores the request and responds with the API error of --code' },
  half: { isDone: true, means: 'carries out the request and sends half of the response' },
  garbage: { isDone: true, means: 'carries out the request and sends an unreadable response' },
  html: { isDone: true, means: 'carries out the request and responds with an HTML page, as a proxy does' },
} as const satisfies Record<string, { isDone: boolean; means: string }>

/** Faults of callbacks. */
export const callbackFaults = {
  lose: { means: 'callback: marked as delivered, but not sent' },
  delay: { means: 'callback: delayed' },
  double: { means: 'callback: sent twice' },
  reorder: { means: 'callback: sent after a later one to the same address' },
} as const satisfies Record<string, { means: string }>

export type AnswerFault = keyof typeof answerFaults
export type CallbackFault = keyof typeof callbackFaults
export type FaultKind = AnswerFault | CallbackFault

export const faultKinds = [...Object.keys(answerFaults), ...Object.keys(callbackFaults)] as readonly FaultKind[]
export const answeringServices = ['casino', 'gateway', 'chat'] as const
export const faultyServices = [...answeringServices, 'callbacks'] as const

export type AnsweringService = (typeof answeringServices)[number]
export type FaultyService = (typeof faultyServices)[number]

export const faultStatuses = [429, 500, 502, 503, 504] as const
export type FaultStatus = (typeof faultStatuses)[number]

export const isFaultKind = (text: string): text is FaultKind => faultKinds.some((kind) => kind === text)
export const isCallbackFault = (kind: FaultKind): kind is CallbackFault => Object.hasOwn(callbackFaults, kind)

/** An injected fault: its kind, its filters, its limits and its counters. */
export interface Fault {
  readonly kind: FaultKind
  /** Service it applies to; null for all. */
  readonly service: FaultyService | null
  /** Endpoint name, method and path, or event; `*` matches anything. Null for all. */
  readonly endpoint: string | null
  readonly status: FaultStatus | null
  /** Error code of the `refuse` kind. */
  readonly code: string | null
  readonly retryAfterSeconds: number | null
  /** Delay or duration in milliseconds. */
  readonly forMs: number | null
  /** Maximum number of hits. */
  readonly times: number | null
  /** Applies to every Nth matching request; 1 is every one. */
  readonly every: number
  /** Probability in millionths. */
  readonly chance: number
  /** World time at which it expires. */
  readonly until: number | null
  /** Seed of its probability draws; drawn once when the fault is set, so that runs repeat. */
  readonly seed: string
  /** Number of matching requests or callbacks so far. */
  readonly met: number
  readonly hits: number
}

export const certainty = 1_000_000

/** Injected fault of a response. */
export type ResponseFault =
  | { readonly kind: 'late' | 'slow'; readonly ms: number }
  | { readonly kind: 'hang' | 'cut-before' | 'cut-after' | 'half' | 'garbage' }
  | { readonly kind: 'status'; readonly status: FaultStatus; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'refuse'; readonly code: string; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'html'; readonly status: FaultStatus }

/** Injected fault of a callback. */
export type InjectedCallbackFault =
  | { readonly kind: 'lose' | 'double' }
  | { readonly kind: 'delay' | 'reorder'; readonly ms: number }

/**
 * Default durations. A callback is delayed on the world's clock, a response on the machine's, because its client waits
 * in real time.
 */
export const defaultForMs = { late: 2_000, slow: 5_000, delay: 600_000, reorder: 60_000 } as const
export const defaultStatus = { status: 503, html: 502 } as const satisfies Record<string, FaultStatus>

/** Returns whether a fault has expired or reached its maximum number of hits. */
export function isOver({ times, hits, until }: Fault, now: number): boolean {
  return (times !== null && hits >= times) || (until !== null && now >= until)
}

/** Counts one more match of a fault and decides whether it applies. */
export function countMatch<F extends Fault>(fault: F): { fault: F; isHit: boolean } {
  const met = fault.met + 1
  const isHit = met % fault.every === 0 && drawOf(fault.seed, met) < fault.chance
  return { fault: { ...fault, met, hits: fault.hits + (isHit ? 1 : 0) }, isHit }
}

/** Returns a number below a million that depends only on the seed and the turn. */
function drawOf(seed: string, turn: number): number {
  const bytes = Buffer.from(seededBytes(`${seed}/${turn}`)(6))
  return bytes.readUIntBE(0, 6) % certainty
}

/** Returns whether a pattern, with `*` for anything, matches one of these names. Case is ignored. */
export function matchesPattern(pattern: string | null, names: readonly string[]): boolean {
  if (pattern === null) return true
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const whole = new RegExp(`^${parts.join('.*')}$`, 'is')
  return names.some((name) => whole.test(name))
}

export function responseFaultOf({ kind, status, code, retryAfterSeconds, forMs }: Fault): ResponseFault {
  switch (kind) {
    case 'late':
    case 'slow':
      return { kind, ms: forMs ?? defaultForMs[kind] }
    case 'status':
      return { kind, status: status ?? defaultStatus.status, retryAfterSeconds }
    case 'refuse':
      assert(code !== null, 'a refuse fault has a code')
      return { kind, code, retryAfterSeconds }
    case 'html':
      return { kind, status: status ?? defaultStatus.html }
    case 'hang':
    case 'cut-before':
    case 'cut-after':
    case 'half':
    case 'garbage':
      return { kind }
    default:
      return assert.fail(`${kind} is not a fault of responses`)
  }
}

export function callbackFaultOf({ kind, forMs }: Fault): InjectedCallbackFault {
  if (kind === 'delay' || kind === 'reorder') return { kind, ms: forMs ?? defaultForMs[kind] }
  if (kind === 'lose' || kind === 'double') return { kind }
  return assert.fail(`${kind} is not a fault of callbacks`)
}
