import type { CallbackEvidence, HealableKind } from '../../domain/reconcile/callback-evidence.ts'
import { ipnText } from '../../domain/signing.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'
import type { Forwarder, ForwardResult } from './forward.ts'
import { keepCallback, recordForwarded } from './inbox.ts'
import { callbacksOfPayments, type ListRange, listedPayments, type PaymentSource } from './list-payments.ts'
import { callbacksOfPayouts, listedPayouts, type PayoutSource, payoutsOfId } from './list-payouts.ts'
import type { Captured } from './parse.ts'
import { ipnForm } from './signatures.ts'

/** A payment or payout whose latest callback was missing, and the result. */
export interface Healed {
  readonly kind: HealableKind
  readonly subject: string
  readonly status: string
  readonly because: Exclude<CallbackEvidence, 'received'>
  /** ID of the callback in the book; null in a dry run. */
  readonly id: string | null
  /** Null if it was not forwarded. */
  readonly forwarded: ForwardResult | null
}

export interface HealOptions {
  readonly source: PaymentSource & PayoutSource
  /** Received callbacks; none without a book. */
  readonly book: Book | undefined
  readonly secret: string
  readonly forwarder?: Forwarder | undefined
  /** Objects changed after this time are skipped unless named, because their callback may be on its way. */
  readonly before: number
  /** Kind of objects (default: both). */
  readonly kind?: HealableKind | undefined
  /** IDs of payments, payouts or batches, instead of a range. */
  readonly ids?: readonly string[] | undefined
  readonly range: ListRange
  readonly isDryRun: boolean
  readonly onChecked: (count: number) => void
  /** Called for each skipped object, with the time of its change. */
  readonly onRecent: (changedAt: number) => void
  /** Called if the payment list of the gateway changed during the read: its count and the listed number differ. */
  readonly onUnsteady: (counts: { readonly listed: number; readonly total: number }) => void
  /** Called if this key cannot read payouts; payments are still checked. */
  readonly onBarred: (problem: Problem) => void
}

/**
 * Rebuilds missing callbacks. Each is built from the current response of the gateway, byte for byte as the gateway
 * sends it. It is then signed, stored in the book as healed, and forwarded. Running it again finds nothing to do.
 */
export async function* healCallbacks(options: HealOptions): AsyncGenerator<Healed> {
  let checked = 0
  for await (const subjects of options.ids === undefined ? all(options) : named(options, options.ids)) {
    for (const subject of subjects) {
      if (subject.evidence === 'received') continue
      const changedAt = Date.parse(subject.updatedAt)
      if (options.ids === undefined && changedAt > options.before) options.onRecent(changedAt)
      else yield await heal(options, subject, subject.evidence)
    }
    checked += subjects.length
    options.onChecked(checked)
  }
}

/** Fields of a payment or payout that are needed here. */
interface Subject {
  readonly kind: HealableKind
  readonly id: string
  readonly status: string
  readonly updatedAt: string
  readonly evidence: CallbackEvidence
  /** Current state, in the form of its callback. */
  fresh(): Promise<object>
}

async function* all(options: HealOptions): AsyncGenerator<Subject[]> {
  const { source, range, kind } = options
  if (kind !== 'payout') {
    const counts = { listed: 0, total: 0 }
    for await (const { payments, total } of listedPayments(source, range)) {
      counts.listed += payments.length
      counts.total = total
      yield paymentSubjects(options, payments)
    }
    if (counts.listed !== counts.total) options.onUnsteady(counts)
  }
  if (kind === 'payment') return
  try {
    for await (const payouts of listedPayouts(source, range)) yield payoutSubjects(options, payouts)
  } catch (error) {
    // A key for payments only may not read payouts; the payments are still checked.
    if (kind === 'payout' || !isProblem(error) || !['FORBIDDEN', 'IP_NOT_ALLOWED'].includes(error.code)) throw error
    options.onBarred(error)
  }
}

async function* named(options: HealOptions, ids: readonly string[]): AsyncGenerator<Subject[]> {
  const { kind } = options
  for (const id of ids) {
    const payment = kind === 'payout' ? undefined : await paymentOf(options, id)
    if (payment) yield paymentSubjects(options, [payment])
    else yield payoutSubjects(options, await payoutsOf(options, id))
  }
}

/** Returns the payment of an ID; undefined if it may be that of a payout. */
async function paymentOf({ source, kind }: HealOptions, id: string) {
  try {
    return await source.payment({ params: { payment_id: id } })
  } catch (error) {
    if (kind === undefined && isProblem(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

/** Returns the payout of an ID, or the payouts of a batch. Without a kind, the payment was looked up before. */
async function payoutsOf({ source, kind }: HealOptions, id: string) {
  try {
    return await payoutsOfId(source, id)
  } catch (error) {
    if (kind !== undefined || !isProblem(error, 'NOT_FOUND')) throw error
    throw new Problem('NOT_FOUND', `There is no payment, payout or batch ${id}`, error.detail, { cause: error })
  }
}

async function paymentSubjects({ source, book }: HealOptions, payments: Parameters<typeof callbacksOfPayments>[1]) {
  return (await callbacksOfPayments(book, payments)).map(
    ({ payment, evidence }): Subject => ({
      kind: 'payment',
      id: String(payment.payment_id),
      status: payment.payment_status,
      updatedAt: payment.updated_at,
      evidence,
      fresh: () => source.payment({ params: { payment_id: String(payment.payment_id) } }),
    }),
  )
}

async function payoutSubjects({ source, book }: HealOptions, payouts: Parameters<typeof callbacksOfPayouts>[1]) {
  return (await callbacksOfPayouts(book, payouts)).map(
    ({ payout, evidence }): Subject => ({
      kind: 'payout',
      id: payout.id,
      status: payout.status,
      updatedAt: payout.updated_at,
      evidence,
      fresh: async () => (await payoutsOfId(source, payout.id))[0] ?? payout,
    }),
  )
}

async function heal(
  options: HealOptions,
  subject: Subject,
  because: Exclude<CallbackEvidence, 'received'>,
): Promise<Healed> {
  const { book, secret, forwarder, isDryRun } = options
  const { kind, id: subjectId, status } = subject
  if (isDryRun || !book) return { kind, subject: subjectId, status, because, id: null, forwarded: null }
  const captured = callbackOf(await subject.fresh(), secret)
  const identity = ipnForm.identityOf(captured)
  if ('because' in identity) throw new Error(`the response of the gateway for ${subjectId} is not a ${kind}`)
  await keepCallback(book, { ...identity, ...captured, signedAt: null, origin: 'healed' })
  const forwarded = forwarder ? await forwarder.send(captured) : null
  if (forwarder && forwarded) await recordForwarded(book, identity.id, { to: forwarder.to, ...forwarded })
  return { kind, subject: subjectId, status: identity.event, because, id: identity.id, forwarded }
}

/** Builds the callback that the gateway sends for an object. */
function callbackOf(object: object, secret: string): Captured {
  const body = Buffer.from(ipnText(object))
  return {
    body,
    headers: [
      ['content-type', 'application/json'],
      [ipnForm.signatureHeader, ipnForm.sign(secret, body, 0)],
    ],
  }
}
