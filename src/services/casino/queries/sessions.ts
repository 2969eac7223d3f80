import { inParts } from '../../../db/chunks.ts'
import type { LaunchRow, SessionRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { sessionIdleMs, sessionMaxMs } from '../../../domain/players/session.ts'

export function launchOf({ q }: Reader, tokenHash: string): Promise<LaunchRow | undefined> {
  return q.selectFrom('casino_launches').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()
}

export async function insertLaunch({ q }: Tx, row: LaunchRow): Promise<void> {
  await q.insertInto('casino_launches').values(row).execute()
}

export async function useLaunch({ q, now }: Tx, tokenHash: string): Promise<void> {
  await q.updateTable('casino_launches').set({ used_at: now }).where('token_hash', '=', tokenHash).execute()
}

/** Deletes links that expired a day ago; returns their number. */
export async function forgetLaunches({ q }: Tx, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await q
    .deleteFrom('casino_launches')
    .where(
      'token_hash',
      'in',
      q.selectFrom('casino_launches').select('token_hash').where('expires_at', '<=', before).limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function insertSession({ q }: Tx, row: SessionRow): Promise<void> {
  await q.insertInto('casino_sessions').values(row).execute()
}

export function sessionByToken({ q }: Reader, tokenHash: string): Promise<SessionRow | undefined> {
  return q.selectFrom('casino_sessions').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()
}

/** Returns the player's open session, if any. */
export function openSessionOf({ q }: Reader, playerId: string): Promise<SessionRow | undefined> {
  return q
    .selectFrom('casino_sessions')
    .selectAll()
    .where('player_id', '=', playerId)
    .where('ended_at', 'is', null)
    .orderBy('opened_at', 'desc')
    .executeTakeFirst()
}

export async function saveSession({ q }: Tx, id: string, change: Partial<SessionRow>): Promise<void> {
  await q.updateTable('casino_sessions').set(change).where('id', '=', id).execute()
}

/** Ends the open sessions of a player and returns their number. */
export async function endSessions(
  { q, now }: Tx,
  playerId: string,
  reason: NonNullable<SessionRow['end_reason']>,
): Promise<number> {
  const { numUpdatedRows } = await q
    .updateTable('casino_sessions')
    .set({ ended_at: now, end_reason: reason })
    .where('player_id', '=', playerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Lists open sessions that were opened, or last active, before these moments. */
export function staleSessions(
  { q }: Reader,
  openedBefore: number,
  seenBefore: number,
  limit: number,
): Promise<SessionRow[]> {
  return q
    .selectFrom('casino_sessions')
    .selectAll()
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('opened_at', '<=', openedBefore), eb('seen_at', '<=', seenBefore)]))
    .limit(limit)
    .execute()
}

/** Counts a tenant's online players, except one. */
export async function countOnline({ q, now }: Reader, tenant: string, exceptId: string): Promise<number> {
  const { count } = await q
    .selectFrom('casino_sessions')
    .select((eb) => eb.fn.count<number | string>('player_id').distinct().as('count'))
    .where('tenant', '=', tenant)
    .where('ended_at', 'is', null)
    .where('opened_at', '>', now - sessionMaxMs)
    .where('seen_at', '>', now - sessionIdleMs)
    .where('player_id', '!=', exceptId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Records activity of these players' open sessions. Activity in the past changes nothing. */
export async function touchSessions({ q, now }: Tx, playerIds: readonly string[]): Promise<void> {
  await inParts(playerIds, (part) =>
    q
      .updateTable('casino_sessions')
      .set({ seen_at: now })
      .where('player_id', 'in', part)
      .where('ended_at', 'is', null)
      .where('seen_at', '<', now)
      .execute(),
  )
}

/** Deletes sessions that ended before a moment; returns their number. */
export async function forgetSessions({ q }: Tx, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await q
    .deleteFrom('casino_sessions')
    .where('id', 'in', q.selectFrom('casino_sessions').select('id').where('ended_at', '<=', before).limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Returns the earliest opening and the earliest activity among open sessions. */
export async function earliestSession({ q }: Reader): Promise<{ opened_at: number; seen_at: number } | undefined> {
  const row = await q
    .selectFrom('casino_sessions')
    .select((eb) => [eb.fn.min('opened_at').as('opened_at'), eb.fn.min('seen_at').as('seen_at')])
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row && row.opened_at !== null && row.seen_at !== null ? row : undefined
}
