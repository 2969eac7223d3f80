import type { Language } from '../../../../domain/players/player.ts'
import { languages } from '../../../../domain/players/player.ts'
import { sendPacked, sendUncached } from '../../../../http/server/packed-text.ts'
import { basePathOf, reachedBy } from '../../../../http/server/public-url.ts'
import type { RouteReply, RouteRequest, Routes } from '../../../../http/server/routes.ts'
import { Problem } from '../../../../kit/problem.ts'
import { roadOf } from '../../live/roads.ts'
import { isVideoLimited } from '../../live/viewing.ts'
import { lobbyView, meView, tableEntry } from '../../live/views.ts'
import { sessionCookie, sessionIn } from '../../players/session-cookie.ts'
import { openLaunchLink, type PlayerCaller, resumeSession } from '../../players/sessions.ts'
import type { Casino } from '../../service.ts'
import { listTables } from '../../tables/tables.ts'
import type { TableEntry } from '../browser/views.ts'
import { pageAssets } from './assets.ts'
import { expiredPage, refusedEntryPage, signedOutPage } from './error-pages.ts'
import { playPage } from './lobby.ts'
import { pagePolicy, playPolicy } from './page.ts'

/** Routes for players' browsers: the one-time link, the page while its session lasts, and the page's files. */
export function casinoPages(app: Casino): Routes {
  return (table) => {
    // A HEAD request must not use a link up: programs send it to look up the target of a link.
    const launch = async (request: RouteRequest, reply: RouteReply) => {
      const { t } = request.query
      const link =
        typeof t === 'string' ? await openLaunchLink(app, t) : ({ outcome: 'expired', language: null } as const)
      if (link.outcome === 'expired') return html(reply, 410, expiredPage(pageLanguage(link.language)))
      if (link.outcome === 'refused')
        return html(reply, 403, refusedEntryPage(link.reason, pageLanguage(link.language)))
      const here = reachedBy(app, request)
      reply.header('set-cookie', sessionCookie(link.token, here.config.publicUrl()))
      return html(reply, 200, await pageOf(here, link.caller, link.caller.session.table_id), playPolicy, request)
    }
    table.get('/Launch', launch, { head: false })
    const play = async (request: RouteRequest, reply: RouteReply) => {
      const token = sessionIn(request.headers.cookie)
      const resumed =
        token === undefined
          ? ({ outcome: 'ended', reason: 'EXPIRED', language: null } as const)
          : await resumeSession(app, token)
      if (resumed.outcome === 'ended')
        return html(reply, 401, signedOutPage(resumed.reason, pageLanguage(resumed.language)))
      const tableId = request.params['table'] ?? null
      return html(reply, 200, await pageOf(reachedBy(app, request), resumed.caller, tableId), playPolicy, request)
    }
    table.get('/play/', play, { head: false })
    table.get('/play/t/:table', play, { head: false })
    table.get('/play/assets/:version/*', async (request, reply) => {
      const { version, files } = await pageAssets()
      const asset = request.params['version'] === version ? files.get(request.params['*'] ?? '') : undefined
      if (!asset) return reply.code(404).send()
      reply.type(asset.type).header('cache-control', 'public, max-age=31536000, immutable')
      return sendPacked(request, reply, asset.content)
    })
  }
}

/** Returns the page of the lobby or of a table. It contains what its script would have to request otherwise. */
async function pageOf(app: Casino, caller: PlayerCaller, tableId: string | null): Promise<string> {
  const { tenant, player, session } = caller
  const { tables } = await listTables(app, tenant)
  return playPage({
    basePath: basePathOf(app.config.publicUrl()),
    session: session.id,
    language: languageOf(session.language),
    device: session.device,
    player: {
      name: player.nickname ?? player.username,
      balance: player.balance,
      currency: player.currency,
      mayBet: player.status === 'active',
    },
    tables: tables.filter((table) => table.enabled),
    table: session.table_id,
    me: meView(caller),
    lobby: tableId === null ? await app.store.read((reader) => lobbyView(reader, caller, roadOf)) : null,
    entry: tableId === null ? null : await firstEntry(app, caller, tableId),
    assets: await pageAssets(),
  })
}

/** Returns a table, or null if the script has to request it: the answer counts a viewer, or is a refusal with its reason. */
async function firstEntry(app: Casino, caller: PlayerCaller, tableId: string): Promise<TableEntry | null> {
  if (isVideoLimited(caller)) return null
  try {
    return await app.store.read((reader) => tableEntry(reader, caller, tableId))
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** Returns a session's language; the platform's first for an unknown one. */
function languageOf(code: string): Language {
  return languages.find((language) => language === code) ?? 'CHT'
}

/** Returns the language of a known link or session; English otherwise. */
function pageLanguage(code: string | null): Language {
  return code === null ? 'ENG' : languageOf(code)
}

function html(
  reply: RouteReply,
  status: number,
  text: string,
  policy = pagePolicy,
  request?: RouteRequest,
): Promise<void> {
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
  return request ? sendUncached(request, reply, text) : reply.send(text)
}
