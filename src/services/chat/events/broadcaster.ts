import { lastOf } from '../../../db/counter.ts'
import type { ChatTenantRow } from '../../../db/schema/chat.ts'
import { placeEvents, positionsOf, roomsChangedAfter, unplacedEvents } from '../queries/events.ts'
import { roomEpochs } from '../queries/rooms.ts'
import { chatTenantOf, workingKeyIds } from '../queries/tenants.ts'
import type { Listened } from '../service.ts'
import type { Audience, Frame } from './sse-frames.ts'
import { type Channel, type Listener, openChannel, type Source, type Start, startOf } from './subscriptions.ts'

/**
 * Delivers events to subscribers. Events written by this process are delivered right after their commit. Those of other
 * processes are found by polling the tail of the event table 20 times a second while there are subscribers.
 * Polling instead of LISTEN/NOTIFY: it works alike on both engines, also for a command next to a served SQLite file. A
 * lost notification would cost nothing, but the table has to be read anyway. Only messages that are not stored (`tell`)
 * use the store's signals.
 * A room's events are numbered by the room's own row, so that writers of different rooms never wait for each other. The
 * tenant-wide order for agents is assigned afterwards in small groups (`placeAll`), for the same reason.
 */
export interface Broadcaster {
  /** Subscribes to the source's events from a cursor on. `began` is called before the first of them. */
  listen(
    source: Source,
    cursor: string | undefined,
    listener: Listener,
    began: (start: Start) => void,
    guard?: Guard,
  ): Promise<() => void>
  /** Sends a message that is not stored to one side's subscribers of the room, in all processes. */
  tell(place: { tenant: string; roomId: string }, to: Audience, frame: Frame): void
  /** Assigns tenant-wide sequence numbers to committed events. */
  placeAll(): Promise<number>
  /** Sends goodbye to all subscribers and ends their streams. */
  close(): void
  readonly size: number
  /** Returns the number of a tenant's open streams in this process. */
  sizeOf(tenant: string): number
}

export type Goodbye = 'shutdown' | 'keyRotated' | 'keyRevoked' | 'tokenExpired' | 'slowConsumer'

/** Conditions of a subscription: checked once a second. */
export interface Guard {
  /** Front-end key that authenticated it. */
  readonly tenantKey?: string
  /** Agent's token that authenticated it. */
  readonly keyId?: string
  /** Room and epoch of the room token that authenticated it. */
  readonly roomId?: string
  readonly roomEpoch?: number
  /** By the machine's clock. */
  readonly expiresAt?: number
  leave(reason: Goodbye): void
  beat(): void
}

/** Messages between processes that are not stored. */
interface Told {
  readonly tenant: string
  readonly roomId: string
  readonly to: Audience
  readonly frame: Frame
}

const tailEveryMs = 50
const guardEveryMs = 1_000
const beatEveryMs = 15_000
/** Number of parts that streams are divided into for heartbeats: thousands at once would delay events. */
const beatParts = 150
/** Events numbered per statement. */
const placedAtOnce = 200

export function openBroadcaster(app: Listened): Broadcaster {
  const channels = new Map<string, Channel>()
  const guards = new Map<Guard, ChatTenantRow['code']>()
  /** Subscriptions whose room token was not checked yet, and the revocation count of a tenant when all were. */
  const young = new Set<Guard>()
  const looked = new Map<ChatTenantRow['code'], number>()
  const parts = Array.from({ length: beatParts }, () => new Set<Guard>())
  let beat = 0
  let joined = 0
  /** Position up to which this process has read each tenant's order. */
  const seen = new Map<string, number>()
  let placing: Promise<number> | undefined
  let placingNext: Promise<number> | undefined
  let timers: NodeJS.Timeout[] = []
  let unhear = () => {}
  let isLooking = false
  let isClosed = false

  const wake = ({ tenant, roomId }: { tenant: string; roomId: string | null }) => {
    if (roomId !== null) void channels.get(roomId)?.deliver()
    const desk = channels.get(`tenant ${tenant}`)
    if (!desk) return
    placeAll()
      .then(() => desk.deliver())
      .catch((error: unknown) => app.log.warn({ error: String(error) }, 'Cannot assign sequence numbers to events'))
  }

  async function placeGroup(): Promise<number> {
    // Read apart from the write, so that the write reads nothing that a writer of messages may have changed.
    const events = await app.store.read((reader) => unplacedEvents(reader, placedAtOnce))
    if (events.length > 0) await app.store.write((tx) => placeEvents(tx, events))
    return events.length
  }

  async function placeUntilNone(): Promise<number> {
    let placed = 0
    for (;;) {
      const count = await placeGroup()
      placed += count
      if (count < placedAtOnce) return placed
    }
  }

  function placeAll(): Promise<number> {
    // A caller during a run needs another run, because its own events may be too late for this one. All such callers
    // share that run.
    if (placing === undefined) {
      placing = placeUntilNone().finally(() => {
        placing = undefined
      })
      return placing
    }
    placingNext ??= placing
      .catch(() => 0)
      .then(() => {
        placingNext = undefined
        return placeAll()
      })
    return placingNext
  }

  /** Polls for events of other processes. */
  async function look(): Promise<void> {
    if (isLooking || isClosed) return
    isLooking = true
    try {
      if (placing === undefined) await placeAll()
      const tenants = new Set([...channels.values()].map((channel) => channel.source.tenant))
      const changed = await app.store.read(async (reader) => {
        const found: { tenant: string; latest: number; rooms: Awaited<ReturnType<typeof roomsChangedAfter>> }[] = []
        for (const tenant of tenants) {
          const latest = await lastOf(reader, positionsOf(tenant))
          const before = seen.get(tenant) ?? latest
          if (latest > before) found.push({ tenant, latest, rooms: await roomsChangedAfter(reader, tenant, before) })
        }
        return found
      })
      for (const { tenant, latest, rooms } of changed) {
        seen.set(tenant, latest)
        for (const room of rooms) {
          const channel = channels.get(room.roomId)
          // Events written by this process were delivered already.
          if (channel && !channel.hasHeard(room.latest)) void channel.deliver()
        }
        void channels.get(`tenant ${tenant}`)?.deliver()
      }
    } catch (error) {
      app.log.warn({ error: String(error) }, 'Cannot read the tail of the events')
    } finally {
      isLooking = false
    }
  }

  async function watch(): Promise<void> {
    const now = app.machineNow()
    for (const guard of guards.keys()) if ((guard.expiresAt ?? Infinity) <= now) guard.leave('tokenExpired')
    try {
      for (const [code, held] of Map.groupBy(guards, ([, of]) => of)) {
        const mine = held.map(([guard]) => guard)
        const { tenant, working, epochs } = await app.store.read(async (reader) => {
          const tenant = await chatTenantOf(reader, code)
          const isCalm = looked.get(code) === tenant?.revocations
          const asked = mine.filter((guard) => !isCalm || young.has(guard)).flatMap(({ roomId }) => roomId ?? [])
          const working = new Set(await workingKeyIds(reader, code))
          return { tenant, working, epochs: await roomEpochs(reader, asked) }
        })
        for (const guard of mine) {
          const { tenantKey, keyId, roomId, roomEpoch } = guard
          const epoch = epochs.get(roomId ?? '')
          if (tenantKey !== undefined && tenantKey !== tenant?.tenant_key) guard.leave('keyRotated')
          else if (keyId !== undefined && !working.has(keyId)) guard.leave('keyRevoked')
          else if (epoch !== undefined && epoch !== roomEpoch) guard.leave('keyRevoked')
          young.delete(guard)
        }
        if (tenant) looked.set(code, tenant.revocations)
      }
    } catch (error) {
      app.log.warn({ error: String(error) }, 'Cannot check the keys of streams')
    }
  }

  function keepTime(): void {
    if (timers.length > 0 || isClosed) return
    timers = [
      setInterval(() => void look(), tailEveryMs),
      setInterval(() => void watch(), guardEveryMs),
      setInterval(() => {
        beat = (beat + 1) % beatParts
        for (const guard of parts[beat] ?? []) guard.beat()
      }, beatEveryMs / beatParts),
    ]
    for (const timer of timers) timer.unref()
    unhear = app.store.hear(tellAgain)
  }

  function stopTime(): void {
    for (const timer of timers) clearInterval(timer)
    timers = []
    unhear()
    seen.clear()
  }

  /** Handles a message of another process, which may be of another version. */
  function tellAgain(text: string): void {
    try {
      tellHere(JSON.parse(text))
    } catch (error) {
      app.log.warn({ error: String(error) }, 'Invalid message from another process')
    }
  }

  function tellHere({ tenant, roomId, to, frame }: Told): void {
    for (const key of [roomId, `tenant ${tenant}`])
      for (const listener of channels.get(key)?.listeners ?? []) if (listener.audience === to) listener.take([frame])
  }

  /** Apart from `listen`, so that the timer's closure retains nothing of the start. */
  function leaving(channel: Channel, listener: Listener, guard: Guard | undefined, part: Set<Guard> | undefined) {
    return () => {
      const { listeners, source } = channel
      listeners.delete(listener)
      if (guard) {
        guards.delete(guard)
        young.delete(guard)
        part?.delete(guard)
      }
      if (listeners.size === 0 && channels.get(source.key) === channel) channels.delete(source.key)
      if (channels.size === 0) stopTime()
    }
  }

  app.wakes.add(wake)

  return {
    get size() {
      return guards.size
    },
    sizeOf: (tenant) => [...guards.values()].filter((code) => code === tenant).length,
    placeAll,
    tell({ tenant, roomId }, to, frame) {
      const told: Told = { tenant, roomId, to, frame }
      tellHere(told)
      app.store
        .tell(JSON.stringify(told))
        .catch((error: unknown) => app.log.warn({ error: String(error) }, 'Cannot send to other processes'))
    },
    async listen(source, cursor, listener, began, guard) {
      if (source.roomId === null) await placeAll()
      const { start, latest } = await app.store.read(async (reader) => ({
        start: await startOf(reader, source, cursor),
        latest: await lastOf(reader, positionsOf(source.tenant)),
      }))
      // Events numbered from here on are polled; all earlier ones are in the first delivery.
      if (!seen.has(source.tenant)) seen.set(source.tenant, latest)
      // Looked up after the wait: during it other subscribers came and went, and of two channels to one source one
      // would be lost.
      const channel = channels.get(source.key) ?? openChannel(app, source)
      // Nothing can be lost between this read and the first delivery, which reads everything after this number.
      listener.at = start.at
      channel.listeners.add(listener)
      channels.set(source.key, channel)
      const part = parts[joined++ % beatParts]
      if (guard) {
        guards.set(guard, source.tenant)
        young.add(guard)
        part?.add(guard)
      }
      keepTime()
      began(start)
      void channel.deliver()
      if (isClosed) guard?.leave('shutdown')
      return leaving(channel, listener, guard, part)
    },
    close() {
      isClosed = true
      app.wakes.delete(wake)
      for (const guard of guards.keys()) guard.leave('shutdown')
      guards.clear()
      stopTime()
    },
  }
}
