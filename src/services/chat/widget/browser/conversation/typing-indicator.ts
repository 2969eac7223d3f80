import { now } from './ambient.ts'
import type { Core } from './core.ts'

/** Tells the agents that the customer is typing. It never creates a room. */
export class TypingIndicator {
  readonly #core: Core
  #sentAt = 0

  constructor(core: Core) {
    this.#core = core
  }

  /** Sends the event again after 4 seconds, because it counts for 6. */
  report(typing: boolean): void {
    const { room, api } = this.#core
    if (!room.state || (typing ? now() - this.#sentAt < 4_000 : !this.#sentAt)) return
    this.#sentAt = typing ? now() : 0
    api.inRoom('POST', '/typing', { typing }).catch(() => {})
  }

  /** A message ends the typing by itself. */
  reset(): void {
    this.#sentAt = 0
  }
}
