import { base } from './base.ts'
import type { EndReason } from './views.ts'

/** What is pushed to the page. */
export interface Listener {
  on(event: string, data: unknown): void
  /** Whether the line to the server is there. */
  online(is: boolean): void
  ended(reason: EndReason): void
  /** The line was refused: why can only be asked. */
  refused(): void
}

const againMs = 3_000

/** Listens until it is closed. The browser comes back by itself after a break, naming what it was told last. */
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
