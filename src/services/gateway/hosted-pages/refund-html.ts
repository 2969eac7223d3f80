import type { PaymentRow, RefundRow } from '../../../db/schema/gateway.ts'
import { addressPattern } from '../../../domain/chains/addresses.ts'
import { amountText } from '../../../domain/payments/amounts.ts'
import { html, type Markup, Markup as Raw } from '../../../kit/html.ts'
import { theCoin } from '../rates/currencies.ts'
import { type PageLanguage, stringsIn } from './language.ts'
import { fact, page, type Shop, statusHead } from './layout.ts'
import { fill, type PageMessage } from './messages.ts'
import { coinNames } from './view-model.ts'

/** Page on which a customer names the address of a refund that staff approved. It has no script. */
export interface RefundPage {
  readonly language: PageLanguage
  readonly shop: Shop
  readonly payment: PaymentRow
  readonly refund: RefundRow
  /** Path of this page; the form posts to it. */
  readonly path: string
  readonly paymentPath: string
  /** Address from the form: refused with a reason, or valid (`fault` is null) and waiting for the confirmation. */
  readonly typed?: { readonly address: string; readonly fault: RefundFault | null }
}

/** `invalid`: no address of the network. `refused`: no refund to this address. `later`: not possible at the moment. */
export type RefundFault = 'invalid' | 'refused' | 'later'

export function refundPage({ language, shop, payment, refund, path, paymentPath, typed }: RefundPage): string {
  const strings = stringsIn(language)
  const { refund: own } = strings
  const coin = theCoin(refund.coin)
  const { ticker, network } = coinNames(coin, refund.environment)
  const units = BigInt(refund.units)
  const text = (amount: bigint) => `${amountText(amount, coin.code)} ${ticker}`
  const values = {
    shop: shop.name,
    id: String(payment.id),
    coin: ticker,
    network,
    amount: text(units),
    sends: text(units - BigInt(refund.fee_units)),
  }
  const said = ({ title, text }: PageMessage): PageMessage => ({ title: fill(title, values), text: fill(text, values) })
  const facts = html`<dl class="facts">${refund.state === 'done' && fact(strings.sentBack, values.sends)}${fact(strings.network, network)}${fact(strings.number, values.id)}</dl>`
  const body = (phase: string, message: PageMessage, content: Markup) =>
    page(
      language,
      message.title,
      { shop },
      html`<div class="card"><section class="order" aria-label="${strings.payment}"><p class="shop">${shop.name}</p><p class="price">${values.sends}</p>${facts}</section>
<section class="pay" data-phase="${phase}" aria-label="${message.title}">${statusHead(message)}${content}</section></div>`,
    )
  const receipt = html`<div class="ways"><a class="soft button" href="${paymentPath}">${own.receipt}</a></div>`
  const address = html`<div class="field"><span><b id="to">${strings.to}</b><output class="mono" aria-labelledby="to">${typed?.address ?? refund.address}</output></span></div>`
  switch (refund.state) {
    case 'sent':
      return body('returning', said(own.sent), html`<div class="send">${address}</div>${receipt}`)
    case 'done':
      return body('refunded', said(own.done), html`<div class="send">${address}</div>${receipt}`)
    case 'failed':
      return body('failed', said(own.failed), receipt)
    case 'approved':
      break
    default:
      return body('failed', strings.nothing, receipt)
  }
  if (typed?.fault === null)
    return body(
      'waiting',
      said(own.confirm),
      html`<form method="post" action="${path}" class="send">${address}<input type="hidden" name="address" value="${typed.address}"><input type="hidden" name="confirm" value="yes">
<div class="ways"><button class="main">${own.send}</button><a class="plain button" href="${path}">${own.change}</a></div></form>`,
    )
  const fault = typed && fill(own[typed.fault ?? 'invalid'], values)
  const isWrong = fault !== undefined && new Raw(' aria-invalid="true" aria-describedby="fault hint"')
  return body(
    'waiting',
    said(own.ask),
    html`<form method="post" action="${path}" class="send"><div><label for="address">${fill(own.address, values)}</label>
<input class="search mono" id="address" name="address" required maxlength="120" pattern="${addressPattern(refund.environment, coin.network)}" autocomplete="off" autocapitalize="off" spellcheck="false" value="${typed?.address ?? ''}"${isWrong || new Raw(' aria-describedby="hint"')}>
${fault !== undefined && html`<p class="fault" id="fault" role="alert">${fault}</p>`}<p class="hint" id="hint">${fill(own.hint, values)}</p></div>
<div class="ways"><button class="main">${own.next}</button></div></form>`,
  )
}
