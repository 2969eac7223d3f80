import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'

export default class RoomsSay extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Send a message as the customer of a room, through the bot API'
  static override description =
    'The message gets a clientMessageId. If the response is lost, the message is looked up in the room; if its state stays unknown, run the command again with the --client-id it prints.'
  static override examples = ['countroom rooms say room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 "It is still missing"']
  static override exits = ['permission', 'not-found', 'conflict', 'temporary'] as const
  static override writes = true
  static override args = {
    ...roomArg,
    text: Args.string({ required: true, description: 'Text of the message' }),
  }
  static override flags = {
    'client-id': Flags.string({ summary: 'Message ID (clientMessageId)', helpValue: 'ID' }),
    ...dryRunFlag,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      clientMessageId: Type.String(),
      message: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(RoomsSay)
    const { sendAsCustomer } = await import('../../src/cli/topics/rooms/send-as-customer.ts')
    return sendAsCustomer(this, args, flags['client-id'])
  }
}
