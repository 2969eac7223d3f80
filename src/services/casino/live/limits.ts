import type { LimitProfileRow, PlayerRow, TableRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { limitsFor } from '../api/limits.ts'
import { limitProfileOf } from '../queries/limits.ts'
import { limitTemplateOf } from '../queries/live.ts'

/**
 * Returns a player's bet limits for a game: their own profile if it is for that game, else the platform's template in
 * their currency. A demo tenant's players always have the platform's.
 */
export async function betLimitsOf(
  reader: Reader,
  tenant: TenantRow,
  player: PlayerRow,
  game: TableRow['game'],
): Promise<LimitProfileRow | undefined> {
  if (!limitsFor(tenant).isDemo && player.limit_profile_id !== null) {
    const own = await limitProfileOf(reader, player.limit_profile_id)
    if (own?.game === game && own.currency === player.currency) return own
  }
  return limitTemplateOf(reader, game, player.currency)
}
