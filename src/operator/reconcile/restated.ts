import type { BookReconciledDayRow, BookReplacedRow, BookSlipRow } from '../../db/schema/book.ts'
import type { Reader } from '../../db/store.ts'
import { countedAt } from '../../domain/bets/slip-history.ts'
import type { DetectedBreak } from '../../domain/reconcile/breaks.ts'
import { byText, dayFields, fieldText } from '../../domain/reconcile/daily.ts'
import {
  type RestatedPlayer,
  type RestatedSlip,
  restatedPlayers,
  restatedSlip,
} from '../../domain/reconcile/restatement.ts'
import { type Day, dayEnd, dayStart } from '../../domain/time/day.ts'
import { momentText } from '../../kit/moment.ts'
import { countText } from '../../kit/text/count-text.ts'
import { replacedAfter, slipsRepairedAfter } from '../bets/repair/history.ts'
import { versionOfRow } from '../bets/slip-versions.ts'
import { rowsOfMany, slipsRevisedBehind } from '../bets/slips-by-day.ts'
import type { Book } from '../book/book.ts'
import type { RestatedDay, RestatedPlayerView, RestatedSlipView } from './breaks/schema.ts'
import { type ReconciliationRun, recordBreaks } from './breaks/store.ts'
import { reconciledDays } from './daily/closed-days.ts'

/** Reconciled days whose figures changed afterwards, from the book alone, which has the arrival order. */

interface Restatement {
  readonly day: BookReconciledDayRow
  readonly players: readonly RestatedPlayer[]
  /** Place of the last row with a change. */
  readonly upTo: number
}

/** The last row that reference figures include, and when they were made. */
type Reference = Pick<BookReconciledDayRow, 'place' | 'reconciled_at'>

/** Start and end of a day or period, and its restated slips. */
interface Held<Day extends Reference = Reference> {
  readonly day: Day
  readonly from: number
  readonly to: number
  readonly slips: RestatedSlip[]
}

export interface Restated {
  /** Number of checked days, restated or not. */
  readonly days: number
  /** Requested dates that were never reconciled, so that they could not be checked. */
  readonly unreconciled: readonly Day[]
  readonly restated: readonly RestatedDay[]
}

/** Days to check. Default: all reconciled days. */
export interface DayRange {
  readonly since?: Day | undefined
  readonly dates?: readonly Day[] | undefined
}

/** Finds restated days, records them as breaks, and returns those that are not accepted. */
export function findRestated(book: Book, run: ReconciliationRun, range: DayRange): Promise<Restated> {
  return book.store.write(async (tx) => {
    const days = await daysIn(tx, range)
    const restatements = await restatementsOf(tx, days)
    const covered = new Set(days.map(subjectOf))
    const looked = [{ kind: 'restated' as const, covers: ({ subject }: { subject: string }) => covered.has(subject) }]
    const { breaks } = await recordBreaks(tx, run, { detected: restatements.map(toDetectedBreak), looked })
    const restated = restatements.flatMap((one, i): RestatedDay[] => {
      const { id, state } = breaks[i] ?? {}
      return id === undefined || state !== 'open' ? [] : [toRestatedDay(one, id)]
    })
    return { days: days.length, unreconciled: missingIn(days, range), restated }
  })
}

/** Finds restated days without recording them. Accepted ones are included. */
export function readRestated(book: Book, range: DayRange): Promise<Restated> {
  return book.store.read(async (reader) => {
    const days = await daysIn(reader, range)
    const restatements = await restatementsOf(reader, days)
    const restated = restatements.map((one) => toRestatedDay(one, null))
    return { days: days.length, unreconciled: missingIn(days, range), restated }
  })
}

/** Returns restated slips of one day or all, without recording. */
export async function restatementViews(reader: Reader, range: DayRange): Promise<RestatedDay[]> {
  const restatements = await restatementsOf(reader, await daysIn(reader, range))
  return restatements.map((one) => toRestatedDay(one, null))
}

async function daysIn(reader: Reader, { since, dates }: DayRange): Promise<BookReconciledDayRow[]> {
  const days = await reconciledDays(reader, since)
  return dates === undefined ? days : days.filter(({ date }) => dates.includes(date))
}

function missingIn(days: readonly BookReconciledDayRow[], { dates = [] }: DayRange): Day[] {
  const reconciled = new Set(days.map(({ date }) => date))
  return [...new Set(dates)].filter((date) => !reconciled.has(date))
}

async function restatementsOf(reader: Reader, days: readonly BookReconciledDayRow[]): Promise<Restatement[]> {
  if (days.length === 0) return []
  const held = days.map((day): Held<BookReconciledDayRow> => {
    const [from, to] = [dayStart(day.date, day.timezone), dayEnd(day.date, day.timezone)]
    return { day, from, to, slips: [] }
  })
  await addRestated(reader, held)
  return held.flatMap(({ day, slips }) => {
    if (slips.length === 0) return []
    const upTo = slips.reduce((last, { place }) => Math.max(last, place), 0)
    return [{ day, players: restatedPlayers(slips), upTo }]
  })
}

/** Returns what changed between two times since reference figures, by player and currency. */
export async function restatedBetween(
  reader: Reader,
  { from, to, ...day }: Reference & { readonly from: number; readonly to: number },
): Promise<RestatedPlayerView[]> {
  const held: Held = { day, from, to, slips: [] }
  await addRestated(reader, [held])
  return restatedPlayers(held.slips).map(toPlayer)
}

async function addRestated(reader: Reader, held: readonly Held[]): Promise<void> {
  const place = Math.min(...held.map(({ day }) => day.place))
  const ids = await slipsRevisedBehind(reader, { place, since: Math.min(...held.map(({ from }) => from)) })
  const added = await slipsRepairedAfter(reader, place)
  const repaired = Map.groupBy(await replacedAfter(reader, place), (row) => row.slip_id)
  for await (const rows of rowsOfMany(reader, [...new Set([...ids, ...added, ...repaired.keys()])])) {
    const slipId = rows[0]?.slip_id ?? ''
    addTo(held, rows, repaired.get(slipId) ?? [])
    repaired.delete(slipId)
  }
  // Slips that a repair removed have no rows left.
  for (const former of repaired.values()) addTo(held, [], former)
}

/** Adds a slip to the days that it restates. Its rows, and the replaced ones, come sorted by revision. */
function addTo(held: readonly Held[], rows: readonly BookSlipRow[], replaced: readonly BookReplacedRow[]): void {
  const slip = rows.map((row) => ({ place: row.place, version: versionOfRow(row) }))
  for (const { day, from, to, slips } of held) {
    const former = replaced.filter((row) => wasKnown(row, day))
    const formerVersions = former.map((row) => ({ place: row.place, version: versionOfRow(row) }))
    const versions = [...slip, ...(slip.length === 0 ? formerVersions : [])].map(({ version }) => version)
    const [first] = versions
    if (!first) continue
    const at = countedAt({ slipId: first.slipId, versions })
    if (at < from || at >= to) continue
    const until = former.reduce((last, row) => Math.max(last, row.until_place), 0)
    const restated = restatedSlip(slip, day.place, formerVersions, until)
    if (restated) slips.push(restated)
  }
}

/** Returns whether a former revision was in the book when the reference figures were made, and its end is not accepted. */
function wasKnown(row: BookReplacedRow, day: Reference): boolean {
  return row.place <= day.place && row.until_place > day.place && row.at >= day.reconciled_at
}

const subjectOf = ({ date, timezone }: Pick<BookReconciledDayRow, 'date' | 'timezone'>) => `${date} ${timezone}`

function toDetectedBreak(restatement: Restatement): DetectedBreak {
  const { day, players, upTo } = restatement
  const shown = toRestatedDay(restatement, null)
  const [only] = players
  const isOne = players.length === 1 && only !== undefined
  return {
    kind: 'restated',
    subject: subjectOf(day),
    date: day.date,
    player: isOne ? only.player : null,
    currency: isOne ? only.currency : null,
    amount: isOne ? fieldText('winLoss', only.change.winLoss) : null,
    message: messageOf(restatement),
    // A further restatement is a new change even if the sums are equal.
    fingerprint: `${upTo}`,
    detail: { date: day.date, timezone: day.timezone, place: day.place, upTo, players: shown.players },
  }
}

function messageOf({ day, players }: Restatement): string {
  const slips = players.reduce((total, player) => total + player.slips.length, 0)
  const changes = players
    .slice(0, 3)
    .map(({ username, currency, change }) => `${username} ${signed(fieldText('winLoss', change.winLoss))} ${currency}`)
  const more = players.length > 3 ? ` and ${players.length - 3} more` : ''
  return `${countText(slips, 'slip')} of ${day.date} changed after reconciliation; win/loss: ${changes.join(', ')}${more}`
}

/** Formats a signed change: `+12`, `-12`, `0`. */
export function signed(text: string): string {
  return text.startsWith('-') || text === '0' ? text : `+${text}`
}

function toRestatedDay({ day, players, upTo }: Restatement, breakId: string | null): RestatedDay {
  return {
    breakId,
    date: day.date,
    timezone: day.timezone,
    since: { runId: day.run_id, at: momentText(day.reconciled_at), verdict: day.verdict, place: day.place },
    upTo,
    players: players.map(toPlayer),
  }
}

function toPlayer({ username, currency, slips, before, after, change }: RestatedPlayer): RestatedPlayerView {
  return {
    player: username,
    currency,
    fields: dayFields
      .filter((field) => change[field] !== 0n)
      .map((field) => ({
        field,
        before: fieldText(field, before[field]),
        after: fieldText(field, after[field]),
        change: fieldText(field, change[field]),
      })),
    winLoss: fieldText('winLoss', change.winLoss),
    slips: [...slips].sort((a, b) => byText(a.slipId, b.slipId)).map(toSlip),
  }
}

function toSlip({ slipId, was, is, before, after }: RestatedSlip): RestatedSlipView {
  return {
    slipId,
    roundId: is.roundId,
    tableId: is.tableId,
    game: is.game,
    from: was === null ? null : { rev: was.rev, status: was.status, winLoss: fieldText('winLoss', before.winLoss) },
    to: { rev: is.rev, status: is.status, winLoss: fieldText('winLoss', after.winLoss) },
    change: fieldText('winLoss', after.winLoss - before.winLoss),
    writtenAt: momentText(is.settledAt),
  }
}
