import { realAmbient } from '../../../kit/ambient.ts'
import { openRoomsApi } from '../../../operator/tickets/rooms-api.ts'
import { requestReply } from '../../../operator/tickets/tickets-request.ts'
import { chat as chatContract } from '../../../services/chat/api/contract.ts'
import type { CommandContext } from '../../context/context.ts'
import { plannedText } from '../../outcome/dry-run.ts'
import { sendOnce } from '../chat/idempotent-send.ts'
import { plannedTicketCall } from '../chat/planned-call.ts'

/** Sends a message as the customer of a room. */
export async function sendAsCustomer(
  context: CommandContext,
  args: { readonly room: string; readonly text: string },
  clientId: string | undefined,
) {
  const clientMessageId = clientId ?? realAmbient().id()
  const input = { params: { roomId: args.room }, body: { text: args.text, clientMessageId } }
  const { bot } = await context.services.chat()
  if (context.isDryRun) {
    const request = plannedTicketCall('sendCustomerText', input)
    context.log(plannedText(request))
    context.footnote('Nothing was sent.')
    return { clientMessageId, message: null, dryRun: true, request }
  }
  const { message } = await sendOnce({
    flag: '--client-id',
    key: clientMessageId,
    send: async () => ({ message: await requestReply(chatContract, bot.retrying, 'sendCustomerText', input) }),
    look: async () => {
      const match = await openRoomsApi({ bot, agent: undefined }).find(args.room, clientMessageId)
      return typeof match === 'string' ? match : { message: match }
    },
    note: (text) => context.note(text),
  })
  context.log('Said.')
  return { clientMessageId, message, dryRun: false, request: null }
}
