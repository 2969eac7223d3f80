import { isProblem } from '../../kit/problem.ts'
import { remoteCodes, type Transport, type WireReply, type WireRequest } from '../contract/wire-types.ts'
import type { Sleep } from './sleep.ts'

/** One attempt that will be made again. */
export interface Retry {
  readonly request: WireRequest
  /** The attempt that failed, from 1. */
  readonly attempt: number
  readonly waitMs: number
  /** The status, or the code of the Problem when there was no answer. */
  readonly reason: string
}

export interface PatientOptions {
  readonly sleep: Sleep
  /** A number from 0 up to 1, so that callers who failed together do not come back together. */
  readonly random: () => number
  /** Epoch milliseconds, to read a Retry-After that names a moment. */
  readonly now: () => number
  /** How often to ask in all. */
  readonly attempts?: number
  /** The wait after the first failure; each further one doubles it. */
  readonly firstWaitMs?: number
  /** No wait is longer. A server that asks for more is told nothing: its refusal is handed on. */
  readonly longestWaitMs?: number
  /**
   * How long to wait in all between the attempts of one request; then it is asked as often as fits in there, and a server may
   * ask for as long a wait.
   */
  readonly mostWaitMs?: number
  /**
   * Whether a request whose outcome is unknown may be sent again. By default all but a POST without an
   * Idempotency-Key; an API whose bodies carry their own key, as the casino's transfers do, may say yes to all.
   */
  readonly repeatable?: (request: WireRequest) => boolean
  readonly observe?: (retry: Retry) => void
}

/** Tries again on 429, on 5xx, when no answer came and when it did not come whole, waiting longer each time; hands on the last outcome when patience ends. */
export function patient(transport: Transport, options: PatientOptions): Transport {
  const { sleep, mostWaitMs, repeatable = isRepeatable, observe } = options
  const attempts = options.attempts ?? (mostWaitMs === undefined ? 5 : Number.POSITIVE_INFINITY)
  return async (request) => {
    let waitedMs = 0
    for (let attempt = 1; ; attempt++) {
      const outcome = await outcomeOf(transport, request)
      const again = whyAgain(outcome, request, repeatable(request))
      const waitMs = again && attempt < attempts ? waitOf(outcome, attempt, options) : undefined
      if (again === undefined || waitMs === undefined) return settle(outcome)
      if (mostWaitMs !== undefined && waitedMs + waitMs > mostWaitMs) return settle(outcome)
      waitedMs += waitMs
      observe?.({ request, attempt, waitMs, reason: again })
      await sleep(waitMs, request.signal)
      request.signal?.throwIfAborted()
    }
  }
}

/** Whether sending it twice does no more than sending it once. */
export function isRepeatable({ method, headers }: WireRequest): boolean {
  return method !== 'POST' || headers['idempotency-key'] !== undefined
}

type Outcome = { reply: WireReply } | { error: unknown }

async function outcomeOf(transport: Transport, request: WireRequest): Promise<Outcome> {
  try {
    return { reply: await transport(request) }
  } catch (error) {
    return { error }
  }
}

function settle(outcome: Outcome): WireReply {
  if ('reply' in outcome) return outcome.reply
  throw outcome.error
}

/** Why to ask again, if at all. A 429 and a request never sent were not carried out, so those may always be repeated. */
function whyAgain(outcome: Outcome, request: WireRequest, mayRepeat: boolean): string | undefined {
  if ('reply' in outcome) {
    const { status } = outcome.reply
    // 501 says that the thing is not offered, which waiting does not change.
    const isTemporary = status === 429 || (mayRepeat && status >= 500 && status !== 501)
    if (isTemporary) return String(status)
    return mayRepeat && request.isWhole?.(outcome.reply) === false ? `${status}, cut off` : undefined
  }
  if (!isProblem(outcome.error)) return undefined
  const { code } = outcome.error
  if (code === remoteCodes.unreachable) return code
  return mayRepeat && (code === remoteCodes.timeout || code === remoteCodes.lost) ? code : undefined
}

/** Half of the wait is fixed and half is chance; never shorter than the server asks. `undefined` when it asks for too much. */
function waitOf(outcome: Outcome, attempt: number, options: PatientOptions): number | undefined {
  const { firstWaitMs = 1_000, longestWaitMs = 30_000, random } = options
  const full = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1))
  const ours = Math.round(full / 2 + (full / 2) * random())
  const asked = 'reply' in outcome ? retryAfterMs(outcome.reply.headers['retry-after'], options.now()) : undefined
  if (asked !== undefined && asked > (options.mostWaitMs ?? longestWaitMs)) return undefined
  return Math.max(ours, asked ?? 0)
}

/** A Retry-After in milliseconds from now, whether it says seconds or a moment; `undefined` when it says neither. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*[0-9]{1,9}\s*$/.test(header)) return Number(header) * 1000
  const moment = Date.parse(header)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}
