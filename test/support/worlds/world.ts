import { onTestFinished } from 'vitest'
import { world as worldMigrations } from '../../../src/db/migrations/world/index.ts'
import { openWorld, type World, type WorldClock } from '../../../src/world/world.ts'
import { type EngineUnderTest, engines, type Place } from '../databases/engines.ts'

/** A clock that stands still until a test moves it. Worlds that are opened one after another may share it. */
export interface HandClock {
  now(): number
  /** Moves it on: `10s`, `5m`, `12h`, `40d`, `250ms`. Nothing that falls due on the way is run. */
  add(duration: string): void
}

/** A clock that shows a moment. */
export function aClock(at = '2026-03-10T12:00:00.000Z'): HandClock {
  let now = Date.parse(at)
  return {
    now: () => now,
    add(duration) {
      now += millisecondsOf(duration)
    },
  }
}

/** The machine's own clock, for worlds that other processes have open too. */
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

/** A world in this process, its clock moved by hand. */
export interface TestWorld extends World {
  readonly clock: WorldClock & Pick<HandClock, 'add'>
  /** Where it lives. */
  readonly place: Place
  /** Opens it again where it lives, as after a restart; on a database that keeps what was written. */
  reopened(options?: TestWorldOptions): Promise<TestWorld>
  /** A number that nobody in this place has had before, for names. */
  next(): number
}

export interface TestWorldOptions {
  /** The kind of database; in memory unless said otherwise. */
  readonly on?: EngineUnderTest
  readonly place?: Place
  readonly time?: HandClock
  /** Makes ids, keys and deals the same every time. `null`: the machine's own chance. */
  readonly seed?: string | null
  /** Off unless said otherwise: most tests ask faster than any plan allows. */
  readonly rateLimits?: boolean
  /** Registers what cleans up: something that outlives the test where the world is to. */
  readonly cleanUp?: (work: () => Promise<void>) => void
  /** The base of the URLs that are handed out. */
  readonly publicUrl?: string
}

/** Opens a world, which closes with its test. */
export async function testWorld(options: TestWorldOptions = {}): Promise<TestWorld> {
  const {
    on = inMemory,
    time = aClock(),
    seed = 'test',
    rateLimits = false,
    publicUrl,
    cleanUp = onTestFinished,
  } = options
  const place = options.place ?? (await on.place({ cleanUp }))
  if (place.url === undefined) throw new Error('a world is opened by the URL of its database')
  await place.fill(worldMigrations)
  const world = await openWorld({ db: place.url, seed: seed ?? undefined, rateLimits, publicUrl, machineNow: time.now })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= world.close())
  cleanUp(close)
  return {
    ...world,
    close,
    place,
    clock: { ...world.clock, add: time.add },
    next: () => nextAt(place),
    async reopened(changes = {}) {
      await close()
      return testWorld({ ...options, place, time, ...changes })
    },
  }
}

const counts = new WeakMap<Place, number>()

function nextAt(place: Place): number {
  const next = (counts.get(place) ?? 0) + 1
  counts.set(place, next)
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

/** Those on which a world can be opened. */
export const worldEngines: readonly EngineUnderTest[] = [inMemory, inFile, onPostgres]
