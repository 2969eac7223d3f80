import type { BookPeriodRow } from '../../../db/schema/book.ts'
import type { Reader } from '../../../db/store.ts'
import { breakId, type DetectedBreak } from '../../../domain/reconcile/breaks.ts'
import { type Period, periodIn } from '../../../domain/reconcile/periods.ts'
import { bookState } from '../../bets/slips-by-day.ts'
import type { Book } from '../../book/book.ts'
import { type ReconciliationRun, recordBreaks } from '../breaks/store.ts'
import { signed } from '../restated.ts'
import { changesOf, countPeriod, type PlayerChange } from './figures.ts'
import { closedPlayers, periodRow, periodRows } from './store.ts'

/** Closed periods whose figures changed afterwards. */

/** Returns the changes of a closed period since its close. */
export async function changesSince(reader: Reader, row: BookPeriodRow): Promise<PlayerChange[]> {
  const period = periodIn(row.period, row.timezone)
  if (row.state === 'open' || !period) return []
  const { players } = await countPeriod(reader, period, row.timezone)
  return changesOf(await closedPlayers(reader, row.period), players)
}

/** Returns whether rows arrived after the close that may belong to the period. Saves counting a period without any. */
async function mayHaveChanged({ q }: Reader, { place }: BookPeriodRow, period: Period): Promise<boolean> {
  const row = await q
    .selectFrom('book_revisions')
    .select('place')
    .where('place', '>', place)
    .where('settled_at', '>=', period.from)
    .where((eb) => eb.or([eb('rev', '>', 1), eb('settled_at', '<', period.to)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** A period with changes that were recorded by this run. */
export interface PeriodRestated {
  readonly period: string
  readonly breaks: readonly { readonly id: string; readonly state: string; readonly isNew: boolean }[]
}

/** Closed periods with their changes, and the last row of the book when they were counted. */
interface Compared {
  readonly place: number
  readonly periods: readonly { readonly row: BookPeriodRow; readonly changes: readonly PlayerChange[] }[]
}

/** Counts closed periods in a snapshot: counting a month takes long, and would keep a sync from writing. */
function compare(book: Book, names: readonly string[] | undefined): Promise<Compared> {
  return book.store.read(async (reader) => {
    const { lastPlace } = await bookState(reader)
    const periods: { row: BookPeriodRow; changes: PlayerChange[] }[] = []
    for (const row of await periodRows(reader)) {
      const period = periodIn(row.period, row.timezone)
      if (row.state === 'open' || !period || (names !== undefined && !names.includes(row.period))) continue
      if (names === undefined && !(await mayHaveChanged(reader, row, period))) continue
      periods.push({ row, changes: await changesSince(reader, row) })
    }
    return { place: lastPlace, periods }
  })
}

/**
 * Compares closed periods with the book and records what changed as breaks, one per player and currency. Without names,
 * those are compared that rows arrived for. Also returns the last row of the book that was compared.
 */
export async function recordRestatedPeriods(
  book: Book,
  run: ReconciliationRun,
  names?: readonly string[],
): Promise<{ readonly place: number; readonly found: readonly PeriodRestated[] }> {
  const { place, periods } = await compare(book, names)
  if (periods.length === 0) return { place, found: [] }
  const found = await book.store.write(async (tx) => {
    const recorded: PeriodRestated[] = []
    for (const { row, changes } of periods) {
      // Closed again or reopened since: these changes are of other figures.
      if ((await periodRow(tx, row.period))?.digest !== row.digest) continue
      const detected = changes.map((change) => breakOf(row, change))
      const looked = [{ kind: 'period' as const, covers: isAbout(row.period) }]
      const { breaks } = await recordBreaks(tx, run, { detected, looked })
      if (breaks.length > 0) recorded.push({ period: row.period, breaks })
    }
    return recorded
  })
  return { place, found }
}

/** Returns whether a break is about a period. */
export const isAbout =
  (period: string) =>
  ({ subject }: { readonly subject: string }): boolean =>
    subject.startsWith(`${period} `)

/** Returns the ID of the break of a change. */
export const breakIdOf = (period: string, { player, currency }: Pick<PlayerChange, 'player' | 'currency'>): string =>
  breakId({ kind: 'period', subject: `${period} ${player} ${currency}` })

function breakOf({ period, timezone, digest, closed_by }: BookPeriodRow, change: PlayerChange): DetectedBreak {
  const { player, currency, username, fields, winLoss } = change
  const texts = fields.map(({ field, before, after }) => `${field} ${before} at the close, ${after} now`)
  return {
    kind: 'period',
    subject: `${period} ${player} ${currency}`,
    date: period,
    player,
    currency,
    amount: winLoss,
    message: `${username}: closed period ${period} changed by ${signed(winLoss)} ${currency}: ${texts.slice(0, 4).join('; ')}`,
    fingerprint: JSON.stringify(fields.map(({ field, before, after }) => [field, before, after])),
    detail: { period, timezone, digest, closedBy: closed_by, player: username, currency, fields },
  }
}
