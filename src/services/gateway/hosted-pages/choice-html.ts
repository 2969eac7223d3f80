import type { InvoiceRow } from '../../../db/schema/gateway.ts'
import { type Coin, coinOf } from '../../../domain/chains/coins.ts'
import { networks } from '../../../domain/chains/networks.ts'
import { html, Markup } from '../../../kit/html.ts'
import type { Problem } from '../../../kit/problem.ts'
import { durationText, priceText } from './format.ts'
import { type PageLanguage, stringsIn } from './language.ts'
import { fact, linkButton, messagePage, orderHead, page, type Shop } from './layout.ts'
import { fill, type Strings } from './messages.ts'
import { coinNames } from './view-model.ts'

/** A coin with its amount, or the reason why it is not available. */
export interface Offer {
  readonly coin: Coin
  readonly amount: string | null
  /** The network's fee of one transfer, as text; null without a price. */
  readonly fee: string | null
  readonly because: Problem | null
}

export interface ChoicePage {
  readonly language: PageLanguage
  readonly shop: Shop
  readonly invoice: InvoiceRow
  readonly offers: readonly Offer[]
  readonly choosePath: string
  /** Path of the script that filters the coins. */
  readonly scriptPath: string
}

/** Renders the page on which a customer chooses a coin, and then the network if there are several. */
export function choicePage({ language, shop, invoice, offers, choosePath, scriptPath }: ChoicePage): string {
  const strings = stringsIn(language)
  const price = priceText(invoice, language)
  const byAsset = [...Map.groupBy(offers, ({ coin }) => coin.asset).values()]
  const facts = invoice.order_id !== null && html`<dl class="facts">${fact(strings.order, invoice.order_id)}</dl>`
  const items = byAsset.map(
    (own) => html`<li data-find="${findText(own, invoice)}">${coinItem(strings, language, own, invoice)}</li>`,
  )
  const body = html`<div class="card"><section class="order" aria-label="${strings.order}">${orderHead(shop, price, invoice.order_description)}${facts}</section>
<section class="pay" aria-label="${strings.payment}"><div class="status"><div><h1>${strings.choose}</h1><p>${strings.chooseText}</p></div></div>
<input class="search" type="search" data-search aria-label="${strings.search}" placeholder="${strings.search}" autocomplete="off">
<form method="post" action="${choosePath}"><ul class="coins">${items}</ul></form><p class="still" role="status" data-none data-text="${strings.none}"></p>
<div class="ways">${linkButton(invoice.cancel_url, 'plain', strings.cancel, '')}</div></section></div>`
  return page(language, fill(strings.pay, { price }), { shop, keptQuery: 'choose&', script: scriptPath }, body)
}

/** Returns the text that the coin search matches. */
function findText(offers: readonly Offer[], { environment }: InvoiceRow): string {
  return offers
    .flatMap(({ coin }) => {
      const { ticker, name, network } = coinNames(coin, environment)
      return [ticker, name, network, coin.code]
    })
    .join(' ')
    .toLowerCase()
}

/** Renders a coin: a button, or a summary that opens its networks if there are several. */
function coinItem(strings: Strings, language: PageLanguage, offers: readonly Offer[], invoice: InvoiceRow): Markup {
  const [first, ...rest] = offers
  if (!first) return html``
  const { ticker, name, network } = coinNames(first.coin, invoice.environment)
  const icon = html`<i class="c-${first.coin.asset}" aria-hidden="true">${ticker}</i>`
  const isOff = (offer: Offer) => offer.amount === null && new Markup(' disabled')
  if (rest.length === 0)
    return html`<button name="coin" value="${first.coin.code}"${isOff(first)}>${icon}<span><strong>${name}</strong>${network !== name && html`<small>${network}</small>`}${details(strings, language, first)}</span></button>`
  // `Intl.ListFormat` separates names by spaces in some languages, and these names contain spaces.
  const list = offers.map(({ coin }) => networks[coin.network].name).join(' · ')
  return html`<details name="coin"><summary>${icon}<span><strong>${name}</strong><small>${list}</small></span></summary>
<ul>${offers.map((offer) => html`<li><button name="coin" value="${offer.coin.code}"${isOff(offer)}><span><strong>${coinNames(offer.coin, invoice.environment).network}</strong>${details(strings, language, offer)}</span></button></li>`)}</ul></details>`
}

function details(strings: Strings, language: PageLanguage, { coin, amount, fee, because }: Offer): Markup {
  const ticker = coin.asset.toUpperCase()
  if (amount === null) return html`<small>${becauseText(strings, ticker, because)}</small>`
  const { blockMs, confirmations } = networks[coin.network]
  return html`<small class="due">${amount} ${ticker}</small><small>${fee !== null && `${fill(strings.fee, { amount: fee })} · `}${fill(strings.speed, { time: durationText(blockMs * confirmations, language) })}</small>`
}

/** Returns the reason why a coin is not available, as shown to the customer. */
function becauseText(strings: Strings, ticker: string, because: Problem | null): string {
  const amount = `${because?.detail['limit']} ${ticker}`
  switch (because?.code) {
    case 'AMOUNT_TOO_SMALL':
      return fill(strings.smallest, { amount })
    case 'AMOUNT_TOO_LARGE':
      return fill(strings.largest, { amount })
    case 'RATE_UNAVAILABLE':
      return strings.noPrice
    default:
      return strings.notNow
  }
}

/** Renders the page for a refused choice. */
export function refusedPage(language: PageLanguage, coin: string, because: Problem, back: string): string {
  const strings = stringsIn(language)
  const text = becauseText(strings, coinOf(coin)?.asset.toUpperCase() ?? '', because)
  const again = html`<div class="ways"><a class="main button" href="${back}">${strings.chooseAgain}</a></div>`
  return messagePage(language, { title: strings.refused, text }, again)
}
