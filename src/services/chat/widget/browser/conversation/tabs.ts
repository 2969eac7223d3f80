import type { Core } from './core.ts'

/** A message to the other tabs: that this one is in a room, or an event it received there. */
export interface TabNews {
  /** The sender's room. */
  readonly at: string | undefined
  readonly event?: string
  // biome-ignore lint/suspicious/noExplicitAny: an event's data, as the chat's contract has it
  readonly data?: any
  readonly id?: string | undefined
}

/** The browser's tabs that show the same session. */
export class Tabs {
  readonly #core: Core
  readonly #channel: BroadcastChannel | undefined
  onNews = (_: TabNews) => {}

  constructor(core: Core) {
    this.#core = core
    if (typeof BroadcastChannel !== 'function') return
    this.#channel = new BroadcastChannel(core.session.name)
    this.#channel.onmessage = ({ data }) => this.onNews(data)
  }

  post(news: TabNews): void {
    this.#channel?.postMessage(news)
  }

  /** Runs the work in one tab at a time. */
  async alone(lock: string, work: () => Promise<void>, options = {}): Promise<void> {
    let isBegun = false
    try {
      await navigator.locks.request(lock, options, () => {
        isBegun = true
        return work()
      })
    } catch (caught) {
      // In a sandboxed frame without an origin, locks do not work.
      if (isBegun || this.#core.isStopped) throw caught
      await work()
    }
  }

  close(): void {
    this.#channel?.close()
  }
}
