import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dangerFlags, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { textFlags } from '../../src/cli/topics/chat/text-flags.ts'
import { messageSchema } from '../../src/cli/topics/rooms/view.ts'

export default class RoomsReply extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Reply to a customer in a room'
  static override description =
    'Shows the newest messages first, and fails if the customer or another agent writes in the meantime. Marks the room as read up to the reply. Text that looks like an internal note is rejected. If the response is lost, the message is looked up by its ID; if its state stays unknown, run the command again with the --client-id it prints.'
  static override examples = ['countroom rooms reply room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 "It has arrived now." --yes']
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const
  static override writes = true
  static override args = {
    ...roomArg,
    text: Args.string({ required: true, description: 'Text of the reply' }),
  }
  static override flags = {
    'client-id': Flags.string({ summary: 'Message ID; a message with this ID is sent only once', helpValue: 'ID' }),
    'after-seq': Flags.integer({ summary: 'Number of the last message you have seen', min: 0, helpValue: 'SEQ' }),
    macros: textFlags.macros,
    'allow-guard': textFlags['allow-guard'],
    ...dangerFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      clientMessageId: Type.String(),
      message: Type.Union([messageSchema(shapes), Type.Null()]),
      duplicate: Type.Boolean(),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(RoomsReply)
    const { reply } = await import('../../src/cli/topics/rooms/reply.ts')
    return reply(this, args, flags)
  }
}
