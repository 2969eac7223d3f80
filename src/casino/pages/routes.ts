import type { FastifyReply } from 'fastify'
import type { Routes } from '../../wire/server.ts'
import type { Casino } from '../casino.ts'
import { enter, stay, type Visit } from '../sessions.ts'
import { listTables } from '../tables.ts'
import { barredPage, expiredPage, lobbyPage, signedOutPage } from './lobby.ts'
import { pagePolicy } from './page.ts'
import { sessionCookie, sessionIn } from './session-cookie.ts'

/** What players' browsers open: the one-time link, and the lobby again as long as the session lasts. */
export function casinoPages(app: Casino): Routes {
  return (server) => {
    // Nobody may use a link up by asking only for its headers, as programs do that look where a link leads.
    server.get<{ Querystring: { t?: unknown } }>('/Launch', { exposeHeadRoute: false }, async (request, reply) => {
      const { t } = request.query
      const entry = typeof t === 'string' ? await enter(app, t) : ({ outcome: 'expired' } as const)
      if (entry.outcome === 'expired') return html(reply, 410, expiredPage())
      if (entry.outcome === 'barred') return html(reply, 403, barredPage(entry.reason))
      reply.header('set-cookie', sessionCookie(entry.token, app.config.publicUrl()))
      return html(reply, 200, await lobbyOf(app, entry.visit))
    })
    server.get('/Lobby', { exposeHeadRoute: false }, async (request, reply) => {
      const token = sessionIn(request.headers.cookie)
      const stayed = token === undefined ? ({ outcome: 'out', reason: 'EXPIRED' } as const) : await stay(app, token)
      if (stayed.outcome === 'out') return html(reply, 401, signedOutPage(stayed.reason))
      return html(reply, 200, await lobbyOf(app, stayed.visit))
    })
  }
}

async function lobbyOf(app: Casino, { tenant, player, session }: Visit): Promise<string> {
  const { tables } = await listTables(app, tenant)
  return lobbyPage({
    language: session.language,
    device: session.device,
    player: {
      name: player.nickname ?? player.username,
      balance: player.balance,
      currency: player.currency,
      mayBet: player.status === 'active',
    },
    tables: tables.filter((table) => table.enabled),
    chosenTable: session.table_id,
  })
}

function html(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', pagePolicy)
    .header('referrer-policy', 'no-referrer')
    .send(text)
}
