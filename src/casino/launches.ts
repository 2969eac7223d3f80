import { sha256Hex } from '../kit/hmac.ts'
import { letters } from '../kit/ids.ts'
import type { Tx } from '../store/store.ts'
import type { PlayerRow, SessionRow, TenantRow } from '../store/tables/casino.ts'
import type { Casino, Tenant } from './casino.ts'
import { refuse } from './contract.ts'
import { checkLimitProfile, createPlayer, languageOf } from './players.ts'
import {
  endSessions,
  insertLaunch,
  insertSession,
  launchOf,
  playerNamed,
  playerOf,
  replaceUnusedLaunches,
  savePlayer,
  useLaunch,
} from './queries/players.ts'
import { tenantOf } from './queries/tenants.ts'
import type { LaunchOrder } from './shapes.ts'
import { enabledTable } from './tables.ts'

/** How long a link works, in seconds. */
const linkSeconds = 60

/**
 * Makes a one-time link into the game. It creates the player where needed, ends the player's sessions and takes the place
 * of any link not opened yet; or it is refused and does none of that.
 */
export function launch(app: Casino, tenant: Tenant, order: LaunchOrder) {
  const token = letters(40, app.random)
  return app.store.write(async (tx) => {
    const language = order.lang === undefined ? firstLanguage(tenant) : languageOf(order.lang)
    if (order.table !== undefined && !(await enabledTable(tx, tenant, order.table)))
      throw refuse('INVALID_PARAMETER', `table ${order.table} is not enabled`, { field: 'table' })
    const player = await playerToLaunch(app, tx, tenant, order)
    if (player.status === 'locked') throw refuse('PLAYER_LOCKED', `The player ${player.username} is locked`)
    if (order.limitProfileId !== undefined) {
      await checkLimitProfile(tx, tenant, player, order.limitProfileId)
      await savePlayer(tx, player.id, { limit_profile_id: order.limitProfileId })
    }
    await endSessions(tx, player.id, 'SESSION_REPLACED')
    await replaceUnusedLaunches(tx, player.id)
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
      expires_at: tx.now + linkSeconds * 1000,
      used_at: null,
      replaced_at: null,
    })
    return { url: `${app.config.publicUrl()}/Launch?t=${token}`, expiresIn: linkSeconds }
  })
}

async function playerToLaunch(app: Casino, tx: Tx, tenant: Tenant, order: LaunchOrder) {
  const known = await playerNamed(tx, tenant.code, order.username)
  if (known) return known
  const { username, nickname } = order
  return createPlayer(app, tx, tenant, { username, nickname, currency: order.currency ?? tenant.currency })
}

function firstLanguage(tenant: TenantRow): string {
  const [first = 'CHT'] = JSON.parse(tenant.languages) as string[]
  return first
}

/** What opening a link led to. */
export type Entry =
  | { readonly outcome: 'entered'; tenant: TenantRow; player: PlayerRow; session: SessionRow; token: string }
  | { readonly outcome: 'expired' }
  | { readonly outcome: 'refused'; reason: 'locked' | 'suspended' }

/** Opens a link: once, within its time. The player's other sessions end, so the link opened last wins. */
export function enter(app: Casino, token: string): Promise<Entry> {
  const sessionToken = letters(40, app.random)
  return app.store.write(async (tx): Promise<Entry> => {
    const link = await launchOf(tx, sha256Hex(token))
    const isGood = link && link.used_at === null && link.replaced_at === null && tx.now < link.expires_at
    if (!isGood) return { outcome: 'expired' }
    await useLaunch(tx, link.token_hash)
    const player = await playerOf(tx, link.player_id)
    const tenant = await tenantOf(tx, link.tenant)
    if (!player || !tenant) return { outcome: 'expired' }
    if (player.status === 'locked') return { outcome: 'refused', reason: 'locked' }
    if (tenant.disabled === 1 || tenant.state === 'SUSPENDED' || tenant.state === 'CLOSED')
      return { outcome: 'refused', reason: 'suspended' }
    await endSessions(tx, player.id, 'SESSION_REPLACED')
    const session: SessionRow = {
      id: app.id(),
      token_hash: sha256Hex(sessionToken),
      tenant: tenant.code,
      player_id: player.id,
      language: link.language,
      device: link.device,
      table_id: link.table_id,
      opened_at: tx.now,
      seen_at: tx.now,
      ended_at: null,
      end_reason: null,
    }
    await insertSession(tx, session)
    await savePlayer(tx, player.id, { last_login_at: tx.now })
    return { outcome: 'entered', tenant, player, session, token: sessionToken }
  })
}
