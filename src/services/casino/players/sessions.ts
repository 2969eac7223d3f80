import type { LaunchRow, PlayerRow, SessionRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { isOver } from '../../../domain/account/state.ts'
import { endOf } from '../../../domain/players/session.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { letters } from '../../../kit/ids.ts'
import { limitsFor } from '../api/limits.ts'
import { playerOf, savePlayer } from '../queries/players.ts'
import {
  countOnline,
  endSessions,
  insertSession,
  launchOf,
  saveSession,
  sessionByToken,
  useLaunch,
} from '../queries/sessions.ts'
import { tenantOf } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'

/** A player in the game with the session. */
export interface PlayerCaller {
  readonly tenant: TenantRow
  readonly player: PlayerRow
  readonly session: SessionRow
}

/** Reasons for refusing entry although the link is valid. */
export type EntryRefusal = 'locked' | 'suspended' | 'full'

/** Result of opening a link, with the language for the message if the link is ours. `token` is the session's secret. */
export type OpenedLink =
  | { readonly outcome: 'opened'; readonly caller: PlayerCaller; readonly token: string }
  | { readonly outcome: 'refused'; readonly reason: EntryRefusal; readonly language: string }
  | { readonly outcome: 'expired'; readonly language: string | null }

/**
 * Opens a link: once, within its time. The player's other sessions end, so the link opened last wins. A refused entry
 * does not use up the link.
 */
export function openLaunchLink(app: Casino, linkToken: string): Promise<OpenedLink> {
  const token = letters(40, app.random)
  return app.store.write(async (tx): Promise<OpenedLink> => {
    const link = await launchOf(tx, sha256Hex(linkToken))
    const language = link?.language ?? null
    if (!link || link.used_at !== null || tx.now >= link.expires_at) return { outcome: 'expired', language }
    const { player, tenant } = await linkOwner(tx, link)
    if (!player || !tenant) return { outcome: 'expired', language }
    const reason = await entryRefusal(tx, tenant, player)
    if (reason) return { outcome: 'refused', reason, language: link.language }
    await useLaunch(tx, link.token_hash)
    await endSessions(tx, player.id, 'SESSION_REPLACED')
    const session: SessionRow = {
      id: app.id(),
      token_hash: sha256Hex(token),
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
    return { outcome: 'opened', caller: { tenant, player, session }, token }
  })
}

/**
 * Result of an activity: the session is active, or ended with the reason. An unknown token belonged to a deleted
 * session.
 */
export type ResumedSession =
  | { readonly outcome: 'active'; readonly caller: PlayerCaller }
  | {
      readonly outcome: 'ended'
      readonly reason: NonNullable<SessionRow['end_reason']>
      /** Language of the session, if known. */
      readonly language: string | null
    }

/** Records activity of a session: it resets the idle timeout, but not the limit of 12 hours. */
export function resumeSession(app: Casino, token: string): Promise<ResumedSession> {
  return app.store.write(async (tx): Promise<ResumedSession> => {
    const session = await sessionByToken(tx, sha256Hex(token))
    if (!session) return { outcome: 'ended', reason: 'EXPIRED', language: null }
    const times = { openedAt: session.opened_at, seenAt: session.seen_at }
    const reason = session.end_reason ?? endOf(times, tx.now)
    const { language } = session
    if (reason) return { outcome: 'ended', reason, language }
    const player = await playerOf(tx, session.player_id)
    const tenant = await tenantOf(tx, session.tenant)
    if (!player || !tenant || isShut(tenant)) return { outcome: 'ended', reason: 'KICKED', language }
    await saveSession(tx, session.id, { seen_at: tx.now })
    return { outcome: 'active', caller: { tenant, player, session } }
  })
}

async function linkOwner(reader: Reader, link: LaunchRow) {
  return { player: await playerOf(reader, link.player_id), tenant: await tenantOf(reader, link.tenant) }
}

async function entryRefusal(tx: Tx, tenant: TenantRow, player: PlayerRow): Promise<EntryRefusal | undefined> {
  if (isShut(tenant)) return 'suspended'
  if (player.status === 'locked') return 'locked'
  const { online } = limitsFor(tenant)
  return online !== null && (await countOnline(tx, tenant.code, player.id)) >= online ? 'full' : undefined
}

function isShut(tenant: TenantRow): boolean {
  return tenant.disabled === 1 || isOver(tenant.state)
}
