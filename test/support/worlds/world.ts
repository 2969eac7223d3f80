import { onTestFinished } from 'vitest'
import { world as worldMigrations } from '../../../src/db/migrations/world/index.ts'
import { openWorld, type World, type WorldClock } from '../../../src/world/world.ts'
import { type EngineUnderTest, engines, type TestDatabase } from '../databases/engines.ts'
import { lookUpLocalhost } from '../http/known-names.ts'

/** A clock that stands still until a test advances it. Worlds that are opened one after another may share it. */
export interface HandClock {
  now(): number
  /** Advances it: `10s`, `5m`, `12h`, `40d`, `250ms`. No periodic job runs. */
  add(duration: string): void
}

/** Returns a clock that stands at a given time. */
export function aClock(at = '2026-03-10T12:00:00.000Z'): HandClock {
  let now = Date.parse(at)
  return {
    now: () => now,
    add(duration) {
      now += millisecondsOf(duration)
    },
  }
}

/** The machine's own clock, for worlds that other processes have open at the same time. */
export const machineClock: HandClock = {
  now: Date.now,
  add: () => {
    throw new Error("the machine's clock is not moved")
  },
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function millisecondsOf(duration: string): number {
  const [, count, unit] = /^(-?\d+)(ms|s|m|h|d)$/.exec(duration) ?? []
  if (count === undefined || unit === undefined) throw new Error(`"${duration}" is no duration such as 10s`)
  return Number(count) * units[unit as keyof typeof units]
}

/** A world in this process with a manual clock. */
export interface TestWorld extends World {
  readonly clock: WorldClock & Pick<HandClock, 'add'>
  /** Place of its database. */
  readonly database: TestDatabase
  /** Opens it again from its database, as after a restart, on a database that keeps its data. */
  reopened(options?: TestWorldOptions): Promise<TestWorld>
  /** Returns a number that is unique in this database, for names. */
  next(): number
}

export interface TestWorldOptions {
  /** Kind of database. Default: in memory. */
  readonly on?: EngineUnderTest
  readonly database?: TestDatabase
  readonly time?: HandClock
  /** Seed for ids, keys and deals. `null` uses the machine's own randomness. */
  readonly seed?: string | null
  /** Rate limits. Default: off, because most tests send faster than any plan allows. */
  readonly rateLimits?: boolean
  /** Registers the cleanup. Pass `afterAll` if the world outlives the test. */
  readonly cleanUp?: (work: () => Promise<void>) => void
  /** Base of the returned URLs. */
  readonly publicUrl?: string
}

/** Opens a world, which is closed at the end of the test. */
export async function testWorld(options: TestWorldOptions = {}): Promise<TestWorld> {
  const {
    on = inMemory,
    time = aClock(),
    seed = 'test',
    rateLimits = false,
    publicUrl,
    cleanUp = onTestFinished,
  } = options
  const database = options.database ?? (await on.database({ cleanUp }))
  if (database.url === undefined) throw new Error('a world is opened by the URL of its database')
  await database.fill(worldMigrations)
  const world = await openWorld({
    db: database.url,
    seed: seed ?? undefined,
    rateLimits,
    publicUrl,
    machineNow: time.now,
    lookup: lookUpLocalhost,
  })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= world.close())
  cleanUp(close)
  return {
    ...world,
    close,
    database,
    clock: { ...world.clock, add: time.add },
    next: () => nextAt(database),
    async reopened(changes = {}) {
      await close()
      return testWorld({ ...options, database, time, ...changes })
    },
  }
}

const counts = new WeakMap<TestDatabase, number>()

function nextAt(database: TestDatabase): number {
  const next = (counts.get(database) ?? 0) + 1
  counts.set(database, next)
  return next
}

function engineNamed(name: EngineUnderTest['name']): EngineUnderTest {
  const engine = engines.find((each) => each.name === name)
  if (!engine) throw new Error(`no engine ${name}`)
  return engine
}

export const inMemory = engineNamed('SQLite in memory')
export const inFile = engineNamed('SQLite in a file')
export const onPostgres = engineNamed('PostgreSQL')

/** Engines on which a world can be opened. */
export const worldEngines: readonly EngineUnderTest[] = [inMemory, inFile, onPostgres]
