import type { PeriodicJob } from '../../../db/periodic-job.ts'
import type { LiveTableRow, SessionRow, TableRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import type { RouteReply, RouteRequest, Routes } from '../../../http/server/routes.ts'
import { sseEvent, sseHeaders, sseHeartbeat, sseRetry } from '../../../http/server/sse.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { statusFor } from '../account/demo-idle.ts'
import type { LobbyPush, LobbyRow } from '../player-page/browser/views.ts'
import { sessionIn } from '../players/session-cookie.ts'
import type { Visit } from '../players/sessions.ts'
import { allTables, liveTables } from '../queries/live.ts'
import { sessionByToken } from '../queries/sessions.ts'
import { enabledTables } from '../queries/tables.ts'
import { openTable } from '../rounds/rounds.ts'
import type { Casino } from '../service.ts'
import { stayOf } from './session-state.ts'
import { liveTable } from './table.ts'
import { isVideoLimited, look, stopLooking } from './viewing.ts'
import { lobbyRoadLength, lobbyView, meView, roadOf, tableRoad, tableView } from './views.ts'

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
  readonly told: Map<string, string>
  writtenAt: number
}

export interface Streams {
  readonly routes: Routes
  readonly job: PeriodicJob
}

/** A page that reads slower is disconnected; its browser reconnects and gets the current state. */
const mostUnsentBytes = 256 * 1024
/** Interval of keep-alive lines, so that proxies do not close the connection. */
const quietMs = 15_000
/** Maximum open pages per session. */
const mostPerSession = 4
/** Interval of counting viewers, well within the time after which a viewer counts as gone. */
const lookEveryMs = 10_000

export function openStreams(app: Casino): Streams {
  const open = new Set<Stream>()
  /** Players whose last page with a table was closed since the last run. */
  const gone = new Set<string>()

  function remove(stream: Stream): void {
    open.delete(stream)
    if (stream.viewer) gone.add(stream.viewer.playerId)
  }

  async function attach(request: RouteRequest, reply: RouteReply): Promise<void> {
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
      told: new Map(),
      writtenAt: app.machineNow(),
    }
    const last = request.headers['last-event-id']
    if (typeof last === 'string' && tableId !== undefined) stream.told.set('table', last)
    open.add(stream)
    reply.raw.once('close', () => remove(stream))
    const mine = [...open].filter((each) => each.sessionId === session)
    for (const old of mine.slice(0, Math.max(0, mine.length - mostPerSession))) end(old)
    await push([stream])
  }

  function end(stream: Stream): void {
    remove(stream)
    stream.reply.raw.end()
  }

  function tell(stream: Stream, event: string, data: unknown, id?: string): void {
    const { raw } = stream.reply
    if (raw.writableLength > mostUnsentBytes) {
      remove(stream)
      raw.destroy()
      return
    }
    raw.write(sseEvent({ id, event, data: JSON.stringify(data) }))
    stream.writtenAt = app.machineNow()
  }

  /** Sends a page what has changed since the last event. */
  async function pushTo(reader: Reader, scene: Scene, stream: Stream): Promise<Due | undefined> {
    const visit = await visitOf(reader, stream)
    if ('over' in visit) {
      tell(stream, 'ended', { reason: visit.over })
      end(stream)
      return undefined
    }
    tellChange(stream, 'me', meView(visit))
    const enabled = await scene.enabledOf(reader, visit.tenant.code)
    const { environment } = visit.tenant
    if (stream.tableId === undefined) {
      await pushLobby(reader, scene, stream, visit, enabled)
      return undefined
    }
    const row = scene.tables.get(`${environment}/${stream.tableId}`)
    if (!row || !enabled.has(row.table_id)) {
      tell(stream, 'closed', { tableId: stream.tableId })
      end(stream)
      return undefined
    }
    const isDue = isVideoLimited(visit) && isLookDue(stream, reader.now)
    // Nothing of the table is sent before the viewer is counted.
    if (!isDue || stream.viewer) await pushTable(reader, scene, stream, visit, row)
    return isDue ? { stream, visit, tableId: row.table_id } : undefined
  }

  function isLookDue({ viewer }: Stream, now: number): boolean {
    if (!viewer) return true
    return Math.abs(now - viewer.at) >= lookEveryMs || (viewer.endsAt !== null && now >= viewer.endsAt)
  }

  /**
   * Counts viewers, and closes the pages that may no longer show a table. Returns those that may show one for the first
   * time.
   */
  async function countLooks(due: readonly Due[]): Promise<Stream[]> {
    const admitted: Stream[] = []
    for (const { stream, visit, tableId } of due) {
      const seen = await look(app, visit, tableId, stream.viewer !== null)
      if (!open.has(stream)) {
        gone.add(visit.player.id)
      } else if ('refused' in seen) {
        tell(stream, 'viewing', seen.refused)
        end(stream)
      } else {
        if (!stream.viewer) admitted.push(stream)
        stream.viewer = { playerId: visit.player.id, ...seen }
      }
    }
    return admitted
  }

  /** Releases the viewer slots of players who have closed their last page with a table. */
  async function letGo(): Promise<void> {
    if (gone.size === 0) return
    const still = new Set([...open].flatMap(({ viewer }) => (viewer ? [viewer.playerId] : [])))
    const left = [...gone].filter((playerId) => !still.has(playerId))
    gone.clear()
    if (left.length > 0) await stopLooking(app, left)
  }

  async function pushTable(reader: Reader, scene: Scene, stream: Stream, visit: Visit, row: TableRow): Promise<void> {
    const state = scene.live.get(`${row.environment}/${row.table_id}`)
    const id = `${state?.version ?? 0}.${statusFor(row, visit.tenant, reader.now)}`
    if (stream.told.get('table') === id) return
    stream.told.set('table', id)
    const live = liveTable(await openTable(reader, row.environment, row.table_id), state)
    const view = await tableView(reader, visit, live)
    const roadKey = `${live.row.round_id}/${live.row.phase === 'result'}`
    const isNew = stream.told.get('road') !== roadKey
    stream.told.set('road', roadKey)
    tell(stream, 'table', isNew ? { ...view, road: await tableRoad(reader, row) } : view, id)
  }

  /** Sends the whole lobby when its tables have changed; otherwise only the changed tables. */
  async function pushLobby(reader: Reader, scene: Scene, stream: Stream, visit: Visit, enabled: ReadonlySet<string>) {
    const shown = [...scene.tables.values()].filter(
      (row) => row.environment === visit.tenant.environment && enabled.has(row.table_id),
    )
    const moved: LobbyRow[] = []
    for (const row of shown) {
      const live = scene.live.get(`${row.environment}/${row.table_id}`)
      const phase = live?.phase ?? 'idle'
      const tableId = row.table_id
      const status = statusFor(row, visit.tenant, reader.now)
      const state = `${status}/${phase}/${live?.round_id}`
      if (stream.told.get(tableId) === state) continue
      stream.told.set(tableId, state)
      const road = phase === 'result' ? { road: await roadOf(reader, row, lobbyRoadLength) } : {}
      moved.push({ tableId, status, phase, dueAt: live?.due_at ?? null, ...road })
    }
    const list = shown.map((row) => row.table_id).join()
    if (stream.told.get('lobby') !== list) {
      stream.told.set('lobby', list)
      tell(stream, 'lobby', await lobbyView(reader, visit))
    } else if (moved.length > 0) tell(stream, 'rows', { now: reader.now, rows: moved } satisfies LobbyPush)
  }

  function tellChange(stream: Stream, event: string, data: unknown): void {
    const text = JSON.stringify(data)
    if (stream.told.get(event) === text) return
    stream.told.set(event, text)
    tell(stream, event, data)
  }

  async function push(streams: readonly Stream[]): Promise<void> {
    if (streams.length === 0) return
    const due: Due[] = []
    await app.store.read(async (reader) => {
      const scene = await sceneOf(reader)
      for (const stream of streams) {
        const asks = await pushTo(reader, scene, stream)
        if (asks) due.push(asks)
      }
    })
    await push(await countLooks(due))
    for (const stream of streams)
      if (open.has(stream) && app.machineNow() - stream.writtenAt > quietMs) {
        stream.reply.raw.write(sseHeartbeat)
        stream.writtenAt = app.machineNow()
      }
  }

  return {
    routes: (table) => {
      table.get('/play/v1/events', attach, { head: false })
      table.onClose(() => {
        for (const stream of open) end(stream)
      })
    },
    job: {
      name: 'casino: push to pages',
      // Nothing has to wait for it: what it sends is committed already.
      run: async () => {
        await letGo()
        await push([...open])
        return 0
      },
    },
  }
}

/** A page whose viewer has to be counted. */
interface Due {
  readonly stream: Stream
  readonly visit: Visit
  readonly tableId: string
}

/** State shared by all pages at one moment, read once. */
interface Scene {
  readonly tables: ReadonlyMap<string, TableRow>
  readonly live: ReadonlyMap<string, LiveTableRow>
  enabledOf(reader: Reader, tenant: string): Promise<ReadonlySet<string>>
}

async function sceneOf(reader: Reader): Promise<Scene> {
  const key = (row: { environment: string; table_id: string }) => `${row.environment}/${row.table_id}`
  const enabled = new Map<string, ReadonlySet<string>>()
  return {
    tables: new Map((await allTables(reader)).map((row) => [key(row), row])),
    live: new Map((await liveTables(reader)).map((row) => [key(row), row])),
    async enabledOf(inReader, tenant) {
      const known = enabled.get(tenant) ?? new Set(await enabledTables(inReader, tenant))
      enabled.set(tenant, known)
      return known
    },
  }
}

async function visitOf(
  reader: Reader,
  stream: Stream,
): Promise<Visit | { over: NonNullable<SessionRow['end_reason']> }> {
  const session = await sessionByToken(reader, sha256Hex(stream.sessionToken))
  if (!session) return { over: 'EXPIRED' }
  if (session.id !== stream.sessionId) return { over: 'SESSION_REPLACED' }
  const stay = await stayOf(reader, session)
  return 'over' in stay ? stay : stay.visit
}
