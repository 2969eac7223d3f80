import type { InvoiceRow, MerchantRow, PaymentRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { depositAddress, sameAddressForm } from '../../../domain/chains/addresses.ts'
import type { Coin } from '../../../domain/chains/coins.ts'
import { parseUnits } from '../../../domain/money.ts'
import { amountText, roundedUp, scaleOf } from '../../../domain/payments/amounts.ts'
import { hasEnded, isDue, paymentStatuses, quoteMs, windowMs } from '../../../domain/payments/payment.ts'
import { maximumIn, minimumIn, type RateTable } from '../../../domain/payments/rates.ts'
import { dayMs, isDay } from '../../../domain/time/calendar.ts'
import { letters } from '../../../kit/ids.ts'
import { momentText } from '../../../kit/moment.ts'
import { isProblem, type Problem } from '../../../kit/problem.ts'
import { checkMayMove } from '../account-standing.ts'
import { refuse } from '../api/contract.ts'
import { statusesAmong } from '../api/filters.ts'
import type { NewPayment, Payment, PaymentInput, PaymentListQuery, PaymentPage } from '../api/schemas.ts'
import { toNewPayment, toPayment } from '../api/views.ts'
import { callbackUrl, enqueuePaymentIpn } from '../ipn/ipns.ts'
import { environmentOf, merchantCoins } from '../queries/merchants.ts'
import {
  countPayments,
  insertPayment,
  nextAddressIndex,
  nextId,
  type PaymentFilter,
  paymentIds,
  paymentKeys,
  paymentOf,
  paymentsWith,
} from '../queries/payments.ts'
import { isRefunding } from '../queries/refunds.ts'
import { enabledCoin, priced, theAmount, theCoin, theCurrency, thePrice } from '../rates/currencies.ts'
import { currentRates, type RateStanding } from '../rates/rates.ts'
import type { Gateway } from '../service.ts'
import { readCurrent } from './current.ts'
import { expectedOutcome, quote, requoted } from './quotes.ts'
import { runSandboxCase } from './sandbox-cases.ts'

/** Parameters of a payment, whether from a payment request, an invoice or a sub-account. */
export interface PaymentPlan {
  readonly price: number | string
  readonly priceCurrency: string
  readonly payCurrency: string
  /** Amount due in the coin, given by the merchant instead of the converted price. */
  readonly payAmount?: number | string | null | undefined
  readonly payoutCurrency?: string | null | undefined
  readonly orderId?: string | number | null | undefined
  readonly orderDescription?: string | null | undefined
  readonly callback: string | null
  readonly customerEmail?: string | null | undefined
  readonly isFixedRate: boolean
  readonly isFeePaidByUser: boolean
  readonly invoiceId?: string
  readonly subaccount?: string
}

/** Creates a payment with its own address. In the sandbox a given case simulates the customer. */
export async function createPayment(
  app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  input: PaymentInput,
): Promise<NewPayment> {
  await checkSettlementAddress(tx, merchant, input.payout_currency || input.pay_currency, input.payout_address)
  const payment = await openPayment(app, tx, merchant, {
    price: input.price_amount,
    priceCurrency: input.price_currency,
    payCurrency: input.pay_currency,
    payAmount: input.pay_amount,
    payoutCurrency: input.payout_currency,
    orderId: input.order_id,
    orderDescription: input.order_description,
    callback: callbackUrl(app, input.ipn_callback_url),
    customerEmail: input.customer_email,
    isFixedRate: isOn(input.is_fixed_rate ?? input.fixed_rate, 'is_fixed_rate'),
    isFeePaidByUser: isOn(input.is_fee_paid_by_user, 'is_fee_paid_by_user'),
  })
  if (merchant.environment === 'sandbox' && input.case) await runSandboxCase(app, tx, payment, input.case)
  return toNewPayment(app, payment)
}

/**
 * Checks that settlements go only to the wallet registered in the console: any other address is refused, not ignored.
 */
export async function checkSettlementAddress(
  reader: Reader,
  merchant: MerchantRow,
  currency: string,
  address: string | null | undefined,
): Promise<void> {
  if (address === null || address === undefined || address === '') return
  const { code, network } = theCoin(currency)
  const wallet = (await merchantCoins(reader, merchant.id)).find(({ coin }) => coin === code)?.wallet
  const isSame = wallet && sameAddressForm(network, wallet) === sameAddressForm(network, address.trim())
  if (!isSame) throw refuse('ADDRESS_NOT_WHITELISTED', `payout_address is not the registered wallet for ${code}`)
}

/**
 * Parses a boolean, also as text in any case; absent and empty are false. Throws INVALID_REQUEST_PARAMS for other text.
 */
export function isOn(sent: boolean | string | null | undefined, field: string): boolean {
  if (typeof sent !== 'string') return sent ?? false
  const text = sent.toLowerCase()
  if (text !== 'true' && text !== 'false' && text !== '')
    throw refuse('INVALID_REQUEST_PARAMS', `${field} must be true or false`, { field })
  return text === 'true'
}

/** Opens a payment: quotes it, assigns an address and enqueues the first callback. */
export async function openPayment(app: Gateway, tx: Tx, merchant: MerchantRow, plan: PaymentPlan): Promise<PaymentRow> {
  await checkMayMove(tx, merchant)
  const priceCurrency = theCurrency(plan.priceCurrency)
  const coin = await enabledCoin(tx, merchant, plan.payCurrency)
  const price = thePrice(plan.price, priceCurrency, 'price_amount')
  const rates = await currentRates(app, tx)
  const isFixedRate = plan.isFixedRate || plan.isFeePaidByUser
  const payAmount = plan.payAmount === null || plan.payAmount === undefined ? undefined : plan.payAmount
  const due =
    payAmount === undefined
      ? quote(rates, price, priceCurrency, coin, plan.isFeePaidByUser)
      : // Same precision as every other amount: a finer one would change with the first deposit.
        roundedUp(theAmount(payAmount, coin.code, 'pay_amount'), coin)
  checkRange(rates, coin, due)
  const outcomeCurrency = plan.payoutCurrency ? theCoin(plan.payoutCurrency).code : coin.code
  const environment = merchant.environment
  const validUntil = tx.now + (isFixedRate ? quoteMs : windowMs)
  const payment: PaymentRow = {
    id: await nextId(tx),
    environment,
    merchant: merchant.id,
    status: 'waiting',
    parent_id: null,
    invoice_id: plan.invoiceId ?? null,
    price_amount: amountText(price, priceCurrency),
    price_currency: priceCurrency,
    pay_amount: amountText(due, coin.code),
    whole_amount: amountText(due, coin.code),
    is_amount_given: payAmount === undefined ? 0 : 1,
    pay_currency: coin.code,
    network: coin.network,
    address: await newAddress(tx, merchant, coin),
    actually_paid: '0',
    paid_worth: '0',
    outcome_amount: expectedOutcome(rates, due, coin.code, outcomeCurrency),
    outcome_currency: outcomeCurrency,
    order_id: plan.orderId === null || plan.orderId === undefined ? null : String(plan.orderId),
    order_description: plan.orderDescription ?? null,
    ipn_callback_url: plan.callback,
    customer_email: plan.customerEmail ?? null,
    page_token: letters(24, app.random),
    is_fixed_rate: isFixedRate ? 1 : 0,
    is_fee_paid_by_user: plan.isFeePaidByUser ? 1 : 0,
    subaccount: plan.subaccount ?? null,
    created_at: tx.now,
    updated_at: tx.now,
    // An amount given by the merchant depends on no rate, so it is valid as long as the payment.
    quote_until: payAmount === undefined ? tx.now + quoteMs : validUntil,
    valid_until: validUntil,
  }
  await insertPayment(tx, payment)
  await enqueuePaymentIpn(tx, app, payment)
  return payment
}

/** Returns the current amount of an invoice in a coin, or the reason why it cannot be paid in that coin. */
export function offerOf(
  { table, isFresh }: RateStanding,
  invoice: InvoiceRow,
  code: string,
): { readonly coin: Coin; readonly amount: string | null; readonly because: Problem | null } {
  const coin = theCoin(code)
  try {
    if (!isFresh) throw refuse('RATE_UNAVAILABLE', 'No exchange rate is available: try again later')
    const price = parseUnits(invoice.price_amount, scaleOf(invoice.price_currency))
    const due = quote(table, price, invoice.price_currency, coin, invoice.is_fee_paid_by_user === 1)
    checkRange(table, coin, due)
    return { coin, amount: amountText(due, coin.code), because: null }
  } catch (error) {
    if (!isProblem(error)) throw error
    return { coin, amount: null, because: error }
  }
}

/** Throws if a price cannot be paid in a coin: below the minimum, above the maximum, or without a rate. */
export function checkPrice(
  rates: RateTable,
  price: bigint,
  currency: string,
  { coin, isFeePaidByUser }: { coin: Coin; isFeePaidByUser: boolean },
): void {
  checkRange(rates, coin, quote(rates, price, currency, coin, isFeePaidByUser))
}

function checkRange(rates: RateTable, coin: Coin, due: bigint): void {
  const minimum = priced(minimumIn(rates, coin))
  if (due < minimum)
    throw refuse('AMOUNT_TOO_SMALL', `The minimum payment is ${amountText(minimum, coin.code)} ${coin.code}`, {
      limit: amountText(minimum, coin.code),
    })
  const maximum = priced(maximumIn(rates, coin))
  if (due > maximum)
    throw refuse('AMOUNT_TOO_LARGE', `The maximum payment is ${amountText(maximum, coin.code)} ${coin.code}`, {
      limit: amountText(maximum, coin.code),
    })
}

async function newAddress(tx: Tx, merchant: MerchantRow, coin: Coin): Promise<string> {
  const itself = await environmentOf(tx, merchant.environment)
  if (!itself) throw refuse('POOL_EXHAUSTED', 'No deposit address is available')
  const index = await nextAddressIndex(tx, merchant.environment, coin.network)
  return depositAddress(Buffer.from(itself.seed, 'hex'), merchant.environment, coin.network, index)
}

/** Returns the merchant's payment with this id. Throws NOT_FOUND, also for the payment of another account. */
export async function thePayment(reader: Reader, merchant: MerchantRow, id: string): Promise<PaymentRow> {
  if (!/^[0-9]{1,15}$/.test(id))
    throw refuse('INVALID_REQUEST_PARAMS', 'payment_id must be a number', { field: 'payment_id' })
  const payment = await paymentOf(reader, Number(id))
  if (!payment || payment.merchant !== merchant.id) throw refuse('NOT_FOUND', `There is no payment ${id}`)
  return payment
}

export async function readPayment(app: Gateway, merchant: MerchantRow, id: string): Promise<Payment> {
  const [row] = await readCurrent(app, async (reader) => [await thePayment(reader, merchant, id)])
  if (!row) throw new Error(`payment ${id} was not read`)
  return toPayment(row)
}

/** Reads payments of any merchant, for the simulator. */
export async function paymentStandings(app: Gateway, ids: readonly number[]): Promise<Payment[]> {
  const rows = await readCurrent(app, async (reader) => {
    const payments = await Promise.all(ids.map((id) => paymentOf(reader, id)))
    return payments.filter((row) => row !== undefined)
  })
  return rows.map(toPayment)
}

/**
 * Returns the amount due and its expiry. A valid quote is returned unchanged; an expired one is replaced first. Throws
 * CONFLICT when no amount is due.
 */
export function updateEstimate(app: Gateway, merchant: MerchantRow, id: string) {
  return app.store.write(async (tx) => {
    const payment = await thePayment(tx, merchant, id)
    if (!isDue(payment.status)) throw refuse('CONFLICT', `No amount is due for a ${payment.status} payment`)
    if (hasEnded(payment.valid_until, tx.now)) throw refuse('CONFLICT', `The payment window of ${id} has ended`)
    if (await isRefunding(tx, payment.id)) throw refuse('CONFLICT', `A refund of payment ${id} is under way`)
    const current = await requoted(app, tx, payment)
    return {
      id: String(current.id),
      token_id: current.page_token,
      pay_amount: Number(current.pay_amount),
      expiration_estimate_date: momentText(current.quote_until),
    }
  })
}

// ── The list ──

/** Column of each sort key. */
const columns = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  payment_id: 'id',
  payment_status: 'status',
  pay_address: 'address',
  price_amount: 'price_amount',
  price_currency: 'price_currency',
  pay_amount: 'pay_amount',
  actually_paid: 'actually_paid',
  pay_currency: 'pay_currency',
  order_id: 'order_id',
  order_description: 'order_description',
  // `purchase_id` is always null, so the list is sorted by id.
  purchase_id: 'id',
  outcome_amount: 'outcome_amount',
  outcome_currency: 'outcome_currency',
} as const satisfies Record<string, keyof PaymentRow>

export async function listPayments(app: Gateway, merchant: MerchantRow, query: PaymentListQuery): Promise<PaymentPage> {
  const sortBy = query.sortBy ?? 'created_at'
  if (!isSortKey(sortBy))
    throw refuse('INVALID_REQUEST_PARAMS', `sortBy must be one of ${Object.keys(columns).join(', ')}`, {
      field: 'sortBy',
    })
  const isDescending = isDown(query.orderBy, 'orderBy')
  const limit = query.limit ?? 10
  const page = query.page ?? 0
  const filter: PaymentFilter = {
    merchant: merchant.id,
    from: momentOf(query.dateFrom, 'dateFrom'),
    to: momentOf(query.dateTo, 'dateTo', 'end'),
    invoiceId: query.invoiceId,
    orderId: query.orderId,
    statuses: statusesAmong(query.status, paymentStatuses),
  }
  let total = 0
  const rows = await readCurrent(app, async (reader) => {
    total = await countPayments(reader, filter)
    const ids = await pageOfIds(reader, filter, columns[sortBy], isDescending, { limit, offset: page * limit })
    return paymentsWith(reader, ids)
  })
  return { data: rows.map(toPayment), limit, page, pagesCount: Math.ceil(total / limit), total }
}

type SortColumn = (typeof columns)[keyof typeof columns]

function isSortKey(text: string): text is keyof typeof columns {
  return Object.hasOwn(columns, text)
}

/**
 * Returns one page of the ids of matching payments. The database sorts numbers. Texts are sorted here, because engines
 * differ in collation and cannot compare amounts.
 */
export async function pageOfIds(
  reader: Reader,
  filter: PaymentFilter,
  column: SortColumn,
  isDescending: boolean,
  { limit, offset }: { limit: number; offset: number },
): Promise<number[]> {
  if (column === 'id' || column === 'created_at' || column === 'updated_at')
    return paymentIds(reader, filter, { column, isDescending, limit, offset })
  const byKey = Map.groupBy(await paymentKeys(reader, filter, column), ({ key }) => sortKey(column, key))
  const rows = [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? [])
  if (isDescending) rows.reverse()
  return rows.slice(offset, offset + limit).map(({ id }) => id)
}

/** Returns text that sorts like the column. Amounts of different currencies compare as plain numbers at one scale. */
function sortKey(column: SortColumn, key: string | null): string {
  const isAmount = column.endsWith('_amount') || column === 'actually_paid'
  return isAmount ? String(parseUnits(key ?? '0', 18)).padStart(60, '0') : (key ?? '')
}

/** Returns whether a list is in descending order. Throws INVALID_REQUEST_PARAMS unless the text is `asc` or `desc`. */
export function isDown(order: string | undefined, field: string): boolean {
  const word = (order ?? 'asc').toLowerCase()
  if (word !== 'asc' && word !== 'desc')
    throw refuse('INVALID_REQUEST_PARAMS', `${field} must be asc or desc`, { field })
  return word === 'desc'
}

/** Pattern of the time and zone that may follow the day in a request. */
const timePattern = /^([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?$/i

/** Parses a day or time as a bound; a day's end is its last millisecond. A time without a zone is UTC. */
export function momentOf(text: string | undefined, field: string, edge: 'start' | 'end' = 'start'): number | undefined {
  if (text === undefined) return undefined
  const day = text.slice(0, 10)
  const timeMatch = timePattern.exec(text.slice(10))
  const [, time = 'T00:00', zone = 'Z'] = timeMatch ?? []
  const isRight = isDay(day) && (timeMatch !== null || text.length === 10)
  const at = isRight ? Date.parse(`${day}${time}${zone}`) : Number.NaN
  if (Number.isNaN(at)) throw refuse('INVALID_REQUEST_PARAMS', `${field} must be a date`, { field })
  return timeMatch === null && edge === 'end' ? at + dayMs - 1 : at
}
