import { CompiledQuery, type Kysely } from 'kysely'
import type { Reader, Tx } from '../store/store.ts'
import type { WorldRow } from '../store/tables/store.ts'
import type { Tables } from '../store/tables.ts'

/** The world's clock: the machine's, and an offset that everybody who has the world open reads with each transaction. */

/** Where players reach a world that nobody serves at the moment. */
export const unservedUrl = 'http://127.0.0.1:8787'

// Compiled once: it is asked at the start of every transaction there is.
const offsetQuery = CompiledQuery.raw(`select clock_offset from store_world where id = 'world'`)

/** The world's moment on a connection. */
export async function worldNow(q: Kysely<Tables>, machineNow: () => number): Promise<number> {
  const { rows } = await q.executeQuery<Pick<WorldRow, 'clock_offset'>>(offsetQuery)
  return machineNow() + (rows[0]?.clock_offset ?? 0)
}

const unmoved: WorldRow = {
  id: 'world',
  clock_offset: 0,
  seed: null,
  runs: 0,
  served_url: null,
  public_callbacks: null,
  allows_faults: null,
}

/** What the world knows of itself. */
export async function worldItself({ q }: Reader): Promise<WorldRow> {
  const row = await q.selectFrom('store_world').selectAll().executeTakeFirst()
  return row ?? unmoved
}

/** Changes what the world knows of itself, and says what that is then. */
export async function saveWorld(tx: Tx, change: Partial<Omit<WorldRow, 'id'>>): Promise<WorldRow> {
  const row = { ...(await worldItself(tx)), ...change }
  await tx.q
    .insertInto('store_world')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute()
  return row
}
