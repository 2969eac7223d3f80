import type { InvoiceRow, PaymentRow } from '../../../db/schema/gateway.ts'
import { type Coin, coinOf } from '../../../domain/chains/coins.ts'
import { html, Markup, type Part, scriptEnd } from '../../../kit/html.ts'
import type { Problem } from '../../../kit/problem.ts'
import { style } from './css.ts'
import { type PageLanguage, pageLanguages, pageTags, wordsIn } from './language.ts'
import { fill, type PageMessage, type Words } from './messages.ts'
import { coinNames, type PaymentView, type Phase, priceText, type Ways } from './view-model.ts'

/** HTML of the hosted pages. Each is complete without its script, which only keeps it up to date. */

interface Shop {
  readonly name: string
  readonly isSandbox: boolean
}

export interface PaymentPage {
  readonly language: PageLanguage
  readonly shop: Shop
  readonly payment: PaymentRow
  readonly sight: PaymentView
  readonly ways: Ways
  /** The script that keeps the page up to date. */
  readonly scriptPath: string
  /** Path that the script polls. */
  readonly statePath: string
  /** Path to choose another coin, until something was sent. */
  readonly choicePath: string | null
}

export function paymentPage({
  language,
  shop,
  payment,
  sight,
  ways,
  scriptPath,
  statePath,
  choicePath,
}: PaymentPage): string {
  const words = wordsIn(language)
  const coin = coinOf(payment.pay_currency)
  const names = coin && coinNames(coin, payment.environment)
  const network = names?.network ?? payment.network
  const isVisible = (...phases: Phase[]) => phases.includes(sight.phase)
  const show = (...phases: Phase[]) =>
    html`data-show="${phases.join(' ')}"${isVisible(...phases) ? '' : new Markup(' hidden')}`
  const clock = (name: 'until' | 'open') =>
    html`<time role="timer" data-clock="${name}">${clockText(sight[name] - sight.now, language)}</time>`
  // An amount that is valid until the payment ends.
  const holds = filled(payment.quote_until === payment.valid_until ? words.ends : words.holds, { time: clock('until') })
  const total = html`<div><dt>${words.amount}</dt><dd><span data-field="total">${sight.total}</span> ${sight.coin}</dd></div>`
  const order = payment.order_id !== null && fact(words.order, payment.order_id)
  const body = html`<div class="card">
<section class="order" aria-label="${words.order}">${orderHead(shop, sight.price, payment.order_description)}
<dl class="facts">${total}${fact(words.network, network)}${order}
<div ${show('partly', 'late', 'returning')}><dt>${words.received}</dt><dd><span data-field="paid">${sight.paid}</span> ${sight.coin}</dd></div></dl></section>
<section class="pay" data-phase="${sight.phase}" data-state="${statePath}" data-now="${sight.now}" data-until="${sight.until}" data-open="${sight.open}" aria-label="${words.payment}">
<div class="status" role="status"><span class="mark" aria-hidden="true">${marks}</span><div><h1 data-field="title">${sight.title}</h1><p data-field="text">${sight.text}</p></div></div>
<progress aria-label="${words.confirmations}" max="${sight.needed}" value="${sight.confirmations}" ${show('seen')}></progress>
<div class="send" ${show('waiting', 'partly')}>
<div class="qr"><svg role="img" aria-label="${words.qr}" viewBox="0 0 ${sight.qr?.size ?? 1} ${sight.qr?.size ?? 1}"><path fill="#000" d="${sight.qr?.path ?? ''}"/></svg></div>
<div>${field(words, 'amount', sight.amount, sight.coin)}${field(words, 'address', sight.address)}
<p class="warning"><strong>${filled(words.only, { coin: names?.ticker ?? sight.coin, network })}</strong> ${words.lost}</p>
<p class="clock" ${show('waiting', 'partly')}>${holds}</p>
<p class="clock" ${show('partly')}>${filled(words.open, { time: clock('open') })}</p></div></div>
<div class="ways">${sight.uri === null ? '' : html`<a class="soft button" data-wallet href="${sight.uri}" ${show('waiting', 'partly')}>${words.wallet}</a>`}
${way(ways.success, 'main', words.back, show('paid'))}${way(ways.partly ?? ways.cancel, 'main', words.back, show('expired', 'late', 'failed', 'returning', 'refunded'))}
${choicePath === null ? '' : html`<a class="plain button" href="${choicePath}" ${show('waiting')}>${words.another}</a>`}${way(ways.cancel, 'plain', words.cancel, show('waiting', 'partly'))}</div>
${isVisible('waiting', 'partly', 'seen', 'returning') ? html`<noscript><p class="still">${words.still} <a href="">${words.again}</a></p></noscript>` : ''}
<p class="unseen" role="status" data-said></p></section></div>`
  return page(language, sight.heading, { shop, script: scriptPath }, body)
}

const marks = new Markup(
  '<svg class="m-wait" viewBox="0 0 24 24"><path d="M12 3a9 9 0 1 0 9 9"/></svg><svg class="m-done" viewBox="0 0 24 24"><path d="M5 12.5l4.5 4.5L19 7.5"/></svg>' +
    '<svg class="m-back" viewBox="0 0 24 24"><path d="M9 6l-5 5 5 5M4 11h11a5 5 0 0 1 0 10"/></svg><svg class="m-stop" viewBox="0 0 24 24"><path d="M12 6v7M12 17.5v.5"/></svg>',
)

const fact = (name: string, value: string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

function field(words: Words, name: 'amount' | 'address', value: string, unit?: string): Markup {
  const [label, copy] = name === 'amount' ? [words.send, words.copyAmount] : [words.to, words.copyAddress]
  const mono = name === 'address' && new Markup(' class="mono"')
  const shown = html`<span data-field="${name}">${value}</span>${unit === undefined ? '' : ` ${unit}`}`
  return html`<div class="field"><span><b id="l-${name}">${label}</b><output${mono} aria-labelledby="l-${name}">${shown}</output></span><button type="button" class="copy" data-copy="${name}" data-copied="${words.copied}" data-selected="${words.selected}" aria-label="${copy}" hidden>${words.copy}</button></div>`
}

function way(url: string | null, look: string, text: string, show: Part): Part {
  return url !== null && html`<a class="${look} button" href="${url}" rel="noreferrer" ${show}>${text}</a>`
}

function orderHead(shop: Shop, price: string, description: string | null): Markup {
  return html`<p class="shop">${shop.name}</p><p class="price">${price}</p>${description !== null && html`<p class="for">${description}</p>`}`
}

/** Fills a message with markup: `Ends in {time}`. Its own text is escaped. */
function filled(message: string, parts: Readonly<Record<string, Part>>): Markup {
  const pieces = message.split(/\{(\w+)\}/)
  return html`${pieces.map((piece, i) => (i % 2 === 0 ? piece : (parts[piece] ?? '')))}`
}

/** Formats a countdown: `19:59`, with hours if there are any, and only days from two days on. */
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

/** A coin with its amount, or why it is not available. */
export interface Offer {
  readonly coin: Coin
  readonly amount: string | null
  readonly because: Problem | null
}

export interface ChoicePage {
  readonly language: PageLanguage
  readonly shop: Shop
  readonly invoice: InvoiceRow
  readonly offers: readonly Offer[]
  readonly choosePath: string
}

export function choicePage({ language, shop, invoice, offers, choosePath }: ChoicePage): string {
  const words = wordsIn(language)
  const item = ({ coin, amount, because }: Offer) => {
    const { ticker, name, network } = coinNames(coin, invoice.environment)
    const price = amount === null ? becauseText(words, ticker, because) : `${amount} ${ticker}`
    return html`<li><button name="coin" value="${coin.code}"${amount === null && new Markup(' disabled')}><i class="c-${coin.asset}" aria-hidden="true">${ticker}</i><span><strong>${name}</strong><small>${network}</small><small>${price}</small></span></button></li>`
  }
  const price = priceText(invoice)
  const facts = invoice.order_id !== null && html`<dl class="facts">${fact(words.order, invoice.order_id)}</dl>`
  const body = html`<div class="card"><section class="order" aria-label="${words.order}">${orderHead(shop, price, invoice.order_description)}${facts}</section>
<section class="pay" aria-label="${words.payment}"><div class="status"><div><h1>${words.choose}</h1><p>${words.chooseText}</p></div></div>
<form method="post" action="${choosePath}"><ul class="coins">${offers.map(item)}</ul></form>
<div class="ways">${way(invoice.cancel_url, 'plain', words.cancel, '')}</div></section></div>`
  return page(language, fill(words.pay, { price }), { shop, stay: 'choose&' }, body)
}

/** Returns why a coin is not available, for a customer. */
function becauseText(words: Words, ticker: string, because: Problem | null): string {
  const amount = `${because?.detail['limit']} ${ticker}`
  switch (because?.code) {
    case 'AMOUNT_TOO_SMALL':
      return fill(words.smallest, { amount })
    case 'AMOUNT_TOO_LARGE':
      return fill(words.largest, { amount })
    case 'RATE_UNAVAILABLE':
      return words.noPrice
    default:
      return words.notNow
  }
}

/** Page for an unknown link. */
export function nothingPage(language: PageLanguage): string {
  return wordsPage(language, wordsIn(language).nothing)
}

/** Page for a choice that was refused. */
export function refusedPage(language: PageLanguage, coin: string, because: Problem, back: string): string {
  const words = wordsIn(language)
  const text = becauseText(words, coinOf(coin)?.asset.toUpperCase() ?? '', because)
  const way = html`<div class="ways"><a class="main button" href="${back}">${words.chooseAgain}</a></div>`
  return wordsPage(language, { title: words.refused, text }, way)
}

function wordsPage(language: PageLanguage, { title, text }: PageMessage, way: Part = ''): string {
  return page(
    language,
    title,
    {},
    html`<div class="card lone"><section class="pay" data-phase="failed"><div class="status" role="status"><span class="mark" aria-hidden="true">${marks}</span><div><h1>${title}</h1><p>${text}</p></div></div>${way}</section></div>`,
  )
}

interface Frame {
  readonly shop?: Shop
  readonly script?: string
  /** Query parameters that a page keeps when its language changes. */
  readonly stay?: string
}

function page(language: PageLanguage, title: string, { shop, script, stay = '' }: Frame, body: Markup): string {
  const words = wordsIn(language)
  const notice = shop?.isSandbox ? html`<header class="test">${words.sandbox}</header>` : ''
  const languageLinks = pageTags.map((tag) => {
    const here = tag === language && new Markup(' aria-current="true"')
    return html`<li><a href="?${stay}lang=${tag}" lang="${tag}" hreflang="${tag}"${here}>${pageLanguages[tag].name}</a></li>`
  })
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">
<title>${title}</title><style>${new Markup(style)}</style></head>
<body>${notice}<main>${body}</main><footer><nav aria-label="${words.language}"><ul>${languageLinks}</ul></nav><p>${words.footer}</p></footer>${script !== undefined && html`<script src="${script}" defer>${scriptEnd}`}</body></html>
`.text
}
