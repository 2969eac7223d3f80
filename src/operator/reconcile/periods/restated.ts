import type { BookPeriodRow } from '../../../db/schema/book.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { breakId, type DetectedBreak } from '../../../domain/reconcile/breaks.ts'
import { type Period, periodIn } from '../../../domain/reconcile/periods.ts'
import { noteFindings, type ReconciliationRun } from '../breaks/store.ts'
import { signed } from '../restated.ts'
import { changesOf, countPeriod, type PlayerChange } from './figures.ts'
import { closedPlayers, periodRows } from './store.ts'

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

/**
 * Compares closed periods with the book and records what changed as breaks, one per player and currency. Without names,
 * those are compared that rows arrived for.
 */
export async function noteRestatedPeriods(
  tx: Tx,
  run: ReconciliationRun,
  names?: readonly string[],
): Promise<PeriodRestated[]> {
  const found: PeriodRestated[] = []
  for (const row of await periodRows(tx)) {
    const period = periodIn(row.period, row.timezone)
    if (row.state === 'open' || !period || (names !== undefined && !names.includes(row.period))) continue
    if (names === undefined && !(await mayHaveChanged(tx, row, period))) continue
    const changes = await changesSince(tx, row)
    const detected = changes.map((change) => breakOf(row, change))
    const looked = [{ kind: 'period' as const, covers: isAbout(row.period) }]
    const { breaks } = await noteFindings(tx, run, { detected, looked })
    if (breaks.length > 0) found.push({ period: row.period, breaks })
  }
  return found
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
