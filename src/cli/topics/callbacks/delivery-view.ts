import type { DeliveryRow } from '../../../db/schema/outbox.ts'
import { loggedState } from '../../../domain/webhooks/delivery-status.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** A delivery in the Console's list. */
export function deliveryView(row: DeliveryRow) {
  return {
    deliveryId: row.id,
    channel: row.channel,
    owner: row.owner,
    event: row.event,
    subject: row.subject,
    url: row.url,
    state: loggedState(row),
    attempts: row.total_attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: new Date(row.created_at).toISOString(),
    dueAt: row.ended_at === null ? new Date(row.scheduled_at).toISOString() : null,
    endedAt: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
    revivedBy: row.redelivered_by,
  }
}

export function deliveryViewSchema({ Type }: Shapes) {
  const text = Type.Union([Type.String(), Type.Null()])
  return Type.Object({
    deliveryId: Type.String(),
    channel: Type.Enum(['tenant-webhook', 'merchant-ipn']),
    owner: Type.String({ description: 'Company code of the tenant, or merchant ID.' }),
    event: Type.String(),
    subject: Type.String({ description: 'Object of the event: a round, a player, a payment or a reference.' }),
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

/** Columns of the table. */
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
