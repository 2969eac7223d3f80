import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class RoomsOpen extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Open the chat room of a customer account'
  static override description =
    'An account has one room; if it exists, it is returned. Channel and inbox category cannot change afterwards. The first message is sent only if the room is empty.'
  static override examples = [
    'countroom rooms open amy --message "Where is my deposit?" --language zh-TW',
    { command: 'countroom rooms open amy --json', description: 'Get the room ID in a script' },
  ]
  static override exits = ['permission', 'temporary'] as const
  static override writes = true
  static override args = { account: Args.string({ required: true, description: 'Customer account' }) }
  static override flags = {
    name: Flags.string({ summary: 'Customer name', helpValue: 'NAME' }),
    language: Flags.string({ summary: 'Language tag of the customer', helpValue: 'TAG' }),
    channel: Flags.string({ summary: 'Channel name', helpValue: 'NAME' }),
    inbox: Flags.string({ summary: 'Inbox category', helpValue: 'CODE' }),
    message: Flags.string({ summary: 'First message of the customer', helpValue: 'TEXT' }),
    ...dryRunFlag,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      roomId: Type.Union([Type.String(), Type.Null()], { description: 'Null in a dry run.' }),
      created: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null if the instance does not report it.' }),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(RoomsOpen)
    const { openRoom } = await import('../../src/cli/topics/rooms/open-room.ts')
    return openRoom(this, args.account, flags)
  }
}
