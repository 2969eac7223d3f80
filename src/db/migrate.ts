import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isProblem, Problem } from '../kit/problem.ts'
import type { Engine } from './engines/engine.ts'
import type { KeyedTable } from './engines/keyed-table.ts'
import type { MonthlyTable } from './engines/month-partitions.ts'
import type { AddedIndex } from './engines/online-changes.ts'
import type { Tables } from './schema/index.ts'
import type { MigrationRow } from './schema/store.ts'

/** One migration of a schema. */
export interface Migration {
  /** Four digits and a word, as in the file name. */
  readonly name: string
  /** Applies the migration. Tables are not typed here: a released migration must not change when the types do. */
  up(q: Kysely<unknown>): Promise<void>
  /** Tables that get another primary key after `up` (`Engine.storeByKey`). */
  readonly storedByKey?: readonly KeyedTable[]
  /** New indexes of tables that may be large. They are built before `up` where the table may be used (`Engine.online`). */
  readonly indexed?: readonly AddedIndex[]
  /** Tables that get partitions by month after `up`, where the engine has any (`Engine.partitions`). */
  readonly partitioned?: readonly MonthlyTable[]
}

/** A schema: all its migrations, in order. */
export interface Migrations {
  readonly of: 'world' | 'book'
  readonly steps: readonly Migration[]
  /** Gives a copy of a new database its own identity. */
  readonly renew?: (q: Kysely<Tables>) => Promise<void>
}

/**
 * Applies pending migrations and returns their names. A new database gets all of them in one transaction, a database
 * with content gets each in its own. Refuses, without changes, a database that is newer than this program or of another
 * kind. Two processes may migrate concurrently: each migration is applied by one of them.
 */
export async function migrate(engine: Engine, migrations: Migrations): Promise<readonly string[]> {
  // Check without a lock first: usually nothing is pending, and another process may be writing.
  if ((await engine.read((q) => nextStep(engine, q, migrations))) === undefined) return []
  const appliedNames: string[] = []
  for (;;) {
    await prepareNext(engine, migrations)
    const names = await takingLocks(() => engine.alone((q) => takeSteps(engine, q, migrations)))
    if (names.length === 0) return appliedNames
    appliedNames.push(...names)
  }
}

/** Does what the next migration of a database with content needs while others read and write. */
async function prepareNext(engine: Engine, migrations: Migrations): Promise<void> {
  const position = (await engine.read((q) => nextStep(engine, q, migrations))) ?? 1
  const step = position === 1 ? undefined : migrations.steps[position - 1]
  for (const index of step?.indexed ?? []) await engine.online?.buildIndex(index)
  for (const table of step?.partitioned ?? []) await engine.partitions?.prepare(table)
}

const maxAttempts = 200

/** Repeats a migration that waits only a moment for its locks, because others wait behind it. */
async function takingLocks<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (!isProblem(error, 'STORE_BUSY')) throw error
      if (attempt >= maxAttempts)
        throw new Problem(
          'STORE_BUSY',
          `The database was not migrated, because other transactions hold its tables: ${maxAttempts} attempts failed. Wait for backups and reports to end, then start again`,
          { outcome: 'none' },
          { cause: error },
        )
    }
    await wait(betweenMs)
  }
}

const betweenMs = 300

/** Returns the applied migrations, in order. */
export function appliedMigrations({ q }: { readonly q: Kysely<Tables> }): Promise<MigrationRow[]> {
  return q.selectFrom('store_migrations').selectAll().orderBy('position').execute()
}

/** Applies the next migration, or all of them to an empty database. */
async function takeSteps(engine: Engine, q: Kysely<Tables>, migrations: Migrations): Promise<readonly string[]> {
  const { of, steps } = migrations
  const position = await nextStep(engine, q, migrations)
  if (position === undefined) return []
  const isNew = position === 1
  if (isNew && (await createdByScript(engine, q, migrations))) return steps.map(({ name }) => name)
  if (isNew) await createTable(q)
  const due = isNew ? steps : steps.slice(position - 1, position)
  // Kysely is invariant in its tables; a migration knows none of them.
  const untyped = q as unknown as Kysely<unknown>
  if (!isNew) await engine.online?.limitLocks(untyped)
  for (const [i, { name, up, indexed = [], storedByKey = [], partitioned = [] }] of due.entries()) {
    if (isNew || !engine.online) for (const index of indexed) await createIndex(untyped, index)
    await up(untyped)
    for (const table of storedByKey) await engine.storeByKey(untyped, table)
    for (const table of partitioned) await engine.partitions?.divide(untyped, table)
    await q
      .insertInto('store_migrations')
      .values({ position: position + i, name, of })
      .execute()
  }
  return due.map(({ name }) => name)
}

/** Creates the schema by the engine's script. Returns false, with nothing done, if it has none for these migrations. */
async function createdByScript(engine: Engine, q: Kysely<Tables>, { of, steps, renew }: Migrations): Promise<boolean> {
  const script = engine.schemaScript?.(of)
  if (!script || script.migrations.join() !== steps.map(({ name }) => name).join()) return false
  for (const statement of script.statements) await sql.raw(statement).execute(q)
  await renew?.(q)
  return true
}

async function createIndex(q: Kysely<unknown>, { name, table, columns }: AddedIndex): Promise<void> {
  await q.schema
    .createIndex(name)
    .on(table)
    .columns([...columns])
    .execute()
}

/** Returns the index of the first pending migration, or undefined. */
async function nextStep(engine: Engine, q: Kysely<Tables>, migrations: Migrations): Promise<number | undefined> {
  const tables = await engine.tables(q)
  if (!tables.includes('store_migrations')) {
    if (tables.length > 0)
      throw new Problem('STORE_FOREIGN', 'The database belongs to another program: it has tables that are not ours', {
        tables: tables.slice(0, 10),
      })
    return migrations.steps.length > 0 ? 1 : undefined
  }
  const rows = await appliedMigrations({ q })
  accept(rows, migrations)
  return rows.length < migrations.steps.length ? rows.length + 1 : undefined
}

/** Refuses a schema that this program cannot have made. */
function accept(rows: readonly MigrationRow[], { of, steps }: Migrations): void {
  const other = rows.find((row) => row.of !== of)
  if (other)
    throw new Problem('STORE_FOREIGN', `The database is a ${other.of}, not a ${of}`, { found: other.of, wanted: of })
  const last = rows.at(-1)?.name
  rows.slice(0, steps.length).forEach((row, i) => {
    if (row.name !== steps[i]?.name)
      throw new Problem(
        'STORE_FOREIGN',
        `The database has the migration ${row.name} in the place of ${steps[i]?.name}`,
        {
          found: row.name,
          wanted: steps[i]?.name,
        },
      )
  })
  if (rows.length > steps.length)
    throw new Problem(
      'STORE_NEWER',
      `The database was migrated to ${last} by a newer countroom; this version knows migrations up to ${steps.at(-1)?.name}`,
      { found: last, known: steps.at(-1)?.name },
    )
}

async function createTable(q: Kysely<Tables>): Promise<void> {
  await q.schema
    .createTable('store_migrations')
    .addColumn('position', 'bigint', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('of', 'text', (column) => column.notNull())
    .execute()
}
