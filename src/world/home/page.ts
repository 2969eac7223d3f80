import { createHash } from 'node:crypto'
import { docsStyle } from '../../http/docs/style.ts'
import { definedFields } from '../../kit/defined-fields.ts'
import { html, Markup, type Part, scriptEnd } from '../../kit/html.ts'
import type { Table } from '../../services/casino/api/schemas/index.ts'

/** Facts about a served world. */
export interface HomeView {
  /** Path of the public URL, which precedes each link. */
  readonly basePath: string
  readonly baseUrl: string
  readonly apis: readonly { readonly name: string; readonly title: string; readonly prefix: string }[]
  /** Links and forms for this machine only; undefined for others. */
  readonly local: LocalView | undefined
}

export interface LocalView {
  readonly hasDesk: boolean
  /** Choices of a launch; undefined without the demo data. */
  readonly launch:
    | { readonly players: readonly string[]; readonly tables: readonly Table[]; readonly languages: readonly string[] }
    | undefined
  readonly hasChat: boolean
}

/** Returns the page `/`. */
export function homePage(view: HomeView): string {
  const { basePath, baseUrl, apis, local } = view
  const rows = apis.map(
    ({ name, title, prefix }) =>
      html`<tr><th scope="row"><a href="${basePath}/docs/${name}">${title}</a></th><td><code>${baseUrl}${prefix}</code></td><td><a href="${basePath}/docs/${name}.json">OpenAPI</a></td></tr>`,
  )
  const main = html`<header><h1>countroom</h1>
<p>A casino platform, a crypto payment gateway and a customer chat, for development and tests. No money here is real.</p></header>
<section><h2>Start here</h2><ul class="links">
<li><a href="${basePath}/docs">Reference</a> <span class="quiet">every endpoint, with examples and code samples</span></li>
${local?.hasDesk ? html`<li><a href="${basePath}/desk">Desk</a> <span class="quiet">what happens in this world: requests, players, payments, conversations</span></li>` : null}
${local?.hasChat ? html`<li><a href="${basePath}/try/chat">Chat widget</a> <span class="quiet">on a page of a shop</span></li>` : null}
<li><a href="${basePath}/healthz">Health</a> and <a href="${basePath}/readyz">readiness</a> <span class="quiet">for probes</span></li>
</ul></section>
${local ? launchSection(basePath, local.launch) : elsewhere}
<section><h2>Services</h2><div class="scroll" tabindex="0"><table><thead><tr><th scope="col">API</th><th scope="col">Base URL</th><th scope="col">Document</th></tr></thead><tbody>${rows}</tbody></table></div>
<p class="quiet">The gateway's sandbox has <code>/sandbox</code> before its path. Keys are in the ready file: <code>countroom serve --ready-file ready.json</code></p></section>`
  return page('countroom', main)
}

const elsewhere = html`<section><h2>Play</h2><p class="quiet">Players can be launched from this page only on the machine that serves the world.</p></section>`

function launchSection(basePath: string, launch: LocalView['launch']): Markup {
  if (!launch)
    return html`<section><h2>Play</h2><p class="quiet">This world has no demo data. Create a tenant with <code>countroom console tenants create DEMO --plan paid --timezone Asia/Taipei --currency USD</code></p></section>`
  const tables = launch.tables.map(
    ({ tableId, game, name }) => html`<option value="${tableId}">${tableId} · ${name['ENG'] ?? game}</option>`,
  )
  const languages = launch.languages.map((each) => {
    const selected = new Markup(' selected')
    return html`<option${each === 'ENG' && selected}>${each}</option>`
  })
  const players = launch.players.map((each) => html`<button name="username" value="${each}">Play as ${each}</button>`)
  return html`<section><h2>Play</h2>
<form method="post" action="${basePath}/try/launch" target="_blank" rel="noopener">
<div class="fields">
<label>Table <select name="table"><option value="">Lobby</option>${tables}</select></label>
<label>Language <select name="lang">${languages}</select></label>
<label>Layout <select name="device"><option value="pc">Desktop</option><option value="mobile">Mobile</option></select></label>
<label>Environment <select name="environment"><option value="live">Live</option><option value="sandbox">Sandbox</option></select></label>
</div>
<div class="players">${players}</div>
</form>
<p class="quiet">Opens the game in a new tab and ends the player's other sessions, as <code>countroom launch amy</code> does.</p></section>`
}

/** Settings of the page with the chat widget. */
export interface ChatView {
  readonly basePath: string
  readonly tenantKey: string
  /** Language of the page, which the widget follows. */
  readonly lang: string
  /** Position of the launcher; undefined for that of the merchant's settings. */
  readonly position: string | undefined
  /** True for the demo's merchant, whose customers this page can log in. */
  readonly isDemo: boolean
  /** A logged-in customer, with the identity that the shop's server signed. */
  readonly customer: { readonly account: string; readonly identity: string; readonly name: string } | undefined
}

/** Returns a page of a shop with the chat widget. */
export function chatPage(view: ChatView): string {
  const { basePath, tenantKey, lang, position, isDemo, customer } = view
  const attributes = {
    'tenant-key': tenantKey,
    'launcher-position': position,
    account: customer?.account,
    identity: customer?.identity,
    'customer-name': customer?.name,
  }
  const given = Object.entries(definedFields(attributes)).map(([name, value]) => html` data-${name}="${value}"`)
  const tag = html`<script async src="${basePath}/widget.js"${given}>${scriptEnd}`
  const link = (more: { customer?: string }) =>
    `${basePath}/try/chat?${new URLSearchParams(definedFields({ key: tenantKey, lang, position, ...more }))}`
  const who = customer
    ? html`<p>You are logged in as <b>${customer.name}</b>. The shop's server has signed the account. <a href="${link({})}">Log out</a></p>`
    : html`<p>You are a visitor. ${isDemo && html`<a href="${link({ customer: 'amy' })}">Log in as Amy</a>`}</p>`
  const main = html`<header><p class="quiet"><a href="${basePath}/" target="_top">countroom</a></p><h1>A shop with the chat widget</h1></header>
${who}
<p>Open the chat in the corner of the page and write something. Read and answer it as an agent:</p>
<pre tabindex="0"><code>countroom rooms list
countroom rooms desk</code></pre>
<h2>The tag of this page</h2>
<pre tabindex="0"><code>${tag.text}</code></pre>
<p class="quiet">The widget has the language of the page, <code>lang="${lang}"</code>, and the colors of your browser.</p>`
  return page('A shop with the chat widget', html`${main}${tag}`, lang)
}

function page(title: string, main: Part, lang = 'en'): string {
  return html`<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title}</title><style>${new Markup(homeStyle)}</style></head>
<body class="index"><main id="main" lang="en">${main}</main></body></html>`.text
}

const homeStyle = `${docsStyle}
.links{padding-left:1.2rem}.links li{padding:.15rem 0}.fields{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.8rem}.fields label{font-size:.8rem;font-weight:600;color:var(--soft)}
select{display:block;width:100%;min-height:2.5rem;margin-top:.2rem;font:inherit;font-size:1rem;color:var(--ink);background:var(--ground);border:1px solid light-dark(#868d99,#7a8290);border-radius:.4rem;padding:.3rem .5rem}
.players{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0 .4rem}.players button{font-size:1rem;font-weight:600;min-height:2.75rem;padding:.4rem 1.2rem;color:light-dark(#fff,#10131a);background:light-dark(#0b57c2,#8ab8ff)}
select:focus-visible{outline:2px solid var(--link);outline-offset:2px}pre{border-radius:.4rem;white-space:pre-wrap}pre code{overflow-wrap:anywhere}td code{overflow-wrap:anywhere}
`

const styleSource = `'sha256-${createHash('sha256').update(homeStyle).digest('base64')}'`

/** Content security policy of the page `/`: its own style, and forms to its own origin. */
export const homePolicy = `default-src 'none'; style-src ${styleSource}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** Content security policy of the page with the widget, which the desk shows in a frame. */
export const chatPolicy = `default-src 'none'; style-src ${styleSource}; script-src 'self'; connect-src 'self'; img-src 'self' blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`
