import { isProblem } from '../../kit/problem.ts'
import { remoteCodes, type Transport, type WireReply, type WireRequest } from '../contract/wire-types.ts'
import type { Sleep } from './sleep.ts'

/** An attempt that will be retried. */
export interface Retry {
  readonly request: WireRequest
  /** Number of the failed attempt, from 1. */
  readonly attempt: number
  readonly waitMs: number
  /** The status, or the Problem's code without a response. */
  readonly reason: string
}

export interface RetryOptions {
  readonly sleep: Sleep
  /** Returns a number from 0 up to 1: clients that failed together must not retry together. */
  readonly random: () => number
  /** Epoch milliseconds, for a Retry-After with a date. */
  readonly now: () => number
  /** Maximum number of attempts. */
  readonly attempts?: number
  /** Wait after the first failure; it doubles with each further one. */
  readonly firstWaitMs?: number
  /** Maximum wait. If a server requires a longer one, its refusal is returned. */
  readonly longestWaitMs?: number
  /**
   * Maximum total wait between the attempts of one request. Attempts are then unlimited within it, and a server may
   * require a wait up to it.
   */
  readonly maxWaitMs?: number
  /**
   * Returns whether a request with an unknown outcome may be repeated. Default: all but a POST without an
   * Idempotency-Key. An API whose bodies have their own key, such as the casino's transfers, can allow all.
   */
  readonly repeatable?: (request: WireRequest) => boolean
  readonly observe?: (retry: Retry) => void
  /**
   * Aborted when the caller is to end: then nothing that had no effect is tried again, and its last outcome is returned. A
   * request with an unknown outcome still is.
   */
  readonly stop?: AbortSignal
}

/** Retries on 429, 5xx, missing and truncated responses with growing waits; returns the last outcome. */
export function retrying(transport: Transport, options: RetryOptions): Transport {
  const { sleep, maxWaitMs, repeatable = isRepeatable, observe } = options
  const attempts = options.attempts ?? (maxWaitMs === undefined ? 5 : Number.POSITIVE_INFINITY)
  return async (request) => {
    let waitedMs = 0
    for (let attempt = 1; ; attempt++) {
      const outcome = await outcomeOf(transport, request)
      const again = retryReason(outcome, request, repeatable(request))
      const waitMs = again && attempt < attempts ? waitOf(outcome, attempt, options) : undefined
      if (again === undefined || waitMs === undefined) return settle(outcome)
      if (maxWaitMs !== undefined && waitedMs + waitMs > maxWaitMs) return settle(outcome)
      const stop = hadNoEffect(outcome, request) ? options.stop : undefined
      if (stop?.aborted) return settle(outcome)
      waitedMs += waitMs
      observe?.({ request, attempt, waitMs, reason: again })
      try {
        await sleep(waitMs, anyOf(request.signal, stop))
      } catch (error) {
        if (!stop?.aborted) throw error
      }
      request.signal?.throwIfAborted()
      if (stop?.aborted) return settle(outcome)
    }
  }
}

/** Returns whether a request certainly changed nothing: it reads, was never sent or was rejected by a limit. */
function hadNoEffect(outcome: Outcome, { method }: WireRequest): boolean {
  if (method === 'GET') return true
  return 'reply' in outcome
    ? outcome.reply.status === 429
    : isProblem(outcome.error) && outcome.error.code === remoteCodes.unreachable
}

const anyOf = (...signals: (AbortSignal | undefined)[]): AbortSignal | undefined => {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}

/** Returns whether sending a request twice has the same effect as sending it once. */
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

/**
 * Returns the reason to retry, if there is one. A 429 and a request never sent were not executed, so they can always be
 * repeated.
 */
function retryReason(outcome: Outcome, request: WireRequest, mayRepeat: boolean): string | undefined {
  if ('reply' in outcome) {
    const { status } = outcome.reply
    // 501 means that the feature does not exist, which waiting does not change.
    const isTemporary = status === 429 || (mayRepeat && status >= 500 && status !== 501)
    if (isTemporary) return String(status)
    return mayRepeat && request.isWhole?.(outcome.reply) === false ? `${status}, truncated` : undefined
  }
  if (!isProblem(outcome.error)) return undefined
  const { code, detail } = outcome.error
  // A certificate that is not accepted stays so for longer than any wait.
  if (code === remoteCodes.unreachable) return 'certificate' in detail ? undefined : code
  return mayRepeat && (code === remoteCodes.timeout || code === remoteCodes.lost) ? code : undefined
}

/**
 * Returns the wait: half fixed, half random, at least what the server requires. `undefined` when it requires too much.
 */
function waitOf(outcome: Outcome, attempt: number, options: RetryOptions): number | undefined {
  const { firstWaitMs = 1_000, longestWaitMs = 30_000, random } = options
  const full = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1))
  const ours = Math.round(full / 2 + (full / 2) * random())
  const required = 'reply' in outcome ? retryAfterMs(outcome.reply.headers['retry-after'], options.now()) : undefined
  if (required !== undefined && required > (options.maxWaitMs ?? longestWaitMs)) return undefined
  return Math.max(ours, required ?? 0)
}

/** Parses Retry-After, in seconds or as a date, to milliseconds from now; `undefined` for other text. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*[0-9]{1,9}\s*$/.test(header)) return Number(header) * 1000
  const moment = Date.parse(header)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}
