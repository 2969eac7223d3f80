import type { ViewerRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { viewerLeaseMs } from '../../../domain/account/viewing.ts'

export function viewerOf({ q }: Reader, playerId: string): Promise<ViewerRow | undefined> {
  return q.selectFrom('casino_viewers').selectAll().where('player_id', '=', playerId).executeTakeFirst()
}

/** Counts a tenant's players with a dealt table in view, except one. */
export async function countViewers({ q, now }: Reader, tenant: string, exceptId: string): Promise<number> {
  const { count } = await q
    .selectFrom('casino_viewers')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('tenant', '=', tenant)
    .where('is_open', '=', 1)
    .where('seen_at', '>', now - viewerLeaseMs)
    .where('seen_at', '<', now + viewerLeaseMs)
    .where('player_id', '!=', exceptId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function saveViewer({ q }: Tx, row: ViewerRow): Promise<void> {
  const { player_id: _, ...change } = row
  await q
    .insertInto('casino_viewers')
    .values(row)
    .onConflict((conflict) => conflict.column('player_id').doUpdateSet(change))
    .execute()
}

/** Releases the viewer slots of players without a table in view. */
export async function closeViewers({ q, now }: Tx, playerIds: readonly string[]): Promise<void> {
  await q
    .updateTable('casino_viewers')
    .set({ is_open: 0, seen_at: now })
    .where('player_id', 'in', playerIds)
    .where('is_open', '=', 1)
    .execute()
}
