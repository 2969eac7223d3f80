import type { PlayerRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import { limits } from '../../../domain/account/plan-limits.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { letters } from '../../../kit/ids.ts'
import { refuse } from '../api/contract.ts'
import type { LaunchOrder, LaunchResult } from '../api/schemas/index.ts'
import { playerNamed, savePlayer } from '../queries/players.ts'
import { endSessions, insertLaunch } from '../queries/sessions.ts'
import type { Casino, Tenant } from '../service.ts'
import { enabledTable } from '../tables/tables.ts'
import { changingPlayers } from '../write-groups.ts'
import { checkLimitProfile, createPlayer, languageOf } from './players.ts'

/**
 * Creates a one-time link into the game; creates the player if needed and ends the player's sessions. Earlier unopened
 * links still work, and the one opened last wins. A refusal changes nothing.
 */
export function launch(app: Casino, tenant: Tenant, order: LaunchOrder): Promise<LaunchResult> {
  const token = letters(40, app.random)
  return changingPlayers(app, tenant, async (tx) => {
    const language = order.lang === undefined ? firstLanguage(tenant) : languageOf(order.lang)
    if (order.table !== undefined && !(await enabledTable(tx, tenant, order.table)))
      throw refuse('INVALID_PARAMETER', `table ${order.table} is not enabled`, { field: 'table' })
    const player = await playerToLaunch(app, tx, tenant, order)
    if (player.status === 'locked') throw refuse('PLAYER_LOCKED', `Player ${player.username} is locked`)
    if (order.limitProfileId !== undefined) {
      await checkLimitProfile(tx, tenant, player, order.limitProfileId)
      await savePlayer(tx, player.id, { limit_profile_id: order.limitProfileId })
    }
    await endSessions(tx, player.id, 'SESSION_REPLACED')
    await insertLaunch(tx, {
      token_hash: sha256Hex(token),
      tenant: tenant.code,
      player_id: player.id,
      language,
      device: order.device === 'mobile' ? 'mobile' : 'pc',
      table_id: order.table ?? null,
      variant: order.variant ?? null,
      lobby_url: order.lobbyUrl ?? null,
      created_at: tx.now,
      expires_at: tx.now + limits.launchSeconds * 1000,
      used_at: null,
    })
    return { url: `${app.config.publicUrl()}/Launch?t=${token}`, expiresIn: limits.launchSeconds }
  })
}

async function playerToLaunch(app: Casino, tx: Tx, tenant: Tenant, order: LaunchOrder): Promise<PlayerRow> {
  const known = await playerNamed(tx, tenant.code, order.username)
  if (known) return known
  const { username, nickname } = order
  return createPlayer(app, tx, tenant, { username, nickname, currency: order.currency ?? tenant.currency })
}

function firstLanguage(tenant: TenantRow): string {
  const [first = 'CHT'] = JSON.parse(tenant.languages) as string[]
  return first
}
