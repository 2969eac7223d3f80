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
    const [{ bot }, { requestReply }, { readMessages, readRoomPage }, contracts, { talkText }] = await Promise.all([
      this.services.chat(),
      import('../../src/operator/tickets/tickets-request.ts'),
      import('../../src/operator/tickets/parse.ts'),
      import('../../src/services/chat/api/contract.ts'),
      import('../../src/cli/topics/rooms/conversation.ts'),
    ])
    const body = await requestReply(contracts.chat, bot.retrying, 'messages', {
      params: { roomId: args.room },
      query: { page: flags.page },
    })
    const messages = readMessages(body)
    const { lines, pages } = readRoomPage(body)
    if (!this.wantsTable && lines.length > 0) this.text((page) => talkText(lines, page))
    else
      this.table(
        messages,
        ['seq', 'createdAt', 'senderType', 'senderDisplayName', 'text', 'clientMessageId'].filter((key) =>
          flags.csv ? true : messages.some((message) => (message[key] ?? null) !== null),
        ),
        'No messages on this page.',
      )
    if (lines.length > 0 && pages !== null && pages > 1)
      this.footnote(`Page ${flags.page} of ${pages}${flags.page < pages ? `; next: --page ${flags.page + 1}` : ''}`)
    return { messages: [...messages], page: flags.page }
  }
}
