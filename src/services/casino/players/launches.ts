import type { PlayerRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import { limits } from '../../../domain/account/plan-limits.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { letters } from '../../../kit/ids.ts'
import { refuse } from '../api/contract.ts'
import type { LaunchInput, LaunchResult } from '../api/schemas/index.ts'
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
export function launch(app: Casino, tenant: Tenant, input: LaunchInput): Promise<LaunchResult> {
  const token = letters(40, app.random)
  return changingPlayers(app, tenant, async (tx) => {
    const language = input.lang === undefined ? firstLanguage(tenant) : languageOf(input.lang)
    if (input.table !== undefined && !(await enabledTable(tx, tenant, input.table)))
      throw refuse('INVALID_PARAMETER', `table ${input.table} is not enabled`, { field: 'table' })
    const player = await playerToLaunch(app, tx, tenant, input)
    if (player.status === 'locked') throw refuse('PLAYER_LOCKED', `Player ${player.username} is locked`)
    if (input.limitProfileId !== undefined) {
      await checkLimitProfile(tx, tenant, player, input.limitProfileId)
      await savePlayer(tx, player.id, { limit_profile_id: input.limitProfileId })
    }
    await endSessions(tx, player.id, 'SESSION_REPLACED')
    await insertLaunch(tx, {
      token_hash: sha256Hex(token),
      tenant: tenant.code,
      player_id: player.id,
      language,
      device: input.device === 'mobile' ? 'mobile' : 'pc',
      table_id: input.table ?? null,
      variant: input.variant ?? null,
      lobby_url: input.lobbyUrl ?? null,
      created_at: tx.now,
      expires_at: tx.now + limits.launchSeconds * 1000,
      used_at: null,
    })
    return { url: `${app.config.publicUrl()}/Launch?t=${token}`, expiresIn: limits.launchSeconds }
  })
}

async function playerToLaunch(app: Casino, tx: Tx, tenant: Tenant, input: LaunchInput): Promise<PlayerRow> {
  const known = await playerNamed(tx, tenant.code, input.username)
  if (known) return known
  const { username, nickname } = input
  return createPlayer(app, tx, tenant, { username, nickname, currency: input.currency ?? tenant.currency })
}

function firstLanguage(tenant: TenantRow): string {
  const [first = 'CHT'] = JSON.parse(tenant.languages) as string[]
  return first
}
