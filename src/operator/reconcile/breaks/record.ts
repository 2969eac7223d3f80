import type { BookBreakEventRow, BookBreakRow } from '../../../db/schema/book.ts'
import type { Tx } from '../../../db/store.ts'
import { foldUsername } from '../../../domain/players/player.ts'
import { ageOf, type DetectedBreak } from '../../../domain/reconcile/breaks.ts'
import { isCertain, type Reason } from '../../../domain/reconcile/daily.ts'
import { momentText } from '../../../kit/moment.ts'
import type { Book } from '../../book/book.ts'
import { recordRun } from '../../book/runs.ts'
import { recordReconciled } from '../daily/closed-days.ts'
import { findingNames, isProof } from '../daily/messages.ts'
import type { DayResult } from '../daily/schema.ts'
import type { Reconciled } from '../daily/types.ts'
import type { BreakEventView, BreakView } from './schema.ts'
import { type Findings, type ReconciliationRun, type RecordedBreaks, recordBreaks } from './store.ts'

/** Stores results of reconciliation runs in the book: reconciled days and breaks. */

/** Breaks of a run, in the order of the findings. */
export interface RecordedDays extends RecordedBreaks {
  readonly runId: string
}

/** A run and its exit code, for the history. */
export interface EndedRun extends ReconciliationRun {
  readonly exit: number
}

/** Stores the results of reconciled days in one transaction. */
export function keepDays(book: Book, run: EndedRun, days: readonly Reconciled[]): Promise<RecordedDays> {
  return book.store.write(async (tx) => {
    const verdicts = days.map(({ result: { date, verdict, differing } }) => ({ date, verdict, differing }))
    await recordRun(tx, { id: run.id, job: run.who, exit: run.exit, summary: { days: verdicts } })
    for (const { result, lastPlace } of days) await keepDay(tx, run, result, lastPlace)
    return { runId: run.id, ...(await recordBreaks(tx, run, findingsOf(days))) }
  })
}

/** A day counts as reconciled if its figures are certain; doubtful or outdated ones are left to a later run. */
async function keepDay(tx: Tx, run: ReconciliationRun, day: DayResult, place: number): Promise<void> {
  const { date, timezone, verdict } = day
  if (verdict === 'cannot-conclude' || day.stale || day.reasons.some(({ players }) => players === null)) return
  await recordReconciled(tx, { date, timezone, runId: run.id, verdict, place })
}

const subjectOf = (date: string, player: string) => `${date} ${player}`

/** Builds the breaks of reconciled days, one per day and player, and a test of the breaks that the run covered. */
function findingsOf(days: readonly Reconciled[]): Findings {
  const detected = days.flatMap(({ result }) => breaksOfDay(result))
  const byDate = new Map(days.map((day) => [day.result.date, day]))
  const covers = ({ date, player }: Pick<BookBreakRow, 'date' | 'player'>): boolean => {
    const day = byDate.get(date ?? '')
    return day !== undefined && player !== null && isConclusive(day, player)
  }
  return { detected, looked: [{ kind: 'daily', covers }] }
}

/** Returns whether the comparison of this player's figures is certain. */
function isConclusive({ result, lines }: Reconciled, player: string): boolean {
  if (result.stale) return false
  const isStale = result.explanations.some((each) => each.code === 'BOOK_STALE' && each.player === player)
  const isReported = lines.find((line) => line.player === player)?.isReported ?? false
  const reasons = result.reasons.map(
    ({ code, players }): Reason => ({
      code,
      doubts: players?.map(foldUsername) ?? (code === 'SUMMARY_FULL' ? 'unlisted' : 'all'),
    }),
  )
  return !isStale && isCertain({ player, isReported }, reasons)
}

function breaksOfDay(day: DayResult): DetectedBreak[] {
  if (day.verdict !== 'differences' || day.stale) return []
  const stale = new Set(day.explanations.filter(({ code }) => code === 'BOOK_STALE').map(({ player }) => player))
  const certain = day.differences.filter(({ certain, player }) => certain && !stale.has(foldUsername(player)))
  const proven = day.slips.filter(({ finding }) => isProof(finding))
  const players = new Map<string, string>()
  for (const { player } of [...certain, ...proven]) players.set(foldUsername(player), player)
  return [...players].map(([player, username]) => {
    const figures = certain.filter((each) => foldUsername(each.player) === player)
    const slips = proven.filter((each) => foldUsername(each.player) === player)
    return toDetectedBreak(day, { player, username, figures, slips })
  })
}

interface OnePlayer {
  readonly player: string
  readonly username: string
  readonly figures: DayResult['differences']
  readonly slips: DayResult['slips']
}

function toDetectedBreak(day: DayResult, { player, username, figures, slips }: OnePlayer): DetectedBreak {
  const winLoss = figures.find(({ field }) => field === 'winLoss')
  const sentences = [
    ...figures.map(({ field, platform, book }) => `${field} ${platform} at the platform, ${book} in the book`),
    ...(figures.length > 0
      ? []
      : slips.map(({ slipId, rev, finding }) => `slip ${slipId} revision ${rev} ${findingNames[finding]}`)),
  ]
  const explanations = day.explanations.filter((each) => each.player === player || each.code === 'OTHER_DAY_BOUNDARY')
  const marks = [
    ...figures.map(({ field, platform, book }) => [field, platform, book]),
    ...slips.map(({ slipId, rev, finding }) => [slipId, rev, finding]),
  ]
  return {
    kind: 'daily',
    subject: subjectOf(day.date, player),
    date: day.date,
    player,
    currency: figures[0]?.currency ?? slips[0]?.currency ?? null,
    amount: winLoss?.difference ?? null,
    message: `${username}: ${sentences.slice(0, 4).join('; ')}${sentences.length > 4 ? `; and ${sentences.length - 4} more` : ''}`,
    fingerprint: JSON.stringify(marks.sort()),
    detail: { date: day.date, timezone: day.timezone, player: username, figures, slips, explanations },
  }
}

/** Stores the findings of another kind of run, in its own transaction. */
export function keepFindings(book: Book, run: ReconciliationRun, findings: Findings): Promise<RecordedBreaks> {
  return book.store.write((tx) => recordBreaks(tx, run, findings))
}

export function toBreakView(row: BookBreakRow, now: number): BreakView {
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    date: row.date,
    player: row.player,
    currency: row.currency,
    amount: row.amount,
    message: row.message,
    state: row.state,
    owner: row.owner,
    reason: row.reason,
    snoozedUntil: row.snoozed_until === null || row.snoozed_until <= now ? null : momentText(row.snoozed_until),
    foundAt: momentText(row.found_at),
    openedAt: momentText(row.opened_at),
    seenAt: momentText(row.seen_at),
    changedAt: momentText(row.changed_at),
    times: row.times,
    runId: row.run_id,
    ageMs: ageOf({ state: row.state, openedAt: row.opened_at }, now),
  }
}

export function toEventView({ seq, at, who, what, text, run_id }: BookBreakEventRow): BreakEventView {
  return { seq, at: momentText(at), who, what, text, runId: run_id }
}
