import type { LookupFunction } from 'node:net'
import { world as worldMigrations } from '../db/migrations/world/index.ts'
import type { Pass } from '../db/periodic-job.ts'
import { openStore, type Store } from '../db/store.ts'
import { isLoopback, openableUrl } from '../http/server/public-url.ts'
import { openServer, type Server } from '../http/server/server.ts'
import { type Log, silentLog } from '../kit/log.ts'
import { Problem } from '../kit/problem.ts'
import type { Casino } from '../services/casino/service.ts'
import type { Chat } from '../services/chat/service.ts'
import type { Gateway } from '../services/gateway/service.ts'
import { leaveService, openWorldTime, publicUrlAt, saveWorld, type WorldTime, worldItself } from './clock.ts'
import { type Faults, openFaults } from './faults.ts'
import { ensurePlatform } from './platform-data.ts'
import { ambientOf } from './random.ts'
import { rehearsing } from './rehearsal.ts'
import { runPasses } from './scheduler.ts'
import { openServices } from './services.ts'

export interface WorldOptions {
  /** A file, `:memory:`, or postgres://… */
  readonly db: string
  /** Where what cannot lie beside a database on a server is kept. Without one it is not kept, and two-factor secrets end with the process. */
  readonly dataFolder?: string
  /** Makes every generated id, key, deal and name the same again. */
  readonly seed?: string | undefined
  /** Where the world's clock is set before anything else happens. */
  readonly startAt?: number | undefined
  readonly rateLimits?: boolean
  /** Whether callbacks may go to a receiver on this very machine. Where it is not said, as the world is served or was last. */
  readonly loopbackCallbacks?: boolean
  /** Whether faults may be set although the world is served to more than this machine; on this machine they always may. */
  readonly allowsFaults?: boolean
  /** The proxies whose word is taken for where a request came from: addresses, networks, or `loopback`, `linklocal`, `uniquelocal`. */
  readonly trustedProxies?: readonly string[] | undefined
  /** The base of every URL that is handed out while this world is served; without it, what a request or the port says. */
  readonly publicUrl?: string | undefined
  /** Whether every write is taken back at its end: all checks are made, and nothing is changed. */
  readonly isRehearsal?: boolean
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
  readonly gateway: Gateway
  readonly chat: Chat
  readonly server: Server
  readonly passes: readonly Pass[]
  /** Those of the passes that somebody waits for, players at their tables above all: they want to be run more often. */
  readonly livePasses: readonly Pass[]
  readonly clock: WorldClock
  /** What it does wrong on purpose. */
  readonly faults: Faults
  /** The address at which some process serves it at the moment, as this machine reaches it; null when none does. */
  servedAt(): Promise<string | null>
  /** Does what is due now, all of it; says how much that was. */
  settle(): Promise<number>
  /** Stops serving, finishes what is under way, lets go of the database. Twice is as good as once. */
  close(): Promise<void>
}

export interface WorldClock {
  now(): Promise<number>
  /** Sets the clock, running nothing; back as well as forth. */
  set(at: number): Promise<void>
  /**
   * Moves the clock forward to a moment and runs all that falls due on the way, each at its own moment. When it is told
   * to stop, the clock stays where it has come to, with all done that was due until then.
   */
  advance(to: number, onStep?: (at: number) => void, stop?: AbortSignal): Promise<{ steps: number; done: number }>
}

/** How many due moments one advance may pass through. */
const mostSteps = 1_000_000

/** Opens a world on its database; whoever opens it closes it. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const machineNow = options.machineNow ?? Date.now
  const log = options.log ?? silentLog
  const time = openWorldTime(machineNow)
  const store = await openStore({
    url: options.db,
    migrations: worldMigrations,
    now: time.read,
  })
  try {
    return await worldOn(options.isRehearsal ? rehearsing(store) : store, options, { machineNow, time, log })
  } catch (error) {
    await store.close()
    throw error
  }
}

interface Means {
  readonly machineNow: () => number
  readonly time: WorldTime
  readonly log: Log
}

async function worldOn(store: Store, options: WorldOptions, { machineNow, time, log }: Means): Promise<World> {
  const { startAt, seed } = options
  if (startAt !== undefined) await store.write((tx) => saveWorld(tx, { clock_offset: startAt - machineNow() }))
  const ambient = await ambientOf(store, seed, machineNow)
  const itself = await store.read(worldItself)
  let servedUrl = itself.served_url
  let publicUrl = options.publicUrl ?? itself.public_url
  let isServing = false
  let isOpening = false
  // Kept with the world, since commands beside a served one send and judge by the same rule.
  const loopbackCallbacks = () =>
    options.loopbackCallbacks ??
    (itself.public_callbacks !== 1 && (servedUrl === null || isLoopback(new URL(servedUrl).hostname)))
  const faults = await openFaults({
    store,
    random: ambient.random,
    log,
    isServing: () => isServing,
    isAllowed: () =>
      (isOpening ? options.allowsFaults === true : itself.allows_faults === 1) ||
      servedUrl === null ||
      isLoopback(new URL(servedUrl).hostname),
  })
  const { casino, gateway, chat, ...parts } = openServices({
    ambient,
    store,
    db: options.db,
    dataFolder: options.dataFolder,
    log,
    machineNow,
    lookup: options.lookup,
    faults: faults.callbacks,
    config: {
      publicUrl: () => publicUrlAt({ served_url: servedUrl, public_url: publicUrl }),
      rateLimits: options.rateLimits ?? true,
      loopbackCallbacks,
    },
  })
  await ensurePlatform(casino)
  const passes = [faults.pass, ...parts.passes]
  const livePasses = [faults.pass, ...parts.livePasses]
  const server = openServer({
    services: parts.services,
    routes: parts.routes,
    log,
    mishaps: faults.mishaps,
    now: machineNow,
    worldNow: time.latest,
    requestId: ambient.requestId,
    trustedProxies: options.trustedProxies ?? [],
    publicUrl: options.publicUrl,
  })
  const clock = clockOf(store, passes, machineNow)
  let closing: Promise<void> | undefined
  // The database is let go of whatever else fails: a file that stays locked would keep the next world out.
  const shut = async () => {
    try {
      await server.close()
      await parts.close()
      if (isServing) await store.write((tx) => leaveService(tx, servedUrl))
    } finally {
      await store.close()
    }
  }
  return {
    store,
    casino,
    gateway,
    chat,
    passes,
    livePasses,
    clock,
    faults,
    async servedAt() {
      const { served_url } = await store.read(worldItself)
      return served_url === null ? null : openableUrl(served_url)
    },
    settle: () => runPasses(passes),
    server: {
      ...server,
      async listen(where) {
        // Before the port is open: whether faults may befall who comes must not be told by an earlier address.
        isOpening = true
        servedUrl = `http://${bracketed(where?.host ?? '127.0.0.1')}`
        publicUrl = options.publicUrl ?? null
        const bound = await server.listen(where)
        servedUrl = bound.url
        isServing = true
        const public_callbacks = options.loopbackCallbacks === false ? 1 : 0
        const allows_faults = options.allowsFaults ? 1 : 0
        await store.write((tx) =>
          saveWorld(tx, { served_url: bound.url, public_url: publicUrl, public_callbacks, allows_faults }),
        )
        return { ...bound, url: openableUrl(bound.url) }
      },
    },
    close: () => (closing ??= shut()),
  }
}

/** A host as it stands in a URL. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function clockOf(store: Store, passes: readonly Pass[], machineNow: () => number): WorldClock {
  const set = async (at: number) => {
    await store.write((tx) => saveWorld(tx, { clock_offset: at - machineNow() }))
    // Read back, so that responses without a transaction bear the new time as well.
    await store.read(async (reader) => reader.now)
  }
  /** Returns the next run of each periodic job. A job without one is run at every step. */
  const nextDue = () =>
    store.read(async (reader) => {
      const dues: { pass: Pass; at: number | undefined }[] = []
      for (const pass of passes) dues.push({ pass, at: await pass.nextDue?.(reader) })
      const moments = dues.flatMap(({ at }) => at ?? [])
      return { now: reader.now, dues, due: moments.length === 0 ? undefined : Math.min(...moments) }
    })
  return {
    now: () => store.read(async (reader) => reader.now),
    set,
    async advance(to, onStep, stop) {
      const start = await store.read(async (reader) => reader.now)
      if (to < start)
        throw new Problem(
          'INVALID_USAGE',
          'The clock advances to later moments only; use "console clock set" to go back',
        )
      let done = 0
      for (let steps = 0; steps < mostSteps; steps++) {
        const { now, due, dues } = await nextDue()
        if (due === undefined || due > to) {
          await set(to)
          return { steps, done: done + (await runPasses(passes)) }
        }
        if (due > now) await set(due)
        onStep?.(Math.max(due, now))
        // A job may leave work to another at the same moment: that one is due in the next step.
        const isReady = ({ pass, at }: (typeof dues)[number]) => !pass.nextDue || (at ?? due + 1) <= Math.max(due, now)
        done += await runPasses(dues.filter(isReady).map(({ pass }) => pass))
        if (stop?.aborted) return { steps: steps + 1, done }
      }
      throw new Error(`more than ${mostSteps} moments fell due on the way`)
    },
  }
}
