import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { messageSchema, roomSchema } from '../../src/cli/topics/rooms/view.ts'

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
    const { showRoom } = await import('../../src/cli/topics/rooms/show-room.ts')
    return showRoom(this, args.room, flags.last)
  }
}
