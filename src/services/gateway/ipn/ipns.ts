import type {
  ConversionRow,
  MerchantRow,
  PaymentRow,
  PayoutRow,
  PlanRow,
  SubscriptionRow,
  SubTransferRow,
} from '../../../db/schema/gateway.ts'
import type { Tx } from '../../../db/store.ts'
import { ipnText, signIpn } from '../../../domain/signing.ts'
import { resolvesToPrivate } from '../../../outbox/callback-dns.ts'
import { checkCallbackUrl } from '../../../outbox/callback-url.ts'
import { enqueue } from '../../../outbox/enqueue.ts'
import { refuse } from '../api/contract.ts'
import { toConversion, toPayment, toPayout, toSubscription, toSubTransfer } from '../api/views.ts'
import { merchantOf } from '../queries/merchants.ts'
import type { Gateway } from '../service.ts'

/**
 * Enqueues a callback with the payment's current state, in the transaction of the change. Does nothing without a URL.
 */
export async function enqueuePaymentIpn(tx: Tx, app: Gateway, payment: PaymentRow): Promise<void> {
  await enqueueIpn(tx, app, { ...payment, id: String(payment.id) }, toPayment(payment))
}

/** Enqueues a callback with a payout's current state. */
export async function enqueuePayoutIpn(tx: Tx, app: Gateway, payout: PayoutRow): Promise<void> {
  await enqueueIpn(tx, app, payout, toPayout(payout))
}

/** Enqueues a callback with a subscription's current state: flat, with its subscriber and its price. */
export async function enqueueSubscriptionIpn(tx: Tx, app: Gateway, row: SubscriptionRow, plan: PlanRow): Promise<void> {
  const { ipn_callback_url } = plan
  const { subscriber, ...fields } = toSubscription(row)
  await enqueueIpn(
    tx,
    app,
    { id: row.id, merchant: row.merchant, status: row.status, ipn_callback_url },
    {
      ...fields,
      ...subscriber,
      currency: plan.currency,
      amount: plan.amount,
      ipn_callback_url,
    },
  )
}

/** Enqueues a callback with a conversion's current state, to the default URL from the merchant's console. */
export async function enqueueConversionIpn(tx: Tx, app: Gateway, row: ConversionRow): Promise<void> {
  await enqueueIpn(tx, app, { ...row, ipn_callback_url: null }, toConversion(row))
}

/** Enqueues a callback with a transfer's current state, to the default URL from the merchant's console. */
export async function enqueueSubTransferIpn(tx: Tx, app: Gateway, row: SubTransferRow): Promise<void> {
  await enqueueIpn(tx, app, { ...row, ipn_callback_url: null }, toSubTransfer(row))
}

interface Subject {
  readonly id: string
  readonly merchant: string
  readonly status: string
  readonly ipn_callback_url: string | null
}

async function enqueueIpn(tx: Tx, app: Gateway, subject: Subject, object: object): Promise<void> {
  const merchant = await merchantOf(tx, subject.merchant)
  const url = subject.ipn_callback_url ?? merchant?.ipn_url ?? null
  if (!merchant || url === null) return
  await enqueue(tx, {
    id: app.id(),
    channel: 'merchant-ipn',
    owner: merchant.id,
    subject: subject.id,
    event: subject.status,
    url,
    // Serialized now and stored, so that every attempt sends the state of this moment.
    body: ipnText(object),
    maxAttempts: merchant.ipn_attempts ?? undefined,
  })
}

/**
 * Returns the headers of a callback. The second signature header is for receivers written for the compatible gateway.
 */
export function ipnHeaders(merchant: MerchantRow, body: string): Record<string, string> {
  const signature = signIpn(merchant.ipn_secret, body)
  return {
    'content-type': 'application/json',
    'x-gw-sig': signature,
    ...(merchant.compat === 1 ? { [merchant.compat_header]: signature } : {}),
  }
}

/**
 * Returns a callback URL in normalized spelling, or throws INVALID_REQUEST_PARAMS; null if it is absent or empty.
 * `checkCallbackNames` checks its host.
 */
export function callbackUrl(app: Gateway, text: string | null | undefined, field = 'ipn_callback_url'): string | null {
  if (text === null || text === undefined || text === '') return null
  const result = checkCallbackUrl(text, app.config.loopbackCallbacks())
  if (typeof result !== 'string') return result.href
  throw refuse('INVALID_REQUEST_PARAMS', `${field} ${result}`, { field })
}

/** Fields of a request that may contain callback URLs. */
interface Naming {
  readonly ipn_callback_url?: unknown
  readonly withdrawals?: unknown
}

/**
 * Refuses a request whose callback host currently resolves to a private network. Called before the transaction, because
 * it waits for DNS. The address is checked again whenever a callback is sent.
 */
export async function checkCallbackNames(app: Gateway, body: unknown): Promise<void> {
  const { ipn_callback_url, withdrawals } = (body ?? {}) as Naming
  const items = Array.isArray(withdrawals) ? (withdrawals as readonly Naming[]) : []
  const texts = [ipn_callback_url, ...items.map((item) => item?.ipn_callback_url)]
  const urls = new Map<string, URL>()
  for (const text of texts) {
    const url = typeof text === 'string' ? checkCallbackUrl(text, true) : ''
    if (typeof url !== 'string') urls.set(url.hostname, url)
  }
  const inside = await Promise.all([...urls.values()].map((url) => resolvesToPrivate(url, app.config.lookup)))
  if (!inside.includes(true)) return
  const field = 'ipn_callback_url'
  throw refuse('INVALID_REQUEST_PARAMS', `${field} must not point to a private address`, { field })
}

/**
 * Returns a link shown to customers. Throws unless it is http or https: another scheme could run a script in the page.
 */
export function pageLink(text: string | null | undefined, field: string): string | null {
  if (text === null || text === undefined || text === '') return null
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse('INVALID_REQUEST_PARAMS', `${field} must be an http or https URL`, { field })
  return text
}
