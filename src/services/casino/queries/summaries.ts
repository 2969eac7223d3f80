import { inParts } from '../../../db/chunks.ts'
import type { SlipRow, SummaryPlayerRow, SummaryRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

/** The key of a summary: a tenant's time span, both ends in epoch milliseconds, the end excluded. */
export type SummaryKey = Pick<SummaryRow, 'tenant' | 'starts_at' | 'ends_at'>

export function summaryOf({ q }: Reader, { tenant, starts_at, ends_at }: SummaryKey): Promise<SummaryRow | undefined> {
  return q
    .selectFrom('casino_summaries')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('starts_at', '=', starts_at)
    .where('ends_at', '=', ends_at)
    .executeTakeFirst()
}

/** More than any day of a time zone lasts: bounds the search to a few rows of the key. */
const longestDayMs = 3 * 86_400_000

/** Lists a tenant's summaries that include a moment: more than one after the tenant's time zone was changed. */
export function summariesAround({ q }: Reader, tenant: string, at: number): Promise<SummaryRow[]> {
  return q
    .selectFrom('casino_summaries')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('starts_at', '<=', at)
    .where('starts_at', '>', at - longestDayMs)
    .where('ends_at', '>', at)
    .execute()
}

export async function insertSummary({ q }: Tx, row: SummaryRow): Promise<void> {
  await q.insertInto('casino_summaries').values(row).execute()
}

/** Saves how far a summary's slips are counted. */
export async function saveCounted({ q }: Tx, row: SummaryRow): Promise<void> {
  await q
    .updateTable('casino_summaries')
    .set({ counted_at: row.counted_at, counted_slip: row.counted_slip })
    .where('tenant', '=', row.tenant)
    .where('starts_at', '=', row.starts_at)
    .where('ends_at', '=', row.ends_at)
    .execute()
}

/** Lists the first players of a summary by win/loss, the greatest win first, then by name. */
export function topPlayers({ q }: Reader, key: SummaryKey, limit: number): Promise<SummaryPlayerRow[]> {
  return q
    .selectFrom('casino_summary_players')
    .selectAll()
    .where('tenant', '=', key.tenant)
    .where('starts_at', '=', key.starts_at)
    .where('ends_at', '=', key.ends_at)
    .orderBy('rank')
    .orderBy('username')
    .limit(limit)
    .execute()
}

/** Returns these players' rows of a summary, those that it has, unordered. */
export async function summaryPlayers(
  { q }: Reader,
  key: SummaryKey,
  usernames: readonly string[],
): Promise<SummaryPlayerRow[]> {
  const rows: SummaryPlayerRow[] = []
  await inParts(usernames, async (part) => {
    const known = await q
      .selectFrom('casino_summary_players')
      .selectAll()
      .where('tenant', '=', key.tenant)
      .where('starts_at', '=', key.starts_at)
      .where('ends_at', '=', key.ends_at)
      .where('username', 'in', part)
      .execute()
    rows.push(...known)
  })
  return rows
}

export async function saveSummaryPlayers({ q }: Tx, rows: readonly SummaryPlayerRow[]): Promise<void> {
  await inParts(rows, (part) =>
    q
      .insertInto('casino_summary_players')
      .values([...part])
      .onConflict((conflict) =>
        conflict.columns(['tenant', 'starts_at', 'ends_at', 'username']).doUpdateSet((eb) => ({
          rank: eb.ref('excluded.rank'),
          slips: eb.ref('excluded.slips'),
          stake: eb.ref('excluded.stake'),
          valid_stake: eb.ref('excluded.valid_stake'),
          rolling: eb.ref('excluded.rolling'),
          payout: eb.ref('excluded.payout'),
          win_loss: eb.ref('excluded.win_loss'),
          rake: eb.ref('excluded.rake'),
        })),
      )
      .execute(),
  )
}

/** Columns of a slip that a summary counts. */
export type CountedSlip = Pick<
  SlipRow,
  | 'id'
  | 'tenant'
  | 'username'
  | 'status'
  | 'stake'
  | 'valid_stake'
  | 'rolling'
  | 'win_loss'
  | 'rake'
  | 'onsite'
  | 'first_settled_at'
>

/** Lists the slips of a summary after those that it counts, in the order of first settlement, after their latest revision. */
export function uncountedSlips({ q }: Reader, summary: SummaryRow, limit: number): Promise<CountedSlip[]> {
  const { tenant, ends_at, starts_at } = summary
  const after = { at: summary.counted_at ?? starts_at, slip: summary.counted_slip ?? '' }
  return q
    .selectFrom('casino_slips')
    .select([
      ...([
        'id',
        'tenant',
        'username',
        'status',
        'stake',
        'valid_stake',
        'rolling',
        'win_loss',
        'rake',
        'onsite',
      ] as const),
      'first_settled_at',
    ])
    .where('tenant', '=', tenant)
    .where('first_settled_at', '>=', after.at)
    .where('first_settled_at', '<', ends_at)
    .where((eb) => eb.or([eb('first_settled_at', '>', after.at), eb('id', '>', after.slip)]))
    .orderBy('first_settled_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns when a tenant's first slip at or after a moment was first settled. */
export async function firstSettlementSince(
  { q }: Reader,
  tenant: string,
  since: number,
  before?: number,
): Promise<number | undefined> {
  const row = await q
    .selectFrom('casino_slips')
    .select('first_settled_at')
    .where('tenant', '=', tenant)
    .where('first_settled_at', '>=', since)
    .$if(before !== undefined, (query) => query.where('first_settled_at', '<', before ?? 0))
    .orderBy('first_settled_at')
    .limit(1)
    .executeTakeFirst()
  return row?.first_settled_at ?? undefined
}

/** Returns a tenant whose past days may lack summaries, and from when on. */
export function firstBacklog({ q }: Reader): Promise<{ tenant: string; since: number } | undefined> {
  return q.selectFrom('casino_summary_backlogs').selectAll().orderBy('tenant').limit(1).executeTakeFirst()
}

export async function saveBacklog({ q }: Tx, tenant: string, since: number): Promise<void> {
  await q
    .insertInto('casino_summary_backlogs')
    .values({ tenant, since })
    .onConflict((conflict) => conflict.column('tenant').doUpdateSet({ since }))
    .execute()
}

export async function removeBacklog({ q }: Tx, tenant: string): Promise<void> {
  await q.deleteFrom('casino_summary_backlogs').where('tenant', '=', tenant).execute()
}
