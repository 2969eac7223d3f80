import { encode } from 'uqr'
import type { InvoiceRow, MerchantRow, PaymentRow, RefundRow } from '../../../db/schema/gateway.ts'
import type { Reader } from '../../../db/store.ts'
import { type Coin, coinOf } from '../../../domain/chains/coins.ts'
import { networks } from '../../../domain/chains/networks.ts'
import { paymentRequest } from '../../../domain/chains/payment-request.ts'
import { parseUnits } from '../../../domain/money.ts'
import { amountText, scaleOf } from '../../../domain/payments/amounts.ts'
import { covers, restDue } from '../../../domain/payments/deposits.ts'
import type { PaymentStatus } from '../../../domain/payments/payment.ts'
import { createCache } from '../../../kit/cache.ts'
import { toleranceOf } from '../payments/quotes.ts'
import { merchantOf } from '../queries/merchants.ts'
import { depositsOf, liveDeposits } from '../queries/payments.ts'
import { refundsOf } from '../queries/refunds.ts'
import type { Gateway } from '../service.ts'
import { priceText, rateText } from './format.ts'
import { type PageLanguage, stringsIn } from './language.ts'
import { fill } from './messages.ts'
import { type Receipt, receiptOf } from './receipt.ts'

/** A payment as its customer sees it. The page shows it, and its script polls it. */
export interface PaymentView {
  readonly phase: Phase
  readonly title: string
  readonly text: string
  /** Title of the page: status and price. */
  readonly heading: string
  readonly price: string
  /** Price of one coin at the quote; null if nothing was converted. */
  readonly rate: string | null
  /** Amount still to be sent; at first, all that is due. */
  readonly amount: string
  /** The whole amount due: `pay_amount` of the look-up. */
  readonly total: string
  readonly coin: string
  readonly paid: string
  readonly address: string
  readonly qr: Qr | null
  /** URL that opens a wallet app, if there is a scheme for it. */
  readonly uri: string | null
  readonly receipt: Receipt
  readonly confirmations: number
  readonly needed: number
  /** Time until which the amount is valid; epoch milliseconds by the gateway's clock. */
  readonly until: number
  /** End of the payment window; epoch milliseconds. */
  readonly open: number
  readonly now: number
}

/** Statuses as shown to customers. */
export type Phase = 'waiting' | 'partly' | 'seen' | 'paid' | 'expired' | 'late' | 'failed' | 'returning' | 'refunded'

/** A QR code with its quiet zone as an SVG path, with `size` units per side. */
export interface Qr {
  readonly size: number
  readonly path: string
}

const phases: Readonly<Record<PaymentStatus, Phase>> = {
  waiting: 'waiting',
  confirming: 'seen',
  confirmed: 'paid',
  sending: 'paid',
  finished: 'paid',
  partially_paid: 'partly',
  failed: 'failed',
  refunded: 'refunded',
  expired: 'expired',
}

/** States of a refund in which nothing more is due. */
const underWay: readonly RefundRow['state'][] = ['approved', 'sent', 'done']

/** Returns a payment as its customer sees it, in one language; amounts are the same in all. */
export async function paymentViewOf(
  app: Gateway,
  reader: Reader,
  payment: PaymentRow,
  language: PageLanguage,
): Promise<PaymentView> {
  const coin = coinOf(payment.pay_currency)
  const scale = scaleOf(payment.pay_currency)
  const due = parseUnits(payment.pay_amount, scale)
  const paid = parseUnits(payment.actually_paid, scale)
  const left = payment.status === 'partially_paid' && coin ? restDue(due, paid, coin) : due
  const amount = amountText(left, payment.pay_currency)
  // An expired payment is shown differently when a part of it arrived.
  const isLate = payment.status === 'expired' && paid > 0n
  const refunds = (await refundsOf(reader, payment.id)).map(({ state }) => state)
  const isReturning = payment.status === 'partially_paid' && refunds.some((state) => underWay.includes(state))
  const phase = isLate ? 'late' : isReturning ? 'returning' : phases[payment.status]
  const isPayable = phase === 'waiting' || phase === 'partly'
  const { confirmations, needed } = await depthOf(app, reader, payment)
  const ticker = coin?.asset.toUpperCase() ?? payment.pay_currency
  const strings = stringsIn(language)
  const price = priceText(payment, language)
  const part = phase === 'seen' ? await detectedPart(reader, payment) : null
  const { title, text: phaseText } = part === null ? strings.phases[phase] : strings.partSeen
  // The customer's next step is shown instead of the phase's text.
  const text = refunds.includes('approved') ? strings.refund.open : phaseText
  const request = isPayable && coin ? paymentRequest(coin, payment.environment, payment.address, left) : null
  const shop = (await merchantOf(reader, payment.merchant))?.name ?? ''
  const paidText = `${amountText(part ?? paid, payment.pay_currency)} ${ticker}`
  return {
    phase,
    title,
    text: fill(text, {
      amount: `${amount} ${ticker}`,
      paid: paidText,
      done: String(confirmations),
      needed: String(needed),
      shop,
      id: String(payment.id),
    }),
    heading: fill(strings.titled, { title, price }),
    price,
    rate: isPayable ? rateText(payment, language) : null,
    amount,
    total: payment.pay_amount,
    coin: ticker,
    paid: amountText(paid, payment.pay_currency),
    // Customers must not send to an address whose deposits no longer count toward this payment.
    address: isPayable || phase === 'seen' ? payment.address : '',
    qr: request === null ? null : codes(request.qr, () => qrOf(request.qr)),
    uri: request?.link ?? null,
    receipt: await receiptOf(app, reader, payment, ticker, language),
    confirmations,
    needed,
    until: payment.quote_until,
    open: payment.valid_until,
    now: reader.now,
  }
}

/** Returns the detected amount, confirmed or not, if it does not cover the amount due; otherwise null. */
async function detectedPart(reader: Reader, payment: PaymentRow): Promise<bigint | null> {
  const detected = await liveDeposits(reader, payment)
  if (covers(detected, await toleranceOf(reader, payment))) return null
  return detected.reduce((sum, { units }) => sum + units, 0n)
}

/** Returns the lowest depth of the deposits that wait for confirmations, and the required depth. */
async function depthOf(app: Gateway, reader: Reader, payment: PaymentRow) {
  const needed = networks[payment.network].confirmations
  const open = (await depositsOf(reader, payment.id)).filter(({ state }) => state === 'seen')
  const depths = await Promise.all(open.map(({ tx_id }) => app.chains.depthOf(reader, tx_id)))
  return { confirmations: Math.min(needed, ...depths), needed }
}

/** Cache of QR codes by text. Pages poll every few seconds, and encoding a code takes 3 ms. */
const codes = createCache<Qr>(500)

function qrOf(text: string): Qr {
  // A quiet zone of four modules: without it, scanners cannot find the code on a dark page.
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  // One rectangle for each run of dark modules in a row.
  const rows = data.map((row, y) => {
    let path = ''
    for (let x = 0; x < size; x++) {
      if (!row[x]) continue
      const start = x
      while (x < size && row[x]) x++
      path += `M${start} ${y}h${x - start}v1h-${x - start}z`
    }
    return path
  })
  return { size, path: rows.join('') }
}

/** The merchant's URLs to return to; null if an invoice has none. */
export interface ReturnLinks {
  readonly success: string | null
  readonly cancel: string | null
  readonly partly: string | null
}

export const returnLinksOf = (invoice: InvoiceRow | undefined): ReturnLinks => ({
  success: invoice?.success_url ?? null,
  cancel: invoice?.cancel_url ?? null,
  partly: invoice?.partially_paid_url ?? null,
})

/** Returns the display names of a coin and its network. */
export function coinNames(coin: Coin, environment: MerchantRow['environment']) {
  const network = networks[coin.network]
  return {
    ticker: coin.asset.toUpperCase(),
    name: coin.name.replace(/ \(.*\)$/, ''),
    network: environment === 'sandbox' ? `${network.name} (${network.testnet})` : network.name,
  }
}
