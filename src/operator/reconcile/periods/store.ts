import type { BookPeriodEventRow, BookPeriodRow } from '../../../db/schema/book.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { PeriodAction } from '../../../domain/reconcile/periods.ts'
import { piecesOf } from '../../../kit/pieces.ts'
import type { Person } from '../../transfers/batch-decisions.ts'
import { type BookedPeriod, figuresFrom, figureTexts, lineOf, type PlayerPeriodFigures } from './figures.ts'

/** Storage of periods: the signed figures and the history. */

export function periodRow({ q }: Reader, period: string): Promise<BookPeriodRow | undefined> {
  return q.selectFrom('book_periods').selectAll().where('period', '=', period).executeTakeFirst()
}

export function periodRows({ q }: Reader): Promise<BookPeriodRow[]> {
  return q.selectFrom('book_periods').selectAll().orderBy('period').execute()
}

export function periodEvents({ q }: Reader, period: string): Promise<BookPeriodEventRow[]> {
  return q.selectFrom('book_period_events').selectAll().where('period', '=', period).orderBy('seq').execute()
}

/** Returns the figures at the close. */
export async function closedPlayers({ q }: Reader, period: string): Promise<PlayerPeriodFigures[]> {
  const rows = await q.selectFrom('book_period_players').selectAll().where('period', '=', period).execute()
  return rows.map(({ player, currency, username, figures }) => ({
    player,
    currency,
    username,
    figures: figuresFrom(JSON.parse(figures)),
  }))
}

/** Rows per statement. */
const rowsAtOnce = 200

/** Stores the figures of a period and who closed it. */
export async function saveClose(
  tx: Tx,
  period: string,
  booked: BookedPeriod,
  about: { readonly timezone: string; readonly place: number; readonly by: Person },
): Promise<void> {
  const row = {
    timezone: about.timezone,
    state: 'closed' as const,
    place: about.place,
    digest: booked.digest,
    totals: JSON.stringify(booked.tables.map(lineOf)),
    closed_by: about.by.name,
    closed_at: tx.now,
    approved_by: null,
    approved_at: null,
    changed_at: tx.now,
  }
  await tx.q
    .insertInto('book_periods')
    .values({ period, ...row })
    .onConflict((conflict) => conflict.column('period').doUpdateSet(row))
    .execute()
  await tx.q.deleteFrom('book_period_players').where('period', '=', period).execute()
  for (const some of piecesOf(booked.players, rowsAtOnce))
    await tx.q
      .insertInto('book_period_players')
      .values(
        some.map(({ player, currency, username, figures }) => ({
          period,
          player,
          currency,
          username,
          figures: JSON.stringify(figureTexts(figures)),
        })),
      )
      .execute()
  await addEvent(tx, period, about.by, 'closed', booked.digest)
}

export async function saveApproval(tx: Tx, { period, digest }: BookPeriodRow, by: Person): Promise<void> {
  await tx.q
    .updateTable('book_periods')
    .set({ state: 'approved', approved_by: by.name, approved_at: tx.now, changed_at: tx.now })
    .where('period', '=', period)
    .execute()
  await addEvent(tx, period, by, 'approved', digest)
}

/** Reopens a period. Its figures and sign-offs stay in the history only. */
export async function saveReopening(tx: Tx, period: string, by: Person, reason: string): Promise<void> {
  const nobody = { closed_by: null, closed_at: null, approved_by: null, approved_at: null, digest: null, totals: null }
  await tx.q
    .updateTable('book_periods')
    .set({ state: 'open', ...nobody, changed_at: tx.now })
    .where('period', '=', period)
    .execute()
  await tx.q.deleteFrom('book_period_players').where('period', '=', period).execute()
  await addEvent(tx, period, by, 'reopened', reason)
}

export async function addEvent(
  tx: Tx,
  period: string,
  { name, osUser, host }: Person,
  what: PeriodAction,
  text: string | null,
): Promise<void> {
  const last = await tx.q
    .selectFrom('book_period_events')
    .select('seq')
    .where('period', '=', period)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  await tx.q
    .insertInto('book_period_events')
    .values({ period, seq: (last?.seq ?? 0) + 1, at: tx.now, who: name, os_user: osUser, host, what, text })
    .execute()
}
