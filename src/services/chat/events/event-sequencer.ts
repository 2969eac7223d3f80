import { sequenceEvents, unsequencedEvents } from '../queries/events.ts'
import type { ChatCore } from '../service.ts'

/** Events numbered per statement. */
const atOnce = 200

/**
 * Assigns tenant-wide sequence numbers to committed events, in small groups. A room's own numbers are assigned by the
 * writers; if they assigned these too, writers of different rooms would wait for each other.
 */
export class EventSequencer {
  readonly #app: ChatCore
  #running: Promise<number> | undefined
  #next: Promise<number> | undefined

  constructor(app: ChatCore) {
    this.#app = app
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Assigns numbers to all events that have none. Returns the number of these events. */
  assignAll(): Promise<number> {
    if (this.#running === undefined) {
      this.#running = this.#assignUntilNone().finally(() => {
        this.#running = undefined
      })
      return this.#running
    }
    // A caller during a run needs another run, because this one may have missed its events. All such callers share the
    // next run.
    this.#next ??= this.#running
      .catch(() => 0)
      .then(() => {
        this.#next = undefined
        return this.assignAll()
      })
    return this.#next
  }

  async #assignUntilNone(): Promise<number> {
    let assigned = 0
    for (;;) {
      const count = await this.#assignGroup()
      assigned += count
      if (count < atOnce) return assigned
    }
  }

  async #assignGroup(): Promise<number> {
    // Read outside the write, so that the write reads no rows that writers of messages may have changed.
    const events = await this.#app.store.read((reader) => unsequencedEvents(reader, atOnce))
    if (events.length > 0) await this.#app.store.write((tx) => sequenceEvents(tx, events))
    return events.length
  }
}
