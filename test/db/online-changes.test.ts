import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../src/db/engines/engine.ts'
import { parsePostgresUrl } from '../../src/db/engines/postgres/url.ts'
import { type Migration, type Migrations, migrate } from '../../src/db/migrate.ts'
import { postgres, type TestDatabase } from '../support/databases/engines.ts'

const first: Migration = {
  name: '0001-a',
  async up(q) {
    await sql`create table t_large (n bigint)`.execute(q)
    await sql`insert into t_large select n from generate_series(1, 1000) as n`.execute(q)
  },
}
const addColumn: Migration = {
  name: '0002-b',
  async up(q) {
    await q.schema.alterTable('t_large').addColumn('text', 'text').execute()
  },
}
const addIndex: Migration = {
  name: '0002-b',
  indexed: [{ name: 't_large_by_n', table: 't_large', columns: ['n'] }],
  async up() {},
}
const world = (...steps: Migration[]): Migrations => ({ of: 'world', steps })

const insert = (q: Kysely<never>) => sql`insert into t_large (n) values (1)`.execute(q)
const untyped = (q: unknown) => q as Kysely<never>

/** A database with the first step, in which a transaction has written into the table and is open until `end`. */
async function used() {
  const database = await postgres.database()
  const engine = await database.engine()
  await migrate(engine, world(first))
  const client = await connected(database)
  await client.query('begin; insert into t_large (n) values (1)')
  const end = () => client.query('commit')
  return { database, engine, end }
}

/** Resolves when a query has a row. */
async function until(engine: Engine, query: ReturnType<typeof sql>): Promise<void> {
  while ((await engine.read((q) => query.execute(q))).rows.length === 0) await wait(5)
}

const indexIn = (engine: Engine) =>
  engine.read(async (q) => {
    const { rows } = await sql<{ valid: number }>`
      select indisvalid as valid from pg_index where indexrelid = to_regclass('t_large_by_n')`.execute(q)
    return rows
  })

test('a migration whose table is in use waits for it, without stopping others', async () => {
  const { database, engine, end } = await used()
  const migrated = migrate(await database.engine(), world(first, addColumn))
  await until(engine, sql`select 1 from pg_locks where relation = to_regclass('t_large') and not granted`)
  // Would wait behind the migration until the other transaction ends.
  for (let n = 0; n < 3; n++) await engine.write((q) => insert(untyped(q)))
  await end()
  expect(await migrated).toEqual(['0002-b'])
})

test('an index is built while others write', async () => {
  const { database, engine, end } = await used()
  const migrated = migrate(await database.engine(), world(first, addIndex))
  await until(engine, sql`select 1 from pg_index where indexrelid = to_regclass('t_large_by_n') and not indisvalid`)
  await engine.write(async (q) => {
    await sql`set local lock_timeout = '1ms'`.execute(q)
    await insert(untyped(q))
  })
  await end()
  expect(await migrated).toEqual(['0002-b'])
  expect(await indexIn(engine)).toEqual([{ valid: 1 }])
})

test('an index is built by one of several processes', async () => {
  const { database, engine, end } = await used()
  const migrated = [1, 2, 3].map(async () => migrate(await database.engine(), world(first, addIndex)))
  await until(engine, sql`select 1 from pg_index where indexrelid = to_regclass('t_large_by_n') and not indisvalid`)
  await end()
  expect((await Promise.all(migrated)).flat()).toEqual(['0002-b'])
  expect(await indexIn(engine)).toEqual([{ valid: 1 }])
})

test('an index whose building was interrupted is built again', async () => {
  const { database, engine, end } = await used()
  await end()
  await engine.write((q) => insert(untyped(q)))
  const client = await connected(database)
  // Fails, because the same number is there twice, and leaves what it has begun.
  await expect(client.query('create unique index concurrently t_large_by_n on t_large (n)')).rejects.toThrow(/t_large/)
  expect(await indexIn(engine)).toEqual([{ valid: 0 }])
  expect(await migrate(engine, world(first, addIndex))).toEqual(['0002-b'])
  expect(await indexIn(engine)).toEqual([{ valid: 1 }])
})

test('a read whose statement was prepared before a migration is done again', async () => {
  const { database, engine, end } = await used()
  await end()
  const all = (q: unknown) => sql`select * from t_large limit 1`.execute(untyped(q))
  const columns = async () => (await engine.read(all)).rows.map((row) => Object.keys(row ?? {}))
  const together = async () => (await engine.readTogether?.([all, all]))?.length
  for (let n = 0; n < 5; n++) expect([await columns(), await together()]).toEqual([[['n']], 2])
  await migrate(await database.engine(), world(first, addColumn))
  expect(await together()).toBe(2)
  for (let n = 0; n < 5; n++) expect([await columns(), await together()]).toEqual([[['n', 'text']], 2])
  await migrate(await database.engine(), world(first, addColumn, { ...addColumn, name: '0003-c', up: dropColumn }))
  expect(await columns()).toEqual([['n']])
})

async function dropColumn(q: Kysely<unknown>): Promise<void> {
  await q.schema.alterTable('t_large').dropColumn('text').execute()
}

async function connected(database: TestDatabase): Promise<pg.Client> {
  const { connectionString, options } = parsePostgresUrl(database.url)
  const client = new pg.Client({ connectionString, options })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
