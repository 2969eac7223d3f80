import type { PaymentRow } from '../../../db/schema/gateway.ts'
import { coinOf } from '../../../domain/chains/coins.ts'
import { html, Markup } from '../../../kit/html.ts'
import { momentText } from './format.ts'
import { type PageLanguage, stringsIn } from './language.ts'
import { fact, filled, linkButton, messagePage, orderHead, page, type Shop, statusIcons } from './layout.ts'
import type { Strings } from './messages.ts'
import type { Receipt } from './receipt.ts'
import { coinNames, type PaymentView, type Phase, type ReturnLinks } from './view-model.ts'

/** HTML of the payment page. It is complete without its script, which only keeps it up to date. */

export interface PaymentPage {
  readonly language: PageLanguage
  readonly shop: Shop
  readonly payment: PaymentRow
  readonly view: PaymentView
  readonly returnLinks: ReturnLinks
  /** Path of the script that keeps the page up to date. */
  readonly scriptPath: string
  /** Path that the script polls. */
  readonly statePath: string
  /** Path to choose another coin; null if that is not possible. */
  readonly choicePath: string | null
}

export function paymentPage({
  language,
  shop,
  payment,
  view,
  returnLinks,
  scriptPath,
  statePath,
  choicePath,
}: PaymentPage): string {
  const strings = stringsIn(language)
  const coin = coinOf(payment.pay_currency)
  const names = coin && coinNames(coin, payment.environment)
  const network = names?.network ?? payment.network
  const isVisible = (...phases: Phase[]) => phases.includes(view.phase)
  const show = (...phases: Phase[]) =>
    html`data-show="${phases.join(' ')}"${isVisible(...phases) ? '' : new Markup(' hidden')}`
  const clock = (name: 'until' | 'open') =>
    html`<time role="timer" data-clock="${name}">${clockText(view[name] - view.now, language)}</time>`
  // A fixed amount is valid until the payment ends, and its text says so.
  const holds = filled(payment.quote_until === payment.valid_until ? strings.ends : strings.holds, {
    time: clock('until'),
  })
  const total = html`<div><dt>${strings.amount}</dt><dd><span data-field="total">${view.total}</span> ${view.coin}</dd></div>`
  const order = payment.order_id !== null && fact(strings.order, payment.order_id)
  const body = html`<div class="card">
<section class="order" aria-label="${strings.order}">${orderHead(shop, view.price, payment.order_description)}
<dl class="facts">${total}<div ${view.rate === null ? new Markup('hidden') : ''} data-rate><dt>${strings.rate}</dt><dd data-field="rate">${view.rate}</dd></div>${fact(strings.network, network)}${order}${fact(strings.number, String(payment.id))}
<div ${show('partly', 'late', 'returning')}><dt>${strings.received}</dt><dd><span data-field="paid">${view.paid}</span> ${view.coin}</dd></div></dl></section>
<section class="pay" data-phase="${view.phase}" data-state="${statePath}" data-now="${view.now}" data-until="${view.until}" data-open="${view.open}" aria-label="${strings.payment}">
<div class="status" role="status"><span class="mark" aria-hidden="true">${statusIcons}</span><div><h1 data-field="title">${view.title}</h1><p data-field="text">${view.text}</p></div></div>
<progress aria-label="${strings.confirmations}" max="${view.needed}" value="${view.confirmations}" ${show('seen')}></progress>
<div class="send" ${show('waiting', 'partly')}>
<div class="qr"><svg role="img" aria-label="${strings.qr}" viewBox="0 0 ${view.qr?.size ?? 1} ${view.qr?.size ?? 1}"><path fill="#000" d="${view.qr?.path ?? ''}"/></svg></div>
<div>${field(strings, 'amount', view.amount, view.coin)}${field(strings, 'address', view.address)}
<p class="warning"><strong>${filled(strings.only, { coin: names?.ticker ?? view.coin, network })}</strong> ${strings.lost}</p>
<p class="clock" ${show('waiting', 'partly')}>${holds}</p>
<p class="clock" ${show('partly')}>${filled(strings.open, { time: clock('open'), date: moment(view.open, language, 'open') })}</p></div></div>
${receiptPart(strings, language, view.receipt)}
<div class="ways">${view.uri === null ? '' : html`<a class="soft button" data-wallet href="${view.uri}" ${show('waiting', 'partly')}>${strings.wallet}</a>`}
${linkButton(returnLinks.success, 'main', strings.back, show('paid'))}${linkButton(returnLinks.partly ?? returnLinks.cancel, 'main', strings.back, show('expired', 'late', 'failed', 'returning', 'refunded'))}
${choicePath === null ? '' : html`<a class="plain button" href="${choicePath}" ${show('waiting')}>${strings.another}</a>`}${linkButton(returnLinks.cancel, 'plain', strings.cancel, show('waiting', 'partly'))}</div>
${isVisible('waiting', 'partly', 'seen', 'returning') ? html`<noscript><p class="still">${strings.still} <a href="">${strings.again}</a></p></noscript>` : ''}
<p class="unseen" role="status" data-said></p></section></div>`
  return page(language, view.heading, { shop, script: scriptPath }, body)
}

/** Renders a moment in UTC; the script shows it in the customer's time zone. */
function moment(at: number, language: PageLanguage, end?: 'open'): Markup {
  const name = end !== undefined && html` data-end="${end}"`
  return html`<time data-at="${at}" datetime="${new Date(at).toISOString()}"${name}>${momentText(at, language)}</time>`
}

/** Renders the receipt: every transaction with its time and a link to the explorer, and a button that prints. */
function receiptPart(strings: Strings, language: PageLanguage, receipt: Receipt): Markup {
  const lines = receipt.map(
    ({ name, amount, at, hash, url }) =>
      html`<li><dl><div><dt>${name}</dt><dd>${amount}</dd></div><div><dt>${strings.date}</dt><dd>${moment(at, language)}</dd></div>${hash !== null && html`<div><dt>${strings.transaction}</dt><dd><a class="mono" href="${url}" rel="noreferrer noopener">${hash}</a></dd></div>`}</dl></li>`,
  )
  return html`<section class="receipt" aria-labelledby="receipt" data-receipt data-date="${strings.date}" data-transaction="${strings.transaction}"${receipt.length === 0 ? new Markup(' hidden') : ''}><h2 id="receipt">${strings.receipt}</h2><ul>${lines}</ul><button type="button" class="copy" data-print>${strings.print}</button></section>`
}

function field(strings: Strings, name: 'amount' | 'address', value: string, unit?: string): Markup {
  const [label, copy] = name === 'amount' ? [strings.send, strings.copyAmount] : [strings.to, strings.copyAddress]
  const mono = name === 'address' && new Markup(' class="mono"')
  const shown = html`<span data-field="${name}">${value}</span>${unit === undefined ? '' : ` ${unit}`}`
  return html`<div class="field"><span><b id="l-${name}">${label}</b><output${mono} aria-labelledby="l-${name}">${shown}</output></span><button type="button" class="copy" data-copy="${name}" data-copied="${strings.copied}" data-selected="${strings.selected}" aria-label="${copy}">${strings.copy}</button></div>`
}

/** Formats a countdown: `19:59`, with hours from one hour on, and whole days from two days on. */
export function clockText(ms: number, language: PageLanguage): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours >= 48)
    return new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(
      Math.floor(hours / 24),
    )
  const two = (value: number) => String(value).padStart(2, '0')
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`
}

/** Renders the page for an unknown link. */
export function nothingPage(language: PageLanguage): string {
  return messagePage(language, stringsIn(language).nothing)
}
