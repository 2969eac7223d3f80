import type { FastifyReply } from 'fastify'
import type { Routes } from '../../wire/server.ts'
import type { Casino } from '../casino.ts'
import { enter } from '../launches.ts'
import { listTables } from '../tables.ts'
import { expiredPage, lobbyPage, refusedPage } from './lobby.ts'
import { pagePolicy } from './page.ts'

/** What players' browsers open: the one-time link. */
export function casinoPages(app: Casino): Routes {
  return (server) => {
    server.get<{ Querystring: { t?: unknown } }>('/Launch', async (request, reply) => {
      const { t } = request.query
      const entry = typeof t === 'string' ? await enter(app, t) : ({ outcome: 'expired' } as const)
      if (entry.outcome === 'expired') return html(reply, 410, expiredPage())
      if (entry.outcome === 'refused') return html(reply, 403, refusedPage())
      const { tenant, player, session } = entry
      const { tables } = await listTables(app, { ...tenant, keyId: '' })
      const lobby = lobbyPage({
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
      return html(reply, 200, lobby)
    })
  }
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
