import { Type } from 'typebox'
import type { DeliveryRow } from '../../../db/schema/outbox.ts'
import { loggedStates } from '../../../domain/webhooks/delivery-status.ts'
import { listDeliveries, readDelivery } from '../../../outbox/delivery-log.ts'
import { maybeChoice, maybeText, text } from '../actions/fields.ts'
import { receiverPath } from '../receiver.ts'
import { maxRows, upTo, view } from './view.ts'

/** Returns a delivery for a list. */
export function deliveryRow(row: DeliveryRow) {
  return {
    delivery: row.id,
    channel: row.channel,
    owner: row.owner,
    event: row.event,
    subject: row.subject,
    url: row.url,
    status: row.status,
    attempts: row.total_attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: new Date(row.created_at).toISOString(),
    dueAt: row.ended_at === null ? new Date(row.scheduled_at).toISOString() : null,
    endedAt: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
  }
}

// `Object.keys` of a closed table gives its names.
const states = Object.keys(loggedStates) as (keyof typeof loggedStates)[]

export const callbackViews = {
  deliveries: view(
    Type.Object({
      owner: maybeText('Owner'),
      channel: maybeChoice('Channel', ['tenant-webhook', 'merchant-ipn']),
      state: maybeChoice('State', states),
    }),
    async ({ world }, { owner, channel, state }) => {
      const query = { owner: owner?.toUpperCase(), channel, state, limit: maxRows + 1 }
      const found = upTo(await listDeliveries(world, query))
      return { deliveries: found.rows.map(deliveryRow), more: found.more }
    },
  ),
  delivery: view(
    Type.Object({ delivery: text('Delivery', { maxLength: 40 }) }),
    async ({ world }, { delivery: id }) => {
      const { delivery, attempts } = await readDelivery(world, id.toUpperCase())
      // The bytes as they were sent are in the recorded requests of the attempts.
      const sent = (await world.requests.details({ kind: 'callback', limit: 1_000 })).filter(
        (each) => each.delivery === delivery.id,
      )
      return {
        ...deliveryRow(delivery),
        body: delivery.body,
        attempts: attempts.map((row) => ({
          number: row.number,
          at: new Date(row.at).toISOString(),
          tookMs: row.took_ms,
          status: row.status,
          error: row.error,
        })),
        sent,
      }
    },
  ),
  receiver: view(Type.Object({}), async ({ receiver, world }) => ({
    url: `${(await world.servedAt()) ?? ''}${receiverPath}`,
    status: receiver.status,
    received: receiver.list(),
  })),
}
