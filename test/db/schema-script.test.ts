import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteMemory } from '../../src/db/engines/sqlite/index.ts'
import { type Migrations, migrate } from '../../src/db/migrate.ts'
import { book } from '../../src/db/migrations/book/index.ts'
import { world } from '../../src/db/migrations/world/index.ts'
import { aHome, root } from '../support/program/cli.ts'
import { served } from '../support/program/processes.ts'

/** The built program creates a new SQLite database from a script; the sources run the migrations. */

/** Returns the schema, and the rows that every new database has except for its identity. */
function contentOf(db: Database.Database) {
  const schema = db.prepare('select type, name, tbl_name, sql from sqlite_schema order by type, name').all()
  const rows = (table: string) => db.prepare(`select * from "${table}"`).all()
  const names = db
    .prepare("select name from sqlite_schema where type = 'table' and name <> 'chat_life' order by name")
    .pluck()
    .all() as string[]
  return { schema, rows: Object.fromEntries(names.map((name) => [name, rows(name)])) }
}

async function migrated(migrations: Migrations): Promise<Database.Database> {
  const engine = await openSqliteMemory()
  await migrate(engine, migrations)
  const image = engine.image?.()
  await engine.close()
  const db = new Database(image)
  onTestFinished(() => void db.close())
  return db
}

function opened(path: string): Database.Database {
  const db = new Database(path, { readonly: true })
  onTestFinished(() => void db.close())
  return db
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-schema-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a new world of the built program has the schema and the rows of all migrations, and an identity of its own', async () => {
  const [one, other] = [aFolder(), aFolder()]
  const lives: unknown[] = []
  for (const folder of [one, other]) {
    const path = join(folder, 'world.db')
    const { kill } = await served(folder, aHome().env, ['--no-demo', '--db', path])
    await kill()
    const db = opened(path)
    lives.push(db.prepare('select life from chat_life').pluck().get())
    const { schema, rows } = contentOf(db)
    const all = contentOf(await migrated(world))
    expect(schema).toEqual(all.schema)
    expect(rows['store_migrations']).toEqual(all.rows['store_migrations'])
  }
  expect(new Set(lives).size).toBe(2)
  expect(lives).not.toContain(undefined)
})

test('the scripts of the build stand for the migrations of the sources', async () => {
  for (const migrations of [world, book]) {
    const { default: script } = await import(join(root, `dist/src/db/schemas/${migrations.of}.json`), {
      with: { type: 'json' },
    })
    expect(script.migrations).toEqual(migrations.steps.map(({ name }) => name))
    const db = new Database(':memory:')
    onTestFinished(() => void db.close())
    db.exec(script.statements.join(';'))
    expect(contentOf(db)).toEqual(contentOf(await migrated(migrations)))
  }
})
