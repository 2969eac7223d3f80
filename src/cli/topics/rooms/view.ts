import { plannedSchema } from '../../outcome/dry-run.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import type { Column } from '../../terminal/table.ts'
import { shortMoment } from '../tickets/view.ts'

/** Views of rooms and messages. */

export const roomColumns: readonly Column[] = [
  { key: 'customerAccount', title: 'customer', keep: true },
  { key: 'status' },
  { key: 'agentUnreadCount', title: 'unread', kind: 'count', tint: (count) => (count === 0 ? undefined : 'yellow') },
  { key: 'assignee.displayName', title: 'agent' },
  { key: 'waitingSince', title: 'waiting since (UTC)', whole: true, keep: true, show: shortMoment },
  { key: 'lastMessagePreview', title: 'last message' },
  // The next command needs it.
  { key: 'roomId', title: 'room', whole: true, keep: true },
]

/** Returns a room for the table: a visitor without an account has a name there, because the made-up account is wider than all else. */
export function shownRoom<
  Row extends { readonly customerAccount: string; readonly customerDisplayName: string | null },
>(room: Row): Row {
  if (!room.customerAccount.startsWith('web:')) return room
  return { ...room, customerAccount: room.customerDisplayName ?? 'visitor' }
}

/** Latest rating of the customer, 1 to 5. */
export const ratingColumn: Column = {
  key: 'rating.score',
  title: 'rating',
  kind: 'count',
  tint: (score) => (Number(score) < 3 ? 'red' : undefined),
}

export const messageColumns: readonly Column[] = [
  { key: 'seq', kind: 'count' },
  { key: 'createdAt', title: 'sent (UTC)', whole: true, show: shortMoment },
  { key: 'by', title: 'sender' },
  { key: 'text' },
]

/** Returns the text of a message, after the names of its files. */
export function withFiles(text: string, fileNames: readonly string[]): string {
  return [...fileNames.map((name) => `[${name}]`), text].filter((part) => part !== '').join(' ')
}

/** Maps a message to its view, with the sender in one field. */
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

/** Schemas of the agent and bot APIs, which these commands return. */
export function roomSchema({ chat }: Shapes) {
  return chat.Room
}

export function messageSchema({ chat }: Shapes) {
  return chat.Message
}

/** Exit categories of commands that change the state of a room. */
export const roomChangeExits = ['permission', 'not-found', 'conflict', 'temporary'] as const

/** Result of commands that change the state of a room. */
export function roomChangeResult(shapes: Shapes) {
  const { Type } = shapes
  return Type.Object({
    room: Type.Union([roomSchema(shapes), Type.Null()], { description: 'Null in a dry run.' }),
    dryRun: Type.Boolean(),
    request: plannedSchema(shapes),
  })
}
