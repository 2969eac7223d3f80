import type { BookBreakRow } from '../../../db/schema/book.ts'
import type { Reader } from '../../../db/store.ts'

/** Breaks that a command opened. */
export interface BreakNews {
  readonly found: readonly BookBreakRow[]
  /** Found again after they were cleared or closed. */
  readonly reopened: readonly BookBreakRow[]
}

/** Returns the breaks that a command opened at or after a time, by their history. */
export async function breakNews({ q }: Reader, who: string, since: number): Promise<BreakNews> {
  const events = await q
    .selectFrom('book_break_events')
    .select(['break_id', 'what'])
    .where('at', '>=', since)
    .where('who', '=', who)
    .where('what', 'in', ['found', 'found-again'])
    .orderBy('break_id')
    .execute()
  const rowsOf = async (what: 'found' | 'found-again') => {
    const ids = new Set(events.filter((event) => event.what === what).map((event) => event.break_id))
    const rows: BookBreakRow[] = []
    for (const id of ids)
      rows.push(await q.selectFrom('book_breaks').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
    return rows
  }
  return { found: await rowsOf('found'), reopened: await rowsOf('found-again') }
}
