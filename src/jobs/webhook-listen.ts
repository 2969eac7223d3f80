import type { Book } from '../book/book.ts'
import { keepWebhook, noteForwarded, type ReceivedWebhook } from '../book/webhooks.ts'
import { isProblem } from '../kit/problem.ts'
import type { ReceivedRequest } from '../wire/receive.ts'
import { identityOf, signedAtOf, verdictOn, type WebhookIdentity } from './webhook-capture.ts'
import type { Forwarder, HandedOn } from './webhook-forward.ts'

/** One delivery, and what was done about it. */
export interface Heard extends Partial<WebhookIdentity> {
  /** `again` is a delivery id that is in the book already. */
  readonly outcome: 'stored' | 'again' | 'refused'
  /** Why it was refused. */
  readonly because: string | null
  readonly receivedAt: string
  /** Null where nothing is forwarded. */
  readonly forwarded: HandedOn | null
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
  readonly secret: string
  readonly now: () => number
  readonly forwarder?: Forwarder | undefined
  /** Told of each delivery, once everything that is to be done about it has been. */
  readonly hear: (heard: Heard) => Promise<void>
}

/** Takes webhooks in. */
export interface WebhookListener {
  /** Judges one and keeps it; answers when it is safe. Forwarding comes after the answer, one after another. */
  take(request: ReceivedRequest): Promise<{ status: number; message: string }>
  readonly totals: Readonly<ListenTotals>
  /** Forwards no more than what is under way; the rest stays in the book as not forwarded. */
  close(): Promise<void>
}

/** How long a forward under way may go on once listening ends. */
const closeWithinMs = 1_500

export function openWebhookListener({ book, secret, now, forwarder, hear }: ListenOptions): WebhookListener {
  const totals: ListenTotals = { stored: 0, again: 0, refused: 0, forwarded: 0, unforwarded: 0 }
  const givenUp = new AbortController()
  let isClosed = false
  let work: Promise<void> = Promise.resolve()

  /** Speaks of deliveries in the order in which they came, each after its forward. */
  const afterwards = (heard: Omit<Heard, 'forwarded'>, kept?: ReceivedWebhook) => {
    work = work.then(async () => {
      const forwarded = kept && forwarder ? await handOn(forwarder, kept) : null
      await hear({ ...heard, forwarded })
    })
  }

  const handOn = async (to: Forwarder, kept: ReceivedWebhook): Promise<HandedOn> => {
    const end = isClosed ? { status: null, error: 'stopped' } : await to.send(kept, givenUp.signal)
    totals[end.error === null ? 'forwarded' : 'unforwarded'] += 1
    try {
      await noteForwarded(book, kept.deliveryId, end)
    } catch (error) {
      // The webhook itself is safe; not noted as forwarded, it would at worst be handed on once more.
      if (!isProblem(error)) throw error
      return { status: end.status, error: error.message }
    }
    return end
  }

  return {
    totals,
    async take(request) {
      const receivedAt = new Date(now()).toISOString()
      const refused = (status: number, because: string, identity: Partial<WebhookIdentity> = {}) => {
        totals.refused += 1
        afterwards({ ...identity, outcome: 'refused', because, receivedAt })
        return { status, message: because }
      }
      const verdict = verdictOn(request, secret, now())
      if (verdict !== 'genuine') return refused(401, `the signature is ${verdict}`)
      const identity = identityOf(request)
      if ('because' in identity) return refused(400, identity.because)
      const received = { ...identity, body: request.body, headers: request.headers, signedAt: signedAtOf(request) ?? 0 }
      try {
        const outcome = await keepWebhook(book, received)
        totals[outcome] += 1
        const heard = { ...identity, outcome, because: null, receivedAt }
        afterwards(heard, outcome === 'stored' ? received : undefined)
        return { status: 200, message: outcome }
      } catch (error) {
        // Not kept, so not acknowledged: the sender tries again.
        if (isProblem(error)) return refused(503, error.message, identity)
        throw error
      }
    },
    async close() {
      isClosed = true
      const patience = setTimeout(() => givenUp.abort(), closeWithinMs)
      await work
      clearTimeout(patience)
    },
  }
}
