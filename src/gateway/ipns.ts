import { ipnText, signIpn } from '../domain/signing.ts'
import type { Tx } from '../store/store.ts'
import type { MerchantRow, PaymentRow, PayoutRow, PlanRow, SubscriptionRow } from '../store/tables/gateway.ts'
import { isPublic } from './addresses.ts'
import { refuse } from './contract.ts'
import type { Gateway } from './gateway.ts'
import { merchantOf } from './queries/merchants.ts'
import { insertIpn } from './queries/payments.ts'
import { toMoment, toPayment, toPayout } from './views.ts'

/** Owes the merchant a callback about the payment as it stands, beside the change it speaks of. Nothing where no URL was given. */
export async function tell(tx: Tx, app: Gateway, payment: PaymentRow): Promise<void> {
  await owe(tx, app, { ...payment, id: String(payment.id) }, toPayment(payment, app.rates.table()))
}

/** Owes the merchant a callback about one payout of a batch as it stands. */
export async function tellPayout(tx: Tx, app: Gateway, payout: PayoutRow): Promise<void> {
  const { id, batch_withdrawal_id, status, error, currency, amount, address, fee, extra_id, hash, ...rest } =
    toPayout(payout)
  const { ipn_callback_url, created_at, requested_at, updated_at } = rest
  await owe(tx, app, payout, {
    id,
    batch_withdrawal_id,
    status,
    error,
    currency,
    amount,
    address,
    fee,
    extra_id,
    hash,
    ipn_callback_url,
    created_at,
    requested_at,
    updated_at,
  })
}

/** Owes the merchant a callback about a subscription as it stands. */
export async function tellSubscription(tx: Tx, app: Gateway, row: SubscriptionRow, plan: PlanRow): Promise<void> {
  const { ipn_callback_url } = plan
  await owe(
    tx,
    app,
    { id: row.id, merchant: row.merchant, status: row.status, ipn_callback_url },
    {
      id: row.id,
      status: row.status,
      currency: plan.currency,
      amount: plan.amount,
      ipn_callback_url,
      created_at: toMoment(row.created_at),
      updated_at: toMoment(row.updated_at),
    },
  )
}

interface Subject {
  readonly id: string
  readonly merchant: string
  readonly status: string
  readonly ipn_callback_url: string | null
}

async function owe(tx: Tx, app: Gateway, subject: Subject, object: object): Promise<void> {
  const merchant = await merchantOf(tx, subject.merchant)
  const url = subject.ipn_callback_url ?? merchant?.ipn_url ?? null
  if (url === null) return
  await insertIpn(tx, {
    id: app.id(),
    merchant: subject.merchant,
    subject: subject.id,
    event: subject.status,
    url,
    // Made now and kept as it is: what is signed is what the merchant would have read at this moment.
    body: ipnText(object),
    created_at: tx.now,
  })
}

/** The headers of a callback with this body. The second signature header is for receivers written for the compatible gateway. */
export function ipnHeaders(merchant: MerchantRow, body: string): Record<string, string> {
  const signature = signIpn(merchant.ipn_secret, body)
  return {
    'content-type': 'application/json',
    'x-gw-sig': signature,
    ...(merchant.compat === 1 ? { [merchant.compat_header]: signature } : {}),
  }
}

/** A callback's URL in one spelling, or INVALID_REQUEST_PARAMS. What a name leads to is looked at when it is connected to. */
export function callbackUrl(app: Gateway, text: string | null | undefined, field = 'ipn_callback_url'): string | null {
  if (text === null || text === undefined || text === '') return null
  const unfit = (because: string) => refuse('INVALID_REQUEST_PARAMS', `${field} ${because}`, { field })
  const url = URL.parse(text)
  if (!url) throw unfit('is not a URL')
  if (url.username !== '' || url.password !== '') throw unfit('must not carry a name or password')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol === 'http:' && (host === '127.0.0.1' || host === 'localhost')) {
    if (!app.config.loopbackCallbacks()) throw unfit('must lead to a public address over https')
    return url.href
  }
  if (url.protocol !== 'https:') throw unfit('must start with https://')
  const isLiteral = /^[0-9.]+$/.test(host) || host.includes(':')
  if (host === 'localhost' || (isLiteral && !isPublic(host))) throw unfit('must not lead to a private address')
  return url.href
}

/** A link shown to customers: http or https, and nothing that runs in a page. */
export function pageLink(text: string | null | undefined, field: string): string | null {
  if (text === null || text === undefined || text === '') return null
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse('INVALID_REQUEST_PARAMS', `${field} is not an http or https URL`, { field })
  return text
}
