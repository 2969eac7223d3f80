import { inParts } from '../../../db/chunks.ts'
import { prepared } from '../../../db/prepared.ts'
import type { BetMinuteRow, BetRecordRow, SlipRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { monthOf } from '../../../domain/bets/cursor.ts'
import { piecesOf } from '../../../kit/pieces.ts'

/** Lists the records of a month after a sequence number, in order. */
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

const minuteMs = 60_000

/**
 * Returns the sequence number of a month's first record settled in or after a minute; the next number if there is none.
 */
export async function firstSince(reader: Reader, tenant: string, month: string, since: number): Promise<number> {
  const minute = await reader.q
    .selectFrom('casino_bet_minutes')
    .select('rec_seq')
    .where('tenant', '=', tenant)
    .where('month', '=', month)
    .where('minute', '>=', Math.floor(since / minuteMs))
    .orderBy('minute')
    .limit(1)
    .executeTakeFirst()
  if (minute) return minute.rec_seq
  // After the last saved minute there are records only if an earlier version of the program wrote them.
  const { rec_seq } = await reader.q
    .selectFrom('casino_bet_records')
    .select((eb) => eb.fn.min('rec_seq').as('rec_seq'))
    .where('tenant', '=', tenant)
    .where('month', '=', month)
    .where('settled_at', '>=', since)
    .executeTakeFirstOrThrow()
  return rec_seq ?? (await lastSequence(reader, tenant, month)) + 1
}

/**
 * Saves the first record of a minute, if no record of the month is of this minute or a later one. Called before the
 * record is inserted. Minutes of earlier records that an earlier version of the program wrote are saved first.
 */
export async function saveMinute(tx: Tx, tenant: string, month: string, at: number, first: number): Promise<void> {
  const [saved] = await lastMinute(tx, { tenant, month })
  const [latest] = await latestSettlement(tx, { tenant, month })
  const savedMinute = saved?.minute ?? Number.NEGATIVE_INFINITY
  const latestMinute = Math.floor((latest?.settled_at ?? Number.NEGATIVE_INFINITY) / minuteMs)
  if (latestMinute > savedMinute) await saveMissingMinutes(tx, tenant, month, savedMinute)
  const minute = Math.floor(at / minuteMs)
  if (minute <= Math.max(latestMinute, savedMinute)) return
  await tx.q.insertInto('casino_bet_minutes').values({ tenant, month, minute, rec_seq: first }).execute()
}

interface MonthKey {
  readonly tenant: string
  readonly month: string
}

const lastMinute = prepared((q, { tenant, month }: MonthKey) =>
  q
    .selectFrom('casino_bet_minutes')
    .select((eb) => eb.fn.max('minute').as('minute'))
    .where('tenant', '=', tenant)
    .where('month', '=', month),
)

const latestSettlement = prepared((q, { tenant, month }: MonthKey) =>
  q
    .selectFrom('casino_bet_records')
    .select((eb) => eb.fn.max('settled_at').as('settled_at'))
    .where('tenant', '=', tenant)
    .where('month', '=', month),
)

/** Saves the minutes in which records after the last saved minute went past all earlier records. */
async function saveMissingMinutes({ q }: Tx, tenant: string, month: string, savedMinute: number): Promise<void> {
  const saved = await q
    .selectFrom('casino_bet_minutes')
    .select('rec_seq')
    .where('tenant', '=', tenant)
    .where('month', '=', month)
    .where('minute', '=', Math.max(savedMinute, Number.MIN_SAFE_INTEGER))
    .executeTakeFirst()
  const rows = await q
    .selectFrom('casino_bet_records')
    .select(['settled_at', 'rec_seq'])
    .where('tenant', '=', tenant)
    .where('month', '=', month)
    .where('rec_seq', '>', saved?.rec_seq ?? 0)
    .orderBy('rec_seq')
    .execute()
  const missing: BetMinuteRow[] = []
  let last = savedMinute
  for (const { settled_at, rec_seq } of rows) {
    const minute = Math.floor(settled_at / minuteMs)
    if (minute <= last) continue
    missing.push({ tenant, month, minute, rec_seq })
    last = minute
  }
  for (const part of piecesOf(missing, 200)) await q.insertInto('casino_bet_minutes').values(part).execute()
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

export async function insertRecords({ q }: Tx, rows: readonly BetRecordRow[]): Promise<void> {
  await inParts(rows, (part) =>
    q
      .insertInto('casino_bet_records')
      .values([...part])
      .execute(),
  )
}

/** Returns the month of a tenant's next record, if a writer or reader has set it. */
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

export function slipsOfRound({ q }: Reader, roundId: string): Promise<SlipRow[]> {
  return q.selectFrom('casino_slips').selectAll().where('round_id', '=', roundId).orderBy('id').execute()
}

/** Returns whether a tenant's players had bets in a round. */
export async function hasBetIn({ q }: Reader, tenant: string, roundId: string): Promise<boolean> {
  // A condition on the tenant would make SQLite read all of the tenant's slips by another index.
  const rows = await q.selectFrom('casino_slips').select('tenant').distinct().where('round_id', '=', roundId).execute()
  return rows.some((row) => row.tenant === tenant)
}

/** Returns the players who have bet in a round. */
export async function bettorsIn({ q }: Reader, roundId: string): Promise<Set<string>> {
  const rows = await q.selectFrom('casino_slips').select('player_id').where('round_id', '=', roundId).execute()
  return new Set(rows.map((row) => row.player_id))
}

export async function insertSlips({ q }: Tx, rows: readonly SlipRow[]): Promise<void> {
  await inParts(rows, (part) =>
    q
      .insertInto('casino_slips')
      .values([...part])
      .execute(),
  )
}

/** Updates existing slips after a revision. */
export async function saveSlips({ q }: Tx, rows: readonly SlipRow[]): Promise<void> {
  await inParts(rows, (part) =>
    q
      .insertInto('casino_slips')
      .values([...part])
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          rev: eb.ref('excluded.rev'),
          status: eb.ref('excluded.status'),
          valid_stake: eb.ref('excluded.valid_stake'),
          rolling: eb.ref('excluded.rolling'),
          payout: eb.ref('excluded.payout'),
          win_loss: eb.ref('excluded.win_loss'),
          rake: eb.ref('excluded.rake'),
          result: eb.ref('excluded.result'),
          first_settled_at: eb.ref('excluded.first_settled_at'),
          settled_at: eb.ref('excluded.settled_at'),
        })),
      )
      .execute(),
  )
}

/** Deletes at most `limit` of a tenant's records of earlier months; returns their number. */
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
  // Also those of records that were dropped with their partition.
  await q.deleteFrom('casino_bet_minutes').where('tenant', '=', tenant).where('month', '<', before).execute()
  // A range of the key for each month: a condition on several months may read whole partitions.
  for (const [month, rows] of Map.groupBy(old, (row) => row.month))
    await q
      .deleteFrom('casino_bet_records')
      .where('tenant', '=', tenant)
      .where('month', '=', month)
      .where('rec_seq', '>=', rows[0]?.rec_seq ?? 0)
      .where('rec_seq', '<=', rows.at(-1)?.rec_seq ?? 0)
      .execute()
  return old.length
}

/** Returns when a tenant's latest record was settled. */
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

/** Lists the slips of a tenant that were first settled in a time span, newest first. */
export function slipsSettledIn(
  { q }: Reader,
  tenant: string,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<SlipRow[]> {
  return q
    .selectFrom('casino_slips')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('first_settled_at', '>=', from)
    .where('first_settled_at', '<', to)
    .orderBy('first_settled_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Lists every revision of a round's slips of a tenant, within the times of its settlements. */
export function recordsOfRound(
  { q }: Reader,
  tenant: string,
  { roundId, from, to }: { roundId: string; from: number; to: number },
): Promise<BetRecordRow[]> {
  const months = [...new Set([monthOf(from), monthOf(to)])]
  return q
    .selectFrom('casino_bet_records')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('month', 'in', months)
    .where('settled_at', '>=', from)
    .where('settled_at', '<=', to)
    .where('round_id', '=', roundId)
    .orderBy('slip_id')
    .orderBy('rev')
    .execute()
}
