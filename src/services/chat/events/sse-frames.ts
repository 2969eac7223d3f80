import type { ChatEventRow } from '../../../db/schema/chat.ts'
import type { Reader } from '../../../db/store.ts'
import { maybeMoment } from '../../../kit/moment.ts'
import { toRoomState } from '../api/views.ts'
import { messagesBySeq } from '../queries/events.ts'
import { agentNames } from '../queries/tenants.ts'
import { shownMessages } from '../rooms/messages.ts'
import type { RoomState } from '../rooms/room-changes.ts'

/** For whom an event is written out: the customer does not hear how much the agents have not read. */
export type Audience = 'customer' | 'agent'

/** An event as it goes out. */
export interface Frame {
  /** Where a reader who has this goes on; absent for what is not to be resumed. */
  readonly id?: string
  readonly event: string
  /** JSON, in which links lack the base that `withLinks` adds. */
  readonly data: string
}

/** Links to files begin with the path in an event: those who listen share it and reach the service by different addresses. */
const shared = { config: { publicUrl: () => '' } }

/** No text of a person can hold this: the quotes in it would be escaped. */
const linkBegin = '"downloadUrl":"'

/** The JSON of an event for somebody who reaches the service by this address: its links are whole. */
export function withLinks(data: string, publicUrl: string): string {
  return data.replaceAll(`${linkBegin}/`, `${linkBegin}${publicUrl}/`)
}

/** Writes events out with what they only point to, as the APIs spell it. Their links lack the base, which `withLinks` adds. */
export async function framesOf(
  reader: Reader,
  events: readonly ChatEventRow[],
  audience: Audience,
  idOf: (event: ChatEventRow) => string,
): Promise<Frame[]> {
  const read = events.map((event) => ({ event, data: JSON.parse(event.data) as EventData }))
  const wanted = read.flatMap(({ event, data }) =>
    event.kind === 'message.created' && event.room_id !== null ? [{ roomId: event.room_id, seq: data.seq ?? 0 }] : [],
  )
  const rowOf = await messagesBySeq(reader, wanted)
  const rows = wanted.flatMap(({ roomId, seq }) => rowOf(roomId, seq) ?? [])
  const messages = new Map(
    (await shownMessages(shared, reader, rows)).map((each) => [`${each.roomId}/${each.seq}`, each]),
  )
  const names = await agentNames(
    reader,
    read.map(({ data }) => data.room?.assignee_id ?? null),
  )
  return read.map(({ event, data }) => {
    const { room } = data
    const told: Record<string, unknown> = {
      ...(event.kind === 'message.created' ? { message: messages.get(`${event.room_id}/${data.seq}`) } : {}),
      ...(room ? { room: { ...toRoomState(room, names), ...(audience === 'agent' ? forAgents(room) : {}) } } : data),
      ...(audience === 'agent' ? { roomId: event.room_id } : {}),
    }
    return { id: idOf(event), event: event.kind, data: JSON.stringify(told) }
  })
}

type EventData = { seq?: number; room?: RoomState }

function forAgents(room: RoomState) {
  return { agentUnreadCount: room.agent_unread, waitingSince: maybeMoment(room.waiting_since) }
}
