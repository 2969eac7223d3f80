import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'

export default class RoomsMessages extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'List the messages of a room through the bot API, oldest first'
  static override description =
    'A page has 100 messages. Works with any instance of the bot API. Shows a conversation, or a table with --columns. Fields beyond the API document are returned unchanged.'
  static override examples = ['countroom rooms messages room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --page 2 --json']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = roomArg
  static override flags = {
    page: Flags.integer({ summary: 'Page number', default: 1, min: 1, max: 1_000_000, helpValue: 'N' }),
    ...listFlags,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      messages: Type.Array(Type.Record(Type.String(), Type.Unknown())),
      page: Type.Integer(),
    })

  override async run() {
    const { args, flags } = await this.parse(RoomsMessages)
    const { listMessages } = await import('../../src/cli/topics/rooms/list-messages.ts')
    return listMessages(this, args.room, flags)
  }
}
