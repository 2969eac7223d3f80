import { setTimeout as wait } from 'node:timers/promises'
import { realAmbient } from '../../../kit/ambient.ts'
import type { Signals } from '../engine.ts'

/** As much of a PostgreSQL driver's single connection as is used here. */
export interface PgListener {
  connect(): Promise<unknown>
  query(text: string): Promise<unknown>
  on(event: 'notification', heard: (message: { payload?: string | undefined }) => void): unknown
  on(event: 'error' | 'end', lost: () => void): unknown
  end(): Promise<void>
}

/** How long after its loss the connection that listens is opened again. */
const againMs = 1_000
/** How long closing waits for a connection that is just coming about. */
const endMs = 1_000
/** What PostgreSQL takes in one notice, with room for who says it. */
const longest = 7_900

/**
 * Signals by NOTIFY and LISTEN. Whoever hears has a connection of its own for it, apart from the pool: it is held for as
 * long as there is somebody to tell.
 */
export function openSignals(options: {
  /** A name the database's processes share, and nobody else on the server. */
  readonly channel: string
  open(): PgListener
  notify(channel: string, text: string): Promise<void>
}): Signals & { close(): Promise<void> } {
  const { channel } = options
  // What one says comes back to it, too, and is known by this.
  const self = realAmbient().id()
  const takers = new Set<(text: string) => void>()
  let listener: PgListener | undefined
  let again: NodeJS.Timeout | undefined

  function connect(): void {
    if (listener || takers.size === 0) return
    const mine = options.open()
    listener = mine
    const lost = () => {
      if (listener !== mine) return
      void leave()
      again = setTimeout(connect, againMs)
      again.unref()
    }
    mine.on('error', lost)
    mine.on('end', lost)
    mine.on('notification', ({ payload = '' }) => {
      if (!payload.startsWith(`${self} `)) for (const take of takers) take(payload.slice(payload.indexOf(' ') + 1))
    })
    mine
      .connect()
      .then(() => mine.query(`listen "${channel}"`))
      .catch(lost)
  }

  async function leave(): Promise<void> {
    clearTimeout(again)
    const old = listener
    listener = undefined
    await old?.end().catch(() => {})
  }

  return {
    async tell(text) {
      const said = `${self} ${text}`
      if (Buffer.byteLength(said) <= longest) await options.notify(channel, said)
    },
    hear(take) {
      takers.add(take)
      connect()
      return () => {
        takers.delete(take)
        if (takers.size === 0) void leave()
      }
    },
    async close() {
      takers.clear()
      await Promise.race([leave(), wait(endMs, undefined, { ref: false })])
    },
  }
}
