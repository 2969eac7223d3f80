import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { nextOf } from '../../src/db/counter.ts'
import type { Engine } from '../../src/db/engines/engine.ts'
import { appliedMigrations, type Migration, type Migrations, migrate } from '../../src/db/migrate.ts'
import { book } from '../../src/db/migrations/book/index.ts'
import { world } from '../../src/db/migrations/world/index.ts'
import { openStore, type Store } from '../../src/db/store.ts'
import { lifeOf } from '../../src/services/chat/queries/events.ts'
import { startChild } from '../support/databases/children.ts'
import { engines, type TestDatabase } from '../support/databases/engines.ts'
import { probeOptions } from './probe.ts'

const problem = (code: string, message: RegExp) =>
  expect.objectContaining({ name: 'Problem', code, message: expect.stringMatching(message) })

const now = () => 0
const sets = [world, book]

describe.each(sets)('the steps of a $of', ({ steps }) => {
  test('have names of four digits and a word, each once and in order', () => {
    const names = steps.map((step) => step.name)
    for (const name of names) expect(name).toMatch(/^\d{4}-[a-z-]+$/)
    expect([...new Set(names)].sort()).toEqual(names)
  })
})

describe.each(engines)('on $name', (engine) => {
  describe.each(sets)('the schema of a $of', (migrations) => {
    test('has columns of text and whole numbers only', async () => {
      const database = await engine.database()
      const store = await database.open({ migrations, now })
      const { rows } = await store.read(({ q }) => sql<Column>`${sql.raw(columnsOf(engine.isPostgres))}`.execute(q))
      const columns = rows.map((row) => `${row.table_name}.${row.name} ${row.type}`)
      expect(columns.length).toBeGreaterThan(5)
      expect(columns.filter((column) => !/ (text|bigint|integer)$/i.test(column))).toEqual([])
    })

    test('has tables whose names show their owner', async () => {
      const one = await (await engine.database()).engine()
      await migrate(one, migrations)
      const names = await one.read((q) => one.tables(q))
      const owners = migrations.of === 'world' ? /^(store|outbox|casino|gateway|chat|world)_/ : /^(store|book)_/
      expect(names.filter((name) => !owners.test(name))).toEqual([])
    })

    test('is created once: the second time there is no change', async () => {
      const one = await (await engine.database()).engine()
      expect(await migrate(one, migrations)).toEqual(migrations.steps.map((step) => step.name))
      expect(await migrate(one, migrations)).toEqual([])
    })
  })

  if (engine.isPostgres)
    test('texts are compared by their bytes, in every table', async () => {
      const store = await (await engine.database()).open(probeOptions)
      const { rows } = await store.read(({ q }) =>
        sql`select table_name, column_name from information_schema.columns
            where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'`.execute(
          q,
        ),
      )
      expect(rows).toEqual([])
    })

  test('later steps are applied when the database is next opened', async () => {
    const database = await engine.database()
    const one = await database.engine()
    await migrate(one, { of: 'world', steps: [step('0001-a')] })
    expect(await migrate(one, { of: 'world', steps: [step('0001-a'), step('0002-b'), step('0003-c')] })).toEqual([
      '0002-b',
      '0003-c',
    ])
    const applied = await one.read((q) => appliedMigrations({ q }))
    expect(applied).toEqual([
      { position: 1, name: '0001-a', of: 'world' },
      { position: 2, name: '0002-b', of: 'world' },
      { position: 3, name: '0003-c', of: 'world' },
    ])
  })

  test('a step that fails leaves no change, and those before it are kept', async () => {
    const one = await (await engine.database()).engine()
    await migrate(one, { of: 'world', steps: [step('0001-a')] })
    await expect(migrate(one, { of: 'world', steps: [step('0001-a'), failing] })).rejects.toThrow('half way')
    expect(await one.read((q) => one.tables(q))).toEqual(['store_migrations', 't_0001_a'])
    expect(await migrate(one, { of: 'world', steps: [step('0001-a'), step('0002-b')] })).toEqual(['0002-b'])
  })

  test('a new database takes all steps or none', async () => {
    const one = await (await engine.database()).engine()
    await expect(migrate(one, { of: 'world', steps: [step('0001-a'), failing] })).rejects.toThrow('half way')
    expect(await one.read((q) => one.tables(q))).toEqual([])
    expect(await migrate(one, { of: 'world', steps: [step('0001-a'), step('0002-b')] })).toEqual(['0001-a', '0002-b'])
  })

  describe.each(sets)('the schema of a new $of', (migrations) => {
    test('is the same as that of one that applied the steps one by one', async () => {
      const [atOnce, inSteps] = [await (await engine.database()).engine(), await (await engine.database()).engine()]
      await migrate(atOnce, migrations)
      for (let n = 1; n <= migrations.steps.length; n++)
        await migrate(inSteps, { ...migrations, steps: migrations.steps.slice(0, n) })
      const schemaOf = (one: Engine) =>
        one.read(async (q) => (await sql.raw(schemaText(engine.isPostgres)).execute(q)).rows)
      expect(await schemaOf(atOnce)).toEqual(await schemaOf(inSteps))
    })
  })

  describe('a database is refused and left unchanged', () => {
    const refuses = async (database: TestDatabase, first: Migrations, then: Migrations, expected: unknown) => {
      const one = await database.engine()
      await migrate(one, first)
      const before = await one.read((q) => appliedMigrations({ q }))
      await expect(migrate(one, then)).rejects.toEqual(expected)
      expect(await one.read((q) => appliedMigrations({ q }))).toEqual(before)
    }
    const one: Migrations = { of: 'world', steps: [step('0001-a')] }
    const two: Migrations = { of: 'world', steps: [step('0001-a'), step('0002-b')] }

    test('if a newer program created it', async () => {
      await refuses(await engine.database(), two, one, problem('STORE_NEWER', /0002-b.*newer countroom.*0001-a/))
    })
    test('if it is a book and a world is expected', async () => {
      await refuses(await engine.database(), book, world, problem('STORE_FOREIGN', /is a book, not a world/))
    })
    test('if it applied another step', async () => {
      const other: Migrations = { of: 'world', steps: [step('0001-x'), step('0002-b')] }
      await refuses(await engine.database(), one, other, problem('STORE_FOREIGN', /0001-a in the place of 0001-x/))
    })
    test('if it has foreign tables', async () => {
      const database = await (await engine.database()).engine()
      await database.alone((q) => q.schema.createTable('wp_posts').addColumn('id', 'text').execute())
      await expect(migrate(database, one)).rejects.toEqual(problem('STORE_FOREIGN', /not ours/))
      expect(await database.read((q) => database.tables(q))).toEqual(['wp_posts'])
    })
  })

  if (engine.keeps)
    test('a refused database can be opened by the program that knows it', async () => {
      const database = await engine.database()
      await (await database.open({ migrations: book, now })).close()
      await expect(database.open({ migrations: world, now })).rejects.toEqual(problem('STORE_FOREIGN', /book/))
      const store = await database.open({ migrations: book, now })
      expect(await store.write((tx) => nextOf(tx, 's'))).toBe(1)
    })

  if (engine.name === 'PostgreSQL')
    test('several may be the first to open it, in this process and in others', async () => {
      const database = await engine.database({ poolSize: 2 })
      const others = [startChild('count', database.url ?? '', '5'), startChild('count', database.url ?? '', '5')]
      const stores = await Promise.all(Array.from({ length: 5 }, () => database.open(probeOptions)))
      for (const other of others) await other.done()
      const numbers = await Promise.all(stores.map((store) => store.write((tx) => nextOf(tx, 'records'))))
      expect(numbers.sort((a, b) => a - b)).toEqual([11, 12, 13, 14, 15])
    })
})

test('a step imports only the types of a step, so that its effect never changes', () => {
  const folder = new URL('../../src/db/migrations/', import.meta.url)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const steps = names.filter((file) => /\/\d{4}-/.test(file))
  expect(steps.length).toBeGreaterThan(0)
  for (const file of steps) {
    const imports = readFileSync(new URL(file, folder), 'utf8').matchAll(/^import .* from '(.*)'$/gm)
    for (const [, from] of imports) expect(['../../migrate.ts', 'kysely']).toContain(from)
  }
})

function step(name: string): Migration {
  return {
    name,
    async up(q) {
      await q.schema
        .createTable(`t_${name.replace('-', '_')}`)
        .addColumn('id', 'text')
        .execute()
    },
  }
}

const failing: Migration = {
  name: '0002-b',
  async up(q) {
    await q.schema.createTable('t_0002_b').addColumn('id', 'text').execute()
    throw new Error('half way')
  },
}

/** A query for all tables with their columns, and all indexes. Which partitions a table has depends on the day. */
function schemaText(isPostgres: boolean): string {
  const partitions = `(select relname from pg_class where relispartition and relnamespace = current_schema()::regnamespace)`
  return isPostgres
    ? `select table_name as of, column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '') as is
         from information_schema.columns where table_schema = current_schema() and table_name not in ${partitions}
       union all
       select tablename, replace(indexdef, schemaname || '.', '') from pg_indexes
         where schemaname = current_schema() and tablename not in ${partitions}
       order by 1, 2`
    : 'select name, sql from sqlite_schema order by name'
}

interface Column {
  table_name: string
  name: string
  type: string
}

function columnsOf(isPostgres: boolean): string {
  return isPostgres
    ? `select table_name, column_name as name, data_type as type from information_schema.columns
       where table_schema = current_schema()`
    : `select m.name as table_name, c.name, c.type from sqlite_schema m, pragma_table_info(m.name) c
       where m.type = 'table'`
}

test('databases in memory start equal, share no row, and have different ids', async () => {
  const stores: Store[] = []
  for (let i = 0; i < 3; i++) stores.push(await openStore({ url: ':memory:', migrations: world, now }))
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))))
  const [first, ...others] = stores
  await first?.write(({ q }) => q.insertInto('chat_spent_tickets').values({ nonce: 'n', expires_at: 1 }).execute())
  const schema = sql`select type, name, sql from sqlite_schema order by name`
  const steps = (store: Store) => store.read(appliedMigrations)
  const rowsOf = (store: Store) => store.read(async ({ q }) => (await schema.execute(q)).rows)
  for (const other of others) {
    if (!first) continue
    expect(await steps(other)).toEqual(await steps(first))
    expect(await rowsOf(other)).toEqual(await rowsOf(first))
    expect(await other.read(({ q }) => q.selectFrom('chat_spent_tickets').selectAll().execute())).toEqual([])
  }
  const lives = await Promise.all(stores.map((store) => store.read(lifeOf)))
  expect(new Set(lives).size).toBe(3)
})
