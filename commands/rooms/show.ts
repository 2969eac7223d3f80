import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { messageColumns, messageLine, messageSchema, roomSchema } from '../../src/cli/topics/rooms/view.ts'

export default class RoomsShow extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Show a room and its newest messages, without marking it as read'
  static override examples = ['countroom rooms show room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --last 50']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = roomArg
  static override flags = {
    last: Flags.integer({ summary: 'Number of messages', default: 20, min: 1, max: 1000, helpValue: 'N' }),
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ room: roomSchema(shapes), messages: Type.Array(messageSchema(shapes)) })
  }

  override async run() {
    const { args, flags } = await this.parse(RoomsShow)
    const agent = await this.services.agent()
    const room = await agent.room({ params: { roomId: args.room } })
    const messages = []
    // A page has 100 messages, oldest first, and full pages never change, so the newest are on the last pages.
    const lastPage = Math.max(1, Math.ceil(room.lastSeq / 100))
    const firstPage = Math.max(1, Math.ceil((room.lastSeq - flags.last + 1) / 100))
    for (let page = firstPage; page <= lastPage; page++)
      messages.push(...(await agent.messages({ params: { roomId: args.room }, query: { page } })).items)
    const latest = messages.slice(-flags.last)
    this.fields({ ...room, agent: room.assignee?.displayName ?? '' }, [
      { key: 'roomId', title: 'room' },
      { key: 'customerAccount', title: 'customer' },
      { key: 'customerDisplayName', title: 'name' },
      { key: 'customerLanguage', title: 'language' },
      'status',
      'agent',
      { key: 'agentUnreadCount', title: 'unread' },
      { key: 'waitingSince', title: 'waiting since' },
    ])
    this.log('')
    if (this.wantsTable || latest.length === 0) this.table(latest.map(messageLine), messageColumns, 'No messages.')
    else {
      const [{ talkText }, { readRoomPage }] = await Promise.all([
        import('../../src/cli/topics/rooms/conversation.ts'),
        import('../../src/operator/tickets/parse.ts'),
      ])
      const { lines } = readRoomPage({ items: latest })
      this.text((page) => talkText(lines, page))
    }
    return { room, messages: latest }
  }
}
