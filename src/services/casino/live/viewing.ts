import type { ViewerRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { isViewer, type Viewing, viewingSince } from '../../../domain/account/viewing.ts'
import { Problem } from '../../../kit/problem.ts'
import { limitsFor } from '../api/limits.ts'
import type { ViewingView } from '../player-page/browser/views.ts'
import { isLiveOn, liveTableOf, slipOf } from '../queries/live.ts'
import { closeViewers, countViewers, saveViewer, viewerOf } from '../queries/viewers.ts'
import type { Casino } from '../service.ts'
import type { Seated } from './play.ts'

/** How many players of a tenant see a dealt table at once, and for how long without a pause: limits of the free plan and the sandbox. */

/** A counted look at a table and when the viewing without a pause ends (null for never), or why the table is not shown. */
export type Look = { readonly at: number; readonly endsAt: number | null } | { readonly refused: ViewingView }

/** Returns whether a tenant's plan limits the video at all. */
export function isVideoLimited({ tenant }: Pick<Seated, 'tenant'>): boolean {
  const { viewers, viewMinutes } = limitsFor(tenant)
  return viewers !== null || viewMinutes !== null
}

/**
 * Counts a look at a dealt table, or refuses it. A page that has had the table in view since its last look says so
 * (`isHeld`): a clock that jumps ahead is no pause. A player who has bet in the round under way sees it to its end, since
 * hiding the cards then could cost money.
 */
export async function look(app: Casino, who: Seated, tableId: string, isHeld = false): Promise<Look> {
  const { tenant, player } = who
  const { viewers, viewMinutes } = limitsFor(tenant)
  return app.store.write(async (tx): Promise<Look> => {
    if (!(await isLiveOn(tx))) return { at: tx.now, endsAt: null }
    const row = await viewerOf(tx, player.id)
    const viewing = row && viewingOf(row)
    const since = isHeld && viewing?.isOpen ? viewing.since : viewingSince(viewing, tx.now)
    const endsAt = viewMinutes === null ? null : since + viewMinutes * 60_000
    if (endsAt !== null && tx.now >= endsAt && !(await isInRound(tx, who, tableId))) {
      if (row) await closeViewers(tx, [row.player_id])
      return { refused: { reason: 'pause', limit: viewMinutes ?? 0 } }
    }
    if (viewers !== null && !isViewer(viewing, tx.now) && (await countViewers(tx, tenant.code, player.id)) >= viewers)
      return { refused: { reason: 'full', limit: viewers } }
    await saveViewer(tx, { player_id: player.id, tenant: tenant.code, since, seen_at: tx.now, is_open: 1 })
    return { at: tx.now, endsAt }
  })
}

/** Refuses with VIEWERS_FULL or VIEWING_PAUSE what shows a table to a player who may not see it now. */
export async function mustSee(app: Casino, who: Seated, tableId: string): Promise<void> {
  if (!isVideoLimited(who)) return
  const seen = await look(app, who, tableId)
  if (!('refused' in seen)) return
  const { reason, limit } = seen.refused
  throw reason === 'full'
    ? new Problem('VIEWERS_FULL', `${limit} players are watching, the maximum of this plan`, { ...seen.refused })
    : new Problem('VIEWING_PAUSE', `You have watched for ${limit} minutes; pause for a minute`, { ...seen.refused })
}

/** Gives the places of these players back. */
export function stopLooking(app: Casino, playerIds: readonly string[]): Promise<void> {
  return app.store.write((tx) => closeViewers(tx, playerIds))
}

const viewingOf = ({ since, seen_at, is_open }: ViewerRow): Viewing => ({
  since,
  seenAt: seen_at,
  isOpen: is_open === 1,
})

/** Whether the player has chips in the round at the table that is not settled. */
async function isInRound(reader: Reader, { tenant, player }: Seated, tableId: string): Promise<boolean> {
  const roundId = (await liveTableOf(reader, tenant.environment, tableId))?.round_id
  if (!roundId) return false
  return (await slipOf(reader, roundId, player.id))?.status === 'placed'
}
