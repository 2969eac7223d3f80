import { lastOf } from '../../../db/counter.ts'
import type { Reader } from '../../../db/store.ts'
import { positionsOf, roomsChangedAfter } from '../queries/events.ts'
import type { ChatCore } from '../service.ts'
import type { EventSequencer } from './event-sequencer.ts'
import type { Subscription } from './subscriptions.ts'

/** Finds events of other processes by reading the tail of the event table. */
export class TailPoll {
  readonly #app: ChatCore
  readonly #subscriptions: ReadonlyMap<string, Subscription>
  readonly #sequencer: EventSequencer
  /** Position up to which this process has read each tenant's events. */
  readonly #seen = new Map<string, number>()
  #isPolling = false

  constructor(app: ChatCore, subscriptions: ReadonlyMap<string, Subscription>, sequencer: EventSequencer) {
    this.#app = app
    this.#subscriptions = subscriptions
    this.#sequencer = sequencer
  }

  /** Starts a tenant at a position, unless it was started before. */
  startAt(tenant: string, position: number): void {
    if (!this.#seen.has(tenant)) this.#seen.set(tenant, position)
  }

  reset(): void {
    this.#seen.clear()
  }

  /** Delivers new events. Does nothing while an earlier call is running. */
  async poll(): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    try {
      if (!this.#sequencer.isRunning) await this.#sequencer.assignAll()
      for (const { tenant, latest, rooms } of await this.#app.store.read((reader) => this.#changesOf(reader))) {
        this.#seen.set(tenant, latest)
        for (const room of rooms) {
          const subscription = this.#subscriptions.get(room.roomId)
          // Events written by this process were delivered already.
          if (subscription && !subscription.isDelivered(room.latest)) void subscription.deliver()
        }
        void this.#subscriptions.get(`tenant ${tenant}`)?.deliver()
      }
    } catch (error) {
      this.#app.log.warn({ error: String(error) }, 'Cannot read the tail of the events')
    } finally {
      this.#isPolling = false
    }
  }

  async #changesOf(reader: Reader) {
    const tenants = new Set([...this.#subscriptions.values()].map((subscription) => subscription.source.tenant))
    const changes: { tenant: string; latest: number; rooms: Awaited<ReturnType<typeof roomsChangedAfter>> }[] = []
    for (const tenant of tenants) {
      const latest = await lastOf(reader, positionsOf(tenant))
      const before = this.#seen.get(tenant) ?? latest
      if (latest > before) changes.push({ tenant, latest, rooms: await roomsChangedAfter(reader, tenant, before) })
    }
    return changes
  }
}
