import type { Sleep } from '../../http/client/sleep.ts'
import type { ServerEvent, StreamEnd } from '../../http/client/sse-client.ts'
import { isProblem, type Problem } from '../../kit/problem.ts'
import { refusalOf } from './tickets-request.ts'

/** Follows the events of the chat: each is returned once, also across lost connections and restarts. */

export interface ChatWatch {
  readonly listen: (stream: {
    after: string | undefined
    take: (event: ServerEvent) => void
    signal: AbortSignal
  }) => Promise<StreamEnd>
  /** Position of an earlier run; absent to start now. */
  readonly after: string | undefined
  readonly take: (event: { id: string | null; event: string; data: unknown }) => void
  /** Called after events were processed, with the position for a later run. */
  readonly keep: (cursor: string) => void
  /** Called once when the connection is lost, and once when it is back. */
  readonly onGap: (text: string) => void
  /** Called with true when events arrive from now on, and with false when the connection ended. */
  readonly onLive?: (isLive: boolean) => void
  readonly sleep: Sleep
  readonly random: () => number
  readonly stop: AbortSignal
}

const longestWaitMs = 30_000

export async function watchChat(watch: ChatWatch): Promise<void> {
  const { stop, sleep } = watch
  let { after } = watch
  let failures = 0
  let isLost = false
  while (!stop.aborted) {
    const keep = (id: string | undefined) => {
      if (id === undefined) return
      after = id
      watch.keep(id)
    }
    const take = (event: ServerEvent) => {
      // Events after the requested end belong to the next run.
      if (stop.aborted) return
      if (event.event === 'goodbye') return
      if (event.event === 'ready') {
        failures = 0
        watch.onLive?.(true)
        if (isLost) watch.onGap('Connected again')
        isLost = false
        // The first run starts now: a later run continues from here even without events.
        if (after === undefined) keep(event.id)
        return
      }
      watch.take({ id: event.id ?? null, event: event.event, data: parsed(event.data) })
      keep(event.id)
    }
    try {
      const end = await watch.listen({ after, take, signal: stop })
      if (end.end === 'refused') throw refusalOf(end.reply)
    } catch (error) {
      if (stop.aborted) return
      if (!isProblem(error) || !isPassing(error)) throw error
      if (!isLost) watch.onGap(`${error.message}. Trying again`)
      isLost = true
    }
    if (stop.aborted) return
    watch.onLive?.(false)
    failures++
    const ms = Math.round(Math.min(longestWaitMs, 250 * 2 ** Math.min(failures, 10)) * watch.random())
    try {
      await sleep(ms, stop)
    } catch (error) {
      if (!stop.aborted) throw error
    }
  }
}

/** Temporary errors: a lost connection, a restarting server, a rate limit. */
function isPassing({ code, detail }: Problem): boolean {
  const { status } = detail
  return code.startsWith('REMOTE_') || status === 429 || (typeof status === 'number' && status >= 500)
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}
