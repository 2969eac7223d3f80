import type { ChatEventRow } from '../../../db/schema/chat.ts'
import type { Reader } from '../../../db/store.ts'
import { maybeMoment } from '../../../kit/moment.ts'
import { toRoomState } from '../api/views.ts'
import { messagesBySeq } from '../queries/events.ts'
import { agentNames } from '../queries/tenants.ts'
import { shownMessages } from '../rooms/messages.ts'
import type { RoomState } from '../rooms/room-changes.ts'

/** Side that an event is rendered for: the customer does not get the agents' unread counts. */
export type Audience = 'customer' | 'agent'

/** An event as it is sent. */
export interface PushedEvent {
  /** Cursor after this event; absent for events that cannot be resumed from. */
  readonly id?: string
  readonly event: string
  /** JSON whose links lack the base URL, which `withLinks` adds. */
  readonly data: string
}

/** Links in events begin with the path: subscribers share the text and reach the service by different addresses. */
const shared = { config: { publicUrl: () => '' } }

/** Beginning of a link in the JSON. User texts cannot contain it, because their quotes are escaped. */
const linkBegin = '"downloadUrl":"'

/** Returns the JSON of an event with complete links for a client at this address. */
export function withLinks(data: string, publicUrl: string): string {
  return data.replaceAll(`${linkBegin}/`, `${linkBegin}${publicUrl}/`)
}

/**
 * Renders events with the objects they refer to, in the form of the APIs. Links lack the base URL, which `withLinks`
 * adds.
 */
export async function pushedEventsOf(
  reader: Reader,
  events: readonly ChatEventRow[],
  audience: Audience,
  idOf: (event: ChatEventRow) => string,
): Promise<PushedEvent[]> {
  const read = events.map((event) => ({ event, data: JSON.parse(event.data) as EventData }))
  const refs = read.flatMap(({ event, data }) =>
    event.kind === 'message.created' && event.room_id !== null ? [{ roomId: event.room_id, seq: data.seq ?? 0 }] : [],
  )
  const rowOf = await messagesBySeq(reader, refs)
  const rows = refs.flatMap(({ roomId, seq }) => rowOf(roomId, seq) ?? [])
  const messages = new Map(
    (await shownMessages(shared, reader, rows)).map((each) => [`${each.roomId}/${each.seq}`, each]),
  )
  const names = await agentNames(
    reader,
    read.map(({ data }) => data.room?.assignee_id ?? null),
  )
  return read.map(({ event, data }) => {
    const { room } = data
    const message: Record<string, unknown> = {
      ...(event.kind === 'message.created' ? { message: messages.get(`${event.room_id}/${data.seq}`) } : {}),
      ...(room ? { room: { ...toRoomState(room, names), ...(audience === 'agent' ? forAgents(room) : {}) } } : data),
      ...(audience === 'agent' ? { roomId: event.room_id } : {}),
    }
    return { id: idOf(event), event: event.kind, data: JSON.stringify(message) }
  })
}

type EventData = { seq?: number; room?: RoomState }

function forAgents(room: RoomState) {
  return { agentUnreadCount: room.agent_unread, waitingSince: maybeMoment(room.waiting_since) }
}
