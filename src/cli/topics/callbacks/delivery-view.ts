import type { DeliveryRow } from '../../../db/schema/outbox.ts'

/** A delivery as the Console lists it. */
export function deliveryView(row: DeliveryRow) {
  return {
    deliveryId: row.id,
    channel: row.channel,
    owner: row.owner,
    event: row.event,
    subject: row.subject,
    url: row.url,
    state: row.state,
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: new Date(row.created_at).toISOString(),
    dueAt: row.state === 'owed' ? new Date(row.due_at).toISOString() : null,
    endedAt: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
    revivedBy: row.revived_by,
  }
}

export async function deliveryViewSchema() {
  const { Type } = await import('typebox')
  const text = Type.Union([Type.String(), Type.Null()])
  return Type.Object({
    deliveryId: Type.String(),
    channel: Type.Enum(['tenant-webhook', 'merchant-ipn']),
    owner: Type.String({ description: 'The company code, or the merchant' }),
    event: Type.String(),
    subject: Type.String({ description: 'What it speaks of: a round, a player, a payment, a reference' }),
    url: Type.String(),
    state: Type.Enum(['owed', 'delivered', 'dead']),
    attempts: Type.Integer(),
    lastStatus: Type.Union([Type.Integer(), Type.Null()]),
    lastError: text,
    createdAt: Type.String(),
    dueAt: text,
    endedAt: text,
    revivedBy: text,
  })
}

/** The columns that people see. */
export const deliveryColumns = [
  'deliveryId',
  'channel',
  'owner',
  'event',
  'state',
  { key: 'attempts', kind: 'count' },
  'lastStatus',
  'lastError',
  'createdAt',
  'dueAt',
] as const

export const deliveryChannels = ['tenant-webhook', 'merchant-ipn'] as const
export const deliveryStates = ['owed', 'delivered', 'dead'] as const
