import { AsyncLocalStorage } from 'node:async_hooks'
import type { RouteReply, RouteRequest } from '../../http/server/routes.ts'
import { sseEvent, sseHeaders, sseHeartbeat } from '../../http/server/sse.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { readView } from './views/index.ts'
import type { ViewDependencies } from './views/view.ts'

/** Streams of views: each is read every second, and sent when it changed. */

const everyMs = 1_000
const heartbeatMs = 15_000
/** Maximum number of open streams. */
const maxStreams = 20
/** Maximum number of views in a stream. */
const maxViews = 8
/** A reader that is this far behind is disconnected. */
const maxUnsentBytes = 8 * 1024 * 1024

interface Subscription {
  readonly view: string
  readonly query: Record<string, unknown>
}

/** All open streams of the desk. */
export class LiveViews {
  readonly #dependencies: () => ViewDependencies
  /**
   * Runs a function outside the current action's request: that request runs again after a load, but its refreshes must
   * not.
   */
  readonly #outside = AsyncLocalStorage.snapshot()
  readonly #open = new Set<{ readonly reply: RouteReply; readonly refresh: () => void }>()

  constructor(dependencies: () => ViewDependencies) {
    this.#dependencies = dependencies
  }

  /** Reads every view immediately, after an action has changed something. */
  refresh(): void {
    for (const { refresh } of this.#open) refresh()
  }

  close(): void {
    for (const { reply } of this.#open) reply.raw.end()
  }

  /** Sends the views of a request until the client disconnects. */
  open(request: RouteRequest, reply: RouteReply): unknown {
    if (this.#open.size >= maxStreams)
      return reply.code(429).send({ message: `There are ${maxStreams} streams already` })
    const subscriptions = subscriptionsOf(request)
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, sseHeaders)
    raw.write(sseHeartbeat)
    const write = (text: string) => {
      if (raw.writableLength > maxUnsentBytes) raw.destroy()
      else raw.write(text)
    }
    const round = this.#outside(() => reader(this.#dependencies, subscriptions, write))
    const entry = { reply, refresh: () => this.#outside(round.refresh) }
    this.#open.add(entry)
    const heartbeat = setInterval(() => write(sseHeartbeat), heartbeatMs)
    raw.once('close', () => {
      clearInterval(heartbeat)
      round.stop()
      this.#open.delete(entry)
    })
    return undefined
  }
}

/** Reads the views in rounds, and writes an event for each that changed. */
function reader(
  dependencies: () => ViewDependencies,
  subscriptions: readonly Subscription[],
  write: (text: string) => void,
) {
  const last = subscriptions.map(() => '')
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isRunning = false
  let isWanted = false
  const readAll = async () => {
    for (const [at, { view, query }] of subscriptions.entries()) {
      const data = await dataOf(dependencies(), view, query)
      if (isStopped || data === undefined || data === last[at]) continue
      last[at] = data
      write(sseEvent({ event: 'view', data: `{"at":${at},${data}}` }))
    }
  }
  const run = async () => {
    clearTimeout(timer)
    isRunning = true
    isWanted = false
    await readAll()
    isRunning = false
    if (isStopped) return
    if (isWanted) void run()
    else timer = setTimeout(run, everyMs)
  }
  void run()
  return {
    refresh() {
      if (isRunning) isWanted = true
      else if (!isStopped) void run()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Returns a view as the fields of an event: its data, or why it cannot be read; undefined if the next round must read it. */
async function dataOf(
  dependencies: ViewDependencies,
  view: string,
  query: Record<string, unknown>,
): Promise<string | undefined> {
  try {
    return `"data":${JSON.stringify(await readView(dependencies, view, query))}`
  } catch (error) {
    // A snapshot was loaded while the view was read.
    if (isProblem(error, 'TIMELINE_CHANGED')) return undefined
    const message = isProblem(error) ? error.message : 'The view cannot be read: see the log of the served world'
    if (!isProblem(error)) dependencies.world.casino.log.error({ view, error: String(error) }, 'Cannot read a view')
    return `"error":${JSON.stringify({ code: isProblem(error) ? error.code : 'INTERNAL', message })}`
  }
}

function subscriptionsOf({ query }: RouteRequest): Subscription[] {
  const given = query['views']
  try {
    const views: unknown = JSON.parse(typeof given === 'string' ? given : '')
    if (Array.isArray(views) && views.length > 0 && views.length <= maxViews && views.every(isSubscription))
      return views
  } catch {
    // Refused below, as any other value.
  }
  throw new Problem(
    'INVALID_USAGE',
    `views must be a JSON list of 1 to ${maxViews} views, each with "view" and "query"`,
  )
}

function isSubscription(value: unknown): value is Subscription {
  if (typeof value !== 'object' || value === null || !('view' in value) || !('query' in value)) return false
  return typeof value.view === 'string' && typeof value.query === 'object' && value.query !== null
}
