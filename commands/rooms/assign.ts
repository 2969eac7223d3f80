import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { roomChangeExits, roomChangeResult } from '../../src/cli/topics/rooms/view.ts'

export default class RoomsAssign extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Assign a room to an agent, or unassign it'
  static override description =
    'If another agent took the room in the meantime, the command fails; --take assigns it anyway.'
  static override examples = ['countroom rooms assign room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 me']
  static override exits = roomChangeExits
  static override writes = true
  static override args = {
    ...roomArg,
    agent: Args.string({ required: true, description: 'Agent name or ID, "me" or "none"' }),
  }
  static override flags = { take: Flags.boolean({ summary: 'Take the room from another agent' }), ...dryRunFlag }
  static override data = roomChangeResult

  override async run() {
    const { args, flags } = await this.parse(RoomsAssign)
    const { assignRoom } = await import('../../src/cli/topics/rooms/assign-room.ts')
    return assignRoom(this, args, flags.take)
  }
}
