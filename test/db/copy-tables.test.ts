import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  copiedTables,
  copyTables,
  countRows,
  isEmptyDatabase,
  ownTables,
  tableDigests,
} from '../../src/db/copy-tables.ts'
import type { Engine } from '../../src/db/engines/engine.ts'
import type { TableShape } from '../../src/db/engines/table-shape.ts'
import { migrate } from '../../src/db/migrate.ts'
import { book } from '../../src/db/migrations/book/index.ts'
import type { Tables } from '../../src/db/schema/index.ts'
import { engines, postgres, sqliteFile } from '../support/databases/engines.ts'

/** A book on SQLite with rows in every table of the schema. */
async function aFullBook(engine: Engine): Promise<void> {
  await migrate(engine, book)
  await engine.alone(async (q) => {
    const shapes = await copiedTables(engine, q)
    for (const shape of shapes) for (let row = 1; row <= 3; row++) await insertAny(q, shape, row)
  })
}

/** Inserts a row that the schema accepts: texts for text columns, otherwise numbers. */
async function insertAny(q: Kysely<Tables>, { name, columns }: TableShape, row: number): Promise<void> {
  const texts = new Set(textColumns.get(name) ?? (await textsOf(q, name)))
  textColumns.set(name, [...texts])
  const values = columns.map((column) => (texts.has(column) ? `${column} ${row} Ünïcode'"\n` : row))
  await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values (${sql.join(values)})`.execute(q)
}

const textColumns = new Map<string, string[]>()

async function textsOf(q: Kysely<Tables>, table: string): Promise<string[]> {
  const { rows } = await sql<{
    name: string
    type: string
  }>`select name, type from pragma_table_info(${table})`.execute(q)
  return rows.filter(({ type }) => type.toLowerCase() === 'text').map((column) => column.name)
}

const rowCounts = (engine: Engine) => engine.read((q) => countRows(engine, q))

describe('a copy of a database', () => {
  test.each([
    ['SQLite', 'PostgreSQL', sqliteFile, postgres],
    ['SQLite', 'SQLite', sqliteFile, sqliteFile],
  ] as const)('from %s to %s and back has every row of every table', async (_from, _to, one, other) => {
    const source = await (await one.database()).engine()
    await aFullBook(source)
    const target = await (await other.database()).engine()
    await migrate(target, book)
    const back = await (await one.database()).engine()
    await migrate(back, book)
    const digests = await copyTables(source, target)
    const again = await copyTables(target, back)
    const counts = await rowCounts(source)
    // Everything that the database lists is copied, so that a table of a later migration is included.
    const listed = await source.read((q) => source.tables(q))
    expect(digests.map(({ table }) => table)).toEqual(listed.filter((name) => !ownTables.includes(name)).sort())
    expect(counts.every(({ rows }) => rows === 3)).toBe(true)
    expect(await rowCounts(target)).toEqual(counts)
    expect(await rowCounts(back)).toEqual(counts)
    expect(again).toEqual(digests)
    expect(await back.read((q) => tableDigests(back, q))).toEqual(digests)
  })

  test('reads a table in batches without losing or repeating a row, in the order of its key', async () => {
    const source = await (await sqliteFile.database()).engine()
    await migrate(source, book)
    await source.write(async (q) => {
      for (let row = 0; row < 1203; row++)
        await q
          .insertInto('book_break_events')
          .values({ break_id: `b${row % 7}`, seq: row, at: row, who: 'x', what: 'found', text: null, run_id: null })
          .execute()
    })
    const target = await (await sqliteFile.database()).engine()
    await migrate(target, book)
    let copied = 0
    await copyTables(source, target, {
      progress: { begin: () => {}, checked: () => {}, copied: (rows) => (copied += rows) },
    })
    expect(copied).toBe(1203)
    const rowsOf = (engine: Engine) =>
      engine.read((q) => q.selectFrom('book_break_events').selectAll().orderBy('break_id').orderBy('seq').execute())
    expect(await rowsOf(target)).toEqual(await rowsOf(source))
  })

  test.each([postgres, sqliteFile])('leaves the target empty when it ends early: $name', async (kind) => {
    const source = await (await sqliteFile.database()).engine()
    await aFullBook(source)
    const target = await (await kind.database()).engine()
    await migrate(target, book)
    const stop = new AbortController()
    let tables = 0
    const copied = () => {
      tables += 1
      if (tables === 5) stop.abort(new Error('stopped'))
    }
    const progress = { begin: () => {}, checked: () => {}, copied }
    await expect(copyTables(source, target, { progress, signal: stop.signal })).rejects.toThrow('stopped')
    expect(await isEmptyDatabase(target)).toBe(true)
    await copyTables(source, target)
    expect(await rowCounts(target)).toEqual(await rowCounts(source))
  })

  test('never adds to a target that has rows', async () => {
    const source = await (await sqliteFile.database()).engine()
    await aFullBook(source)
    const target = await (await sqliteFile.database()).engine()
    await aFullBook(target)
    await expect(copyTables(source, target)).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    expect(await rowCounts(target)).toEqual(await rowCounts(source))
  })
})

describe.each(engines.filter(({ isPostgres }) => !isPostgres))('the digests of a book on $name', (kind) => {
  test('change with any value of any table', async () => {
    const engine = await (await kind.database()).engine()
    await aFullBook(engine)
    const before = await engine.read((q) => tableDigests(engine, q))
    await engine.write((q) => sql`update book_owner set timezone = 'Asia/Taipei' where id like '% 2 %'`.execute(q))
    const after = await engine.read((q) => tableDigests(engine, q))
    const changed = after.filter(({ sha256 }, i) => sha256 !== before[i]?.sha256).map(({ table }) => table)
    expect(changed).toEqual(['book_owner'])
  })
})
