import type { ReceivedRequest } from '../../http/server/raw-receiver.ts'
import { isProblem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'
import type { Forwarder, ForwardResult } from './forward.ts'
import { type CallbackIdentity, keepCallback, type ReceivedCallback, recordForwarded } from './inbox.ts'
import type { CallbackForm } from './signatures.ts'

/** A received callback and its processing. */
export interface ProcessedCallback {
  /** Identity; null if it could not be read. */
  readonly identity: CallbackIdentity | null
  /** `again` is a duplicate. */
  readonly outcome: 'stored' | 'again' | 'refused'
  /** Reason of a rejection. */
  readonly because: string | null
  readonly receivedAt: string
  /** Null without forwarding. */
  readonly forwarded: ForwardResult | null
}

export interface ListenTotals {
  stored: number
  again: number
  refused: number
  forwarded: number
  unforwarded: number
}

export interface ListenOptions {
  readonly book: Book
  readonly form: CallbackForm
  readonly secret: string
  readonly now: () => number
  readonly forwarder?: Forwarder | undefined
  /** Called for each callback after its processing. */
  readonly hear: (callback: ProcessedCallback) => Promise<void>
}

/** Receives callbacks. */
export interface CallbackListener {
  /** Verifies and stores a callback, and responds when it is durable. Forwards follow one after another. */
  take(request: ReceivedRequest): Promise<{ status: number; message: string }>
  readonly totals: Readonly<ListenTotals>
  /** Finishes the current forward; the others stay in the book as not forwarded. */
  close(): Promise<void>
}

/** Maximum time for the current forward when listening ends. */
const closeWithinMs = 1_500

export function openCallbackListener({
  book,
  form,
  secret,
  now,
  forwarder,
  hear: onCallback,
}: ListenOptions): CallbackListener {
  const totals: ListenTotals = { stored: 0, again: 0, refused: 0, forwarded: 0, unforwarded: 0 }
  const abandoned = new AbortController()
  let isClosed = false
  let work: Promise<void> = Promise.resolve()

  /** Reports callbacks in the order of arrival, each after its forward. */
  const finish = (processed: Omit<ProcessedCallback, 'forwarded'>, stored?: ReceivedCallback) => {
    work = work.then(async () => {
      const forwarded = stored && forwarder ? await handOn(forwarder, stored) : null
      await onCallback({ ...processed, forwarded })
    })
  }

  const handOn = async (to: Forwarder, callback: ReceivedCallback): Promise<ForwardResult> => {
    const end = isClosed ? { status: null, error: 'stopped' } : await to.send(callback, abandoned.signal)
    totals[end.error === null ? 'forwarded' : 'unforwarded'] += 1
    try {
      await recordForwarded(book, callback.id, { to: to.to, ...end })
    } catch (error) {
      // The callback is stored; without the note it would be forwarded once more at worst.
      if (!isProblem(error)) throw error
      return { status: end.status, error: error.message }
    }
    return end
  }

  return {
    totals,
    async take(request) {
      const receivedAt = new Date(now()).toISOString()
      const refused = (status: number, because: string, identity: CallbackIdentity | null = null) => {
        totals.refused += 1
        finish({ identity, outcome: 'refused', because, receivedAt })
        return { status, message: because }
      }
      const verdict = form.verdictOn(request, secret, now())
      if (verdict !== 'genuine') return refused(401, `the signature is ${verdict}`)
      const identity = form.identityOf(request)
      if ('because' in identity) return refused(400, identity.because)
      const received = { ...identity, body: request.body, headers: request.headers, signedAt: form.signedAtOf(request) }
      try {
        const outcome = await keepCallback(book, received)
        totals[outcome] += 1
        const processed = { identity, outcome, because: null, receivedAt }
        finish(processed, outcome === 'stored' ? received : undefined)
        return { status: 200, message: outcome }
      } catch (error) {
        // Not stored, so not acknowledged: the sender tries again.
        if (isProblem(error)) return refused(503, error.message, identity)
        throw error
      }
    },
    async close() {
      isClosed = true
      const timeout = setTimeout(() => abandoned.abort(), closeWithinMs)
      await work
      clearTimeout(timeout)
    },
  }
}
