import { encode } from 'uqr'
import type { InvoiceRow, MerchantRow, PaymentRow } from '../../../db/schema/gateway.ts'
import type { Reader } from '../../../db/store.ts'
import { type Coin, coinOf, contractOf } from '../../../domain/chains/coins.ts'
import { networks } from '../../../domain/chains/networks.ts'
import { parseUnits } from '../../../domain/money.ts'
import { amountText, scaleOf } from '../../../domain/payments/amounts.ts'
import { restDue } from '../../../domain/payments/deposits.ts'
import type { PaymentStatus } from '../../../domain/payments/payment.ts'
import { depositsOf, isRefunding } from '../queries/payments.ts'
import type { Gateway } from '../service.ts'
import { type PageLanguage, wordsIn } from './language.ts'
import { fill } from './messages.ts'

/** What a customer sees of a payment: the page shows it, and its script asks for it again while the page is open. */
export interface Sight {
  readonly phase: Phase
  readonly title: string
  readonly text: string
  /** The name of the page: how it stands, and the price. */
  readonly heading: string
  readonly price: string
  /** What is still to be sent; all that is due at the beginning. */
  readonly amount: string
  /** All that is due: `pay_amount` of the look-up. */
  readonly total: string
  readonly coin: string
  readonly paid: string
  readonly address: string
  readonly qr: Qr | null
  /** What opens a wallet on the customer's own device, where there is a scheme for it. */
  readonly uri: string | null
  readonly confirmations: number
  readonly needed: number
  /** The moment until which the amount holds; epoch milliseconds by the gateway's own clock. */
  readonly until: number
  /** The moment until which the address is watched. */
  readonly open: number
  readonly now: number
}

/** The statuses as a customer tells them apart. */
export type Phase = 'waiting' | 'partly' | 'seen' | 'paid' | 'expired' | 'late' | 'failed' | 'returning' | 'refunded'

/** The dark modules of a QR code and the quiet zone around them, as the path of an SVG with this many units to a side. */
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

/** A payment as its customer sees it, in one language; amounts are the same in all. */
export async function sightOf(
  app: Gateway,
  reader: Reader,
  payment: PaymentRow,
  language: PageLanguage,
): Promise<Sight> {
  const coin = coinOf(payment.pay_currency)
  const scale = scaleOf(payment.pay_currency)
  const due = parseUnits(payment.pay_amount, scale)
  const paid = parseUnits(payment.actually_paid, scale)
  const left = payment.status === 'partially_paid' && coin ? restDue(due, paid, coin) : due
  const amount = amountText(left, payment.pay_currency)
  // Of one that ran out of time it matters to its customer whether anything came at all.
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
    // Nobody should send to an address that is no longer watched for this.
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

/** How deep the deposit lies that is still waited for. */
async function depthOf(app: Gateway, reader: Reader, payment: PaymentRow) {
  const needed = networks[payment.network].confirmations
  const open = (await depositsOf(reader, payment.id)).filter(({ state }) => state === 'seen')
  const depths = await Promise.all(open.map(({ tx_id }) => app.chains.depthOf(reader, tx_id)))
  return { confirmations: Math.min(needed, ...depths), needed }
}

/** A price as people write it. */
export function priceText({
  price_amount,
  price_currency,
}: Pick<PaymentRow | InvoiceRow, 'price_amount' | 'price_currency'>) {
  return `${price_amount} ${(coinOf(price_currency)?.asset ?? price_currency).toUpperCase()}`
}

/** What wallets read: an address with its amount where a scheme for that is common, the bare address elsewhere. */
function uriFor(coin: Coin, { address, environment }: PaymentRow, amount: string): string {
  const contract = contractOf(coin, environment)
  if (coin.network === 'btc') return `bitcoin:${address}?amount=${amount}`
  if (coin.network === 'sol')
    return `solana:${address}?amount=${amount}${contract === null ? '' : `&spl-token=${contract}`}`
  return address
}

function qrOf(text: string): Qr {
  // Four light modules all around: without them, readers do not find the code on a dark page.
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

/** Where a customer is sent from the page, if anywhere. */
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

/** The names a page shows of a coin and where it travels. */
export function coinNames(coin: Coin, environment: MerchantRow['environment']) {
  const network = networks[coin.network]
  return {
    ticker: coin.asset.toUpperCase(),
    name: coin.name.replace(/ \(.*\)$/, ''),
    network: environment === 'sandbox' ? `${network.name} (${network.testnet})` : network.name,
  }
}
