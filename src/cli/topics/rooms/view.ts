import type { Column } from '../../terminal/table.ts'
import { shortMoment } from '../tickets/view.ts'

/** Rooms and messages as the commands tell them. */

export const roomColumns: readonly Column[] = [
  { key: 'customerAccount', title: 'customer' },
  { key: 'status' },
  { key: 'agentUnreadCount', title: 'unread', kind: 'count', tint: (count) => (count === 0 ? undefined : 'yellow') },
  { key: 'assignee.displayName', title: 'agent' },
  { key: 'waitingSince', title: 'waits since (UTC)', whole: true, show: shortMoment },
  { key: 'lastMessagePreview', title: 'latest' },
  { key: 'roomId', title: 'room', whole: true },
]

export const messageColumns: readonly Column[] = [
  { key: 'seq', kind: 'count' },
  { key: 'createdAt', title: 'sent (UTC)', whole: true, show: shortMoment },
  { key: 'by', title: 'by' },
  { key: 'text' },
]

/** What was said, behind the names of the files that came with it. */
export function withFiles(text: string, fileNames: readonly string[]): string {
  return [...fileNames.map((name) => `[${name}]`), text].filter((part) => part !== '').join(' ')
}

/** A message with the one who wrote it in one field, and what it carries. */
export function messageLine(message: {
  readonly senderType: string
  readonly senderDisplayName: string | null
  readonly senderId: string | null
  readonly text: string
  readonly attachments: readonly { readonly fileName: string }[]
}) {
  return {
    ...message,
    by: `${message.senderDisplayName ?? message.senderId ?? ''} (${message.senderType})`.trim(),
    text: withFiles(
      message.text,
      message.attachments.map(({ fileName }) => fileName),
    ),
  }
}

/** The schemas of the agents' and bots' API, which is what these commands give. */
export async function roomSchema() {
  const { Room } = await import('../../../services/chat/api/schemas.ts')
  return Room
}

export async function messageSchema() {
  const { Message } = await import('../../../services/chat/api/schemas.ts')
  return Message
}
