import type { BookCallbackRow } from '../../db/schema/book.ts'
import type { Book } from '../book/book.ts'
import type { Forwarder, HandedOn } from './forward.ts'
import { bytesOf, headersOf, noteForwarded } from './inbox.ts'
import type { Captured } from './parse.ts'
import type { CallbackForm } from './signatures.ts'

/** How one attempt to send a callback again ended. */
export interface ReplayAttempt extends HandedOn {
  readonly at: string
  readonly tookMs: number
}

/** One callback sent again. */
export interface Replayed extends HandedOn {
  readonly row: BookCallbackRow
  readonly attempts: readonly ReplayAttempt[]
  /** Whether its signature had run out and was made anew; the bytes stay what they were. */
  readonly resigned: boolean
}

export interface ReplayOptions {
  readonly book: Book
  readonly form: CallbackForm
  readonly forwarder: Forwarder
  /** Needed where a signature has run out. */
  readonly secret: string | undefined
  readonly now: () => number
  /** The waits before trying again what was not taken. */
  readonly waitsMs: readonly number[]
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly stop: AbortSignal
}

/** A recorded callback as it would be sent now: as it came, or with a fresh signature over the same bytes. */
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
 * Sends recorded callbacks again, one after another in the order given, each again after the waits until it is taken, and
 * notes in the book what was. Stops between two of them.
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
    resigned ||= form.hasRunOut(row, at)
    const end = await forwarder.send(replayable(form, row, at, secret), stop)
    attempts.push({ at: new Date(at).toISOString(), ...end, tookMs: now() - at })
    const wait = waitsMs[i]
    if (end.error === null || wait === undefined || stop.aborted) {
      await noteForwarded(book, row.id, { to: forwarder.to, ...end })
      return { row, ...end, attempts, resigned }
    }
    await sleep(wait, stop).catch(() => undefined)
  }
}
