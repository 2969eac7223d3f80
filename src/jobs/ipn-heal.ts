import type { Book } from '../book/book.ts'
import { keepCallback, noteForwarded } from '../book/callbacks.ts'
import type { Hearing } from '../domain/heard.ts'
import { ipnText } from '../domain/signing.ts'
import type { Payment } from '../gateway/shapes.ts'
import type { Captured } from './callback-capture.ts'
import { ipnForm } from './callback-forms.ts'
import type { Forwarder, HandedOn } from './callback-forward.ts'
import { heardOf, type ListRange, listedPayments, type PaymentSource } from './payment-list.ts'

/** One payment of which the latest callback had not come, and what was done about it. */
export interface Healed {
  readonly paymentId: string
  readonly status: string
  readonly because: Exclude<Hearing, 'heard'>
  /** The id under which the callback is in the book now; null in a dry run. */
  readonly id: string | null
  /** Null where it was not handed on. */
  readonly handedOn: HandedOn | null
}

export interface HealOptions {
  readonly source: PaymentSource
  /** Nothing was ever received where there is none. */
  readonly book: Book | undefined
  readonly secret: string
  readonly forwarder?: Forwarder | undefined
  /** A payment that changed after this is left alone, unless it was named: its callback may be on its way. */
  readonly before: number
  /** Only these payments, instead of a range. */
  readonly ids?: readonly string[] | undefined
  readonly range: ListRange
  readonly isDryRun: boolean
  readonly onChecked: (count: number) => void
}

/**
 * Makes up for callbacks that never came: each is built of what the gateway answers now, byte for byte as the gateway
 * sends it, signed, kept in the book as healed, and handed on. Done again it finds nothing to do.
 */
export async function* healPayments(options: HealOptions): AsyncGenerator<Healed> {
  let checked = 0
  for await (const payments of asked(options)) {
    for (const { payment, hearing } of await heardOf(options.book, payments)) {
      const isRecent = options.ids === undefined && Date.parse(payment.updated_at) > options.before
      if (hearing !== 'heard' && !isRecent) yield await heal(options, payment, hearing)
    }
    checked += payments.length
    options.onChecked(checked)
  }
}

async function* asked({ source, ids, range }: HealOptions): AsyncGenerator<Payment[]> {
  if (ids === undefined) yield* listedPayments(source, range)
  else for (const id of ids) yield [await source.payment({ params: { payment_id: id } })]
}

async function heal(options: HealOptions, listed: Payment, because: Exclude<Hearing, 'heard'>): Promise<Healed> {
  const { source, book, secret, forwarder, isDryRun } = options
  const paymentId = String(listed.payment_id)
  if (isDryRun || !book) return { paymentId, status: listed.payment_status, because, id: null, handedOn: null }
  const payment = await source.payment({ params: { payment_id: paymentId } })
  const captured = callbackOf(payment, secret)
  const identity = ipnForm.identityOf(captured)
  if ('because' in identity) throw new Error(`what the gateway answered for ${paymentId} is no payment`)
  await keepCallback(book, { ...identity, ...captured, signedAt: null, origin: 'healed' })
  const handedOn = forwarder ? await forwarder.send(captured) : null
  if (forwarder && handedOn) await noteForwarded(book, identity.id, { to: forwarder.to, ...handedOn })
  return { paymentId, status: payment.payment_status, because, id: identity.id, handedOn }
}

/** The callback that the gateway sends about a payment as it answered. */
function callbackOf(payment: Payment, secret: string): Captured {
  const body = Buffer.from(ipnText(payment))
  return {
    body,
    headers: [
      ['content-type', 'application/json'],
      [ipnForm.signatureHeader, ipnForm.sign(secret, body, 0)],
    ],
  }
}
