import type { InvoiceRow, MerchantRow, PaymentRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { coinOf } from '../../../domain/chains/coins.ts'
import { amountText } from '../../../domain/payments/amounts.ts'
import { hasEnded } from '../../../domain/payments/payment.ts'
import { letters } from '../../../kit/ids.ts'
import { checkMayMove } from '../account-standing.ts'
import { refuse } from '../api/contract.ts'
import type {
  Invoice,
  InvoiceInput,
  InvoiceListQuery,
  InvoicePage,
  InvoicePaymentInput,
  ListedInvoice,
  NewPayment,
} from '../api/schemas.ts'
import { toInvoice, toNewPayment } from '../api/views.ts'
import { callbackUrl, pageLink } from '../ipn/ipns.ts'
import { insertInvoice, invoiceOf, invoicesOf, nextId, paymentsOf } from '../queries/payments.ts'
import { enabledCoin, theCoin, theCurrency, thePrice } from '../rates/currencies.ts'
import { currentRates } from '../rates/rates.ts'
import type { Gateway } from '../service.ts'
import { checkPayable } from './payable.ts'
import { checkPrice, checkSettlementAddress, isDown, isOn, momentOf, openPayment } from './payments.ts'

/** Creates an invoice. Nothing is quoted until the customer has chosen a coin. */
export async function createInvoice(
  app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  input: InvoiceInput,
): Promise<Invoice> {
  await checkMayMove(tx, merchant)
  const priceCurrency = theCurrency(input.price_currency)
  const price = thePrice(input.price_amount, priceCurrency, 'price_amount')
  const coin = input.pay_currency ? await enabledCoin(tx, merchant, input.pay_currency) : undefined
  const isFeePaidByUser = isOn(input.is_fee_paid_by_user, 'is_fee_paid_by_user')
  // A customer could not pay an invoice whose price is outside the limits of every coin.
  if (coin) checkPrice(await currentRates(app, tx), price, priceCurrency, { coin, isFeePaidByUser })
  else await checkPayable(app, tx, merchant, { price, currency: priceCurrency, isFeePaidByUser })
  const invoice: InvoiceRow = {
    id: String(await nextId(tx)),
    environment: merchant.environment,
    merchant: merchant.id,
    page_token: letters(24, app.random),
    price_amount: amountText(price, priceCurrency),
    price_currency: priceCurrency,
    pay_currency: coin?.code ?? null,
    payout_currency: input.payout_currency ? theCoin(input.payout_currency).code : null,
    order_id: input.order_id === null || input.order_id === undefined ? null : String(input.order_id),
    order_description: input.order_description ?? null,
    ipn_callback_url: callbackUrl(app, input.ipn_callback_url),
    success_url: pageLink(input.success_url, 'success_url'),
    cancel_url: pageLink(input.cancel_url, 'cancel_url'),
    partially_paid_url: pageLink(input.partially_paid_url, 'partially_paid_url'),
    customer_email: input.customer_email ?? null,
    is_fixed_rate: isOn(input.is_fixed_rate, 'is_fixed_rate') ? 1 : 0,
    is_fee_paid_by_user: isFeePaidByUser ? 1 : 0,
    created_at: tx.now,
    updated_at: tx.now,
  }
  await insertInvoice(tx, invoice)
  return toInvoice(app, invoice)
}

async function theInvoice(reader: Reader, merchant: MerchantRow, id: string): Promise<InvoiceRow> {
  const invoice = await invoiceOf(reader, id)
  if (!invoice || invoice.merchant !== merchant.id) throw refuse('NOT_FOUND', `There is no invoice ${id}`)
  return invoice
}

export function readInvoice(app: Gateway, merchant: MerchantRow, id: string): Promise<Invoice> {
  return app.store.read(async (reader) => toInvoice(app, await theInvoice(reader, merchant, id)))
}

/** Lists invoices with the payment that their page shows. */
export function listInvoices(app: Gateway, merchant: MerchantRow, query: InvoiceListQuery): Promise<InvoicePage> {
  const isDescending = isDown(query.orderBy, 'orderBy')
  const { limit = 10, page = 0 } = query
  const filter = {
    merchant: merchant.id,
    from: momentOf(query.dateFrom, 'dateFrom'),
    to: momentOf(query.dateTo, 'dateTo', 'end'),
    orderId: query.orderId,
  }
  return app.store.read(async (reader) => {
    const { rows, count } = await invoicesOf(reader, filter, { limit, offset: page * limit, isDescending })
    const data: ListedInvoice[] = []
    for (const row of rows) {
      const payment = await currentPayment(reader, row)
      data.push({
        ...toInvoice(app, row),
        gw_payment_id: payment?.id ?? null,
        gw_payment_status: payment?.status ?? null,
      })
    }
    return { data, limit, page, pagesCount: Math.ceil(count / limit), total: count }
  })
}

/**
 * Returns the current payment of an invoice: the latest with a deposit, else the latest open one. If there is neither,
 * it is the latest that expired with a part of its amount.
 */
export async function currentPayment(reader: Reader, invoice: InvoiceRow): Promise<PaymentRow | undefined> {
  const payments = (await paymentsOf(reader, { merchant: invoice.merchant, invoiceId: invoice.id })).filter(
    ({ parent_id }) => parent_id === null,
  )
  const latest = (predicate: (payment: PaymentRow) => boolean) => payments.findLast(predicate)
  return (
    latest(({ status }) => status !== 'waiting' && status !== 'expired') ??
    latest(({ status, valid_until }) => status === 'waiting' && !hasEnded(valid_until, reader.now)) ??
    latest(({ status, actually_paid }) => status === 'expired' && actually_paid !== '0')
  )
}

/**
 * Creates a payment for an invoice in the customer's coin, with the invoice's price, order and callback. Throws
 * CONFLICT for an invoice that received money: it keeps its payment.
 */
export async function createInvoicePayment(
  app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  input: InvoicePaymentInput,
): Promise<NewPayment> {
  const invoice = await theInvoice(tx, merchant, String(input.iid))
  const coin = coinOf(input.pay_currency)
  if (invoice.pay_currency !== null && coin?.code !== invoice.pay_currency)
    throw refuse('CONFLICT', `Invoice ${invoice.id} is paid in ${invoice.pay_currency}`)
  const current = await currentPayment(tx, invoice)
  if (current && current.status !== 'waiting')
    throw refuse('CONFLICT', `Invoice ${invoice.id} has the payment ${current.id} with status ${current.status}`)
  const payoutCurrency = input.payout_currency || invoice.payout_currency
  await checkSettlementAddress(tx, merchant, payoutCurrency ?? input.pay_currency, input.payout_address)
  const payment = await openPayment(app, tx, merchant, {
    price: invoice.price_amount,
    priceCurrency: invoice.price_currency,
    payCurrency: input.pay_currency,
    payoutCurrency,
    orderId: invoice.order_id,
    orderDescription: input.order_description ?? invoice.order_description,
    callback: invoice.ipn_callback_url,
    customerEmail: input.customer_email ?? invoice.customer_email,
    isFixedRate: invoice.is_fixed_rate === 1,
    isFeePaidByUser: invoice.is_fee_paid_by_user === 1,
    invoiceId: invoice.id,
  })
  return toNewPayment(app, payment)
}
