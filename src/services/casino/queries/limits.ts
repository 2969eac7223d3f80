import { nextRunOf } from '../../../db/counter.ts'
import type { LimitProfileRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

export async function limitProfilesCount({ q }: Reader): Promise<number> {
  const { count } = await q
    .selectFrom('casino_limit_profiles')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function limitProfileOf({ q }: Reader, id: number): Promise<LimitProfileRow | undefined> {
  return q.selectFrom('casino_limit_profiles').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns those of the given profiles that are for a game, by id. */
export async function limitProfilesOf({ q }: Reader, ids: readonly number[], game: LimitProfileRow['game']) {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map<number, LimitProfileRow>()
  const rows = await q
    .selectFrom('casino_limit_profiles')
    .selectAll()
    .where('id', 'in', distinct)
    .where('game', '=', game)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Lists the profiles a tenant may give to its players: its own, and the platform's. */
export function limitProfilesFor({ q }: Reader, tenant: string): Promise<LimitProfileRow[]> {
  return q
    .selectFrom('casino_limit_profiles')
    .selectAll()
    .where((eb) => eb.or([eb('tenant', '=', tenant), eb('tenant', 'is', null)]))
    .orderBy('id')
    .execute()
}

/** Inserts profiles with the next numbers, in the given order. */
export async function insertLimitProfiles(
  tx: Tx,
  profiles: readonly Omit<LimitProfileRow, 'id'>[],
): Promise<LimitProfileRow[]> {
  const first = await nextRunOf(tx, 'casino/limit-profiles', profiles.length)
  const rows = profiles.map((profile, i) => ({ id: first + i, ...profile }))
  await tx.q.insertInto('casino_limit_profiles').values(rows).execute()
  return rows
}
