import { lastOf } from '../../../db/counter.ts'
import type { ChatTenantRow } from '../../../db/schema/chat.ts'
import { placeEvents, positionsOf, roomsChangedAfter, unplacedEvents } from '../queries/events.ts'
import { roomEpochs } from '../queries/rooms.ts'
import { chatTenantOf, workingKeyIds } from '../queries/tenants.ts'
import type { Listened } from '../service.ts'
import type { Audience, Frame } from './sse-frames.ts'
import { type Channel, type Listener, openChannel, type Source, type Start, startOf } from './subscriptions.ts'

/**
 * Brings events to those who listen.
 *
 * What this process writes is delivered right after its commit. What others write, on the same database, is found by
 * looking at the tail of the event table twenty times a second while somebody listens. The tail and not LISTEN/NOTIFY:
 * it works alike on both engines, for a command beside a served SQLite file too, and a notice that was lost while a
 * connection broke costs nothing, since the table is what is read in any case. Only what is kept nowhere (`tell`) goes by
 * the store's signals.
 *
 * A room's events are numbered by the room's own row, so that writers of different rooms never wait for each other. The
 * order of a whole tenant, which agents hear, is given afterwards in small groups (`placeAll`), for the same reason.
 */
export interface Hub {
  /** Begins to give a listener the source's events from a cursor on. `began` is called before the first of them. */
  listen(
    source: Source,
    cursor: string | undefined,
    listener: Listener,
    began: (start: Start) => void,
    guard?: Guard,
  ): Promise<() => void>
  /** Says what is kept nowhere to one side, as far as it listens to the room at this moment, to this process or to another. */
  tell(place: { tenant: string; roomId: string }, to: Audience, frame: Frame): void
  /** Gives every event that has none its place in its tenant's order. */
  placeAll(): Promise<number>
  /** Says goodbye to all and lets them go. */
  close(): void
  readonly size: number
  /** How many streams of a tenant this process holds open. */
  sizeOf(tenant: string): number
}

export type Goodbye = 'shutdown' | 'keyRotated' | 'keyRevoked' | 'tokenExpired' | 'slowConsumer'

/** What keeps a listener in: its end is looked for once a second. */
export interface Guard {
  /** The front-end key it came in by. */
  readonly tenantKey?: string
  /** The agent's token it came in by. */
  readonly keyId?: string
  /** The room whose token it came in by, and the epoch of that. */
  readonly roomId?: string
  readonly roomEpoch?: number
  /** On the machine's clock. */
  readonly expiresAt?: number
  leave(reason: Goodbye): void
  beat(): void
}

/** What processes tell each other at once and keep nowhere. */
interface Told {
  readonly tenant: string
  readonly roomId: string
  readonly to: Audience
  readonly frame: Frame
}

const tailEveryMs = 50
const guardEveryMs = 1_000
const beatEveryMs = 15_000
/** Into how many parts the streams are divided for their heartbeats: all at once, thousands of them would hold up what is being said. */
const beatParts = 150
/** How many events get their place in one statement. */
const placedAtOnce = 200

export function openHub(app: Listened): Hub {
  const channels = new Map<string, Channel>()
  const guards = new Map<Guard, ChatTenantRow['code']>()
  /** Those whose room's token was not looked at yet, and how often tokens of a tenant had been taken back when all were. */
  const young = new Set<Guard>()
  const looked = new Map<ChatTenantRow['code'], number>()
  const parts = Array.from({ length: beatParts }, () => new Set<Guard>())
  let beat = 0
  let joined = 0
  /** How far this process has looked into each tenant's order. */
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
      .catch((error: unknown) => app.log.warn({ error: String(error) }, 'Events did not get their places'))
  }

  async function placeGroup(): Promise<number> {
    // Read apart from the write, so that the write has seen nothing that a writer of messages could have changed.
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
    // Whoever asks while a round is under way needs another, since its own events may have come too late for this one;
    // all who ask meanwhile share that one.
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

  /** Looks for what other processes wrote. */
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
          // What this process wrote itself has been heard already.
          if (channel && !channel.hasHeard(room.latest)) void channel.deliver()
        }
        void channels.get(`tenant ${tenant}`)?.deliver()
      }
    } catch (error) {
      app.log.warn({ error: String(error) }, 'The tail of the events could not be read')
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
      app.log.warn({ error: String(error) }, 'The keys of streams could not be looked at')
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

  /** What another process told; one of another version may speak otherwise. */
  function tellAgain(text: string): void {
    try {
      tellHere(JSON.parse(text))
    } catch (error) {
      app.log.warn({ error: String(error) }, 'What another process told could not be read')
    }
  }

  function tellHere({ tenant, roomId, to, frame }: Told): void {
    for (const key of [roomId, `tenant ${tenant}`])
      for (const listener of channels.get(key)?.listeners ?? []) if (listener.audience === to) listener.take([frame])
  }

  /** Apart from `listen`, so that what ends a listener's time holds on to nothing of how it began. */
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
        .catch((error: unknown) => app.log.warn({ error: String(error) }, 'Other processes were not told'))
    },
    async listen(source, cursor, listener, began, guard) {
      if (source.roomId === null) await placeAll()
      const { start, latest } = await app.store.read(async (reader) => ({
        start: await startOf(reader, source, cursor),
        latest: await lastOf(reader, positionsOf(source.tenant)),
      }))
      // What gets its place from here on is looked for; all before it is in the first delivery.
      if (!seen.has(source.tenant)) seen.set(source.tenant, latest)
      // Looked for only now: while we waited others came and left, and of two channels to one source one would be forgotten.
      const channel = channels.get(source.key) ?? openChannel(app, source)
      // Nothing can be lost between this look and the first delivery: the delivery asks for all after this number.
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
