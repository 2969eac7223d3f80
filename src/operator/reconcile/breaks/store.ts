import type { BookBreakEventRow, BookBreakRow } from '../../../db/schema/book.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import {
  afterFinding,
  afterLooking,
  type BreakEventKind,
  type BreakKind,
  type BreakState,
  breakId,
  type DetectedBreak,
} from '../../../domain/reconcile/breaks.ts'
import { piecesOf } from '../../../kit/pieces.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../book/book.ts'
import { atPlatformTime } from '../../book/cursor-position.ts'

/** Storage of breaks and their history. Changes by people are in `actions.ts`. */

/** A run that searched for differences. */
export interface ReconciliationRun {
  readonly id: string
  /** Command, as shown in the history. */
  readonly who: string
}

/** Findings of a run, and a test for the open breaks that it could have found. */
export interface Findings {
  readonly detected: readonly DetectedBreak[]
  /** Returns whether this run could have found an open break. Breaks that it did find are never cleared. */
  readonly looked: readonly { readonly kind: BreakKind; covers(row: BookBreakRow): boolean }[]
}

/** Result of storing the findings. */
export interface RecordedBreaks {
  /** State of each break, in the order of the findings. */
  readonly breaks: readonly { readonly id: string; readonly state: BreakState; readonly isNew: boolean }[]
  readonly cleared: readonly string[]
}

/**
 * Stores the findings of a run in the given transaction. Opens new breaks, updates known ones, and clears those that
 * the run could have found but did not.
 */
export async function recordBreaks(
  on: Tx,
  run: ReconciliationRun,
  { detected, looked }: Findings,
): Promise<RecordedBreaks> {
  const tx = await atPlatformTime(on)
  const breaks: { id: string; state: BreakState; isNew: boolean }[] = []
  const seen = new Map<string, DetectedBreak>()
  for (const one of detected) if (!seen.has(breakId(one))) seen.set(breakId(one), one)
  for (const [id, one] of seen) breaks.push(await recordBreak(tx, run, id, one))
  const cleared: string[] = []
  for (const { kind, covers } of looked) {
    for (const row of await openOfKind(tx, kind)) {
      if (seen.has(row.id) || !covers(row)) continue
      const { event, state } = afterLooking(row)
      if (event === null) continue
      await change(tx, row.id, { state })
      await addEvent(tx, row.id, { who: run.who, what: event, text: null, run_id: run.id })
      cleared.push(row.id)
    }
  }
  return { breaks, cleared }
}

async function recordBreak(tx: Tx, run: ReconciliationRun, id: string, detected: DetectedBreak) {
  const known = await breakOf(tx, id)
  const { event, state } = afterFinding(known, detected.fingerprint)
  const isOpened = event === 'found' || event === 'found-again'
  const figures = {
    date: detected.date,
    player: detected.player,
    currency: detected.currency,
    amount: detected.amount,
    message: detected.message,
    detail: JSON.stringify(detected.detail),
    fingerprint: detected.fingerprint,
    state,
    seen_at: tx.now,
    run_id: run.id,
    times: (known?.times ?? 0) + 1,
    ...(isOpened ? { opened_at: tx.now, reason: null } : {}),
    // Changed figures end a snooze, because it was set for the earlier ones.
    ...(event !== null ? { snoozed_until: null } : {}),
  }
  if (known) await change(tx, id, figures)
  else
    await tx.q
      .insertInto('book_breaks')
      .values({
        id,
        kind: detected.kind,
        subject: detected.subject,
        owner: null,
        reason: null,
        snoozed_until: null,
        found_at: tx.now,
        opened_at: tx.now,
        changed_at: tx.now,
        ...figures,
      })
      .execute()
  if (event !== null) await addEvent(tx, id, { who: run.who, what: event, text: detected.message, run_id: run.id })
  return { id, state, isNew: event === 'found' }
}

/** Filter of the list. */
export interface BreakQuery {
  readonly states?: readonly BreakState[] | undefined
  readonly kinds?: readonly BreakKind[] | undefined
  readonly player?: string | undefined
  readonly owner?: string | null | undefined
  readonly date?: string | undefined
  /** Breaks opened at or before this time. */
  readonly openedBy?: number | undefined
  /** Breaks that are snoozed at this time are omitted; with `only`, all others are. */
  readonly snoozed?: { readonly at: number; readonly only?: boolean } | undefined
  readonly limit: number
}

/** Returns the breaks, longest open first, and their total number. */
export function listBreaks(book: Book, query: BreakQuery): Promise<{ rows: BookBreakRow[]; count: number }> {
  const { states, kinds, player, owner, date, openedBy, snoozed, limit } = query
  return book.store.read(async ({ q }) => {
    let breaks = q.selectFrom('book_breaks')
    if (states !== undefined) breaks = breaks.where('state', 'in', states)
    if (kinds !== undefined) breaks = breaks.where('kind', 'in', kinds)
    if (player !== undefined) breaks = breaks.where('player', '=', player)
    if (owner !== undefined)
      breaks = owner === null ? breaks.where('owner', 'is', null) : breaks.where('owner', '=', owner)
    if (date !== undefined) breaks = breaks.where('date', '=', date)
    if (openedBy !== undefined) breaks = breaks.where('opened_at', '<=', openedBy)
    if (snoozed?.only) breaks = breaks.where('snoozed_until', '>', snoozed.at)
    else if (snoozed)
      breaks = breaks.where((eb) => eb.or([eb('snoozed_until', 'is', null), eb('snoozed_until', '<=', snoozed.at)]))
    const { count } = await breaks.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    const rows = await breaks.selectAll().orderBy('opened_at').orderBy('id').limit(limit).execute()
    return { rows, count }
  })
}

/** Returns a break with its history. Throws BREAK_NOT_FOUND if no ID, or more than one, starts with the text. */
export function breakNamed(book: Book, text: string): Promise<{ row: BookBreakRow; events: BookBreakEventRow[] }> {
  return book.store.read(async (reader) => {
    const [row] = await breaksNamed(reader, [text])
    if (!row) throw new Error('a missing break is rejected before')
    const events = await reader.q
      .selectFrom('book_break_events')
      .selectAll()
      .where('break_id', '=', row.id)
      .orderBy('seq')
      .execute()
    return { row, events }
  })
}

/** Maximum number of IDs per query. */
const idsAtOnce = 500

/** Returns the existing breaks of these IDs. */
export async function breaksAbout({ q }: Reader, ids: readonly string[]): Promise<BookBreakRow[]> {
  const rows: BookBreakRow[] = []
  for (const some of piecesOf(ids, idsAtOnce))
    for (const row of await q.selectFrom('book_breaks').selectAll().where('id', 'in', some).orderBy('id').execute())
      rows.push(row)
  return rows
}

/** Returns the breaks of these IDs or unique prefixes, in the given order, without duplicates. */
export async function breaksNamed(reader: Reader, names: readonly string[]): Promise<BookBreakRow[]> {
  const rows = new Map<string, BookBreakRow>()
  const faults: string[] = []
  for (const name of names) {
    const found = await breakLike(reader, name)
    if (typeof found === 'string') faults.push(found)
    else rows.set(found.id, found)
  }
  if (faults.length === 0) return [...rows.values()]
  const [first = '', ...rest] = faults
  const message = [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...rest].join('; ')
  throw new Problem('BREAK_NOT_FOUND', `${message}. To list breaks: countroom reconcile breaks list --state all`, {
    names,
    remoteCode: null,
  })
}

/** Returns the break of an ID or a unique prefix, or the reason why there is none. */
export async function breakLike({ q }: Reader, name: string): Promise<BookBreakRow | string> {
  const matches = await q
    .selectFrom('book_breaks')
    .selectAll()
    .where('id', '>=', name)
    .where('id', '<', `${name}~`)
    .orderBy('id')
    .limit(3)
    .execute()
  const exact = matches.find(({ id }) => id === name) ?? (matches.length === 1 ? matches[0] : undefined)
  if (exact) return exact
  return matches.length === 0
    ? `break ${name} not found`
    : `${name} matches several IDs: ${matches.map(({ id }) => id).join(', ')}`
}

function breakOf({ q }: Reader, id: string): Promise<BookBreakRow | undefined> {
  return q.selectFrom('book_breaks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the open breaks of a kind, sorted by ID. */
export function openOfKind({ q }: Reader, kind: BreakKind): Promise<BookBreakRow[]> {
  return q
    .selectFrom('book_breaks')
    .selectAll()
    .where('state', '=', 'open')
    .where('kind', '=', kind)
    .orderBy('id')
    .execute()
}

export async function change(tx: Tx, id: string, changes: Partial<BookBreakRow>): Promise<void> {
  await tx.q
    .updateTable('book_breaks')
    .set({ ...changes, changed_at: tx.now })
    .where('id', '=', id)
    .execute()
}

export async function addEvent(
  tx: Tx,
  id: string,
  event: { who: string; what: BreakEventKind; text: string | null; run_id: string | null },
): Promise<void> {
  const last = await tx.q
    .selectFrom('book_break_events')
    .select('seq')
    .where('break_id', '=', id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  await tx.q
    .insertInto('book_break_events')
    .values({ break_id: id, seq: (last?.seq ?? 0) + 1, at: tx.now, ...event })
    .execute()
}
