import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema, plannedText } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { plannedTicketCall } from '../../src/cli/topics/chat/arguments.ts'
import { sayOnce } from '../../src/cli/topics/chat/idempotent-send.ts'
import { roomArg } from '../../src/cli/topics/chat/ids.ts'
import { realAmbient } from '../../src/kit/ambient.ts'

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
    const clientMessageId = flags['client-id'] ?? realAmbient().id()
    const input = { params: { roomId: args.room }, body: { text: args.text, clientMessageId } }
    const { bot } = await this.services.chat()
    if (this.isDryRun) {
      const request = plannedTicketCall('sendCustomerText', input)
      this.log(plannedText(request))
      this.footnote('Nothing was sent.')
      return { clientMessageId, message: null, dryRun: true, request }
    }
    const [{ requestReply }, { openRoomsApi }, contracts] = await Promise.all([
      import('../../src/operator/tickets/tickets-request.ts'),
      import('../../src/operator/tickets/rooms-api.ts'),
      import('../../src/services/chat/api/contract.ts'),
    ])
    const { message } = await sayOnce({
      flag: '--client-id',
      key: clientMessageId,
      send: async () => ({ message: await requestReply(contracts.chat, bot.retrying, 'sendCustomerText', input) }),
      look: async () => {
        const found = await openRoomsApi({ bot, agent: undefined }).find(args.room, clientMessageId)
        return typeof found === 'string' ? found : { message: found }
      },
      note: (text) => this.note(text),
    })
    this.log('Said.')
    return { clientMessageId, message, dryRun: false, request: null }
  }
}
