import { runOnce } from '../../../db/idempotency-keys.ts'
import type { ChatMessageRow, ChatRoomRow } from '../../../db/schema/chat.ts'
import { momentText } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import { messagesBefore } from '../queries/rooms.ts'
import type { Chat, ChatTenant, Customer } from '../service.ts'
import type { Strings } from '../widget/messages.ts'
import { conversationStrings, languageFor } from '../widget/strings.ts'
import { shownMessages } from './messages.ts'
import { theRoom } from './rooms.ts'

/** Maximum number of messages in a transcript. */
const maxMessages = 500
/** Time during which a repeated request does not send another mail. */
const keyLifeMs = 86_400_000

/**
 * Mails the conversation to an address that the customer names. Throws NOTHING_TO_SEND without a reply of an agent:
 * otherwise anyone could send their own text to any address in the merchant's name.
 */
export async function mailTranscript(
  app: Chat,
  { tenant, room }: Customer,
  input: { readonly email: string; readonly clientTranscriptId: string },
) {
  const { email, clientTranscriptId } = input
  return app.store.write(async (tx) => {
    const now = await theRoom(tx, tenant, room.id)
    const keyed = { scope: `chat-transcript/${room.id}`, key: clientTranscriptId, request: { email } }
    const done = await runOnce(tx, { ...keyed, expiresAt: tx.now + keyLifeMs }, async () => {
      const rows = await messagesBefore(tx, room.id, now.last_seq + 1, maxMessages)
      if (!rows.some(({ sender_type: type }) => type === 'agent'))
        throw refuse('NOTHING_TO_SEND', `There is no reply among the latest ${maxMessages} messages`)
      const strings = conversationStrings[languageFor(now.customer_language ?? undefined)]
      const body = await transcriptOf(tx, now, rows, strings)
      await app.mail(tx, { tenant: tenant.code, recipient: email, subject: subjectOf(tenant, strings), body })
      return { email, messages: rows.length }
    })
    if (done.outcome === 'conflict')
      throw refuse('IDEMPOTENCY_KEY_REUSED', 'The clientTranscriptId was used with another address')
    return done.answer
  })
}

function subjectOf({ name }: ChatTenant, { mailSubject }: Strings): string {
  return mailSubject.replace('%', () => name.replace(/\p{Cc}/gu, ' '))
}

async function transcriptOf(
  reader: Parameters<typeof shownMessages>[1],
  room: ChatRoomRow,
  rows: readonly ChatMessageRow[],
  strings: Strings,
): Promise<string> {
  // Without a base URL: the mail only names the files, because links to them expire within hours.
  const messages = await shownMessages({ config: { publicUrl: () => '' } }, reader, rows)
  const lines = messages.map((message) => {
    const at = momentText(Date.parse(message.createdAt)).slice(0, 16).replace('T', ' ')
    const files = message.attachments.map(({ fileName }) => `[${fileName}]`)
    const text = [textOf(message, strings), ...files].filter(Boolean).join('\n')
    return `${at} UTC  ${senderOf(message, room, strings)}\n${text.replaceAll(/^/gm, '    ')}`
  })
  return `${lines.join('\n\n')}\n`
}

type Shown = Awaited<ReturnType<typeof shownMessages>>[number]

/** Returns a message's text in the customer's language, as the widget shows it. */
function textOf({ eventKind, text }: Shown, strings: Strings): string {
  if (eventKind === 'roomClosed') return strings.closed
  if (eventKind !== 'roomRated') return text
  const [line = '', ...comment] = text.split('\n')
  return [strings.yourRating.replace('%', `${/\d/.exec(line)}/5`), ...comment].join('\n')
}

function senderOf({ senderType, senderDisplayName, eventKind }: Shown, room: ChatRoomRow, strings: Strings): string {
  const isCustomer = senderType === 'customer' || eventKind === 'roomRated'
  const name = isCustomer ? (room.customer_display_name ?? strings.you) : (senderDisplayName ?? strings.support)
  return name.replace(/\p{Cc}/gu, ' ')
}
