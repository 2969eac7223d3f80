import type { BookBreakEventRow, BookBreakRow } from '../../../db/schema/book.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import {
  afterFinding,
  afterLooking,
  type BreakEventKind,
  type BreakKind,
  type BreakReason,
  type BreakState,
  breakId,
  type DetectedBreak,
} from '../../../domain/reconcile/breaks.ts'
import { piecesOf } from '../../../kit/pieces.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../book/book.ts'
import { acceptDay } from '../daily/closed-days.ts'

/** Storage of breaks and their history. */

/** A run that searched for differences. */
export interface ReconciliationRun {
  readonly id: string
  /** Command, as shown in the history. */
  readonly who: string
}

/** Findings of a run, and the open breaks that it did not find again. */
export interface Findings {
  readonly detected: readonly DetectedBreak[]
  /** Returns whether this run could have found an open break. Breaks that it did find are never cleared. */
  readonly looked: readonly { readonly kind: BreakKind; covers(row: BookBreakRow): boolean }[]
}

/** Result of storing the findings. */
export interface NotedBreaks {
  /** State of each break, in the order of the findings. */
  readonly breaks: readonly { readonly id: string; readonly state: BreakState; readonly isNew: boolean }[]
  readonly cleared: readonly string[]
}

/**
 * Stores the findings of a run in the given transaction: opens new breaks, updates known ones, and clears those that the run
 * could have found but did not.
 */
export async function noteFindings(
  tx: Tx,
  run: ReconciliationRun,
  { detected, looked }: Findings,
): Promise<NotedBreaks> {
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
  readonly limit: number
}

/** Returns the breaks, longest open first, and their total number. */
export function listBreaks(book: Book, query: BreakQuery): Promise<{ rows: BookBreakRow[]; count: number }> {
  const { states, kinds, player, owner, date, openedBy, limit } = query
  return book.store.read(async ({ q }) => {
    let breaks = q.selectFrom('book_breaks')
    if (states !== undefined) breaks = breaks.where('state', 'in', states)
    if (kinds !== undefined) breaks = breaks.where('kind', 'in', kinds)
    if (player !== undefined) breaks = breaks.where('player', '=', player)
    if (owner !== undefined)
      breaks = owner === null ? breaks.where('owner', 'is', null) : breaks.where('owner', '=', owner)
    if (date !== undefined) breaks = breaks.where('date', '=', date)
    if (openedBy !== undefined) breaks = breaks.where('opened_at', '<=', openedBy)
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

/** A change of a break by a person. */
export type BreakOrder =
  | { readonly what: 'assigned'; readonly owner: string | null; readonly note: string | null }
  | { readonly what: 'noted'; readonly note: string }
  | { readonly what: 'closed'; readonly reason: BreakReason; readonly note: string | null }
  | { readonly what: 'reopened'; readonly note: string | null }

/**
 * Applies a change to all breaks or to none, and records who did it. Throws BREAK_NOT_FOUND, and CONFLICT if
 * a break is in the wrong state. A break that is already in the requested state is unchanged,
 * and a note is added on its own.
 */
export function orderBreaks(
  book: Book,
  names: readonly string[],
  actor: string,
  order: BreakOrder,
  options: { readonly isRehearsal?: boolean } = {},
): Promise<BookBreakRow[]> {
  const work = async (reader: Reader): Promise<{ row: BookBreakRow; isChanged: boolean }[]> => {
    const rows = await breaksNamed(reader, names)
    refuseUnfit(rows, order)
    return rows.map((row) => {
      const changes = changesOf(order, reader.now)
      const isChanged =
        order.what === 'noted' ||
        Object.entries(changes).some(([name, to]) => name !== 'opened_at' && row[name as keyof BookBreakRow] !== to)
      return { row: isChanged ? { ...row, ...changes, changed_at: reader.now } : row, isChanged }
    })
  }
  if (options.isRehearsal) return book.store.read(async (reader) => (await work(reader)).map(({ row }) => row))
  return book.store.write(async (tx) => {
    const ordered = await work(tx)
    for (const { row, isChanged } of ordered) {
      if (!isChanged) {
        await noteAlone(tx, row.id, actor, order.note)
        continue
      }
      await change(tx, row.id, changesOf(order, tx.now))
      await addEvent(tx, row.id, { who: actor, what: order.what, text: textOf(order), run_id: null })
      await followUp(tx, row, order)
    }
    return ordered.map(({ row }) => row)
  })
}

/** Keeps the note for a break that is already in the requested state. */
async function noteAlone(tx: Tx, id: string, actor: string, note: string | null): Promise<void> {
  if (note !== null) await addEvent(tx, id, { who: actor, what: 'noted', text: note, run_id: null })
}

function changesOf(order: BreakOrder, now: number): Partial<BookBreakRow> {
  if (order.what === 'assigned') return { owner: order.owner }
  if (order.what === 'closed') return { state: 'closed', reason: order.reason }
  return order.what === 'reopened' ? { state: 'open', reason: null, opened_at: now } : {}
}

function textOf(order: BreakOrder): string | null {
  const decision =
    order.what === 'assigned' ? (order.owner ?? 'nobody') : order.what === 'closed' ? order.reason : undefined
  return [decision, order.note].filter((part) => part !== undefined && part !== null).join(': ') || null
}

/** Closing a restatement accepts it: the day is compared with the new figures; reopening reverts that. */
async function followUp(tx: Tx, row: BookBreakRow, { what }: BreakOrder): Promise<void> {
  if (row.kind !== 'restated' || (what !== 'closed' && what !== 'reopened')) return
  const { date, timezone, place, upTo } = JSON.parse(row.detail)
  await acceptDay(tx, { date, timezone, place: what === 'closed' ? upTo : place })
}

/** A cleared break needs no close. */
function refuseUnfit(rows: readonly BookBreakRow[], { what }: BreakOrder): void {
  const ids = rows.filter(({ state }) => what === 'closed' && state === 'cleared').map(({ id }) => id)
  if (ids.length === 0) return
  throw new Problem(
    'CONFLICT',
    `${ids.join(', ')} ${ids.length === 1 ? 'is' : 'are'} already cleared: a later run no longer found ${ids.length === 1 ? 'it' : 'them'}`,
    { breaks: ids, remoteCode: null },
  )
}

/** Returns the breaks of these IDs or unique prefixes, in the given order, without duplicates. */
async function breaksNamed(reader: Reader, names: readonly string[]): Promise<BookBreakRow[]> {
  const rows = new Map<string, BookBreakRow>()
  const faults: string[] = []
  for (const name of names) {
    const matches = await reader.q
      .selectFrom('book_breaks')
      .selectAll()
      .where('id', '>=', name)
      .where('id', '<', `${name}~`)
      .orderBy('id')
      .limit(3)
      .execute()
    const exact = matches.find(({ id }) => id === name) ?? (matches.length === 1 ? matches[0] : undefined)
    if (exact) rows.set(exact.id, exact)
    else if (matches.length === 0) faults.push(`break ${name} not found`)
    else faults.push(`${name} matches several IDs: ${matches.map(({ id }) => id).join(', ')}`)
  }
  if (faults.length === 0) return [...rows.values()]
  const [first = '', ...rest] = faults
  const message = [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...rest].join('; ')
  throw new Problem('BREAK_NOT_FOUND', `${message}. To list breaks: countroom reconcile breaks list --state all`, {
    names,
    remoteCode: null,
  })
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

async function change(tx: Tx, id: string, changes: Partial<BookBreakRow>): Promise<void> {
  await tx.q
    .updateTable('book_breaks')
    .set({ ...changes, changed_at: tx.now })
    .where('id', '=', id)
    .execute()
}

async function addEvent(
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
