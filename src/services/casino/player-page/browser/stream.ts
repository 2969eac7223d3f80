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
/** Interval of a timer that runs late after the computer slept or the page was frozen or hidden, and how late that is. */
const wakeEveryMs = 5_000
const sleptMs = 20_000

/**
 * Listens until closed. The browser reconnects after an interruption with the last event id. It does not notice a connection
 * that died while the computer slept or changed its network: the page opens a new one then.
 */
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
  const reopen = () => {
    clearTimeout(timer)
    source.close()
    open()
  }
  let awakeAt = Date.now()
  const look = () => {
    // The timers of a hidden page run late too. It is looked at when it is shown again.
    if (document.hidden) return
    const pausedMs = Date.now() - awakeAt
    awakeAt = Date.now()
    if (pausedMs > sleptMs) reopen()
  }
  const wake = setInterval(look, wakeEveryMs)
  const lost = () => listener.online(false)
  document.addEventListener('visibilitychange', look)
  window.addEventListener('online', reopen)
  window.addEventListener('offline', lost)
  const close = () => {
    clearTimeout(timer)
    clearInterval(wake)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('online', reopen)
    window.removeEventListener('offline', lost)
    source.close()
  }
  open()
  return { close }
}
