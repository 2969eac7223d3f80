import { dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { RoomChangeCommand } from '../../src/cli/topics/rooms/command.ts'

export default class RoomsRead extends RoomChangeCommand {
  static override summary = 'Mark a room as read or unread'
  static override examples = [
    'countroom rooms read room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
    {
      command: 'countroom rooms read room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --unread-from 4',
      description: 'Mark message 4 and later as unread',
    },
  ]
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

  override async run() {
    const { args, flags } = await this.parse(RoomsRead)
    const params = { roomId: args.room }
    const from = flags['unread-from']
    if (from !== undefined)
      return this.change(
        'unread',
        args.room,
        { params, body: { seq: from } },
        `Marked message ${from} and later as unread.`,
      )
    const agent = await this.services.agent()
    const seq = flags.seq ?? (await agent.room({ params })).lastSeq
    return this.change('read', args.room, { params, body: { seq } }, `Marked as read up to message ${seq}.`)
  }
}
