import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Engine } from '../../../src/db/engines/engine.ts'
import { openEngine } from '../../../src/db/engines/open.ts'
import { type Migrations, migrate } from '../../../src/db/migrate.ts'
import { book } from '../../../src/db/migrations/book/index.ts'
import { world } from '../../../src/db/migrations/world/index.ts'
import { openStore, openStoreOn, type Store, type StoreOptions } from '../../../src/db/store.ts'
import { probeMigrations } from '../../db/probe.ts'
import { postgresUrl } from './postgres.ts'
import { connectPostgres } from './postgres-connection.ts'
import { type SpareSchemas, spareSchemas } from './spare-schemas.ts'

/** A kind of database that every feature must support. */
export interface EngineUnderTest {
  readonly name: 'SQLite in memory' | 'SQLite in a file' | 'PostgreSQL'
  /** True if data is kept when the database is closed and opened again. */
  readonly keeps: boolean
  /** True if it speaks PostgreSQL. */
  readonly isPostgres: boolean
  /** True if reads run concurrently with a write; elsewhere they are serialized. */
  readonly sideBySide: boolean
  /** Creates a new, empty database. At the end of the test its stores are closed and it is deleted. */
  database(options?: TestDatabaseOptions): Promise<TestDatabase>
}

export interface TestDatabaseOptions {
  /** Number of connections of a store on this engine. */
  poolSize?: number
  /** Registers the cleanup. `afterAll` keeps the database until the end of the file. */
  cleanUp?: (work: () => Promise<void>) => void
}

/** One database, which can be opened as often as the engine allows. */
export interface TestDatabase {
  /** URL for `openStore`. */
  readonly url: string
  engine(): Promise<Engine>
  open(options: StoreOptions): Promise<Store>
  /** Migrates it as a new world or book before it is first opened, for processes that open it by its URL. */
  fill(migrations: Migrations): Promise<void>
}

/** All engines, for `describe.each(engines)('on $name', (engine) => …)`. */
export const engines: readonly EngineUnderTest[] = [
  { name: 'SQLite in memory', keeps: false, isPostgres: false, sideBySide: false, database: memoryDatabase },
  { name: 'SQLite in a file', keeps: true, isPostgres: false, sideBySide: true, database: fileDatabase },
  { name: 'PostgreSQL', keeps: true, isPostgres: true, sideBySide: true, database: postgresDatabase },
]

/** The engines that keep their data: those of served worlds and of books. Features are tested on these, and engines on all. */
export const keepingEngines: readonly EngineUnderTest[] = engines.filter(({ keeps }) => keeps)

/** The engine whose transactions run concurrently. */
export const postgres = named('PostgreSQL')
export const sqliteFile = named('SQLite in a file')

export function named(name: EngineUnderTest['name']): EngineUnderTest {
  const match = engines.find((engine) => engine.name === name)
  if (!match) throw new Error(`no engine ${name}`)
  return match
}

function aSchema(): string {
  return `test_${randomUUID().replaceAll('-', '')}`
}

async function memoryDatabase(options?: TestDatabaseOptions): Promise<TestDatabase> {
  return databaseOn(':memory:', options, { engine: (poolSize) => openEngine(':memory:', poolSize) })
}

async function fileDatabase(options?: TestDatabaseOptions): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-store-'))
  const path = join(folder, 'test.sqlite')
  return databaseOn(path, options, {
    engine: (poolSize) => openEngine(path, poolSize),
    fill: (migrations) => fillFile(path, migrations),
    remove: async () => rmSync(folder, { recursive: true }),
  })
}

/** Files of new databases, by their contents. */
const files = new Map<Migrations, Buffer>()

async function fillFile(path: string, migrations: Migrations): Promise<void> {
  // Another process may have created the database before this one.
  if (existsSync(path)) return
  const original = files.get(migrations)
  if (original) writeFileSync(path, original, { mode: 0o600 })
  const engine = await openEngine(path)
  if (original) await engine.write(async (q) => migrations.renew?.(q))
  else await migrate(engine, migrations)
  await engine.close()
  if (!original) files.set(migrations, readFileSync(path))
}

/** One connection to the run's PostgreSQL for all tests of a worker. */
let postgresSchemas: Promise<SpareSchemas> | undefined

async function postgresDatabase(options?: TestDatabaseOptions): Promise<TestDatabase> {
  const server = await postgresUrl(inject('postgresDoor'))
  postgresSchemas ??= connectPostgres(server).then(spareSchemas)
  const spares = await postgresSchemas
  const schema = aSchema()
  const url = new URL(server)
  url.searchParams.set('schema', schema)
  return databaseOn(url.href, options, {
    engine: (poolSize) => openEngine(url.href, poolSize),
    fill: (migrations) => spares.take(schema, migrations),
    remove: () => spares.giveBack(schema),
  })
}

/** Migrations with many steps, whose result is copied into later databases. */
const filled: ReadonlySet<Migrations> = new Set([world, book, probeMigrations])

interface DatabaseKind {
  engine(poolSize: number | undefined): Promise<Engine>
  fill?(migrations: Migrations): Promise<void>
  remove?(): Promise<void>
}

function databaseOn(url: string, options: TestDatabaseOptions = {}, kind: DatabaseKind): TestDatabase {
  const { poolSize, cleanUp = onTestFinished } = options
  const opened: { close(): Promise<void> }[] = []
  let isNew = true
  const database: TestDatabase = {
    url,
    async engine() {
      isNew = false
      const one = onceClosed(await kind.engine(poolSize))
      opened.push(one)
      return one
    },
    async open(storeOptions) {
      if (!kind.fill && filled.has(storeOptions.migrations)) {
        const store = await openStore({ url: ':memory:', ...storeOptions })
        opened.push(store)
        return store
      }
      await database.fill(storeOptions.migrations)
      return openStoreOn(await database.engine(), storeOptions)
    },
    async fill(migrations) {
      const isFirst = isNew
      isNew = false
      if (isFirst && filled.has(migrations)) await kind.fill?.(migrations)
    },
  }
  cleanUp(async () => {
    for (const one of opened) await one.close()
    await kind.remove?.()
  })
  return database
}

/** Closes a store at the end of the test, unless the test closed it. */
function onceClosed(engine: Engine): Engine {
  let closing: Promise<void> | undefined
  return {
    ...engine,
    close() {
      closing ??= engine.close()
      return closing
    },
  }
}
