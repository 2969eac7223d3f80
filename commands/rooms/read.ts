import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { roomChangeExits, roomChangeResult } from '../../src/cli/topics/rooms/view.ts'

export default class RoomsRead extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Mark a room as read or unread'
  static override examples = [
    'countroom rooms read room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
    {
      command: 'countroom rooms read room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --unread-from 4',
      description: 'Mark message 4 and later as unread',
    },
  ]
  static override exits = roomChangeExits
  static override writes = true
  static override args = roomArg
  static override flags = {
    seq: Flags.integer({
      summary: 'Last message to mark as read (default: the newest)',
      min: 0,
      helpValue: 'SEQ',
      exclusive: ['unread-from'],
    }),
    'unread-from': Flags.integer({ summary: 'First message to mark as unread', min: 1, helpValue: 'SEQ' }),
    ...dryRunFlag,
  }
  static override data = roomChangeResult

  override async run() {
    const { args, flags } = await this.parse(RoomsRead)
    const params = { roomId: args.room }
    const from = flags['unread-from']
    const { changeRoom } = await import('../../src/cli/topics/rooms/change-room.ts')
    if (from !== undefined)
      return changeRoom(this, args.room, {
        name: 'unread',
        input: { params, body: { seq: from } },
        message: `Marked message ${from} and later as unread.`,
      })
    const agent = await this.services.agent()
    const seq = flags.seq ?? (await agent.room({ params })).lastSeq
    const message = `Marked as read up to message ${seq}.`
    return changeRoom(this, args.room, { name: 'read', input: { params, body: { seq } }, message })
  }
}
