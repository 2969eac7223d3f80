import type { Reader, Tx } from '../../store/store.ts'
import type { LimitProfileRow } from '../../store/tables/casino.ts'

export async function limitProfilesCount({ q }: Reader): Promise<number> {
  const { count } = await q
    .selectFrom('casino_limit_profiles')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertLimitProfile({ q }: Tx, row: LimitProfileRow): Promise<void> {
  await q.insertInto('casino_limit_profiles').values(row).execute()
}
