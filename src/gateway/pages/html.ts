import { type Coin, coinOf } from '../../domain/chains/coins.ts'
import { escapeHtml as escaped } from '../../kit/html.ts'
import type { InvoiceRow, PaymentRow } from '../../store/tables/gateway.ts'
import { coinNames, type Phase, priceText, type Sight, type Ways } from './sight.ts'
import { style } from './style.ts'

/** The hosted pages as text. Each says all there is to say without its script, which only keeps it up to date. */

interface Shop {
  readonly name: string
  readonly isSandbox: boolean
}

export interface PaymentPage {
  readonly shop: Shop
  readonly payment: PaymentRow
  readonly sight: Sight
  readonly ways: Ways
  /** Where the page asks how things stand. */
  readonly statePath: string
  /** Where another coin can be chosen, while nothing was sent. */
  readonly choicePath: string | null
}

export function paymentPage({ shop, payment, sight, ways, statePath, choicePath }: PaymentPage): string {
  const coin = coinOf(payment.pay_currency)
  const names = coin && coinNames(coin, payment.environment)
  const show = (...phases: Phase[]) => `data-show="${phases.join(' ')}"${phases.includes(sight.phase) ? '' : ' hidden'}`
  const facts: [string, string][] = [
    ['Amount', `${payment.pay_amount} ${sight.coin}`],
    ['Network', names?.network ?? payment.network],
  ]
  if (payment.order_id !== null) facts.push(['Order', payment.order_id])
  const body = `<div class="card">
<section class="order" aria-label="Order">${orderHead(shop, sight.price, payment.order_description)}
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${name}</dt><dd${name === 'Amount' ? ' data-total' : ''}>${escaped(value)}</dd></div>`).join('')}
<div ${show('partly')}><dt>Received</dt><dd><span data-field="paid">${sight.paid}</span> ${sight.coin}</dd></div></dl></section>
<section class="pay" data-phase="${sight.phase}" data-state="${escaped(statePath)}" data-now="${sight.now}" data-until="${sight.until}" aria-label="Payment">
<div class="status" role="status"><span class="mark" aria-hidden="true">${marks}</span><div><h1 data-field="title">${escaped(sight.title)}</h1><p data-field="text">${escaped(sight.text)}</p></div></div>
<progress aria-label="Confirmations" max="${sight.needed}" value="${sight.confirmations}" ${show('seen')}></progress>
<div class="send" ${show('waiting', 'partly')}>
<div class="qr"><svg role="img" aria-label="QR code of the address" viewBox="0 0 ${sight.qr?.size ?? 1} ${sight.qr?.size ?? 1}"><path fill="#000" d="${sight.qr?.path ?? ''}"/></svg></div>
<div>${field('Send exactly', 'amount', sight.amount, sight.coin)}${field('To this address', 'address', sight.address)}
<p class="warning"><strong>Send only ${escaped(names?.ticker ?? sight.coin)} on ${escaped(names?.network ?? '')}.</strong> Anything else sent to this address is lost.</p>
<p class="clock" ${show('waiting')}>${payment.is_fixed_rate === 1 ? 'The payment ends' : 'The amount holds'} for <time role="timer" data-clock>${clockText(sight.until - sight.now)}</time></p></div></div>
<div class="ways">${way(ways.success, 'main', 'Back to the shop', show('paid'))}${way(ways.partly ?? ways.cancel, 'main', 'Back to the shop', show('expired', 'failed', 'refunded'))}
${choicePath === null ? '' : `<a class="plain button" href="${escaped(choicePath)}" ${show('waiting')}>Pay with another coin</a>`}${way(ways.cancel, 'plain', 'Cancel and go back', show('waiting', 'partly'))}</div>
</section></div>`
  return page(`${sight.title}: ${sight.price}`, shop, body, { script: true })
}

const marks =
  '<svg class="m-wait" viewBox="0 0 24 24"><path d="M12 3a9 9 0 1 0 9 9"/></svg><svg class="m-done" viewBox="0 0 24 24"><path d="M5 12.5l4.5 4.5L19 7.5"/></svg>' +
  '<svg class="m-back" viewBox="0 0 24 24"><path d="M9 6l-5 5 5 5M4 11h11a5 5 0 0 1 0 10"/></svg><svg class="m-stop" viewBox="0 0 24 24"><path d="M12 6v7M12 17.5v.5"/></svg>'

function field(label: string, name: 'amount' | 'address', value: string, unit?: string): string {
  const mono = name === 'address' ? ' class="mono"' : ''
  const shown = `<span data-field="${name}">${escaped(value)}</span>${unit === undefined ? '' : ` ${escaped(unit)}`}`
  return `<div class="field"><span><b id="l-${name}">${label}</b><output${mono} aria-labelledby="l-${name}">${shown}</output></span><button type="button" class="copy" data-copy="${name}" aria-label="Copy the ${name}" hidden>Copy</button></div>`
}

function way(url: string | null, look: string, text: string, show: string): string {
  return url === null ? '' : `<a class="${look} button" href="${escaped(url)}" rel="noreferrer" ${show}>${text}</a>`
}

function orderHead(shop: Shop, price: string, description: string | null): string {
  return `<p class="shop">${escaped(shop.name)}</p><p class="price">${escaped(price)}</p>${description === null ? '' : `<p class="for">${escaped(description)}</p>`}`
}

/** `19:59`; with hours where there are any. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const two = (value: number) => String(value).padStart(2, '0')
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`
}

/** A coin as it is offered: what it comes to, or why it cannot be had. */
export interface Offer {
  readonly coin: Coin
  readonly amount: string | null
  readonly because: string | null
}

export interface ChoicePage {
  readonly shop: Shop
  readonly invoice: InvoiceRow
  readonly offers: readonly Offer[]
  readonly choosePath: string
}

export function choicePage({ shop, invoice, offers, choosePath }: ChoicePage): string {
  const item = ({ coin, amount, because }: Offer) => {
    const { ticker, name, network } = coinNames(coin, invoice.environment)
    const price = amount === null ? escaped(because ?? '') : `${amount} ${ticker}`
    return `<li><button name="coin" value="${coin.code}"${amount === null ? ' disabled' : ''}><i class="c-${coin.asset}" aria-hidden="true">${ticker}</i><span><strong>${escaped(name)}</strong><small>${escaped(network)}</small><small>${price}</small></span></button></li>`
  }
  const facts =
    invoice.order_id === null
      ? ''
      : `<dl class="facts"><div><dt>Order</dt><dd>${escaped(invoice.order_id)}</dd></div></dl>`
  const body = `<div class="card"><section class="order" aria-label="Order">${orderHead(shop, priceText(invoice), invoice.order_description)}${facts}</section>
<section class="pay" aria-label="Payment"><div class="status"><div><h1>How would you like to pay?</h1><p>Choose the coin and its network. The amount is fixed in the next step.</p></div></div>
<form method="post" action="${escaped(choosePath)}"><ul class="coins">${offers.map(item).join('')}</ul></form>
<div class="ways">${way(invoice.cancel_url, 'plain', 'Cancel and go back', '')}</div></section></div>`
  return page(`Pay ${priceText(invoice)}`, shop, body)
}

/** A page that only says something: no such link, or why a choice could not be taken. */
export function wordsPage(title: string, text: string, back?: string): string {
  const way =
    back === undefined ? '' : `<div class="ways"><a class="main button" href="${escaped(back)}">Choose again</a></div>`
  return page(
    title,
    undefined,
    `<div class="card"><section class="order"></section><section class="pay" data-phase="failed"><div class="status" role="status"><span class="mark" aria-hidden="true">${marks}</span><div><h1>${escaped(title)}</h1><p>${escaped(text)}</p></div></div>${way}</section></div>`,
  )
}

function page(title: string, shop: Shop | undefined, body: string, options: { script?: boolean } = {}): string {
  const notice = shop?.isSandbox ? '<header class="test">Sandbox: testnet coins only. No real money.</header>' : ''
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title><style>${style}</style></head>
<body>${notice}<main>${body}</main><footer>Crypto payment</footer>${options.script ? '<script src="/hosted-payment.js" defer></script>' : ''}</body></html>
`
}
