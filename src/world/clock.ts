import { CompiledQuery, type Kysely } from 'kysely'
import type { Tables } from '../db/schema/index.ts'
import type { WorldRow } from '../db/schema/store.ts'
import type { Moment, Reader, Store, Tx } from '../db/store.ts'
import { Timeline } from '../db/timeline.ts'
import { openableUrl } from '../http/server/public-url.ts'
import { Problem } from '../kit/problem.ts'

/** The world's clock: the machine's plus an offset that every process reads with each transaction. */

/** Default base URL of a world that is not being served. */
export const unservedUrl = 'http://127.0.0.1:8787'

// Compiled once: it runs at the start of every transaction.
const offsetQuery = CompiledQuery.raw(`select clock_offset, timeline from store_world where id = 'world'`)

/** A world's time. */
export interface WorldTime {
  /** Timeline that the time belongs to. */
  readonly timeline: Timeline
  /** Reads the time on a connection. */
  read(q: Kysely<Tables>): Promise<Moment>
  /** Returns the time by the last known offset, for code outside of transactions. */
  latest(): number
}

export function openWorldTime(machineNow: () => number): WorldTime {
  let offset = 0
  const timeline = new Timeline()
  return {
    timeline,
    async read(q) {
      const { rows } = await q.executeQuery<Pick<WorldRow, 'clock_offset' | 'timeline'>>(offsetQuery)
      offset = rows[0]?.clock_offset ?? 0
      return { at: machineNow() + offset, admit: timeline.seen(rows[0]?.timeline ?? null) }
    },
    latest: () => machineNow() + offset,
  }
}

/**
 * Years that the clock may show. Jobs compute times years before and after it, and every time must have a year of four
 * digits.
 */
const clockYears = { first: 1971, last: 9989 } as const

/** Throws for a time that the clock cannot show. */
export function checkClock(at: number): void {
  const year = new Date(at).getUTCFullYear()
  if (year >= clockYears.first && year <= clockYears.last) return
  throw new Problem('INVALID_USAGE', `The clock can only show the years ${clockYears.first} to ${clockYears.last}`)
}

const unmoved: WorldRow = {
  id: 'world',
  clock_offset: 0,
  seed: null,
  runs: 0,
  served_url: null,
  public_url: null,
  public_callbacks: null,
  allows_faults: null,
  desk_token: null,
  timeline: null,
  loading: null,
}

/** Returns the base of public URLs: as configured when the world was last served, else where it is served. */
export function publicUrlAt({ served_url, public_url }: Pick<WorldRow, 'served_url' | 'public_url'>): string {
  return public_url ?? (served_url === null ? unservedUrl : openableUrl(served_url))
}

/** Returns the world's own row. */
export async function worldItself({ q }: Reader): Promise<WorldRow> {
  const row = await q.selectFrom('store_world').selectAll().executeTakeFirst()
  return row ?? unmoved
}

/** Returns the URL at which a process serves the world, as the database records it. After a crash it is outdated. */
export async function servedAt(store: Pick<Store, 'read'>): Promise<string | null> {
  const { served_url } = await store.read(worldItself)
  return served_url === null ? null : openableUrl(served_url)
}

/** Updates the world's own row and returns it. */
export async function saveWorld(tx: Tx, change: Partial<Omit<WorldRow, 'id'>>): Promise<WorldRow> {
  const row = { ...(await worldItself(tx)), ...change }
  await tx.q
    .insertInto('store_world')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute()
  return row
}

/** Records that the world is no longer served at this URL; another process may serve it elsewhere. */
export async function leaveService(tx: Tx, servedUrl: string | null): Promise<void> {
  if ((await worldItself(tx)).served_url === servedUrl) await saveWorld(tx, { served_url: null, desk_token: null })
}
