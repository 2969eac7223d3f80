import type { DeliveryRow } from '../../../db/schema/outbox.ts'
import { type LoggedState, loggedState } from '../../../domain/webhooks/delivery-status.ts'
import { Problem } from '../../../kit/problem.ts'
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
    status: row.status,
    state: loggedState(row),
    attempts: row.total_attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: new Date(row.created_at).toISOString(),
    dueAt: row.ended_at === null ? new Date(row.scheduled_at).toISOString() : null,
    endedAt: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
    redeliveredBy: row.redelivered_by,
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
    status: Type.Enum(['pending', 'leased', 'held', 'delivered', 'failed'], {
      description: 'leased is being sent, held waits because of an injected fault.',
    }),
    state: Type.Enum(['owed', 'delivered', 'dead'], {
      description: 'Older form of status: owed is not sent yet, dead is failed.',
    }),
    attempts: Type.Integer(),
    lastStatus: Type.Union([Type.Integer(), Type.Null()]),
    lastError: text,
    createdAt: Type.String(),
    dueAt: text,
    endedAt: text,
    redeliveredBy: Type.Union([Type.String(), Type.Null()], { description: 'Delivery that this one was replayed by.' }),
    revivedBy: Type.Union([Type.String(), Type.Null()], { description: 'Older name of redeliveredBy.' }),
  })
}

/** Columns of the table. */
export const deliveryColumns = [
  'deliveryId',
  'channel',
  'owner',
  'event',
  'status',
  { key: 'attempts', kind: 'count' },
  'lastStatus',
  'lastError',
  'createdAt',
  'dueAt',
] as const

export const deliveryChannels = ['tenant-webhook', 'merchant-ipn'] as const

/** Values of `--state`. The names of the first release still work. */
const statesByName: Readonly<Record<string, LoggedState>> = {
  pending: 'owed',
  delivered: 'delivered',
  failed: 'dead',
  owed: 'owed',
  dead: 'dead',
}
export const deliveryStateNames = 'pending|delivered|failed'

/** Reads the value of `--state`. */
export function deliveryState(name: string | undefined): LoggedState | undefined {
  if (name === undefined) return undefined
  const state = Object.hasOwn(statesByName, name) ? statesByName[name] : undefined
  if (state === undefined)
    throw new Problem('INVALID_USAGE', `--state must be pending, delivered or failed; received ${name}`)
  return state
}
