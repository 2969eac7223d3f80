import type { LookupFunction } from 'node:net'
import type { Casino } from '../casino/casino.ts'
import { casino as casinoContract } from '../casino/contract.ts'
import { casinoPages } from '../casino/pages/routes.ts'
import { casinoPasses } from '../casino/passes.ts'
import { casinoService } from '../casino/server.ts'
import { webhookSeal } from '../casino/webhook-seal.ts'
import { type Ambient, realAmbient, seededAmbient } from '../kit/ambient.ts'
import { type Log, silentLog } from '../kit/log.ts'
import { Problem } from '../kit/problem.ts'
import { openCallbackDoor } from '../outbox/door.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Pass } from '../outbox/pass.ts'
import { outboxPasses } from '../outbox/passes.ts'
import { world as worldMigrations } from '../store/migrations/world.ts'
import { openStore, type Reader, type Store } from '../store/store.ts'
import { docsRoutes } from '../wire/docs.ts'
import { isLoopback } from '../wire/over-http.ts'
import { openServer, type Server } from '../wire/server.ts'
import { saveWorld, worldItself, worldNow } from './clock.ts'
import { ensurePlatform } from './platform.ts'
import { runPasses } from './pump.ts'

export interface WorldOptions {
  /** A file, `:memory:`, or postgres://… */
  readonly db: string
  /** Makes every generated id, key, deal and name the same again. */
  readonly seed?: string | undefined
  /** Where the world's clock is set before anything else happens. */
  readonly startAt?: number | undefined
  readonly rateLimits?: boolean
  /** Whether callbacks go to public addresses only, also while the world is served on this machine's own. */
  readonly publicCallbacksOnly?: boolean
  /** Finds addresses of names for callbacks in the system's place. */
  readonly lookup?: LookupFunction
  readonly log?: Log
  /** The clock the world's is counted from; a test moves one by hand. */
  readonly machineNow?: () => number
}

/** All of it opened together: store, services, server, passes. */
export interface World {
  readonly store: Store
  readonly casino: Casino
  readonly server: Server
  readonly passes: readonly Pass[]
  readonly clock: WorldClock
  /** Does what is due now, all of it; says how much that was. */
  settle(): Promise<number>
  close(): Promise<void>
}

export interface WorldClock {
  now(): Promise<number>
  /** Sets the clock, running nothing; back as well as forth. */
  set(at: number): Promise<void>
  /** Moves the clock forward to a moment and runs all that falls due on the way, each at its own moment. */
  advance(to: number, onStep?: (at: number) => void): Promise<{ steps: number; done: number }>
}

/** Where players reach a world that nobody serves at the moment. */
export const unservedUrl = 'http://127.0.0.1:8787'
/** How many due moments one advance may pass through. */
const mostSteps = 1_000_000

/** Opens a world on its database; whoever opens it closes it. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const machineNow = options.machineNow ?? Date.now
  const log = options.log ?? silentLog
  const store = await openStore({
    url: options.db,
    migrations: worldMigrations,
    now: (q) => worldNow(q, machineNow),
  })
  try {
    return await worldOn(store, options, machineNow, log)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function worldOn(store: Store, options: WorldOptions, machineNow: () => number, log: Log): Promise<World> {
  const { startAt, seed } = options
  if (startAt !== undefined) await store.write((tx) => saveWorld(tx, { clock_offset: startAt - machineNow() }))
  const ambient = await ambientOf(store, seed, machineNow)
  const itself = await store.read(worldItself)
  let servedUrl = itself.served_url
  let isServing = false
  const casino: Casino = {
    ...ambient,
    store,
    log,
    machineNow,
    config: {
      publicUrl: () => servedUrl ?? unservedUrl,
      rateLimits: options.rateLimits ?? true,
      allowsLoopback: allowsLoopbackCallbacks,
    },
  }
  await ensurePlatform(casino)
  // Sending has chance of its own: when it happens hangs on others, and must not move a seeded world's ids and deals.
  const door = openCallbackDoor(options.lookup)
  const seals = { 'tenant-webhook': webhookSeal(casino) }
  const outbox: Outbox = {
    ...realAmbient(machineNow),
    store,
    log,
    door,
    seals,
    allowsLoopback: allowsLoopbackCallbacks,
  }
  const passes = [...casinoPasses(casino), ...outboxPasses(outbox)]
  const server = openServer({
    services: [casinoService(casino)],
    routes: [casinoPages(casino), docsRoutes([{ name: 'casino', contract: casinoContract }])],
    log,
  })
  const clock = clockOf(store, passes, machineNow)
  return {
    store,
    casino,
    passes,
    clock,
    settle: () => runPasses(passes),
    server: {
      ...server,
      async listen(where) {
        const bound = await server.listen(where)
        servedUrl = bound.url
        isServing = true
        const public_callbacks = options.publicCallbacksOnly ? 1 : 0
        await store.write((tx) => saveWorld(tx, { served_url: bound.url, public_callbacks }))
        return bound
      },
    },
    async close() {
      await server.close()
      if (isServing) await store.write((tx) => saveWorld(tx, { served_url: null }))
      await door.close()
      await store.close()
    },
  }
}

/**
 * Whether a developer's own receiver may be sent to: not where somebody else could reach the world, and not where it was
 * served with public callbacks only. Asked of the database, since commands beside a served world send by the same rule.
 */
async function allowsLoopbackCallbacks(reader: Reader): Promise<boolean> {
  const { served_url, public_callbacks } = await worldItself(reader)
  return public_callbacks !== 1 && (served_url === null || isLoopback(new URL(served_url).hostname))
}

/** Chance and ids: the machine's, or a stream that repeats. Each opening of a seeded world goes on with a stream of its own. */
async function ambientOf(store: Store, seed: string | undefined, machineNow: () => number): Promise<Ambient> {
  const { seed: known } = await store.read(worldItself)
  const chosen = seed ?? known
  if (chosen === null) return realAmbient(machineNow)
  const { runs } = await store.write(async (tx) =>
    saveWorld(tx, { seed: chosen, runs: known === chosen ? (await worldItself(tx)).runs + 1 : 0 }),
  )
  return seededAmbient(chosen, { now: machineNow, run: runs })
}

function clockOf(store: Store, passes: readonly Pass[], machineNow: () => number): WorldClock {
  const set = async (at: number) => {
    await store.write((tx) => saveWorld(tx, { clock_offset: at - machineNow() }))
  }
  const nextDue = () =>
    store.read(async (reader) => {
      const moments: number[] = []
      for (const pass of passes) {
        const due = await pass.nextDue?.(reader)
        if (due !== undefined) moments.push(due)
      }
      return { now: reader.now, due: moments.length === 0 ? undefined : Math.min(...moments) }
    })
  return {
    now: () => store.read(async (reader) => reader.now),
    set,
    async advance(to, onStep) {
      const start = await store.read(async (reader) => reader.now)
      if (to < start)
        throw new Problem(
          'INVALID_USAGE',
          'The clock advances to later moments only; use "console clock set" to go back',
        )
      let done = 0
      for (let steps = 0; steps < mostSteps; steps++) {
        const { now, due } = await nextDue()
        if (due === undefined || due > to) {
          await set(to)
          return { steps, done: done + (await runPasses(passes)) }
        }
        if (due > now) await set(due)
        onStep?.(Math.max(due, now))
        done += await runPasses(passes)
      }
      throw new Error(`more than ${mostSteps} moments fell due on the way`)
    },
  }
}
