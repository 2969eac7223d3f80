import { lastOf } from '../../../db/counter.ts'
import type { ChatTenantRow } from '../../../db/schema/chat.ts'
import type { Reader } from '../../../db/store.ts'
import { oldestPosition, oldestRoomEvent, positionsOf, roomEventsAfter, tenantEventsAfter } from '../queries/events.ts'
import { roomOf } from '../queries/rooms.ts'
import type { Listened } from '../service.ts'
import type { Cursors } from './cursors.ts'
import { type Audience, type Frame, framesOf } from './sse-frames.ts'

/** Somebody who listens, and how far it has heard. */
export interface Listener {
  readonly audience: Audience
  /** The number of the last event it was given. */
  at: number
  take(frames: readonly Frame[]): void
}

/** What can be listened to: a room, or all of a tenant. Its events are numbered without a later one becoming visible first. */
export interface Source {
  readonly key: string
  readonly tenant: string
  readonly roomId: string | null
  /** The events after a number, each with its own. */
  after(reader: Reader, at: number, audience: Audience): Promise<{ at: number; frame: Frame }[]>
  latest(reader: Reader): Promise<number>
  oldest(reader: Reader): Promise<number | undefined>
  /** A number as a cursor, which a database that was wiped does not take for its own. */
  cursor(at: number): string
}

/** What is needed to read events out. */
interface Sourcing {
  readonly cursors: Cursors
}

/** How many events are read at a time. */
const batch = 200
/** More than this are not replayed one by one: the whole is read anew. */
export const mostReplayed = 1_000

export async function roomSource(app: Sourcing, tenant: string, roomId: string): Promise<Source> {
  const cursor = await app.cursors.ofRoom(roomId)
  return {
    key: roomId,
    tenant,
    roomId,
    cursor,
    async after(reader, at, audience) {
      const events = await roomEventsAfter(reader, roomId, at, batch)
      const frames = await framesOf(reader, events, audience, (event) => cursor(event.n ?? 0))
      return frames.map((frame, i) => ({ at: events[i]?.n ?? 0, frame }))
    },
    latest: async (reader) => (await roomOf(reader, tenant, roomId))?.last_event ?? 0,
    oldest: (reader) => oldestRoomEvent(reader, roomId),
  }
}

export async function tenantSource(app: Sourcing, tenant: ChatTenantRow): Promise<Source> {
  const cursor = await app.cursors.ofTenant(tenant.code)
  return {
    key: `tenant ${tenant.code}`,
    tenant: tenant.code,
    roomId: null,
    cursor,
    async after(reader, at, audience) {
      const events = await tenantEventsAfter(reader, tenant.code, at, batch)
      const frames = await framesOf(reader, events, audience, (event) => cursor(event.position ?? 0))
      return frames.map((frame, i) => ({ at: events[i]?.position ?? 0, frame }))
    },
    latest: (reader) => lastOf(reader, positionsOf(tenant.code)),
    oldest: (reader) => oldestPosition(reader, tenant.code),
  }
}

export type Start =
  | { readonly at: number; readonly resumed: true; readonly replayed: number }
  | { readonly at: number; readonly resumed: false; readonly resync?: 'epochChanged' | 'tooOld' | 'tooMany' }

/** Where a listener begins: behind what it has, or, when that cannot be, at the present with the advice to read all anew. */
export async function startOf(reader: Reader, source: Source, cursor: string | undefined): Promise<Start> {
  const latest = await source.latest(reader)
  if (cursor === undefined || cursor === '') return { at: latest, resumed: false }
  const number = /\.([0-9]{1,15})$/.exec(cursor)?.[1]
  // What is no number would be written back as it came (`NaN`), and whoever listens from there holds up all others.
  const at = number === undefined ? undefined : Number(number)
  if (at === undefined || source.cursor(at) !== cursor || at > latest)
    return { at: latest, resumed: false, resync: 'epochChanged' }
  if (latest - at > mostReplayed) return { at: latest, resumed: false, resync: 'tooMany' }
  const oldest = (await source.oldest(reader)) ?? latest + 1
  if (at + 1 < oldest && at < latest) return { at: latest, resumed: false, resync: 'tooOld' }
  return { at, resumed: true, replayed: latest - at }
}

/** One source and all who listen to it. */
export interface Channel {
  readonly source: Source
  readonly listeners: Set<Listener>
  /** Whether all who listen have heard the event of that number. */
  hasHeard(at: number): boolean
  /** Gives the listeners what they have not heard; one round at a time, and another when somebody asked meanwhile. */
  deliver(): Promise<void>
}

export function openChannel(app: Listened, source: Source): Channel {
  const listeners = new Set<Listener>()
  let running: Promise<void> | undefined
  let isAsked = false

  async function round(audience: Audience): Promise<boolean> {
    const mine = [...listeners].filter((each) => each.audience === audience)
    if (mine.length === 0) return false
    const from = Math.min(...mine.map((each) => each.at))
    const events = await app.store.read((reader) => source.after(reader, from, audience))
    for (const listener of mine) {
      const fresh = events.filter(({ at }) => at > listener.at)
      listener.at = Math.max(listener.at, events.at(-1)?.at ?? 0)
      if (fresh.length > 0) listener.take(fresh.map(({ frame }) => frame))
    }
    return events.length === batch
  }

  async function untilQuiet(): Promise<void> {
    while (isAsked) {
      isAsked = false
      try {
        while ((await round('customer')) || (await round('agent'))) {}
      } catch (error) {
        // The next event, or the next look at the tail, tries again from where each listener is.
        app.log.warn({ source: source.key, error: String(error) }, 'Events could not be read')
      }
    }
    running = undefined
  }

  return {
    source,
    listeners,
    hasHeard: (at) => [...listeners].every((listener) => listener.at >= at),
    deliver() {
      isAsked = true
      running ??= untilQuiet()
      return running
    },
  }
}
