import { seededBytes } from '../kit/ambient.ts'

/** Faults: what a served world does wrong on purpose, so that those who build against it meet it before it is real. */

/** What can go wrong with an answer, and whether the request was carried out all the same. */
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

/** What can go wrong with a callback. */
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

/** What is done wrong, how often, and how often it was already. */
export interface Fault {
  readonly kind: FaultKind
  /** Nothing means every service that answers. */
  readonly service: FaultyService | null
  /** An endpoint's name, a method and path, or an event; `*` stands for anything. Nothing means all. */
  readonly endpoint: string | null
  readonly status: FaultStatus | null
  /** The error code that `refuse` answers with. */
  readonly code: string | null
  readonly retryAfterSeconds: number | null
  /** How late, how slow, or held back for how long. */
  readonly forMs: number | null
  /** How often in all. */
  readonly times: number | null
  /** Each so-manieth that it could befall; 1 is every one. */
  readonly every: number
  /** In a million. */
  readonly chance: number
  /** The world's moment from which on it befalls nobody. */
  readonly until: number | null
  /** Makes its chance repeat: drawn once, when the fault was set. */
  readonly seed: string
  /** How many it could have befallen. */
  readonly met: number
  readonly hits: number
}

export const surely = 1_000_000

/** What a fault comes to for one answer. */
export type Mishap =
  | { readonly kind: 'late' | 'slow'; readonly ms: number }
  | { readonly kind: 'hang' | 'cut-before' | 'cut-after' | 'half' | 'garbage' }
  | { readonly kind: 'status'; readonly status: FaultStatus; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'refuse'; readonly code: string; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'html'; readonly status: FaultStatus }

/** What it comes to for one callback. */
export type CallbackMishap =
  | { readonly kind: 'lose' | 'double' }
  | { readonly kind: 'delay' | 'reorder'; readonly ms: number }

/** How long, where nothing was said. A callback is put off on the world's clock, an answer on the machine's: its caller waits there. */
export const usualForMs = { late: 2_000, slow: 5_000, delay: 600_000, reorder: 60_000 } as const
export const usualStatus = { status: 503, html: 502 } as const satisfies Record<string, FaultStatus>

/** Whether it befalls nobody any more. */
export function isOver({ times, hits, until }: Fault, now: number): boolean {
  return (times !== null && hits >= times) || (until !== null && now >= until)
}

/** The fault after it met one more that it could befall, and whether it did. */
export function afterMeeting<F extends Fault>(fault: F): { fault: F; isHit: boolean } {
  const met = fault.met + 1
  const isHit = met % fault.every === 0 && drawOf(fault.seed, met) < fault.chance
  return { fault: { ...fault, met, hits: fault.hits + (isHit ? 1 : 0) }, isHit }
}

/** A number below a million that is the same again for the same seed and turn, whatever else happened meanwhile. */
function drawOf(seed: string, turn: number): number {
  const bytes = Buffer.from(seededBytes(`${seed}/${turn}`)(6))
  return bytes.readUIntBE(0, 6) % surely
}

/** Whether a pattern, with `*` for anything, is one of these names. Neither case counts nor which name it is. */
export function isMeant(pattern: string | null, names: readonly string[]): boolean {
  if (pattern === null) return true
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const whole = new RegExp(`^${parts.join('.*')}$`, 'is')
  return names.some((name) => whole.test(name))
}

export function mishapOf({ kind, status, code, retryAfterSeconds, forMs }: Fault): Mishap {
  switch (kind) {
    case 'late':
    case 'slow':
      return { kind, ms: forMs ?? usualForMs[kind] }
    case 'status':
      return { kind, status: status ?? usualStatus.status, retryAfterSeconds }
    case 'refuse':
      if (code === null) throw new Error('a refusal has a code')
      return { kind, code, retryAfterSeconds }
    case 'html':
      return { kind, status: status ?? usualStatus.html }
    case 'hang':
    case 'cut-before':
    case 'cut-after':
    case 'half':
    case 'garbage':
      return { kind }
    default:
      throw new Error(`${kind} is no fault of an answer`)
  }
}

export function callbackMishapOf({ kind, forMs }: Fault): CallbackMishap {
  if (kind === 'delay' || kind === 'reorder') return { kind, ms: forMs ?? usualForMs[kind] }
  if (kind === 'lose' || kind === 'double') return { kind }
  throw new Error(`${kind} is no fault of a callback`)
}
