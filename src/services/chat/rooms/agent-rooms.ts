import type { ChatRoomRow } from '../../../db/schema/chat.ts'
import type { Tx } from '../../../db/store.ts'
import { maybeMoment } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import type { Room } from '../api/schemas.ts'
import { offsetOf, toPage, toRoom } from '../api/views.ts'
import { countUnread, firstUnanswered, type RoomFilter, roomCounts, roomPage } from '../queries/rooms.ts'
import { agentNames, agentOf, workingAgents } from '../queries/tenants.ts'
import { ticketCounts } from '../queries/tickets.ts'
import { type AgentCaller, type Chat, type ChatTenant, changing } from '../service.ts'
import { addMessage, addRoomEvent, draftOf, type RoomDraft, saveDraft } from './room-changes.ts'
import { theRoom } from './rooms.ts'
import { momentOf } from './text-rules.ts'

/** Changes a room, adds its event and returns it. Without a change there is no event. */
async function changeRoom(
  app: Chat,
  tenant: ChatTenant,
  roomId: string,
  change: (tx: Tx, draft: RoomDraft) => Promise<boolean>,
): Promise<{ room: ChatRoomRow; names: ReadonlyMap<string, string> }> {
  return changing(app, async (tx, changes) => {
    const draft = draftOf(await theRoom(tx, tenant, roomId))
    if (await change(tx, draft)) {
      draft.room.updated_at = tx.now
      addRoomEvent(draft)
      await saveDraft(app, tx, draft, changes)
    }
    return { room: draft.room, names: await agentNames(tx, [draft.room.assignee_id]) }
  })
}

export function readRoom(app: Chat, tenant: ChatTenant, roomId: string): Promise<Room> {
  return app.store.read(async (reader) => {
    const room = await theRoom(reader, tenant, roomId)
    return toRoom(room, await agentNames(reader, [room.assignee_id]))
  })
}

interface AgentRoomQuery {
  readonly status?: 'open' | 'closed' | undefined
  readonly assignee?: string | undefined
  readonly unread?: boolean | undefined
  readonly inboxCategoryCode?: string | undefined
  readonly keyword?: string | undefined
  readonly waitingSince?: string | undefined
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
  readonly sort?: 'waiting' | '-updatedAt' | undefined
}

export function listRooms(app: Chat, { tenant, agentId }: AgentCaller, query: AgentRoomQuery) {
  const { page = 1, pageSize = 20, sort = 'waiting' } = query
  const filter: RoomFilter = {
    status: query.status,
    assignee: query.assignee === 'me' ? agentId : query.assignee === 'none' ? null : query.assignee,
    unread: query.unread,
    inbox: query.inboxCategoryCode,
    keyword: query.keyword,
    waitingSince: query.waitingSince === undefined ? undefined : momentOf('waitingSince', query.waitingSince),
  }
  return app.store.read(async (reader) => {
    const at = { sort, offset: offsetOf(page, pageSize), limit: pageSize }
    const { rows, total } = await roomPage(reader, tenant.code, filter, at)
    const names = await agentNames(
      reader,
      rows.map((row) => row.assignee_id),
    )
    return toPage(
      rows.map((row) => toRoom(row, names)),
      { page, pageSize, total },
    )
  })
}

/** Sets the read position that the agents share: forward by reading, or back by marking unread. */
export async function markAgentRead(
  app: Chat,
  { tenant }: AgentCaller,
  roomId: string,
  move: { upTo: number } | { backTo: number },
) {
  const { room } = await changeRoom(app, tenant, roomId, async (tx, draft) => {
    const before = draft.room.agent_read_seq
    const after =
      'upTo' in move ? Math.max(before, Math.min(move.upTo, draft.room.last_seq)) : Math.min(before, move.backTo - 1)
    if (after === before) return false
    draft.room.agent_read_seq = after
    draft.room.agent_unread = await countUnread(tx, roomId, 'agent', after)
    return true
  })
  return { agentReadSeq: room.agent_read_seq, agentUnreadCount: room.agent_unread }
}

/** Assigns a room to an agent or to none. Throws ASSIGNEE_CONFLICT if the current assignee is not the expected one. */
export async function assignRoom(
  app: Chat,
  { tenant, agentId: self }: AgentCaller,
  roomId: string,
  input: { agentId: string | null; expectedAssignee?: string | null | undefined },
): Promise<Room> {
  const assigneeId = input.agentId === 'me' ? self : input.agentId
  const { room, names } = await changeRoom(app, tenant, roomId, async (tx, draft) => {
    const holder = draft.room.assignee_id
    if (assigneeId !== null && !(await agentOf(tx, tenant.code, assigneeId)))
      throw refuse('AGENT_NOT_FOUND', `There is no agent ${assigneeId}`)
    if (input.expectedAssignee !== undefined && holder !== input.expectedAssignee && holder !== assigneeId)
      throw refuse('ASSIGNEE_CONFLICT', `The room is assigned to ${holder ?? 'nobody'}`, {
        details: [{ field: 'expectedAssignee', code: 'stale', assignee: holder }],
      })
    draft.room.assignee_id = assigneeId
    return holder !== assigneeId
  })
  return toRoom(room, names)
}

/**
 * Closes or reopens a room with an event message in the conversation; does nothing if it already is. A closed room has
 * no waiting customer. A customer without a reply waits again after an agent has reopened it.
 */
export async function setRoomOpen(
  app: Chat,
  { tenant, displayName }: AgentCaller,
  roomId: string,
  isOpen: boolean,
): Promise<Room> {
  const { room, names } = await changeRoom(app, tenant, roomId, async (tx, draft) => {
    if ((draft.room.status === 'open') === isOpen) return false
    if (isOpen) {
      const unanswered = await firstUnanswered(tx, roomId)
      reopen(app, tx, draft)
      draft.room.waiting_since = unanswered?.created_at ?? null
    } else {
      addMessage(app, tx, draft, {
        sender: { type: 'system', id: null, name: displayName },
        text: 'Conversation closed',
        type: 'event',
        eventKind: 'roomClosed',
      })
      const { last_seq: closedSeq } = draft.room
      draft.room = { ...draft.room, status: 'closed', closed_at: tx.now, closed_seq: closedSeq, waiting_since: null }
    }
    return true
  })
  return toRoom(room, names)
}

/** Reopens a closed room with an event message in the conversation. */
export function reopen(app: Chat, tx: Tx, draft: RoomDraft): void {
  addMessage(app, tx, draft, {
    sender: { type: 'system', id: null, name: null },
    text: 'Conversation reopened',
    type: 'event',
    eventKind: 'roomReopened',
  })
  draft.room = { ...draft.room, status: 'open', closed_at: null }
}

/** Lists the agents of the caller's merchant, by name. */
export function listAgents(app: Chat, { tenant }: AgentCaller) {
  return app.store.read(async (reader) => {
    const rows = await workingAgents(reader, tenant.code)
    return { items: rows.map(({ id, display_name: displayName }) => ({ agentId: id, displayName })) }
  })
}

export function readStats(app: Chat, { tenant }: AgentCaller) {
  return app.store.read(async (reader) => {
    const rooms = await roomCounts(reader, tenant.code)
    return {
      openRooms: rooms.open,
      waitingRooms: rooms.waiting,
      oldestWaitingSince: maybeMoment(rooms.oldest),
      unreadMessages: rooms.unread,
      openStreams: app.broadcaster.sizeOf(tenant.code),
      ticketsByStatus: await ticketCounts(reader, tenant.code),
    }
  })
}
