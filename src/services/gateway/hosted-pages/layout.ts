import { html, Markup, type Part, scriptEnd } from '../../../kit/html.ts'
import { scriptlessStyle, style } from './css.ts'
import { type PageLanguage, pageLanguages, pageTags, stringsIn } from './language.ts'
import type { PageMessage } from './messages.ts'

/** Layout of the hosted pages, and the elements that several of them share. */

export interface Shop {
  readonly name: string
  readonly isSandbox: boolean
}

interface PageOptions {
  readonly shop?: Shop
  readonly script?: string
  /** Query parameters that a page keeps when its language changes. */
  readonly keptQuery?: string
}

export function page(
  language: PageLanguage,
  title: string,
  { shop, script, keptQuery = '' }: PageOptions,
  body: Markup,
): string {
  const strings = stringsIn(language)
  const notice = shop?.isSandbox ? html`<header class="test">${strings.sandbox}</header>` : ''
  const languageLinks = pageTags.map((tag) => {
    const here = tag === language && new Markup(' aria-current="true"')
    return html`<li><a href="?${keptQuery}lang=${tag}" lang="${tag}" hreflang="${tag}"${here}>${pageLanguages[tag].name}</a></li>`
  })
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><link rel="expect" href="#end" blocking="render">
<title>${title}</title><style>${new Markup(style)}</style>${script !== undefined && html`<noscript><style>${new Markup(scriptlessStyle)}</style></noscript>`}</head>
<body>${notice}<main>${body}</main><footer id="end"><nav aria-label="${strings.language}"><ul>${languageLinks}</ul></nav><p>${strings.footer}</p></footer>${script !== undefined && html`<script src="${script}" defer>${scriptEnd}`}</body></html>
`.text
}

/** Renders a page with a message only. */
export function messagePage(
  language: PageLanguage,
  { title, text }: PageMessage,
  link: Part = '',
  shop?: Shop,
): string {
  return page(
    language,
    title,
    shop === undefined ? {} : { shop },
    html`<div class="card lone"><section class="pay" data-phase="failed">${statusHead({ title, text })}${link}</section></div>`,
  )
}

export function statusHead({ title, text }: PageMessage): Markup {
  return html`<div class="status" role="status"><span class="mark" aria-hidden="true">${statusIcons}</span><div><h1>${title}</h1><p>${text}</p></div></div>`
}

export const statusIcons = new Markup(
  '<svg class="m-wait" viewBox="0 0 24 24"><path d="M12 3a9 9 0 1 0 9 9"/></svg><svg class="m-done" viewBox="0 0 24 24"><path d="M5 12.5l4.5 4.5L19 7.5"/></svg>' +
    '<svg class="m-back" viewBox="0 0 24 24"><path d="M9 6l-5 5 5 5M4 11h11a5 5 0 0 1 0 10"/></svg><svg class="m-stop" viewBox="0 0 24 24"><path d="M12 6v7M12 17.5v.5"/></svg>',
)

export const fact = (name: string, value: Part): Markup => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

export function linkButton(url: string | null, style: string, text: string, attributes: Part): Part {
  return url !== null && html`<a class="${style} button" href="${url}" rel="noreferrer" ${attributes}>${text}</a>`
}

export function orderHead(shop: Shop, price: string, description: string | null): Markup {
  return html`<p class="shop">${shop.name}</p><p class="price">${price}</p>${description !== null && html`<p class="for">${description}</p>`}`
}

/** Fills a message with markup: `Ends in {time}`. Its own text is escaped. */
export function filled(message: string, parts: Readonly<Record<string, Part>>): Markup {
  const pieces = message.split(/\{(\w+)\}/)
  return html`${pieces.map((piece, i) => (i % 2 === 0 ? piece : (parts[piece] ?? '')))}`
}
