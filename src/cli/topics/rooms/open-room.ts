import { Problem } from '../../../kit/problem.ts'
import { readRoomId } from '../../../operator/tickets/parse.ts'
import { requestReply } from '../../../operator/tickets/tickets-request.ts'
import { chat as chatContract } from '../../../services/chat/api/contract.ts'
import type { CommandContext } from '../../context/context.ts'
import { plannedText } from '../../outcome/dry-run.ts'
import { plannedTicketCall } from '../chat/planned-call.ts'

interface OpenFlags {
  readonly name?: string | undefined
  readonly language?: string | undefined
  readonly channel?: string | undefined
  readonly inbox?: string | undefined
  readonly message?: string | undefined
}

/** Opens the room of a customer account. */
export async function openRoom(context: CommandContext, account: string, flags: OpenFlags) {
  const { bot } = await context.services.chat()
  const body = {
    customerAccount: account,
    ...(flags.name === undefined ? {} : { customerDisplayName: flags.name }),
    ...(flags.language === undefined ? {} : { customerLanguage: flags.language }),
    ...(flags.channel === undefined ? {} : { channel: flags.channel }),
    ...(flags.inbox === undefined ? {} : { inboxCategoryCode: flags.inbox }),
    ...(flags.message === undefined ? {} : { initialMessage: flags.message }),
  }
  if (context.isDryRun) {
    const request = plannedTicketCall('openRoom', { body })
    context.log(plannedText(request))
    context.footnote('Nothing was sent.')
    return { roomId: null, created: null, dryRun: true, request }
  }
  const room = readRoomId(await requestReply(chatContract, bot.retrying, 'openRoom', { body }))
  if (!room)
    throw new Problem('REMOTE_UNINTELLIGIBLE', 'The response to POST /rooms has no roomId', { outcome: 'unknown' })
  context.log(`${room.roomId}${room.created === null ? '' : room.created ? ' (new)' : ' (existing)'}`)
  return { ...room, dryRun: false, request: null }
}
