import type { PeriodicJob } from '../../../db/periodic-job.ts'
import type { SessionRow, TableRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import type { RouteHandler, RouteReply, Routes } from '../../../http/server/routes.ts'
import { sseEvent, sseHeaders, sseHeartbeat, sseRetry } from '../../../http/server/sse.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { statusFor } from '../account/demo-idle.ts'
import type { LobbyPush, LobbyRow } from '../player-page/browser/views.ts'
import { sessionIn } from '../players/session-cookie.ts'
import type { PlayerCaller } from '../players/sessions.ts'
import { sessionByToken } from '../queries/sessions.ts'
import { openTable } from '../rounds/rounds.ts'
import type { Casino } from '../service.ts'
import { type LobbyState, readLobbyState } from './lobby-state.ts'
import { lobbyRoadLength, roadLength } from './roads.ts'
import { sessionStateOf } from './session-state.ts'
import { type LiveTable, liveTable } from './table.ts'
import { isVideoLimited, startViewing, stopViewing } from './viewing.ts'
import { lobbyView, meView, tableView } from './views.ts'

/**
 * Server-sent events of the tables for the pages that show them. An event contains the current state, not the change,
 * so a page that was disconnected misses nothing: it gets the state again on reconnecting, unless its `Last-Event-ID`
 * shows that nothing has changed.
 */

/** An open page. */
interface Stream {
  readonly sessionToken: string
  readonly sessionId: string
  /** Table on display; undefined in the lobby. */
  readonly tableId: string | undefined
  readonly reply: RouteReply
  /** The counted viewer, on a plan that limits video: when it was counted last, and when it ends. */
  viewer: { readonly playerId: string; readonly at: number; readonly endsAt: number | null } | null
  /** Last state sent, by event. */
  readonly sent: Map<string, string>
  writtenAt: number
}

export interface Streams {
  readonly routes: Routes
  readonly job: PeriodicJob
  /** Ends all streams; the pages connect again. */
  restart(): void
}

/** A page that reads slower is disconnected; its browser reconnects and gets the current state. */
const maxUnsentBytes = 256 * 1024
/** Interval of keep-alive lines, so that proxies do not close the connection. */
const quietMs = 15_000
/** Maximum open pages per session. */
const maxPerSession = 4
/** Interval of counting viewers, well within the time after which a viewer counts as gone. */
const lookEveryMs = 10_000

export function openStreams(app: Casino): Streams {
  const pages = new OpenPages(app)
  return {
    routes: (table) => {
      table.get('/play/v1/events', pages.attach, { head: false })
      table.onClose(() => pages.close())
    },
    job: {
      name: 'casino: push to pages',
      // Nothing has to wait for it: what it sends is committed already.
      run: async () => {
        await pages.run()
        return 0
      },
    },
    restart: () => pages.close(),
  }
}

/** The pages that are open in this process. */
class OpenPages {
  readonly #app: Casino
  readonly #open = new Set<Stream>()
  /** Players whose last page with a table was closed since the last run. */
  readonly #gone = new Set<string>()

  constructor(app: Casino) {
    this.#app = app
  }

  /** Releases viewers, and sends every page what has changed. */
  async run(): Promise<void> {
    await this.#releaseViewers()
    await this.#push([...this.#open])
  }

  close(): void {
    for (const stream of this.#open) this.#end(stream)
  }

  #remove(stream: Stream): void {
    this.#open.delete(stream)
    if (stream.viewer) this.#gone.add(stream.viewer.playerId)
  }

  readonly attach: RouteHandler = async (request, reply) => {
    const { session, table } = request.query
    const token = sessionIn(request.headers.cookie)
    if (token === undefined || typeof session !== 'string') return reply.code(401).send()
    reply.hijack()
    reply.raw.writeHead(200, sseHeaders)
    reply.raw.write(sseRetry(2_000))
    const tableId = typeof table === 'string' ? table : undefined
    const stream: Stream = {
      sessionToken: token,
      sessionId: session,
      tableId,
      reply,
      viewer: null,
      sent: new Map(),
      writtenAt: this.#app.machineNow(),
    }
    const last = request.headers['last-event-id']
    if (typeof last === 'string' && tableId !== undefined) stream.sent.set('table', last)
    this.#open.add(stream)
    reply.raw.once('close', () => this.#remove(stream))
    const ofSession = [...this.#open].filter((each) => each.sessionId === session)
    for (const old of ofSession.slice(0, Math.max(0, ofSession.length - maxPerSession))) this.#end(old)
    await this.#push([stream])
  }

  #end(stream: Stream): void {
    this.#remove(stream)
    stream.reply.raw.end()
  }

  #send(stream: Stream, event: string, data: unknown, id?: string): void {
    // It may have been ended while its state was read. A write after the end would cause an unhandled error.
    if (!this.#open.has(stream)) return
    const { raw } = stream.reply
    if (raw.writableLength > maxUnsentBytes) {
      this.#remove(stream)
      raw.destroy()
      return
    }
    raw.write(sseEvent({ id, event, data: JSON.stringify(data) }))
    stream.writtenAt = this.#app.machineNow()
  }

  /** Sends a page what has changed since the last event. */
  async #pushTo(reader: Reader, lobbyState: LobbyState, stream: Stream): Promise<Due | undefined> {
    const caller = await callerOf(reader, stream)
    if ('over' in caller) {
      this.#send(stream, 'ended', { reason: caller.over })
      this.#end(stream)
      return undefined
    }
    this.#sendChange(stream, 'me', meView(caller))
    const enabled = await lobbyState.enabledOf(reader, caller.tenant.code)
    const { environment } = caller.tenant
    if (stream.tableId === undefined) {
      await this.#pushLobby(reader, lobbyState, stream, caller, enabled)
      return undefined
    }
    const row = lobbyState.tables.get(`${environment}/${stream.tableId}`)
    if (!row || !enabled.has(row.table_id)) {
      this.#send(stream, 'closed', { tableId: stream.tableId })
      this.#end(stream)
      return undefined
    }
    const isDue = isVideoLimited(caller) && this.#isCountDue(stream, reader.now)
    // Nothing of the table is sent before the viewer is counted.
    if (!isDue || stream.viewer) await this.#pushTable(reader, lobbyState, stream, caller, row)
    return isDue ? { stream, caller, tableId: row.table_id } : undefined
  }

  #isCountDue({ viewer }: Stream, now: number): boolean {
    if (!viewer) return true
    return Math.abs(now - viewer.at) >= lookEveryMs || (viewer.endsAt !== null && now >= viewer.endsAt)
  }

  /**
   * Counts viewers, and closes the pages that may no longer show a table. Returns those that may show one for the first
   * time.
   */
  async #countViewers(due: readonly Due[]): Promise<Stream[]> {
    const admitted: Stream[] = []
    for (const { stream, caller, tableId } of due) {
      const seen = await startViewing(this.#app, caller, tableId, stream.viewer !== null)
      if (!this.#open.has(stream)) {
        this.#gone.add(caller.player.id)
      } else if ('refused' in seen) {
        this.#send(stream, 'viewing', seen.refused)
        this.#end(stream)
      } else {
        if (!stream.viewer) admitted.push(stream)
        stream.viewer = { playerId: caller.player.id, ...seen }
      }
    }
    return admitted
  }

  /** Releases the viewer slots of players who have closed their last page with a table. */
  async #releaseViewers(): Promise<void> {
    if (this.#gone.size === 0) return
    const still = new Set([...this.#open].flatMap(({ viewer }) => (viewer ? [viewer.playerId] : [])))
    const left = [...this.#gone].filter((playerId) => !still.has(playerId))
    this.#gone.clear()
    if (left.length > 0) await stopViewing(this.#app, left)
  }

  async #pushTable(
    reader: Reader,
    lobbyState: LobbyState,
    stream: Stream,
    caller: PlayerCaller,
    row: TableRow,
  ): Promise<void> {
    const state = lobbyState.live.get(`${row.environment}/${row.table_id}`)
    const id = `${state?.version ?? 0}.${statusFor(row, caller.tenant, reader.now)}`
    if (stream.sent.get('table') === id) return
    stream.sent.set('table', id)
    const live = liveTable(await openTable(reader, row.environment, row.table_id), state)
    const view = await tableView(reader, caller, live)
    const road = await this.#newRoad(reader, lobbyState, stream, live)
    this.#send(stream, 'table', road ? { ...view, road } : view, id)
  }

  /** Returns the road of a table if the page does not have it. It is read only when the round or its result is new. */
  async #newRoad(reader: Reader, lobbyState: LobbyState, { sent }: Stream, { row, table }: LiveTable) {
    const round = `${row.round_id}/${row.phase === 'result'}`
    if (sent.get('round') === round) return undefined
    sent.set('round', round)
    const road = await lobbyState.roadOf(reader, table.row, roadLength)
    const digest = sha256Hex(JSON.stringify(road))
    if (sent.get('road') === digest) return undefined
    sent.set('road', digest)
    return road
  }

  /** Sends the whole lobby when its tables have changed; otherwise only the changed tables. */
  async #pushLobby(
    reader: Reader,
    lobbyState: LobbyState,
    stream: Stream,
    caller: PlayerCaller,
    enabled: ReadonlySet<string>,
  ) {
    const shown = [...lobbyState.tables.values()].filter(
      (row) => row.environment === caller.tenant.environment && enabled.has(row.table_id),
    )
    const moved: LobbyRow[] = []
    for (const row of shown) {
      const live = lobbyState.live.get(`${row.environment}/${row.table_id}`)
      const phase = live?.phase ?? 'idle'
      const tableId = row.table_id
      const status = statusFor(row, caller.tenant, reader.now)
      const state = `${status}/${phase}/${live?.round_id}`
      if (stream.sent.get(tableId) === state) continue
      stream.sent.set(tableId, state)
      const road = phase === 'result' ? { road: await lobbyState.roadOf(reader, row, lobbyRoadLength) } : {}
      moved.push({ tableId, status, phase, dueAt: live?.due_at ?? null, ...road })
    }
    const list = shown.map((row) => row.table_id).join()
    if (stream.sent.get('lobby') !== list) {
      stream.sent.set('lobby', list)
      this.#send(stream, 'lobby', await lobbyView(reader, caller, lobbyState.roadOf))
    } else if (moved.length > 0) this.#send(stream, 'rows', { now: reader.now, rows: moved } satisfies LobbyPush)
  }

  #sendChange(stream: Stream, event: string, data: unknown): void {
    const text = JSON.stringify(data)
    if (stream.sent.get(event) === text) return
    stream.sent.set(event, text)
    this.#send(stream, event, data)
  }

  async #push(streams: readonly Stream[]): Promise<void> {
    if (streams.length === 0) return
    const due: Due[] = []
    await this.#app.store.read(async (reader) => {
      const lobbyState = await readLobbyState(reader)
      for (const stream of streams) {
        const page = await this.#pushTo(reader, lobbyState, stream)
        if (page) due.push(page)
      }
    })
    await this.#push(await this.#countViewers(due))
    for (const stream of streams)
      if (this.#open.has(stream) && this.#app.machineNow() - stream.writtenAt > quietMs) {
        stream.reply.raw.write(sseHeartbeat)
        stream.writtenAt = this.#app.machineNow()
      }
  }
}

/** A page whose viewer has to be counted. */
interface Due {
  readonly stream: Stream
  readonly caller: PlayerCaller
  readonly tableId: string
}

async function callerOf(
  reader: Reader,
  stream: Stream,
): Promise<PlayerCaller | { over: NonNullable<SessionRow['end_reason']> }> {
  const session = await sessionByToken(reader, sha256Hex(stream.sessionToken))
  if (!session) return { over: 'EXPIRED' }
  if (session.id !== stream.sessionId) return { over: 'SESSION_REPLACED' }
  const state = await sessionStateOf(reader, session)
  return 'over' in state ? state : state.caller
}
