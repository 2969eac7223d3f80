import type { InvoiceRow, PaymentRow } from '../../../db/schema/gateway.ts'
import { coinOf } from '../../../domain/chains/coins.ts'
import { type GatewayEnvironment, gatewayEnvironments } from '../../../domain/chains/networks.ts'
import { hasEnded } from '../../../domain/payments/payment.ts'
import { readScript, type Script, sendScript } from '../../../http/server/packed-text.ts'
import { basePathOf, reachedBy } from '../../../http/server/public-url.ts'
import { type RouteRequest, type Routes, readFormOf } from '../../../http/server/routes.ts'
import { ownFile } from '../../../kit/module-path.ts'
import { isProblem } from '../../../kit/problem.ts'
import { theMerchant } from '../admin/platform.ts'
import { readCurrent } from '../payments/current.ts'
import { createInvoicePayment, currentPayment } from '../payments/invoices.ts'
import { offerOf } from '../payments/payments.ts'
import { invoiceByToken, invoiceOf, paymentByToken, paymentOf, paymentsOf } from '../queries/payments.ts'
import { listMerchantCoins, theCoin } from '../rates/currencies.ts'
import { readRates } from '../rates/rates.ts'
import type { Gateway } from '../service.ts'
import { making } from '../write-groups.ts'
import { choicePage, refusedPage } from './choice-html.ts'
import { networkFeeText } from './format.ts'
import { paymentPage } from './html.ts'
import type { PageLanguage } from './language.ts'
import { addRefundRoutes } from './refund-routes.ts'
import {
  nothing,
  type RequestLanguage,
  requestLanguageOf,
  type Site,
  sendHtml,
  tokenOf,
  withLanguage,
} from './reply.ts'
import { type PaymentView, paymentViewOf, returnLinksOf } from './view-model.ts'

/** Returns the routes of the customer pages of payments and invoices. Anyone who has a page's link can open it. */
export function gatewayPages(app: Gateway): Routes {
  return (table) => {
    let script: Script | undefined
    table.get('/hosted-payment.js', async (request, reply) => {
      script ??= readScript(ownFile('services/gateway/hosted-pages/hosted-payment'))
      return sendScript(request, reply, script)
    })
    for (const environment of gatewayEnvironments) {
      const base = environment === 'sandbox' ? '/sandbox' : ''
      const siteOf = (request: RouteRequest) => siteAt(app, request, base)
      addRefundRoutes(app, table, environment, base, siteOf)
      table.get(`${base}/pay/:token`, async (request, reply) => {
        const requestLanguage = requestLanguageOf(request)
        const context = await lookUp(app, environment, tokenOf(request), requestLanguage.language)
        return context
          ? sendHtml(reply, requestLanguage, 200, await pageOf(app, siteOf(request), requestLanguage, context))
          : nothing(reply, requestLanguage)
      })
      table.get(`${base}/pay/:token/state`, async (request, reply) => {
        const context = await lookUp(app, environment, tokenOf(request), requestLanguageOf(request).language)
        if (!context) return reply.code(404).send({ message: 'Not found' })
        return reply.header('cache-control', 'no-store').send(context.view)
      })
      table.get(`${base}/invoice/:token`, async (request, reply) => {
        const requestLanguage = requestLanguageOf(request)
        const token = tokenOf(request)
        const invoice = await app.store.read((reader) => invoiceByToken(reader, environment, token))
        if (!invoice) return nothing(reply, requestLanguage)
        const current = await app.store.read((reader) => currentPayment(reader, invoice))
        const mayChoose = current === undefined || (current.status === 'waiting' && invoice.pay_currency === null)
        if (current && !(mayChoose && request.query['choose'] !== undefined)) {
          const context = await lookUp(app, environment, current.page_token, requestLanguage.language)
          if (context)
            return sendHtml(reply, requestLanguage, 200, await pageOf(app, siteOf(request), requestLanguage, context))
        }
        return sendHtml(reply, requestLanguage, 200, await choiceOf(app, siteOf(request), requestLanguage, invoice))
      })
      table.post(`${base}/invoice/:token`, async (request, reply) => {
        const requestLanguage = requestLanguageOf(request)
        const token = tokenOf(request)
        const invoice = await app.store.read((reader) => invoiceByToken(reader, environment, token))
        if (!invoice) return nothing(reply, requestLanguage)
        // The form has one field, so 1,024 bytes are enough.
        const { coin: chosenCoin } = await readFormOf(request, 1024)
        const coin = String(chosenCoin ?? '')
        try {
          const chosen = await choose(app, invoice, coin)
          return reply
            .code(303)
            .header('location', withLanguage(`${siteOf(request).pages}/pay/${chosen}`, requestLanguage))
            .send()
        } catch (error) {
          if (!isProblem(error)) throw error
          const again = withLanguage(`${siteOf(request).pages}/invoice/${token}?choose`, requestLanguage)
          return sendHtml(reply, requestLanguage, 409, refusedPage(requestLanguage.language, coin, error, again))
        }
      })
    }
  }
}

function siteAt(app: Gateway, request: RouteRequest, base: string): Site {
  const basePath = basePathOf(reachedBy(app, request).config.publicUrl())
  return { root: basePath, pages: `${basePath}${base}` }
}

interface PaymentContext {
  readonly payment: PaymentRow
  readonly invoice: InvoiceRow | undefined
  readonly view: PaymentView
}

/** Returns the payment of a link. An expired quote is replaced first, so that a customer sees the current amount. */
async function lookUp(
  app: Gateway,
  environment: GatewayEnvironment,
  token: string,
  language: PageLanguage,
): Promise<PaymentContext | undefined> {
  const [payment] = await readCurrent(app, async (reader) => {
    const row = await paymentByToken(reader, environment, token)
    return row ? [row] : []
  })
  if (!payment) return undefined
  return app.store.read(async (reader) => {
    const invoice = payment.invoice_id === null ? undefined : await invoiceOf(reader, payment.invoice_id)
    return { payment, invoice, view: await paymentViewOf(app, reader, payment, language) }
  })
}

async function pageOf(
  app: Gateway,
  site: Site,
  requestLanguage: RequestLanguage,
  { payment, invoice, view }: PaymentContext,
): Promise<string> {
  const merchant = await app.store.read((reader) => theMerchant(reader, payment.merchant))
  const mayChoose = invoice?.pay_currency === null && payment.status === 'waiting'
  return paymentPage({
    language: requestLanguage.language,
    scriptPath: `${site.root}/hosted-payment.js`,
    shop: { name: merchant.name, isSandbox: merchant.environment === 'sandbox' },
    payment,
    view,
    returnLinks: returnLinksOf(invoice),
    // Always with the language, so that the state has the same language as the page.
    statePath: `${site.pages}/pay/${payment.page_token}/state?lang=${requestLanguage.language}`,
    choicePath: mayChoose ? withLanguage(`${site.pages}/invoice/${invoice.page_token}?choose`, requestLanguage) : null,
  })
}

/**
 * Returns the page token of the payment in the chosen coin: an existing one, or a new one. An invoice that received
 * money keeps its payment.
 */
function choose(app: Gateway, invoice: InvoiceRow, coin: string): Promise<string> {
  return making(app, async (tx) => {
    const current = await currentPayment(tx, invoice)
    if (current && current.status !== 'waiting') return current.page_token
    const same = (await paymentsOf(tx, { merchant: invoice.merchant, invoiceId: invoice.id })).find(
      ({ status, pay_currency, valid_until }) =>
        status === 'waiting' && pay_currency === coin.toLowerCase() && !hasEnded(valid_until, tx.now),
    )
    if (same) return same.page_token
    const merchant = await theMerchant(tx, invoice.merchant)
    const made = await createInvoicePayment(app, tx, merchant, { iid: invoice.id, pay_currency: coin })
    const payment = await paymentOf(tx, made.payment_id)
    if (!payment) throw new Error(`payment ${made.payment_id} was not stored`)
    return payment.page_token
  })
}

async function choiceOf(
  app: Gateway,
  site: Site,
  requestLanguage: RequestLanguage,
  invoice: InvoiceRow,
): Promise<string> {
  const merchant = await app.store.read((reader) => theMerchant(reader, invoice.merchant))
  const { currencies } = await listMerchantCoins(app, merchant)
  const codes = currencies
    .filter((code) => invoice.pay_currency === null || invoice.pay_currency === code)
    .sort((a, b) => rankOf(a) - rankOf(b))
  const rates = await readRates(app)
  const { language } = requestLanguage
  const fee = (code: string) =>
    rates.isFresh ? networkFeeText(rates.table, theCoin(code), invoice.price_currency, language) : null
  const offers = codes.map((code) => ({ ...offerOf(rates, invoice, code), fee: fee(code) }))
  return choicePage({
    language,
    scriptPath: `${site.root}/hosted-payment.js`,
    shop: { name: merchant.name, isSandbox: merchant.environment === 'sandbox' },
    invoice,
    // Unavailable coins are last, so that the first choice a customer sees is possible.
    offers: [...offers.filter(({ amount }) => amount !== null), ...offers.filter(({ amount }) => amount === null)],
    choosePath: withLanguage(`${site.pages}/invoice/${invoice.page_token}`, requestLanguage),
  })
}

/** Assets at the top of the page, most common first. The others follow in the order of the currency list. */
const first = ['usdt', 'usdc', 'btc', 'eth']

function rankOf(code: string): number {
  const at = first.indexOf(coinOf(code)?.asset ?? '')
  return at === -1 ? first.length : at
}
