import type { Language } from '../../domain/player.ts'
import type { SessionRow } from '../../store/tables/casino.ts'
import type { Barred } from '../sessions.ts'
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

type EndReason = NonNullable<SessionRow['end_reason']>

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

/** The page of a link that was used, or is older than a minute. */
export function expiredPage(): string {
  return page(
    'Link expired',
    '<h1>This link has expired</h1><p>It works once and for 60 seconds. Go back to the site and open the game again.</p>',
  )
}

const bars: Readonly<Record<Barred, string>> = {
  locked: 'The game is not available to you at the moment. Please ask the site.',
  suspended: 'The game is not available at the moment. Please ask the site.',
  full: 'As many players are in as can be. Please try again in a little while.',
}

/** The page of a player who may not come in. */
export function barredPage(reason: Barred): string {
  return page('Not available', `<h1>You cannot come in now</h1><p>${bars[reason]}</p>`)
}

const ends: Readonly<Record<EndReason, string>> = {
  SESSION_REPLACED: 'The game was opened again elsewhere.',
  LOGGED_OUT: 'The site signed you out.',
  LOCKED: 'The game is not available to you at the moment. Please ask the site.',
  KICKED: 'The game is not available at the moment. Please ask the site.',
  IDLE: 'Nothing happened for an hour. Go back to the site and open the game again.',
  EXPIRED: 'Go back to the site and open the game again.',
}

/** The page of a player whose session is over. */
export function signedOutPage(reason: EndReason): string {
  return page('Signed out', `<h1>You are signed out</h1><p data-reason="${reason}">${ends[reason]}</p>`)
}
