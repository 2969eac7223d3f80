import type { BookBreakRow } from '../../../db/schema/book.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { BreakReason } from '../../../domain/reconcile/breaks.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../book/book.ts'
import { atPlatformTime } from '../../book/cursor-position.ts'
import { acceptDay } from '../daily/closed-days.ts'
import { addEvent, breaksNamed, change } from './store.ts'

/** Changes of breaks by people. */

/** A change of a break by a person. */
export type BreakAction =
  | { readonly what: 'assigned'; readonly owner: string | null; readonly note: string | null }
  | { readonly what: 'noted'; readonly note: string }
  | { readonly what: 'closed'; readonly reason: BreakReason; readonly note: string | null }
  | { readonly what: 'reopened'; readonly note: string | null }
  /** `until` is the start of the day that a person named. */
  | { readonly what: 'snoozed'; readonly until: number; readonly day: string; readonly note: string | null }
  | { readonly what: 'snooze-ended'; readonly note: string | null }

/**
 * Applies a change to all breaks or to none, and records who did it. Throws BREAK_NOT_FOUND, and CONFLICT if
 * a break is in the wrong state. A break that is already in the requested state is unchanged,
 * and a note is added on its own.
 */
export function applyToBreaks(
  book: Book,
  names: readonly string[],
  actor: string,
  action: BreakAction,
  options: { readonly isDryRun?: boolean } = {},
): Promise<BookBreakRow[]> {
  const work = async (reader: Reader): Promise<Changed[]> => {
    const rows = await breaksNamed(reader, names)
    refuseInapplicable(rows, action)
    return rows.map((row) => changed(row, action, reader.now))
  }
  if (options.isDryRun)
    return book.store.read(async (reader) => (await work(await atPlatformTime(reader))).map(({ row }) => row))
  return book.store.write(async (on) => {
    const tx = await atPlatformTime(on)
    const changes = await work(tx)
    for (const each of changes) await apply(tx, actor, each)
    return changes.map(({ row }) => row)
  })
}

/** A break after an action. */
export interface Changed {
  readonly row: BookBreakRow
  readonly action: BreakAction
  readonly isChanged: boolean
}

/** Returns a break as it is after an action. */
export function changed(row: BookBreakRow, action: BreakAction, now: number): Changed {
  const changes = changesOf(action, now)
  const isChanged =
    action.what === 'noted' ||
    Object.entries(changes).some(([name, to]) => name !== 'opened_at' && row[name as keyof BookBreakRow] !== to)
  return { row: isChanged ? { ...row, ...changes, changed_at: now } : row, action, isChanged }
}

/** Stores a changed break, with its event. */
export async function apply(tx: Tx, actor: string, { row, action, isChanged }: Changed): Promise<void> {
  if (!isChanged) return addNoteOnly(tx, row.id, actor, action.note)
  await change(tx, row.id, changesOf(action, tx.now))
  await addEvent(tx, row.id, { who: actor, what: action.what, text: textOf(action), run_id: null })
  await followUp(tx, row, action)
}

/** Keeps the note for a break that is already in the requested state. */
async function addNoteOnly(tx: Tx, id: string, actor: string, note: string | null): Promise<void> {
  if (note !== null) await addEvent(tx, id, { who: actor, what: 'noted', text: note, run_id: null })
}

function changesOf(action: BreakAction, now: number): Partial<BookBreakRow> {
  if (action.what === 'assigned') return { owner: action.owner }
  if (action.what === 'closed') return { state: 'closed', reason: action.reason, snoozed_until: null }
  if (action.what === 'reopened') return { state: 'open', reason: null, opened_at: now, snoozed_until: null }
  if (action.what === 'snoozed') return { snoozed_until: action.until }
  return action.what === 'snooze-ended' ? { snoozed_until: null } : {}
}

function textOf(action: BreakAction): string | null {
  return [decisionOf(action), action.note].filter((part) => part !== undefined && part !== null).join(': ') || null
}

function decisionOf(action: BreakAction): string | undefined {
  if (action.what === 'assigned') return action.owner ?? 'nobody'
  if (action.what === 'closed') return action.reason
  return action.what === 'snoozed' ? `until ${action.day}` : undefined
}

/** Closing a restatement accepts it: the day is compared with the new figures; reopening reverts that. */
async function followUp(tx: Tx, row: BookBreakRow, { what }: BreakAction): Promise<void> {
  if (row.kind !== 'restated' || (what !== 'closed' && what !== 'reopened')) return
  const { date, timezone, place, upTo } = JSON.parse(row.detail)
  await acceptDay(tx, { date, timezone, place: what === 'closed' ? upTo : place })
}

/** Returns why an action cannot be applied to a break, or undefined: a cleared break needs no close, and a closed one has its reason. */
export function refusalOf({ state }: BookBreakRow, what: BreakAction['what']): string | undefined {
  if (what !== 'closed' && what !== 'snoozed') return undefined
  if (state === 'cleared') return 'already cleared: a later run no longer found'
  return state === 'closed' ? 'already closed; to change the reason, reopen' : undefined
}

function refuseInapplicable(rows: readonly BookBreakRow[], { what }: BreakAction): void {
  const faults = Map.groupBy(
    rows.flatMap((row) => {
      const fault = refusalOf(row, what)
      return fault === undefined ? [] : [{ id: row.id, fault }]
    }),
    ({ fault }) => fault,
  )
  if (faults.size === 0) return
  const messages = [...faults].map(([fault, of]) => {
    const [are, them] = of.length === 1 ? ['is', 'it'] : ['are', 'them']
    return `${of.map(({ id }) => id).join(', ')} ${are} ${fault} ${them}`
  })
  const breaks = [...faults.values()].flatMap((of) => of.map(({ id }) => id))
  throw new Problem('CONFLICT', messages.join('; '), { breaks, remoteCode: null })
}
