import type { BookCallbackRow } from '../../db/schema/book.ts'
import type { Book } from '../book/book.ts'
import type { Forwarder, ForwardResult } from './forward.ts'
import { bytesOf, headersOf, recordForwarded } from './inbox.ts'
import type { Captured } from './parse.ts'
import type { CallbackForm } from './signatures.ts'

/** Outcome of one replay attempt. */
export interface ReplayAttempt extends ForwardResult {
  readonly at: string
  readonly tookMs: number
}

/** A replayed callback. */
export interface Replayed extends ForwardResult {
  readonly row: BookCallbackRow
  readonly attempts: readonly ReplayAttempt[]
  /** True if its signature had expired and was renewed; the bytes are unchanged. */
  readonly resigned: boolean
}

export interface ReplayOptions {
  readonly book: Book
  readonly form: CallbackForm
  readonly forwarder: Forwarder
  /** Required to renew expired signatures; without it they are sent unchanged. */
  readonly secret: string | undefined
  readonly now: () => number
  /** Waits before retries. */
  readonly waitsMs: readonly number[]
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly stop: AbortSignal
}

/** Returns a stored callback as it is sent now: unchanged, or with a new signature over the same bytes. */
export function replayable(
  form: CallbackForm,
  row: BookCallbackRow,
  now: number,
  secret: string | undefined,
): Captured {
  const body = bytesOf(row)
  const headers = headersOf(row)
  if (!form.hasRunOut(row, now) || secret === undefined) return { body, headers }
  const signature = form.sign(secret, body, now)
  return {
    body,
    headers: headers.map(([name, value]) => [name, name.toLowerCase() === form.signatureHeader ? signature : value]),
  }
}

/**
 * Sends stored callbacks in the given order, each with retries until it is accepted, and
 * stores the outcomes. A signal stops between two callbacks.
 */
export async function* replayCallbacks(
  options: ReplayOptions,
  rows: readonly BookCallbackRow[],
): AsyncGenerator<Replayed> {
  for (const row of rows) {
    if (options.stop.aborted) return
    yield await replayOne(options, row)
  }
}

async function replayOne(options: ReplayOptions, row: BookCallbackRow): Promise<Replayed> {
  const { book, form, forwarder, secret, now, waitsMs, sleep, stop } = options
  const attempts: ReplayAttempt[] = []
  let resigned = false
  for (let i = 0; ; i++) {
    const at = now()
    resigned ||= secret !== undefined && form.hasRunOut(row, at)
    const end = await forwarder.send(replayable(form, row, at, secret), stop)
    attempts.push({ at: new Date(at).toISOString(), ...end, tookMs: now() - at })
    const wait = waitsMs[i]
    if (end.error === null || wait === undefined || stop.aborted) {
      await recordForwarded(book, row.id, { to: forwarder.to, ...end })
      return { row, ...end, attempts, resigned }
    }
    await sleep(wait, stop).catch(() => undefined)
  }
}
