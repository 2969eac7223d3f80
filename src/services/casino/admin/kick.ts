import { thePlayer } from '../players/players.ts'
import { endSessions } from '../queries/sessions.ts'
import type { Casino } from '../service.ts'
import { tellOfKick } from '../webhooks/events.ts'
import { theTenant } from './index.ts'

/** Ends a player's sessions from the Console, with an event for the tenant. */
export function kickPlayer(app: Casino, code: string, username: string) {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const player = await thePlayer(tx, tenant, username)
    const ended = await endSessions(tx, player.id, 'KICKED')
    await tellOfKick(app, tx, player, 'kicked')
    return { companyCode: tenant.code, username: player.username, ended }
  })
}
