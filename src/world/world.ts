import type { LookupFunction } from 'node:net'
import { withoutPassword } from '../db/engines/database-name.ts'
import { world as worldMigrations } from '../db/migrations/world/index.ts'
import type { PeriodicJob } from '../db/periodic-job.ts'
import type { WorldRow } from '../db/schema/store.ts'
import { openStore, type Store } from '../db/store.ts'
import type { Timeline } from '../db/timeline.ts'
import { ExchangeLog, exchangeCapacity } from '../http/server/exchanges/exchange-log.ts'
import type { Routes } from '../http/server/routes.ts'
import { openServer, type Server } from '../http/server/server.ts'
import { realAmbient } from '../kit/ambient.ts'
import { letters } from '../kit/ids.ts'
import { type Log, silentLog } from '../kit/log.ts'
import { Problem } from '../kit/problem.ts'
import { moveLeases } from '../outbox/queries.ts'
import type { Casino } from '../services/casino/service.ts'
import type { Chat } from '../services/chat/service.ts'
import type { Gateway } from '../services/gateway/service.ts'
import { checkClock, openWorldTime, saveWorld, servedAt, type WorldTime, worldItself } from './clock.ts'
import { healthRoutes } from './desk/health-routes.ts'
import { requestRoutes } from './desk/request-routes.ts'
import type { DeskDependencies } from './desk/routes.ts'
import { dryRunStore } from './dry-run-store.ts'
import { type FaultDependencies, type Faults, openFaults } from './faults.ts'
import type { HomeDependencies } from './home/routes.ts'
import { openMetrics, type WorldMetrics } from './metrics/world-metrics.ts'
import { ensurePlatform } from './platform-data.ts'
import { ambientOf } from './random.ts'
import { Handover, servingProcessOf } from './requests/handover.ts'
import { recordCallbacks } from './requests/record-callbacks.ts'
import { RecordedRequests } from './requests/recorded-requests.ts'
import { runJobs } from './scheduler.ts'
import { openServices, signerKeyOf } from './services.ts'
import { Serving, type ServingOptions } from './serving.ts'
import { Snapshots } from './snapshots/snapshots.ts'

export interface WorldOptions {
  /** A file, `:memory:`, or postgres://… */
  readonly db: string
  /**
   * Folder for files of a database on a server. Without one they are not stored, and two-factor secrets end with the
   * process.
   */
  readonly dataFolder?: string
  /** Makes every generated id, key, deal and name repeatable. */
  readonly seed?: string | undefined
  /** Initial time of the world's clock. */
  readonly startAt?: number | undefined
  readonly rateLimits?: boolean
  /** True if callbacks may go to a receiver on this machine. Default: as the world is or was last served. */
  readonly loopbackCallbacks?: boolean
  /** True if faults are allowed although other machines can reach the world; on this machine they always are. */
  readonly allowsFaults?: boolean
  /** Proxies whose X-Forwarded-For is trusted: addresses, networks, or `loopback`, `linklocal`, `uniquelocal`. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Base of every public URL while this world is served; default: from the request or the port. */
  readonly publicUrl?: string | undefined
  /** Records requests and counts them: for a world that is served or tested. Default: neither. */
  readonly records?: WorldRecords
  /** True if every write is rolled back at its end: all checks run, and nothing is changed. */
  readonly isDryRun?: boolean
  /** DNS lookup for callbacks; default: the system's. */
  readonly lookup?: LookupFunction
  readonly log?: Log
  /** Clock that the world's is based on; tests move one by hand. */
  readonly machineNow?: () => number
}

/** Records that a world keeps of itself, and their readers. */
export interface WorldRecords {
  readonly requests: boolean
  /** True if commands of this machine may read the recorded requests. */
  readonly hasDesk: boolean
  /** Opens the page `/desk`: `deskRoutes`, given by those who serve on this machine only. Commands do not load it. */
  readonly desk?: ((dependencies: DeskDependencies) => Routes) | undefined
  /** Opens the page `/`: `homeRoutes`, given by those who serve. Commands do not load it. */
  readonly home?: (dependencies: HomeDependencies) => Routes
  readonly hasPublicMetrics?: boolean
}

/** An open world: store, services, server, periodic jobs. */
export interface World {
  readonly store: Store
  readonly casino: Casino
  readonly gateway: Gateway
  readonly chat: Chat
  readonly server: Server
  readonly jobs: readonly PeriodicJob[]
  /** Jobs whose results are waited for, mainly by players at tables. They run more often. */
  readonly liveJobs: readonly PeriodicJob[]
  readonly clock: WorldClock
  /** Injected faults. */
  readonly faults: Faults
  /** Recorded requests; none in a world that does not record. */
  readonly requests: RecordedRequests
  /** Copies of the whole world. */
  readonly snapshots: Snapshots
  /** Metrics; undefined in a world that does not count. */
  readonly metrics: WorldMetrics | undefined
  /** True if the token also opens the page `/desk`. */
  readonly hasDeskPage: boolean
  /** Returns the token for reading what only the serving process has in memory; undefined if that is disabled. */
  deskToken(): string | undefined
  /**
   * Returns the URL at which a process serves it, as the database records it and this machine can open it. Null when
   * none is recorded.
   */
  servedAt(): Promise<string | null>
  /** Runs everything that is due now; returns how much was done. */
  settle(): Promise<number>
  /** Stops serving, finishes running work, closes the database. Repeated calls have no effect. */
  close(): Promise<void>
}

export interface WorldClock {
  now(): Promise<number>
  /** Sets the clock, forward or back, without running anything. */
  set(at: number): Promise<void>
  /**
   * Advances the clock to a time and runs everything due on the way, each at its own time. When stopped, the clock
   * stays where it is, with all due work done.
   */
  advance(to: number, onStep?: (at: number) => void, stop?: AbortSignal): Promise<{ steps: number; done: number }>
}

/** Maximum number of due times in one advance. */
const maxSteps = 1_000_000
/** Steps of an advance after which old rows are deleted. */
const stepsPerCleanup = 50

/** Opens a world on its database; the caller closes it. */
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
    return await worldOn(options.isDryRun ? dryRunStore(store) : store, options, { machineNow, time, log })
  } catch (error) {
    await store.close()
    throw error
  }
}

interface WorldParts {
  readonly machineNow: () => number
  readonly time: WorldTime
  readonly log: Log
}

async function worldOn(store: Store, options: WorldOptions, { machineNow, time, log }: WorldParts): Promise<World> {
  const { startAt, seed } = options
  if (startAt !== undefined) checkClock(startAt)
  if (startAt !== undefined) await setClock(store, startAt, machineNow)
  const { timeline } = time
  const ambient = await ambientOf(store, seed, { machineNow, timeline })
  const row = await store.read(worldItself)
  const serving = new Serving(store, servingOptions(options, machineNow), row)
  const records = recordsOf(store, options, { machineNow, time, log })
  const handover = handoverOf(row, options, { machineNow, time, log })
  const exchanges = records.exchanges ?? handover?.exchanges
  const faults = await faultsOf(serving, { store, random: ambient.random, log })
  const { casino, gateway, chat, ...parts } = openServices({
    ...{ ambient, store, log, machineNow, db: options.db, dataFolder: options.dataFolder, lookup: options.lookup },
    faults: faults.callbacks,
    record: exchanges && recordCallbacks(exchanges, handover && `callback-${process.pid}`),
    config: configOf(serving, options),
  })
  await ensurePlatform(casino)
  timeline.onChange(() => faults.takeUp())
  timeline.onChange(() => parts.restart())
  const jobs = onTimeline(timeline, [faults.job, ...parts.jobs])
  const requests = new RecordedRequests(records.exchanges ?? records.none, { casino, gateway, chat })
  const routes = [
    ...parts.routes,
    ...homeOf(options, {
      ...{ casino, chat, config: casino.config },
      hasDesk: () => options.records?.desk !== undefined && serving.deskToken !== undefined,
      isBehindProxy: (options.trustedProxies ?? []).length > 0,
    }),
    requestRoutes(requests, () => serving.deskToken),
    ...deskOf(options, { world: () => world, token: () => serving.deskToken, machineNow }),
    records.healthRoutes,
  ]
  const server = openServer({
    ...serverOptions(options, { machineNow, time, log }),
    ...{ services: parts.services, routes, exchanges },
    faultInjector: faults.faultInjector,
    requestRunner: (work) => timeline.run(work),
    requestId: ambient.requestId,
  })
  const world: World = {
    store,
    casino,
    gateway,
    chat,
    jobs,
    liveJobs: onTimeline(timeline, [faults.job, ...parts.liveJobs]),
    clock: clockOf(store, jobs, machineNow),
    faults,
    requests,
    snapshots: new Snapshots({
      ...{ db: options.db, store, timeline, machineNow },
      ...{
        signer: gateway.signer,
        signerKey: signerKeyOf(options.db, options.dataFolder),
        mediaFolder: chat.config.mediaFolder,
      },
    }),
    metrics: records.metrics,
    deskToken: () => serving.deskToken,
    hasDeskPage: options.records?.desk !== undefined,
    servedAt: () => servedAt(store),
    settle: () => runJobs(jobs),
    server: servedBy(serving, server),
    close: closing(store, [
      () => server.close(),
      () => parts.close(),
      () => serving.end(),
      async () => handover?.finish(),
    ]),
  }
  return world
}

/** Opens the faults; whether they apply depends on where the world is served. */
function faultsOf(serving: Serving, dependencies: Omit<FaultDependencies, 'isServing' | 'isAllowed'>): Promise<Faults> {
  return openFaults({ ...dependencies, isServing: () => serving.isServing, isAllowed: () => serving.allowsFaults })
}

/** Returns a server that records where it listens. */
function servedBy(serving: Serving, server: Server): Server {
  return {
    listen: (bindAddress) => serving.listen(server, bindAddress),
    inject: (request, from) => server.inject(request, from),
    close: () => server.close(),
  }
}

/** Returns the routes of the desk, in a world that has one. */
function deskOf({ records, db }: WorldOptions, dependencies: Omit<DeskDependencies, 'db'>): Routes[] {
  return records?.desk === undefined ? [] : [records.desk({ ...dependencies, db: withoutPassword(db) })]
}

/** Returns the routes of the page `/`, in a world that has it. */
function homeOf({ records }: WorldOptions, dependencies: HomeDependencies): Routes[] {
  return records?.home === undefined ? [] : [records.home(dependencies)]
}

function serverOptions({ trustedProxies = [], publicUrl }: WorldOptions, { machineNow, time, log }: WorldParts) {
  return { log, now: machineNow, worldNow: time.latest, trustedProxies, publicUrl }
}

function configOf(serving: Serving, { rateLimits = true }: WorldOptions) {
  return {
    publicUrl: () => serving.publicUrl,
    rateLimits,
    loopbackCallbacks: () => serving.allowsLoopbackCallbacks,
  }
}

/** Runs each job on the timeline that it began on. */
function onTimeline(timeline: Timeline, jobs: readonly PeriodicJob[]): PeriodicJob[] {
  return jobs.map((job) => ({
    ...job,
    run: (limit, stop) => timeline.runOnce(() => job.run(limit, stop), 0),
  }))
}

/** The token has its own randomness: it must not change a seeded world's ids, nor be computable from the seed. */
function servingOptions(options: WorldOptions, machineNow: () => number): ServingOptions {
  const newToken = () => letters(40, realAmbient(machineNow).random)
  return { ...options, hasDesk: options.records?.hasDesk ?? false, newToken }
}

/** Returns the handover of a command's requests to the process that serves the same world. */
function handoverOf(
  row: WorldRow,
  { records, isDryRun = false }: WorldOptions,
  { machineNow, time, log }: WorldParts,
): Handover | undefined {
  const serving = records || isDryRun ? undefined : servingProcessOf(row)
  const challenge = () => letters(40, realAmbient(machineNow).random)
  return serving && new Handover({ serving, worldNow: time.latest, machineNow, challenge, log })
}

/** Returns the records that a world keeps of itself, as its options require. */
function recordsOf(store: Store, { records }: WorldOptions, { machineNow, time, log }: WorldParts) {
  const clocks = { worldNow: time.latest, machineNow }
  const none = new ExchangeLog({ ...clocks, capacity: 0 })
  const exchanges = records && new ExchangeLog({ ...clocks, capacity: records.requests ? exchangeCapacity : 0 })
  // Checked once: a log keeps its level.
  if (log.isLevelEnabled?.('debug') ?? true)
    exchanges?.watch(({ id, method, url, status, ms }) =>
      log.debug({ requestId: id, method, path: url.split('?')[0], status, ms }, 'Request'),
    )
  const metrics = exchanges && openMetrics(store, exchanges, machineNow)
  return {
    none,
    exchanges,
    metrics,
    healthRoutes: healthRoutes({
      store,
      log,
      migrations: worldMigrations.steps.length,
      metrics: metrics?.text,
      isPublic: records?.hasPublicMetrics ?? false,
    }),
  }
}

/**
 * Runs the steps in order, once, and closes the database even if one fails: a locked file would block the next world.
 */
function closing(store: Store, steps: readonly (() => Promise<void>)[]): () => Promise<void> {
  let closed: Promise<void> | undefined
  const close = async () => {
    try {
      for (const step of steps) await step()
    } finally {
      await store.close()
    }
  }
  return () => (closed ??= close())
}

/** Sets the world's clock. The leases of deliveries that other processes are sending keep their remaining time. */
function setClock(store: Store, at: number, machineNow: () => number): Promise<void> {
  return store.write(async (tx) => {
    await moveLeases(tx, at - tx.now)
    await saveWorld(tx, { clock_offset: at - machineNow() })
  })
}

function clockOf(store: Store, jobs: readonly PeriodicJob[], machineNow: () => number): WorldClock {
  const set = async (at: number) => {
    checkClock(at)
    await setClock(store, at, machineNow)
    // Read back, so that responses without a transaction have the new time too.
    await store.read(async (reader) => reader.now)
  }
  /** Returns the next run of each periodic job. A job without one runs at every step. */
  const nextRun = () =>
    store.read(async (reader) => {
      const dues: { job: PeriodicJob; at: number | undefined }[] = []
      for (const job of jobs) dues.push({ job, at: await job.nextRun?.(reader) })
      const moments = dues.flatMap(({ at }) => at ?? [])
      return { now: reader.now, dues, due: moments.length === 0 ? undefined : Math.min(...moments) }
    })
  return {
    now: () => store.read(async (reader) => reader.now),
    set,
    async advance(to, onStep, stop) {
      checkClock(to)
      const start = await store.read(async (reader) => reader.now)
      if (to < start)
        throw new Problem(
          'INVALID_USAGE',
          'The clock can only advance to a later time; to go back use "console clock set"',
        )
      let done = 0
      for (let steps = 0; steps < maxSteps; steps++) {
        const { now, due, dues } = await nextRun()
        if (due === undefined || due > to) {
          await set(to)
          return { steps, done: done + (await runJobs(jobs)) }
        }
        if (due > now) await set(due)
        onStep?.(Math.max(due, now))
        // A job may leave work to another at the same time: that one is due in the next step. Old rows are deleted at the
        // end, and on the way only to keep the database small.
        const isReady = ({ job, at }: (typeof dues)[number]) => {
          if (job.isCleanup) return steps % stepsPerCleanup === stepsPerCleanup - 1
          return !job.nextRun || (at ?? due + 1) <= Math.max(due, now)
        }
        done += await runJobs(dues.filter(isReady).map(({ job }) => job))
        if (stop?.aborted) return { steps: steps + 1, done }
      }
      throw new Error(`more than ${maxSteps} due times in one advance`)
    },
  }
}
