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
  type FoundBreak,
} from '../../../domain/reconcile/breaks.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../book/book.ts'
import { acceptDay } from '../daily/closed-days.ts'

/** The differences that runs found, and all that happened to them. */

/** A run that looked for differences. */
export interface LookingRun {
  readonly id: string
  /** The command, as it stands in the history. */
  readonly who: string
}

/** What a run found, and which of the breaks that are open it has looked for in vain. */
export interface Findings {
  readonly found: readonly FoundBreak[]
  /** Of this kind, those open breaks that this run could have found. One that it found is never cleared. */
  readonly looked: readonly { readonly kind: BreakKind; covers(row: BookBreakRow): boolean }[]
}

/** What noting the findings of a run came to. */
export interface NotedBreaks {
  /** Of each that was found, in their order, how it stands now. */
  readonly breaks: readonly { readonly id: string; readonly state: BreakState; readonly isNew: boolean }[]
  readonly cleared: readonly string[]
}

/**
 * Notes what a run found: new ones are opened, known ones are seen again, and those that it looked for and did not find
 * are cleared; all of it in the transaction at hand.
 */
export async function noteFindings(tx: Tx, run: LookingRun, { found, looked }: Findings): Promise<NotedBreaks> {
  const breaks: { id: string; state: BreakState; isNew: boolean }[] = []
  const seen = new Map<string, FoundBreak>()
  for (const one of found) if (!seen.has(breakId(one))) seen.set(breakId(one), one)
  for (const [id, one] of seen) breaks.push(await noteFound(tx, run, id, one))
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

async function noteFound(tx: Tx, run: LookingRun, id: string, found: FoundBreak) {
  const known = await breakOf(tx, id)
  const { event, state } = afterFinding(known, found.fingerprint)
  const isOpened = event === 'found' || event === 'found-again'
  const told = {
    date: found.date,
    player: found.player,
    currency: found.currency,
    amount: found.amount,
    message: found.message,
    detail: JSON.stringify(found.detail),
    fingerprint: found.fingerprint,
    state,
    seen_at: tx.now,
    run_id: run.id,
    times: (known?.times ?? 0) + 1,
    ...(isOpened ? { opened_at: tx.now, reason: null } : {}),
  }
  if (known) await change(tx, id, told)
  else
    await tx.q
      .insertInto('book_breaks')
      .values({
        id,
        kind: found.kind,
        subject: found.subject,
        owner: null,
        reason: null,
        found_at: tx.now,
        opened_at: tx.now,
        changed_at: tx.now,
        ...told,
      })
      .execute()
  if (event !== null) await addEvent(tx, id, { who: run.who, what: event, text: found.message, run_id: run.id })
  return { id, state, isNew: event === 'found' }
}

/** What is asked of the list. */
export interface BreakQuery {
  readonly states?: readonly BreakState[] | undefined
  readonly kinds?: readonly BreakKind[] | undefined
  readonly player?: string | undefined
  readonly owner?: string | null | undefined
  readonly date?: string | undefined
  /** Only those opened at that moment or before. */
  readonly openedBy?: number | undefined
  readonly limit: number
}

/** The breaks, the one that is open for longest first; and how many there are beside. */
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

/** A break with all that happened to it; BREAK_NOT_FOUND where no id, or more than one, begins so. */
export function breakNamed(book: Book, text: string): Promise<{ row: BookBreakRow; events: BookBreakEventRow[] }> {
  return book.store.read(async (reader) => {
    const [row] = await breaksNamed(reader, [text])
    if (!row) throw new Error('a break that is not there is refused')
    const events = await reader.q
      .selectFrom('book_break_events')
      .selectAll()
      .where('break_id', '=', row.id)
      .orderBy('seq')
      .execute()
    return { row, events }
  })
}

/** How many ids one question names. */
const idsAtOnce = 500

/** The breaks of these ids, as far as there are any. */
export async function breaksAbout({ q }: Reader, ids: readonly string[]): Promise<BookBreakRow[]> {
  const rows: BookBreakRow[] = []
  for (let i = 0; i < ids.length; i += idsAtOnce)
    for (const row of await q
      .selectFrom('book_breaks')
      .selectAll()
      .where('id', 'in', ids.slice(i, i + idsAtOnce))
      .orderBy('id')
      .execute())
      rows.push(row)
  return rows
}

/** What a person does to a break. */
export type BreakOrder =
  | { readonly what: 'assigned'; readonly owner: string | null; readonly note: string | null }
  | { readonly what: 'noted'; readonly note: string }
  | { readonly what: 'closed'; readonly reason: BreakReason; readonly note: string | null }
  | { readonly what: 'reopened'; readonly note: string | null }

/**
 * Does it to all of the breaks or to none of them, and notes who did it. Refuses with BREAK_NOT_FOUND, and with CONFLICT
 * where a break is not in a state for it; what is so already is left as it is,
 * and a note on it is kept by itself.
 */
export function orderBreaks(
  book: Book,
  names: readonly string[],
  who: string,
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
        await noteAlone(tx, row.id, who, order.note)
        continue
      }
      await change(tx, row.id, changesOf(order, tx.now))
      await addEvent(tx, row.id, { who, what: order.what, text: textOf(order), run_id: null })
      await followUp(tx, row, order)
    }
    return ordered.map(({ row }) => row)
  })
}

/** What was said of a break that is so already is not lost. */
async function noteAlone(tx: Tx, id: string, who: string, note: string | null): Promise<void> {
  if (note !== null) await addEvent(tx, id, { who, what: 'noted', text: note, run_id: null })
}

function changesOf(order: BreakOrder, now: number): Partial<BookBreakRow> {
  if (order.what === 'assigned') return { owner: order.owner }
  if (order.what === 'closed') return { state: 'closed', reason: order.reason }
  return order.what === 'reopened' ? { state: 'open', reason: null, opened_at: now } : {}
}

function textOf(order: BreakOrder): string | null {
  const said =
    order.what === 'assigned' ? (order.owner ?? 'nobody') : order.what === 'closed' ? order.reason : undefined
  return [said, order.note].filter((part) => part !== undefined && part !== null).join(': ') || null
}

/** A restatement that is closed is accepted: from then on the day is held to its new figures; reopened, to the old ones again. */
async function followUp(tx: Tx, row: BookBreakRow, { what }: BreakOrder): Promise<void> {
  if (row.kind !== 'restated' || (what !== 'closed' && what !== 'reopened')) return
  const { date, timezone, place, upTo } = JSON.parse(row.detail)
  await acceptDay(tx, { date, timezone, place: what === 'closed' ? upTo : place })
}

/** A break that a run has seen to be gone needs nobody to close it. */
function refuseUnfit(rows: readonly BookBreakRow[], { what }: BreakOrder): void {
  const ids = rows.filter(({ state }) => what === 'closed' && state === 'cleared').map(({ id }) => id)
  if (ids.length === 0) return
  throw new Problem(
    'CONFLICT',
    `${ids.join(', ')}: a run has looked again and found ${ids.length === 1 ? 'it' : 'them'} gone; there is nothing to close`,
    { breaks: ids, remoteCode: null },
  )
}

/** The breaks of these ids or of what only one id begins with, in the order they are named, each once. */
async function breaksNamed(reader: Reader, names: readonly string[]): Promise<BookBreakRow[]> {
  const rows = new Map<string, BookBreakRow>()
  const faults: string[] = []
  for (const name of names) {
    const fitting = await reader.q
      .selectFrom('book_breaks')
      .selectAll()
      .where('id', '>=', name)
      .where('id', '<', `${name}~`)
      .orderBy('id')
      .limit(3)
      .execute()
    const exact = fitting.find(({ id }) => id === name) ?? (fitting.length === 1 ? fitting[0] : undefined)
    if (exact) rows.set(exact.id, exact)
    else if (fitting.length === 0) faults.push(`there is no break ${name}`)
    else faults.push(`${name} begins more than one id: ${fitting.map(({ id }) => id).join(', ')}`)
  }
  if (faults.length === 0) return [...rows.values()]
  const [first = '', ...others] = faults
  const message = [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...others].join('; ')
  throw new Problem('BREAK_NOT_FOUND', `${message}: "countroom reconcile breaks list --state all" shows them`, {
    names,
    remoteCode: null,
  })
}

function breakOf({ q }: Reader, id: string): Promise<BookBreakRow | undefined> {
  return q.selectFrom('book_breaks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The open breaks of a kind, in the order of their ids. */
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
