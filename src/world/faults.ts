import { nextOf } from '../db/counter.ts'
import type { PeriodicJob } from '../db/periodic-job.ts'
import type { FaultRow } from '../db/schema/store.ts'
import type { Reader, Store, Tx } from '../db/store.ts'
import {
  callbackFaultOf,
  countMatch,
  type Fault,
  type InjectedCallbackFault,
  isCallbackFault,
  isOver,
  matchesPattern,
  responseFaultOf,
} from '../domain/faults.ts'
import { realSleep } from '../http/client/sleep.ts'
import type { FaultInjector } from '../http/server/fault-injection.ts'
import { isLoopback } from '../http/server/public-url.ts'
import { letters } from '../kit/ids.ts'
import type { Log } from '../kit/log.ts'
import { minuteText } from '../kit/moment.ts'
import { Problem } from '../kit/problem.ts'
import type { OutboxFaults } from '../outbox/fault-injection.ts'
import { worldItself } from './clock.ts'
import { canAnswer, checked, type FaultInput, namesOf, serviceOf } from './fault-input.ts'
import { deleteFaults, faultOf, faultsOf, markTakenUp, saveFault, toFault } from './fault-rows.ts'

/** A fault that was set. */
export interface SetFault extends Fault {
  readonly id: number
  readonly createdAt: number
  readonly isOver: boolean
}

export interface Faults {
  /**
   * Sets a fault, effective from the next request on; in another process that serves this world, once it has loaded the
   * fault.
   */
  set(input: FaultInput): Promise<SetFault>
  list(): Promise<SetFault[]>
  /** Removes the given faults, or all; returns their number. They are inactive at once, in every process. */
  clear(ids?: readonly number[]): Promise<number>
  /** Waits until the process that serves this world has loaded a fault. */
  activation(id: number): Promise<'here' | 'served' | 'not served'>
  /** Returns whether faults are allowed where this world is served. */
  areAllowed(): boolean
  /** Reads the faults that are set. Returns whether that changed anything. */
  takeUp(): Promise<boolean>
  /** Sets the function that gets the faults whenever they change. */
  watch(onChange: (faults: readonly SetFault[]) => void): void
  readonly faultInjector: FaultInjector
  readonly callbacks: OutboxFaults
  readonly job: PeriodicJob
}

export interface FaultDependencies {
  readonly store: Store
  readonly random: (size: number) => Uint8Array
  readonly log: Log
  /** True if this process is serving the world, so that others wait for it. */
  isServing(): boolean
  isAllowed(): boolean
}

/** Time to wait for the serving process to load a fault. */
const takeUpWithinMs = 3_000
const askEveryMs = 50

/**
 * Faults of a world. They are rows, so that a command next to a served world can set them. They are cached, so that a
 * world without faults has no overhead. A transaction on its row decides whether a fault applies to a request. So a
 * removed fault never applies, and one with three hits applies three times, across processes.
 */
export async function openFaults(dependencies: FaultDependencies): Promise<Faults> {
  const faults = new WorldFaults(dependencies)
  await faults.takeUp()
  return faults
}

class WorldFaults implements Faults {
  readonly #dependencies: FaultDependencies
  #held: readonly FaultRow[] = []
  #known = ''
  #tell: (faults: readonly SetFault[]) => void = () => {}

  readonly faultInjector: FaultInjector = {
    areSet: () => this.#held.length > 0 && this.areAllowed(),
    faultFor: async (target) => {
      const service = serviceOf.get(target.contract)
      if (service === undefined) return undefined
      const names = namesOf(target)
      const candidates = this.#held.filter(
        (row) =>
          !isCallbackFault(row.kind) &&
          (row.service ?? service) === service &&
          matchesPattern(row.endpoint, names) &&
          (row.code === null || canAnswer(target, row.code)),
      )
      return candidates.length === 0 ? undefined : this.#hit(candidates, responseFaultOf)
    },
  }

  readonly callbacks: OutboxFaults = {
    faultFor: ({ channel, event, total_attempts, held_by }) => {
      if (this.#held.length === 0 || !this.areAllowed()) return undefined
      // A delivery that was held once is not held again.
      const isFresh = total_attempts === 0 && held_by === null
      const candidates = this.#held.filter(
        ({ kind, endpoint }) =>
          isCallbackFault(kind) &&
          (isFresh || kind === 'lose' || kind === 'double') &&
          matchesPattern(endpoint, [event, channel]),
      )
      return candidates.length === 0 ? undefined : this.#hit<InjectedCallbackFault>(candidates, callbackFaultOf)
    },
    holdsDeliveries: () => this.#held.some(({ kind }) => kind === 'reorder'),
  }

  readonly job: PeriodicJob = {
    name: 'load faults',
    // A world without a server has loaded them when it was opened.
    run: async () => (this.#dependencies.isServing() && (await this.takeUp()) ? 1 : 0),
  }

  constructor(dependencies: FaultDependencies) {
    this.#dependencies = dependencies
  }

  areAllowed(): boolean {
    return this.#dependencies.isAllowed()
  }

  watch(onChange: (faults: readonly SetFault[]) => void): void {
    this.#tell = onChange
  }

  /** Reads the faults that are set. Returns whether that changed anything. */
  async takeUp(): Promise<boolean> {
    const { store, isServing } = this.#dependencies
    const { rows, now } = await store.read(async (reader) => ({ rows: await faultsOf(reader), now: reader.now }))
    const ids = idsOf(rows, now)
    const isNew = ids !== this.#known
    this.#held = rows
    this.#known = ids
    const waiting = isServing() ? rows.filter((row) => row.taken_up === 0).map(({ id }) => id) : []
    if (waiting.length > 0) await store.write((tx) => markTakenUp(tx, waiting))
    if (isNew) this.#tell(rows.map((row) => toSet(row, now)))
    return isNew || waiting.length > 0
  }

  async set(input: FaultInput): Promise<SetFault> {
    const { store, random, isServing } = this.#dependencies
    const fault = checked(input)
    const seed = letters(16, random)
    const row = await store.write(async (tx) => {
      await checkAllowed(tx, isServing() ? this.areAllowed() : undefined)
      if (fault.until !== null && fault.until <= tx.now)
        throw new Problem('INVALID_USAGE', `The world's clock is already past ${minuteText(fault.until)}`)
      const id = await nextOf(tx, 'faults')
      const added: FaultRow = { ...fault, id, seed, met: 0, hits: 0, created_at: tx.now, taken_up: 0 }
      await tx.q.insertInto('store_faults').values(added).execute()
      return added
    })
    await this.takeUp()
    return toSet(row, row.created_at)
  }

  list(): Promise<SetFault[]> {
    return this.#dependencies.store.read(async (reader) =>
      (await faultsOf(reader)).map((row) => toSet(row, reader.now)),
    )
  }

  async clear(ids?: readonly number[]): Promise<number> {
    const count = await this.#dependencies.store.write(async (tx) => {
      for (const id of ids ?? []) {
        if (!(await faultOf(tx, id))) throw new Problem('NOT_FOUND', `There is no fault ${id}`)
      }
      return deleteFaults(tx, ids)
    })
    await this.takeUp()
    return count
  }

  async activation(id: number): Promise<'here' | 'served' | 'not served'> {
    const { store, isServing } = this.#dependencies
    if (isServing()) return 'here'
    const state = () =>
      store.read(async (reader) => ({
        row: await faultOf(reader, id),
        servedUrl: (await worldItself(reader)).served_url,
      }))
    for (let waitedMs = 0; ; waitedMs += askEveryMs) {
      const { row, servedUrl } = await state()
      if (servedUrl === null) return 'here'
      if (row === undefined || row.taken_up === 1) return 'served'
      if (waitedMs >= takeUpWithinMs) return 'not served'
      await realSleep(askEveryMs)
    }
  }

  async #hit<T>(candidates: readonly FaultRow[], toInjectedFault: (fault: Fault) => T): Promise<T | undefined> {
    try {
      const hit = await this.#dependencies.store.write((tx) => firstHit(tx, candidates))
      return hit && toInjectedFault(hit)
    } catch (error) {
      this.#dependencies.log.warn({ error: String(error) }, 'Cannot check whether a fault applies')
      return undefined
    }
  }
}

/** Returns the first fault that applies. Counts the request for it and for each active one before it. */
async function firstHit(tx: Tx, candidates: readonly FaultRow[]): Promise<Fault | undefined> {
  for (const { id } of candidates) {
    const row = await faultOf(tx, id)
    if (row === undefined || isOver(toFault(row), tx.now)) continue
    const { fault, isHit } = countMatch(toFault(row))
    await saveFault(tx, id, { met: fault.met, hits: fault.hits })
    if (isHit) return fault
  }
  return undefined
}

/** Refuses faults where other machines can reach the world, unless it is served with --allow-faults. */
async function checkAllowed(reader: Reader, here: boolean | undefined): Promise<void> {
  const { served_url, allows_faults } = await worldItself(reader)
  if (here ?? (served_url === null || allows_faults === 1 || isLoopback(new URL(served_url).hostname))) return
  throw new Problem(
    'CONFLICT',
    `This world is served at ${served_url}, where other machines can reach it: faults require "countroom serve --allow-faults"`,
    { servedUrl: served_url },
  )
}

function toSet(row: FaultRow, now: number): SetFault {
  const fault = toFault(row)
  return { ...fault, id: row.id, createdAt: row.created_at, isOver: isOver(fault, now) }
}

/** Returns the ids of active faults as text, for comparing. */
const idsOf = (rows: readonly FaultRow[], now: number) =>
  rows
    .filter((row) => !isOver(toFault(row), now))
    .map(({ id }) => id)
    .join()
