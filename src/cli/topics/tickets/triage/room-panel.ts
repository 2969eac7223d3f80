import { minuteText } from '../../../../kit/moment.ts'
import { isProblem, type Problem } from '../../../../kit/problem.ts'
import { typedCommand } from '../../../../kit/shell-quote.ts'
import { noAgentToken } from '../../../../operator/tickets/no-agent.ts'
import type { FullTicket, RoomConversation } from '../../../../operator/tickets/parse.ts'
import { painter } from '../../../terminal/color.ts'
import { oneLine } from '../../../terminal/text.ts'
import { confirmFailedChecks } from '../../chat/outgoing-text.ts'
import { canceledText, isCanceled } from '../../chat/undo-window.ts'
import { conversationText } from '../../rooms/conversation.ts'
import { notHere, nothing, type PromptResult } from './prompts.ts'
import type { Session } from './session.ts'

/** Shows the customer's room inside triage: its newest messages, and a reply. */

/** Number of messages to show. */
const latest = 10

export async function openRoom(session: Session, ticket: FullTicket): Promise<PromptResult> {
  const { print, rooms, keyboard } = session
  if (ticket.roomId === null) {
    print('The ticket has no room, or the instance does not report it.')
    return 'nothing'
  }
  for (;;) {
    const conversation = await rooms.latest(ticket.roomId, latest)
    print(roomText(ticket.roomId, conversation, session.width()))
    print(
      rooms.canAnswer
        ? 'r replies in the room, o reads it again, any other key returns to the ticket.'
        : `o reads it again, any other key returns to the ticket. Replying in the room needs the agent API, but ${noAgentToken}; r there replies on the ticket.`,
    )
    const key = await keyboard.key()
    if (key === 'o') continue
    if (key !== 'r') {
      print('Returned to the ticket.')
      return 'nothing'
    }
    if (!rooms.canAnswer) return notHere(print)
    const done = await answer(session, ticket, ticket.roomId, conversation)
    if (done !== 'look-again') return done
  }
}

function roomText(
  roomId: string,
  { status, waitingSince, agentUnreadCount, rating, lines }: RoomConversation,
  width: number,
): string {
  const state = [
    status,
    agentUnreadCount === null || agentUnreadCount === 0 ? null : `${agentUnreadCount} unread`,
    waitingSince === null ? null : `waiting since ${minuteText(waitingSince)}`,
    rating === null ? null : `rated ${rating} of 5`,
  ].filter((part) => part !== null)
  return [
    '',
    `── Room ${roomId}${state.length === 0 ? '' : `  ${state.join(', ')}`}`,
    lines.length === 0
      ? '   No messages.'
      : conversationText(lines, { width, paint: painter(false), margin: '   ' }).trimEnd(),
  ].join('\n')
}

/** Sends a reply like any public text: shown, confirmed, and rejected if there is a newer message. */
async function answer(
  session: Session,
  ticket: FullTicket,
  roomId: string,
  conversation: RoomConversation,
): Promise<PromptResult> {
  const { print, keyboard, rooms, phrases, audit } = session
  const content = await keyboard.line('Reply in the room:')
  if (content === undefined || content === '') return nothing(print)
  if (!(await confirmFailedChecks(content, phrases, session))) return nothing(print)
  print(
    `To ${oneLine(ticket.customerDisplayName ?? ticket.customerAccount ?? 'the customer')} (${oneLine(ticket.customerLanguage ?? 'language unknown')}), as it will arrive:\n\n${content}\n\nSend it? Press y to send, any other key to cancel.`,
  )
  if ((await keyboard.key()) !== 'y') return nothing(print)
  if (await isCanceled(keyboard, print, { ms: session.undoWindowMs, stop: session.stop })) {
    print(`${canceledText}.`)
    return 'nothing'
  }
  const key = session.makeId()
  const log = (outcome: 'done' | 'refused' | 'unknown', requestId: string | null, code: string | null) =>
    audit?.write([
      {
        ticketId: ticket.ticketId,
        ticketNumber: ticket.ticketNumber === 0 ? null : ticket.ticketNumber,
        action: 'room',
        before: null,
        after: { roomId, clientMessageId: key, content },
        outcome,
        code,
        requestId,
      },
    ])
  try {
    const { requestId } = await rooms.answer(roomId, content, key, conversation.lastSeq)
    log('done', requestId, null)
    print('Sent.')
    return 'stay'
  } catch (error) {
    if (!isProblem(error)) throw error
    const isRefusal = refusalStatus(error)
    log(isRefusal ? 'refused' : 'unknown', requestIdOf(error), error.code)
    if (error.code === 'STALE_ROOM') {
      print('Somebody wrote in the room in the meantime, so nothing was sent. Reading it again.')
      return 'look-again'
    }
    if (!isRefusal)
      print(
        `The message may have been sent. Press o to check. To send the same message again: ${typedCommand('rooms reply', [roomId, content], { 'client-id': key })}`,
      )
    throw error
  }
}

function refusalStatus({ detail }: Problem): boolean {
  const { status, outcome } = detail
  return outcome === 'none' || (typeof status === 'number' && status >= 400 && status < 500)
}

const requestIdOf = ({ detail }: Problem): string | null =>
  typeof detail['requestId'] === 'string' ? detail['requestId'] : null
