import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { roomChangeExits, roomChangeResult } from '../../src/cli/topics/rooms/view.ts'

export default class RoomsClose extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Close a room, or reopen it'
  static override examples = [
    'countroom rooms close room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
    { command: 'countroom rooms close room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --reopen', description: 'Reopen a closed room' },
  ]
  static override exits = roomChangeExits
  static override writes = true
  static override args = roomArg
  static override flags = { reopen: Flags.boolean({ summary: 'Reopen a closed room' }), ...dryRunFlag }
  static override data = roomChangeResult

  override async run() {
    const { args, flags } = await this.parse(RoomsClose)
    const input = { params: { roomId: args.room } }
    const { changeRoom } = await import('../../src/cli/topics/rooms/change-room.ts')
    return flags.reopen
      ? changeRoom(this, args.room, { name: 'reopen', input, message: 'The room is open.' })
      : changeRoom(this, args.room, { name: 'close', input, message: 'The room is closed.' })
  }
}
