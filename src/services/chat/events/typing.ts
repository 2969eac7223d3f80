import { type Answer, answer } from '../../../http/contract/contract.ts'
import { refuse } from '../api/contract.ts'
import { roomOf } from '../queries/rooms.ts'
import type { AgentCaller, Chat, Customer } from '../service.ts'
import type { Audience } from './pushed-events.ts'

/** Typing notifications: sent to the other side at once, not numbered and not stored. */

export async function typeAsCustomer(app: Chat, { tenant, room }: Customer, typing: boolean): Promise<Answer<object>> {
  const displayName = room.customer_display_name ?? room.customer_account
  broadcast(app, { tenant: tenant.code, roomId: room.id }, 'customer', { displayName, typing })
  return answer({}, { status: 204 })
}

export async function typeAsAgent(
  app: Chat,
  { tenant, displayName }: AgentCaller,
  roomId: string,
  typing: boolean,
): Promise<Answer<object>> {
  const room = await app.store.read((reader) => roomOf(reader, tenant.code, roomId))
  if (!room) throw refuse('ROOM_NOT_FOUND', `There is no room ${roomId}`)
  broadcast(app, { tenant: tenant.code, roomId }, 'agent', { displayName, typing })
  return answer({}, { status: 204 })
}

function broadcast(
  app: Chat,
  room: { tenant: string; roomId: string },
  senderType: Audience,
  state: { displayName: string; typing: boolean },
): void {
  const to = senderType === 'agent' ? 'customer' : 'agent'
  const roomId = to === 'agent' ? { roomId: room.roomId } : {}
  app.broadcaster.send(room, to, { event: 'typing', data: JSON.stringify({ senderType, ...state, ...roomId }) })
}
