import type { Language } from '../../../../domain/players/player.ts'
import { html, scriptEnd } from '../../../../kit/html.ts'
import type { Table } from '../../api/schemas/index.ts'
import type { LobbyView, MeView, TableEntry } from '../browser/views.ts'
import type { Assets } from './assets.ts'
import { tags } from './error-pages.ts'

/** Data of the page when it is opened. */
export interface PlayPage {
  /** Path prefix of the public URL; empty for the root. */
  readonly basePath: string
  readonly session: string
  readonly language: Language
  readonly device: 'pc' | 'mobile'
  readonly player: {
    readonly name: string
    readonly balance: string
    readonly currency: string
    readonly mayBet: boolean
  }
  readonly tables: readonly Table[]
  /** Table of the launch link. */
  readonly table: string | null
  readonly me: MeView
  /** State of the lobby; null for a table. */
  readonly lobby: LobbyView | null
  /** The table of the page's path; null for the lobby, and if the script has to request it. */
  readonly entry: TableEntry | null
  readonly assets: Assets
}

const appScript = (at: string) => html`<script type="module" src="${at}/app.js">${scriptEnd}`

/**
 * Returns the page of a launch link. Its script fills it; without scripts it shows the player, the balance and the
 * tables.
 */
export function playPage({
  basePath,
  session,
  language,
  device,
  player,
  tables,
  table,
  me,
  lobby,
  entry,
  assets,
}: PlayPage): string {
  const at = `${basePath}/play/assets/${assets.version}`
  const requested = language.toLowerCase()
  const chosen = tables.filter((each) => table === null || each.tableId === table)
  const items = chosen.map(
    ({ tableId, name }) => html`<li data-table="${tableId}">${name[language] ?? name['ENG'] ?? tableId}</li>`,
  )
  const data = {
    session,
    language: requested,
    device,
    ...(basePath === '' ? {} : { base: basePath }),
    ...(table === null ? {} : { table }),
    me: JSON.stringify(me),
    ...(lobby === null ? {} : { lobby: JSON.stringify(lobby) }),
    ...(entry === null ? {} : { entry: JSON.stringify(entry) }),
  }
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)
  return html`<!doctype html>
<html lang="${tags[language]}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><meta name="robots" content="noindex">
<meta name="theme-color" content="#0b1512"><title>${player.name}</title>
<link rel="stylesheet" href="${at}/page.css">
<link rel="modulepreload" href="${at}/languages/${requested}.js">
${appScript(at)}</head>
<body class="${device}"${attributes}><div id="app"><noscript><p>${player.name} · ${player.balance} ${player.currency}</p>${
    !player.mayBet && html`<p role="status">You can watch but not bet.</p>`
  }${items.length > 0 && html`<ul>${items}</ul>`}<p>The game requires JavaScript.</p></noscript></div></body>
</html>
`.text
}
