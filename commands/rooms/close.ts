import { dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { RoomChangeCommand } from '../../src/cli/topics/rooms/command.ts'

export default class RoomsClose extends RoomChangeCommand {
  static override summary = 'Close a room, or reopen it'
  static override examples = [
    'countroom rooms close room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
    { command: 'countroom rooms close room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --reopen', description: 'Reopen a closed room' },
  ]
  static override args = roomArg
  static override flags = { reopen: Flags.boolean({ summary: 'Reopen a closed room' }), ...dryRunFlag }

  override async run() {
    const { args, flags } = await this.parse(RoomsClose)
    const params = { roomId: args.room }
    return flags.reopen
      ? this.change('reopen', args.room, { params }, 'The room is open.')
      : this.change('close', args.room, { params }, 'The room is closed.')
  }
}
