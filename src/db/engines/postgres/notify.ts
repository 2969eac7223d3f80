import { setTimeout as wait } from 'node:timers/promises'
import { realAmbient } from '../../../kit/ambient.ts'
import type { Signals } from '../engine.ts'

/** Subset of a PostgreSQL driver's single connection that is used here. */
export interface PgListener {
  connect(): Promise<unknown>
  query(text: string): Promise<unknown>
  on(event: 'notification', listener: (message: { payload?: string | undefined }) => void): unknown
  on(event: 'error' | 'end', lost: () => void): unknown
  end(): Promise<void>
}

/** Delay before a lost listening connection is reopened. */
const againMs = 1_000
/** Timeout for closing a connection that is still connecting. */
const endMs = 1_000
/** PostgreSQL's maximum payload, less room for the sender's id. */
const longest = 7_900

/**
 * Sends messages between processes by NOTIFY and LISTEN. Listening uses its own connection apart from the pool, held
 * while there are subscribers.
 */
export function openSignals(options: {
  /** A channel name that only the processes of this database use. */
  readonly channel: string
  open(): PgListener
  notify(channel: string, text: string): Promise<void>
}): Signals & { close(): Promise<void> } {
  const { channel } = options
  // A process also receives its own messages and recognizes them by this id.
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
      const payload = `${self} ${text}`
      if (Buffer.byteLength(payload) <= longest) await options.notify(channel, payload)
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
