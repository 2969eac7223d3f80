import { now } from './ambient.ts'
import type { Core } from './core.ts'

/** Tells the agents that the customer is typing. It never creates a room. */
export class TypingIndicator {
  readonly #core: Core
  #sentAt = 0

  constructor(core: Core) {
    this.#core = core
  }

  /** Reports whether the customer is typing. Repeats it after 4 seconds, because it is shown for 6 seconds. */
  report(typing: boolean): void {
    const { room, api } = this.#core
    if (!room.state || (typing ? now() - this.#sentAt < 4_000 : !this.#sentAt)) return
    this.#sentAt = typing ? now() : 0
    api.inRoom('POST', '/typing', { typing }).catch(() => {})
  }

  /** Resets the state after a message, which ends the typing without a report. */
  reset(): void {
    this.#sentAt = 0
  }
}
