import type { Language } from '../../domain/player.ts'
import type { Table } from '../shapes.ts'
import { escapeHtml, page } from './page.ts'

/** The language tags of HTML for the languages of the player's page. */
const tags: Readonly<Record<Language, string>> = {
  CHT: 'zh-Hant',
  CHS: 'zh-Hans',
  ENG: 'en',
  JPN: 'ja',
  KOR: 'ko',
  THAI: 'th',
  VIET: 'vi',
  HIND: 'hi',
  PHP: 'fil',
}

/** What the lobby shows. */
export interface Lobby {
  readonly language: string
  readonly device: 'pc' | 'mobile'
  readonly player: {
    readonly name: string
    readonly balance: string
    readonly currency: string
    readonly mayBet: boolean
  }
  readonly tables: readonly Table[]
  readonly chosenTable: string | null
}

/** The page a launch link leads to: who is playing, with how much, and the tables that are open to them. */
export function lobbyPage(lobby: Lobby): string {
  const { player, language } = lobby
  const chosen = lobby.tables.filter((table) => lobby.chosenTable === null || table.tableId === lobby.chosenTable)
  const cards = chosen.map(
    (table) =>
      `<li data-table="${escapeHtml(table.tableId)}"><h2>${escapeHtml(table.name[language] ?? table.name['ENG'] ?? table.tableId)}</h2>` +
      `<p>${escapeHtml(table.tableId)} · ${escapeHtml(table.variants.join(', '))} · ${table.status}</p></li>`,
  )
  const body =
    `<header><h1>Lobby</h1><dl><div><dt>Player</dt><dd>${escapeHtml(player.name)}</dd></div>` +
    `<div><dt>Balance</dt><dd>${escapeHtml(player.balance)} ${escapeHtml(player.currency)}</dd></div></dl></header>` +
    (player.mayBet ? '' : '<p role="status">You may watch, but not bet.</p>') +
    (cards.length > 0 ? `<ul>${cards.join('')}</ul>` : '<p>No table is open at the moment.</p>')
  const lang = Object.entries(tags).find(([known]) => known === language)?.[1] ?? 'zh-Hant'
  return page('Lobby', body, { lang, device: lobby.device })
}

/** The page of a link that was used, replaced, or is older than a minute. */
export function expiredPage(): string {
  return page(
    'Link expired',
    '<h1>This link has expired</h1><p>It works once and for 60 seconds. Go back to the site and open the game again.</p>',
  )
}

/** The page of a player who may not come in. */
export function refusedPage(): string {
  return page('Not available', '<h1>The game is not available to you at the moment</h1><p>Please ask the site.</p>')
}
