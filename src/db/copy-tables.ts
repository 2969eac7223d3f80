import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Problem } from '../kit/problem.ts'
import type { Engine } from './engines/engine.ts'
import type { TableShape } from './engines/table-shape.ts'
import type { Tables } from './schema/index.ts'

/**
 * Copies all rows of a database to another one of the same schema, on any engine. The list of tables and their columns come from
 * the databases, so that a table added later is copied too.
 */

/** A row with its values: texts, whole numbers and nulls are all that databases of this program have. */
type CopiedRow = Readonly<Record<string, string | number | null>>

/** Number of rows of a table and the SHA-256 of their values, in the order of the primary key. */
export interface TableDigest {
  readonly table: string
  readonly rows: number
  readonly sha256: string
}

/** Tables that the target fills itself: that of the schema by its migrations. */
export const ownTables: readonly string[] = ['store_migrations']

/** Maximum number of rows per read. */
const rowsAtOnce = 500
/** Maximum number of values per statement, below the limits of both engines. */
const maxValues = 30_000

/** Returns all tables with rows to copy, in order of their names. */
export async function copiedTables(engine: Engine, q: Kysely<Tables>): Promise<TableShape[]> {
  const names = (await engine.tables(q)).filter((name) => !ownTables.includes(name)).sort()
  const shapes: TableShape[] = []
  for (const name of names) {
    const shape = await engine.tableShape(q, name)
    if (shape.key.length === 0)
      throw new Problem(
        'STORE_FOREIGN',
        `The table ${name} has no primary key, so its rows cannot be copied in order`,
        {
          table: name,
        },
      )
    shapes.push(shape)
  }
  return shapes
}

/** Returns whether the database has no rows: it is new, or its tables are empty. */
export async function isEmptyDatabase(engine: Engine): Promise<boolean> {
  return engine.read((q) => hasNoRows(engine, q))
}

async function hasNoRows(engine: Engine, q: Kysely<Tables>): Promise<boolean> {
  for (const name of await engine.tables(q)) {
    if (ownTables.includes(name)) continue
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(q)
    if (rows.length > 0) return false
  }
  return true
}

/** Returns the number of rows of all tables. */
export async function countRows(engine: Engine, q: Kysely<Tables>): Promise<{ table: string; rows: number }[]> {
  const counts: { table: string; rows: number }[] = []
  for (const { name } of await copiedTables(engine, q)) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(q)
    counts.push({ table: name, rows: rows[0]?.n ?? 0 })
  }
  return counts
}

/** Reads every row of a table in the order of its key, in batches. */
async function* rowsOf(q: Kysely<Tables>, { name, columns, key }: TableShape): AsyncGenerator<CopiedRow[]> {
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const order = sql.join(key.map((column) => sql.ref(column)))
  let after = sql``
  for (;;) {
    const { rows } = await sql<CopiedRow>`
      select ${list} from ${sql.table(name)} ${after} order by ${order} limit ${rowsAtOnce}`.execute(q)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < rowsAtOnce) return
    after = sql`where (${order}) > (${sql.join(key.map((column) => last[column] ?? null))})`
  }
}

/** Hashes rows: one line of JSON per row, values in the order of the columns' names. */
function rowHash(columns: readonly string[]) {
  const hash = createHash('sha256')
  return {
    add(rows: readonly CopiedRow[]) {
      for (const row of rows) hash.update(`${JSON.stringify(columns.map((column) => row[column] ?? null))}\n`)
    },
    digest: () => hash.digest('hex'),
  }
}

/** Returns the digest of every table, by reading all rows in one snapshot. */
export async function tableDigests(
  engine: Engine,
  q: Kysely<Tables>,
  onRows?: (count: number, table: string) => void,
): Promise<TableDigest[]> {
  const digests: TableDigest[] = []
  for (const shape of await copiedTables(engine, q)) {
    const hash = rowHash(shape.columns)
    let rows = 0
    for await (const some of rowsOf(q, shape)) {
      hash.add(some)
      rows += some.length
      onRows?.(some.length, shape.name)
    }
    digests.push({ table: shape.name, rows, sha256: hash.digest() })
  }
  return digests
}

export interface CopyProgress {
  /** Called once, with the number of rows to copy. */
  begin(rows: number): void
  copied(rows: number, table: string): void
  checked(rows: number, table: string): void
}

interface CopyOptions {
  readonly progress?: CopyProgress
  readonly signal?: AbortSignal
  readonly after?: ((q: Kysely<Tables>) => Promise<unknown>) | undefined
}

/**
 * Copies all rows of the source's snapshot into an empty database with the same tables, reads them back there, and compares counts
 * and digests. All writes are in one transaction of the target, so that a copy that ends early leaves it empty. `after` writes more
 * in it, once the copy is equal. Throws FILE_EXISTS when the target has rows, and COPY_DIFFERS when the copy is not equal.
 */
export async function copyTables(
  source: Engine,
  target: Engine,
  { progress, signal, after }: CopyOptions = {},
): Promise<TableDigest[]> {
  const counts = await source.read((from) => countRows(source, from))
  progress?.begin(counts.reduce((sum, { rows }) => sum + rows, 0))
  return target.alone(async (to) => {
    if (!(await hasNoRows(target, to))) throw notEmpty()
    // The source's transaction ends before the check, because PostgreSQL ends idle ones.
    const digests = await source.read(async (from) => {
      const shapes = await copiedTables(source, from)
      assertSameTables(shapes, await copiedTables(target, to))
      const copied: TableDigest[] = []
      for (const shape of shapes) copied.push(await copyTable({ from, to, shape, progress, signal }))
      return copied
    })
    const check = (rows: number, table: string) => {
      signal?.throwIfAborted()
      progress?.checked(rows, table)
    }
    assertSame(digests, await tableDigests(target, to, check))
    await after?.(to)
    return digests
  })
}

export function notEmpty(): Problem {
  return new Problem('FILE_EXISTS', 'The target is not empty, and a copy never overwrites. Name an empty one', {
    category: 'conflict',
  })
}

interface TableCopy {
  readonly from: Kysely<Tables>
  readonly to: Kysely<Tables>
  readonly shape: TableShape
  readonly progress: CopyProgress | undefined
  readonly signal: AbortSignal | undefined
}

async function copyTable({ from, to, shape, progress, signal }: TableCopy): Promise<TableDigest> {
  const { name, columns } = shape
  const hash = rowHash(columns)
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const most = Math.max(1, Math.floor(maxValues / columns.length))
  let rows = 0
  for await (const some of rowsOf(from, shape)) {
    signal?.throwIfAborted()
    for (let at = 0; at < some.length; at += most) {
      const values = some
        .slice(at, at + most)
        .map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`)
      await sql`insert into ${sql.table(name)} (${list}) values ${sql.join(values)}`.execute(to)
    }
    hash.add(some)
    rows += some.length
    progress?.copied(some.length, name)
  }
  return { table: name, rows, sha256: hash.digest() }
}

function assertSameTables(source: readonly TableShape[], target: readonly TableShape[]): void {
  const text = (shapes: readonly TableShape[]) =>
    shapes.map(({ name, columns }) => `${name} (${columns.join(', ')})`).join('; ')
  if (text(source) !== text(target))
    throw new Problem(
      'STORE_FOREIGN',
      'Source and target do not have the same tables and columns; nothing was copied',
      {
        source: source.map(({ name }) => name),
        target: target.map(({ name }) => name),
      },
    )
}

function assertSame(source: readonly TableDigest[], target: readonly TableDigest[]): void {
  const byTable = new Map(target.map((digest) => [digest.table, digest]))
  for (const { table, rows, sha256 } of source) {
    const copy = byTable.get(table)
    if (copy?.rows === rows && copy.sha256 === sha256) continue
    throw new Problem(
      'COPY_DIFFERS',
      `The copy of ${table} differs: ${rows} rows in the source, ${copy?.rows ?? 0} in the copy. Nothing was kept`,
      { category: 'differences', table },
    )
  }
}
