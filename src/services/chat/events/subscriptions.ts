import { lastOf } from '../../../db/counter.ts'
import type { ChatTenantRow } from '../../../db/schema/chat.ts'
import type { Reader } from '../../../db/store.ts'
import { oldestPosition, oldestRoomEvent, positionsOf, roomEventsAfter, tenantEventsAfter } from '../queries/events.ts'
import { roomOf } from '../queries/rooms.ts'
import type { ChatCore } from '../service.ts'
import type { Cursors } from './cursors.ts'
import { type Audience, type PushedEvent, pushedEventsOf } from './pushed-events.ts'

/** A subscriber with its position. */
export interface Subscriber {
  readonly audience: Audience
  /** Number of the last event it received. */
  at: number
  take(pushed: readonly PushedEvent[]): void
  /** Called when its position is no longer valid, so that it subscribes again. */
  restart?(): void
}

/** A source of events: a room, or a whole tenant. Its events become visible in the order of their numbers. */
export interface Source {
  readonly key: string
  readonly tenant: string
  readonly roomId: string | null
  /** Returns the events after a number, each with its own number. */
  after(reader: Reader, at: number, audience: Audience): Promise<{ at: number; event: PushedEvent }[]>
  latest(reader: Reader): Promise<number>
  oldest(reader: Reader): Promise<number | undefined>
  /** Converts a number to a cursor. The cursor is invalid after the database was wiped. */
  cursor(at: number): string
}

/** Dependencies of reading events. */
interface Sourcing {
  readonly cursors: Cursors
}

/** Events per read. */
const batch = 200
/** Maximum number of replayed events; beyond it, clients reload everything. */
export const maxReplayed = 1_000

export async function roomSource(app: Sourcing, tenant: string, roomId: string): Promise<Source> {
  const cursor = await app.cursors.ofRoom(roomId)
  return {
    key: roomId,
    tenant,
    roomId,
    cursor,
    async after(reader, at, audience) {
      const events = await roomEventsAfter(reader, roomId, at, batch)
      const pushed = await pushedEventsOf(reader, events, audience, (event) => cursor(event.n ?? 0))
      return pushed.map((event, i) => ({ at: events[i]?.n ?? 0, event }))
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
      const pushed = await pushedEventsOf(reader, events, audience, (event) => cursor(event.position ?? 0))
      return pushed.map((event, i) => ({ at: events[i]?.position ?? 0, event }))
    },
    latest: (reader) => lastOf(reader, positionsOf(tenant.code)),
    oldest: (reader) => oldestPosition(reader, tenant.code),
  }
}

export type Start =
  | { readonly at: number; readonly resumed: true; readonly replayed: number }
  | { readonly at: number; readonly resumed: false; readonly resync?: 'epochChanged' | 'tooOld' | 'tooMany' }

/**
 * Returns the start position of a subscriber: after its cursor, if that is possible. Otherwise it is after the latest
 * event, with the reason for a `resync` event.
 */
export async function startOf(reader: Reader, source: Source, cursor: string | undefined): Promise<Start> {
  const latest = await source.latest(reader)
  if (cursor === undefined || cursor === '') return { at: latest, resumed: false }
  const number = /\.([0-9]{1,15})$/.exec(cursor)?.[1]
  // A subscriber at `NaN` would block delivery to all others.
  const at = number === undefined ? undefined : Number(number)
  if (at === undefined || source.cursor(at) !== cursor || at > latest)
    return { at: latest, resumed: false, resync: 'epochChanged' }
  if (latest - at > maxReplayed) return { at: latest, resumed: false, resync: 'tooMany' }
  const oldest = (await source.oldest(reader)) ?? latest + 1
  if (at + 1 < oldest && at < latest) return { at: latest, resumed: false, resync: 'tooOld' }
  return { at, resumed: true, replayed: latest - at }
}

/** The subscription to a source, shared by its subscribers. */
export interface Subscription {
  readonly source: Source
  readonly subscribers: Set<Subscriber>
  /** Returns whether all subscribers have received this event. */
  isDelivered(at: number): boolean
  /** Delivers new events to the subscribers. Runs do not overlap; a call during a run causes another run. */
  deliver(): Promise<void>
}

export function openSubscription(app: ChatCore, source: Source): Subscription {
  const subscribers = new Set<Subscriber>()
  let running: Promise<void> | undefined
  let isRequested = false

  async function round(audience: Audience): Promise<boolean> {
    const ofAudience = [...subscribers].filter((each) => each.audience === audience)
    if (ofAudience.length === 0) return false
    const from = Math.min(...ofAudience.map((each) => each.at))
    const events = await app.store.read((reader) => source.after(reader, from, audience))
    for (const subscriber of ofAudience) {
      const fresh = events.filter(({ at }) => at > subscriber.at)
      subscriber.at = Math.max(subscriber.at, events.at(-1)?.at ?? 0)
      if (fresh.length > 0) subscriber.take(fresh.map(({ event }) => event))
    }
    return events.length === batch
  }

  async function untilQuiet(): Promise<void> {
    while (isRequested) {
      isRequested = false
      try {
        while ((await round('customer')) || (await round('agent'))) {}
      } catch (error) {
        // The next event or poll retries from each subscriber's position.
        app.log.warn({ source: source.key, error: String(error) }, 'Cannot read events')
      }
    }
    running = undefined
  }

  return {
    source,
    subscribers,
    isDelivered: (at) => [...subscribers].every((subscriber) => subscriber.at >= at),
    deliver() {
      isRequested = true
      running ??= untilQuiet()
      return running
    },
  }
}
