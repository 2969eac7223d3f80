import { readRoomPage } from '../../../operator/tickets/parse.ts'
import { latestMessages } from '../../../operator/tickets/rooms/read-rooms.ts'
import type { CommandContext } from '../../context/context.ts'
import { conversationText } from './conversation.ts'
import { messageColumns, messageLine } from './view.ts'

/** Shows a room and its newest messages. */
export async function showRoom(context: CommandContext, roomId: string, last: number) {
  const agent = await context.services.agent()
  const room = await agent.room({ params: { roomId } })
  const latest = await latestMessages(
    (page) => agent.messages({ params: { roomId }, query: { page } }),
    room.lastSeq,
    last,
  )
  context.fields({ ...room, agent: room.assignee?.displayName ?? '' }, [
    { key: 'roomId', title: 'room' },
    { key: 'customerAccount', title: 'customer' },
    { key: 'customerDisplayName', title: 'name' },
    { key: 'customerLanguage', title: 'language' },
    'status',
    'agent',
    { key: 'agentUnreadCount', title: 'unread' },
    { key: 'waitingSince', title: 'waiting since' },
  ])
  context.log('')
  if (context.wantsTable || latest.length === 0) context.table(latest.map(messageLine), messageColumns, 'No messages.')
  else {
    const { lines } = readRoomPage({ items: latest })
    context.text((page) => conversationText(lines, page))
  }
  return { room, messages: latest }
}
