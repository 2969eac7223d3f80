import { base } from './base.ts'
import type { EndReason } from './views.ts'

/** Callbacks for events from the server. */
export interface Listener {
  on(event: string, data: unknown): void
  /** Connection state. */
  online(is: boolean): void
  ended(reason: EndReason): void
  /** The connection was refused; a request finds out why. */
  refused(): void
}

const againMs = 3_000

/** Listens until closed. The browser reconnects after an interruption with the last event id. */
export function listen(session: string, table: string | null, listener: Listener): { close(): void } {
  const query = new URLSearchParams({ session, ...(table === null ? {} : { table }) })
  let source: EventSource
  let timer: number | undefined
  const open = () => {
    source = new EventSource(`${base}/play/v1/events?${query}`)
    source.onopen = () => listener.online(true)
    source.onerror = () => {
      listener.online(false)
      if (source.readyState !== EventSource.CLOSED) return
      listener.refused()
      timer = setTimeout(open, againMs)
    }
    for (const event of ['me', 'table', 'lobby', 'rows', 'closed', 'viewing'])
      source.addEventListener(event, (message) => listener.on(event, JSON.parse(message.data)))
    source.addEventListener('ended', (message) => {
      close()
      listener.ended(JSON.parse(message.data).reason)
    })
  }
  const close = () => {
    clearTimeout(timer)
    source.close()
  }
  open()
  return { close }
}
