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

/** Limits on viewers of dealt tables and on their viewing time, on the free plan and in the sandbox. */

/** A counted viewer with the end of its viewing time (null for never), or why the table is not shown. */
export type ViewingResult = { readonly at: number; readonly endsAt: number | null } | { readonly refused: ViewingView }

/** Returns whether a tenant's plan limits the video at all. */
export function isVideoLimited({ tenant }: Pick<Seated, 'tenant'>): boolean {
  const { viewers, viewMinutes } = limitsFor(tenant)
  return viewers !== null || viewMinutes !== null
}

/**
 * Counts a viewer of a dealt table, or refuses it. `isHeld` means that the page had the table in view since its last
 * count: a clock that jumps ahead is not a pause. A player with a bet in the current round sees it to its end, because
 * hiding the cards then could cost money.
 */
export async function startViewing(
  app: Casino,
  caller: Seated,
  tableId: string,
  isHeld = false,
): Promise<ViewingResult> {
  const { tenant, player } = caller
  const { viewers, viewMinutes } = limitsFor(tenant)
  return app.store.write(async (tx): Promise<ViewingResult> => {
    if (!(await isLiveOn(tx))) return { at: tx.now, endsAt: null }
    const row = await viewerOf(tx, player.id)
    const viewing = row && viewingOf(row)
    const since = isHeld && viewing?.isOpen ? viewing.since : viewingSince(viewing, tx.now)
    const endsAt = viewMinutes === null ? null : since + viewMinutes * 60_000
    if (endsAt !== null && tx.now >= endsAt && !(await isInRound(tx, caller, tableId))) {
      if (row) await closeViewers(tx, [row.player_id])
      return { refused: { reason: 'pause', limit: viewMinutes ?? 0 } }
    }
    if (viewers !== null && !isViewer(viewing, tx.now) && (await countViewers(tx, tenant.code, player.id)) >= viewers)
      return { refused: { reason: 'full', limit: viewers } }
    await saveViewer(tx, { player_id: player.id, tenant: tenant.code, since, seen_at: tx.now, is_open: 1 })
    return { at: tx.now, endsAt }
  })
}

/** Throws VIEWERS_FULL or VIEWING_PAUSE for a player who may not see a table now. */
export async function checkMayView(app: Casino, caller: Seated, tableId: string): Promise<void> {
  if (!isVideoLimited(caller)) return
  const seen = await startViewing(app, caller, tableId)
  if (!('refused' in seen)) return
  const { reason, limit } = seen.refused
  throw reason === 'full'
    ? new Problem('VIEWERS_FULL', `${limit} players are watching, the maximum of this plan`, { ...seen.refused })
    : new Problem('VIEWING_PAUSE', `You have watched for ${limit} minutes; pause for 1 minute`, { ...seen.refused })
}

/** Releases the viewer slots of these players. */
export function stopViewing(app: Casino, playerIds: readonly string[]): Promise<void> {
  return app.store.write((tx) => closeViewers(tx, playerIds))
}

const viewingOf = ({ since, seen_at, is_open }: ViewerRow): Viewing => ({
  since,
  seenAt: seen_at,
  isOpen: is_open === 1,
})

/** Returns whether the player has chips in the table's unsettled round. */
async function isInRound(reader: Reader, { tenant, player }: Seated, tableId: string): Promise<boolean> {
  const roundId = (await liveTableOf(reader, tenant.environment, tableId))?.round_id
  if (!roundId) return false
  return (await slipOf(reader, roundId, player.id))?.status === 'placed'
}
