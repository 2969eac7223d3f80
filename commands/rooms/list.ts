import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { roomSchema } from '../../src/cli/topics/rooms/view.ts'

export default class RoomsList extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'List chat rooms, longest waiting first'
  static override examples = [
    'countroom rooms list',
    {
      command: 'countroom rooms list --waiting 10m',
      description: 'List customers who have waited for 10 minutes or longer',
    },
    { command: 'countroom rooms list --unread --assignee none', description: 'List unread rooms without an agent' },
  ]
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override flags = {
    status: Flags.string({ summary: 'Rooms in this state only', options: ['open', 'closed'] }),
    assignee: Flags.string({ summary: 'Rooms of this agent only: name or ID, "me" or "none"', helpValue: 'AGENT' }),
    unread: Flags.boolean({ summary: 'Rooms with unread messages only' }),
    inbox: Flags.string({ summary: 'Rooms of this inbox category only', helpValue: 'CODE' }),
    keyword: Flags.string({ summary: 'Search term for the name or account of the customer', helpValue: 'TEXT' }),
    waiting: Flags.string({
      summary: 'Only rooms whose customer has waited for at least this long',
      helpValue: 'DURATION',
    }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 20, min: 1, max: 10_000, helpValue: 'N' }),
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ rooms: Type.Array(roomSchema(shapes)), total: Type.Integer() })
  }

  override async run() {
    const { flags } = await this.parse(RoomsList)
    const { listRooms } = await import('../../src/cli/topics/rooms/list-rooms.ts')
    return listRooms(this, flags)
  }
}
