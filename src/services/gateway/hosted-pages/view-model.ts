import { encode } from 'uqr'
import type { InvoiceRow, MerchantRow, PaymentRow } from '../../../db/schema/gateway.ts'
import type { Reader } from '../../../db/store.ts'
import { type Coin, coinOf, contractOf } from '../../../domain/chains/coins.ts'
import { networks } from '../../../domain/chains/networks.ts'
import { parseUnits } from '../../../domain/money.ts'
import { amountText, scaleOf } from '../../../domain/payments/amounts.ts'
import { restDue } from '../../../domain/payments/deposits.ts'
import type { PaymentStatus } from '../../../domain/payments/payment.ts'
import { depositsOf } from '../queries/payments.ts'
import { isRefunding } from '../queries/refunds.ts'
import type { Gateway } from '../service.ts'
import { type PageLanguage, wordsIn } from './language.ts'
import { fill } from './messages.ts'

/** A payment as its customer sees it. The page shows it, and its script polls it. */
export interface PaymentView {
  readonly phase: Phase
  readonly title: string
  readonly text: string
  /** Title of the page: status and price. */
  readonly heading: string
  readonly price: string
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
  readonly confirmations: number
  readonly needed: number
  /** Time until which the amount is valid; epoch milliseconds by the gateway's clock. */
  readonly until: number
  /** Time until which the address is watched. */
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

/** Returns a payment as its customer sees it, in one language; amounts are the same in all. */
export async function sightOf(
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
  const isReturning = payment.status === 'partially_paid' && (await isRefunding(reader, payment.id))
  const phase = isLate ? 'late' : isReturning ? 'returning' : phases[payment.status]
  const isPayable = phase === 'waiting' || phase === 'partly'
  const { confirmations, needed } = await depthOf(app, reader, payment)
  const ticker = coin?.asset.toUpperCase() ?? payment.pay_currency
  const words = wordsIn(language)
  const price = priceText(payment)
  const { title, text } = words.phases[phase]
  const uri = isPayable && coin ? uriFor(coin, payment, amount) : null
  return {
    phase,
    title,
    text: fill(text, { amount: `${amount} ${ticker}`, done: String(confirmations), needed: String(needed) }),
    heading: fill(words.titled, { title, price }),
    price,
    amount,
    total: payment.pay_amount,
    coin: ticker,
    paid: amountText(paid, payment.pay_currency),
    // Nobody should send to an address that is no longer watched for this payment.
    address: isPayable || phase === 'seen' ? payment.address : '',
    qr: uri === null ? null : qrOf(uri),
    uri: uri?.includes(':') ? uri : null,
    confirmations,
    needed,
    until: payment.quote_until,
    open: payment.valid_until,
    now: reader.now,
  }
}

/** Returns the depth of the deposit that is waiting for confirmations. */
async function depthOf(app: Gateway, reader: Reader, payment: PaymentRow) {
  const needed = networks[payment.network].confirmations
  const open = (await depositsOf(reader, payment.id)).filter(({ state }) => state === 'seen')
  const depths = await Promise.all(open.map(({ tx_id }) => app.chains.depthOf(reader, tx_id)))
  return { confirmations: Math.min(needed, ...depths), needed }
}

/** Formats a price for people. */
export function priceText({
  price_amount,
  price_currency,
}: Pick<PaymentRow | InvoiceRow, 'price_amount' | 'price_currency'>) {
  return `${price_amount} ${(coinOf(price_currency)?.asset ?? price_currency).toUpperCase()}`
}

/** Returns the URI for wallets: an address with amount if a scheme is common, otherwise the bare address. */
function uriFor(coin: Coin, { address, environment }: PaymentRow, amount: string): string {
  const contract = contractOf(coin, environment)
  if (coin.network === 'btc') return `bitcoin:${address}?amount=${amount}`
  if (coin.network === 'sol')
    return `solana:${address}?amount=${amount}${contract === null ? '' : `&spl-token=${contract}`}`
  return address
}

function qrOf(text: string): Qr {
  // A quiet zone of four modules: without it, scanners do not find the code on a dark page.
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  // One stroke for each run of dark modules in a row.
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

/** Links that lead the customer back, if any. */
export interface Ways {
  readonly success: string | null
  readonly cancel: string | null
  readonly partly: string | null
}

export const waysOf = (invoice: InvoiceRow | undefined): Ways => ({
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
