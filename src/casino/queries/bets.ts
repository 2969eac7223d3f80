import type { Reader, Tx } from '../../store/store.ts'
import type { BetRecordRow, SlipRow } from '../../store/tables/casino.ts'

/** The records of one month after a sequence number, in their order. */
export function recordsAfter(
  { q }: Reader,
  tenant: string,
  month: string,
  after: number,
  limit: number,
): Promise<Pick<BetRecordRow, 'rec_seq' | 'record'>[]> {
  return q
    .selectFrom('casino_bet_records')
    .select(['rec_seq', 'record'])
    .where('tenant', '=', tenant)
    .where('month', '=', month)
    .where('rec_seq', '>', after)
    .orderBy('rec_seq')
    .limit(limit)
    .execute()
}

/** The sequence number of the first record of a month that was settled at a moment or later. */
export async function firstSince(
  { q }: Reader,
  tenant: string,
  month: string,
  since: number,
): Promise<number | undefined> {
  const row = await q
    .selectFrom('casino_bet_records')
    .select('rec_seq')
    .where('tenant', '=', tenant)
    .where('month', '=', month)
    .where('settled_at', '>=', since)
    .orderBy('rec_seq')
    .limit(1)
    .executeTakeFirst()
  return row?.rec_seq
}

export async function lastSequence({ q }: Reader, tenant: string, month: string): Promise<number> {
  const row = await q
    .selectFrom('casino_bet_records')
    .select('rec_seq')
    .where('tenant', '=', tenant)
    .where('month', '=', month)
    .orderBy('rec_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.rec_seq ?? 0
}

export async function insertRecord({ q }: Tx, row: BetRecordRow): Promise<void> {
  await q.insertInto('casino_bet_records').values(row).execute()
}

/** The month a tenant's next record goes into, as far as a writer or a reader has decided it. */
export async function openMonthOf({ q }: Reader, tenant: string): Promise<string | undefined> {
  const row = await q.selectFrom('casino_bet_months').select('month').where('tenant', '=', tenant).executeTakeFirst()
  return row?.month
}

export async function saveOpenMonth({ q }: Tx, tenant: string, month: string): Promise<void> {
  await q
    .insertInto('casino_bet_months')
    .values({ tenant, month })
    .onConflict((conflict) => conflict.column('tenant').doUpdateSet({ month }))
    .execute()
}

/** A tenant's settled slips whose first settlement lies in [from, to), as their latest revisions left them. */
export function slipsFirstSettled({ q }: Reader, tenant: string, from: number, to: number) {
  return q
    .selectFrom('casino_slips')
    .select(['username', 'status', 'stake', 'valid_stake', 'rolling', 'win_loss', 'rake'])
    .where('tenant', '=', tenant)
    .where('first_settled_at', '>=', from)
    .where('first_settled_at', '<', to)
    .where('onsite', '=', 0)
    .execute()
}

export function slipsOfRound({ q }: Reader, roundId: string): Promise<SlipRow[]> {
  return q.selectFrom('casino_slips').selectAll().where('round_id', '=', roundId).orderBy('id').execute()
}

export function slipOf({ q }: Reader, roundId: string, playerId: string): Promise<SlipRow | undefined> {
  return q
    .selectFrom('casino_slips')
    .selectAll()
    .where('round_id', '=', roundId)
    .where('player_id', '=', playerId)
    .executeTakeFirst()
}

export async function insertSlip({ q }: Tx, row: SlipRow): Promise<void> {
  await q.insertInto('casino_slips').values(row).execute()
}

export async function saveSlip({ q }: Tx, id: string, change: Partial<SlipRow>): Promise<void> {
  await q.updateTable('casino_slips').set(change).where('id', '=', id).execute()
}

/** Removes a tenant's records of the months before one, some at a time; says how many. */
export async function forgetRecords({ q }: Tx, tenant: string, before: string, limit: number): Promise<number> {
  const old = await q
    .selectFrom('casino_bet_records')
    .select(['month', 'rec_seq'])
    .where('tenant', '=', tenant)
    .where('month', '<', before)
    .orderBy('month')
    .orderBy('rec_seq')
    .limit(limit)
    .execute()
  const last = old.at(-1)
  if (!last) return 0
  await q
    .deleteFrom('casino_bet_records')
    .where('tenant', '=', tenant)
    .where((eb) =>
      eb.or([eb('month', '<', last.month), eb.and([eb('month', '=', last.month), eb('rec_seq', '<=', last.rec_seq)])]),
    )
    .execute()
  return old.length
}

/** When a tenant's latest record was settled. */
export async function latestRecordAt({ q }: Reader, tenant: string): Promise<number | undefined> {
  const row = await q
    .selectFrom('casino_bet_records')
    .select('settled_at')
    .where('tenant', '=', tenant)
    .orderBy('month', 'desc')
    .orderBy('rec_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.settled_at
}
