import { readMessages, readRoomPage } from '../../../operator/tickets/parse.ts'
import { requestReply } from '../../../operator/tickets/tickets-request.ts'
import { chat as chatContract } from '../../../services/chat/api/contract.ts'
import type { CommandContext } from '../../context/context.ts'
import { conversationText } from './conversation.ts'

const columns = ['seq', 'createdAt', 'senderType', 'senderDisplayName', 'text', 'clientMessageId']

/** Lists one page of the messages of a room, as a conversation or a table. */
export async function listMessages(
  context: CommandContext,
  roomId: string,
  flags: { readonly page: number; readonly csv?: boolean },
) {
  const { bot } = await context.services.chat()
  const body = await requestReply(chatContract, bot.retrying, 'messages', {
    params: { roomId },
    query: { page: flags.page },
  })
  const messages = readMessages(body)
  const { lines, pages } = readRoomPage(body)
  if (!context.wantsTable && lines.length > 0) context.text((page) => conversationText(lines, page))
  else
    context.table(
      messages,
      columns.filter((key) => (flags.csv ? true : messages.some((message) => (message[key] ?? null) !== null))),
      'No messages on this page.',
    )
  if (lines.length > 0 && pages !== null && pages > 1)
    context.footnote(`Page ${flags.page} of ${pages}${flags.page < pages ? `; next: --page ${flags.page + 1}` : ''}`)
  return { messages: [...messages], page: flags.page }
}
