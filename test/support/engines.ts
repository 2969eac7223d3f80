import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { Engine } from '../../src/db/engines/engine.ts'
import { openEngine } from '../../src/db/engines/open.ts'
import { openStoreOn, type Store, type StoreOptions } from '../../src/db/store.ts'
import { startPglite } from './pglite.ts'
import { postgresUrl } from './postgres.ts'

/** A kind of database that everything must work on. */
export interface EngineUnderTest {
  readonly name: 'SQLite in memory' | 'SQLite in a file' | 'PGlite' | 'PostgreSQL'
  /** Whether what was written is there again when the place is opened again. */
  readonly keeps: boolean
  /** Whether it speaks PostgreSQL. */
  readonly isPostgres: boolean
  /** Whether a read goes on beside a write; elsewhere they take turns. */
  readonly sideBySide: boolean
  /** A new, empty database. All that was opened on it is closed at the end of the test, and it is deleted. */
  place(options?: PlaceOptions): Promise<Place>
}

export interface PlaceOptions {
  /** How many connections a store on it has. */
  poolSize?: number
  /** Registers what cleans up: `afterAll` where a place is to outlive a test. */
  cleanUp?: (work: () => Promise<void>) => void
}

/** One database, which can be opened as often as the engine allows. */
export interface Place {
  /** What `openStore` takes; PGlite has none. */
  readonly url: string | undefined
  engine(): Promise<Engine>
  open(options: StoreOptions): Promise<Store>
}

/** All of them, for `describe.each(engines)('on $name', (engine) => …)`. */
export const engines: readonly EngineUnderTest[] = [
  {
    name: 'SQLite in memory',
    keeps: false,
    isPostgres: false,
    sideBySide: false,
    place: async (options) => placeAt(':memory:', options),
  },
  {
    name: 'SQLite in a file',
    keeps: true,
    isPostgres: false,
    sideBySide: true,
    async place(options) {
      const folder = mkdtempSync(join(tmpdir(), 'countroom-store-'))
      return placeAt(join(folder, 'test.sqlite'), options, async () => rmSync(folder, { recursive: true }))
    },
  },
  { name: 'PGlite', keeps: true, isPostgres: true, sideBySide: false, place: pglitePlace },
  {
    name: 'PostgreSQL',
    keeps: true,
    isPostgres: true,
    sideBySide: true,
    async place(options) {
      const server = await postgresUrl(inject('postgresDoor'))
      const schema = aSchema()
      const url = new URL(server)
      url.searchParams.set('schema', schema)
      return placeAt(url.href, options, () => dropSchema(server, schema))
    },
  },
]

/** The one whose transactions really run side by side. */
export const postgres = named('PostgreSQL')
export const sqliteFile = named('SQLite in a file')

function named(name: EngineUnderTest['name']): EngineUnderTest {
  const found = engines.find((engine) => engine.name === name)
  if (!found) throw new Error(`no engine ${name}`)
  return found
}

function aSchema(): string {
  return `test_${randomUUID().replaceAll('-', '')}`
}

async function dropSchema(server: string, schema: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await client.query(`drop schema if exists ${schema} cascade`)
  } finally {
    await client.end()
  }
}

function placeAt(url: string, options: PlaceOptions = {}, remove: () => Promise<void> = async () => {}): Place {
  return placeOn(url, () => openEngine(url, options.poolSize), options, remove)
}

/** One PGlite for all tests of a file: it takes a second to start, a new schema takes nothing. */
let pglite: ReturnType<typeof startPglite> | undefined

async function pglitePlace(options: PlaceOptions = {}): Promise<Place> {
  pglite ??= startPglite()
  const { engine } = await pglite
  const schema = aSchema()
  return placeOn(
    undefined,
    async () => engine(schema),
    options,
    async () => {},
  )
}

function placeOn(
  url: string | undefined,
  engine: () => Promise<Engine>,
  { cleanUp = onTestFinished }: PlaceOptions,
  remove: () => Promise<void>,
): Place {
  const opened: Engine[] = []
  const place: Place = {
    url,
    async engine() {
      const one = onceClosed(await engine())
      opened.push(one)
      return one
    },
    open: async (options) => openStoreOn(await place.engine(), options),
  }
  cleanUp(async () => {
    for (const one of opened) await one.close()
    await remove()
  })
  return place
}

/** A test may close a store itself; it is not closed again at the end. */
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
