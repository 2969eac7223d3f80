import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { Tx } from '../db/store.ts'
import { insertDelivery } from './queries.ts'

/** A delivery to enqueue. `body` is the event as JSON; the channel's signer turns it into the request. */
export type Message = Pick<DeliveryRow, 'id' | 'channel' | 'owner' | 'event' | 'subject' | 'url' | 'body'> & {
  /** Maximum number of attempts. Defaults to the channel's. */
  readonly maxAttempts?: number | undefined
}

/**
 * Enqueues a delivery in this transaction: it is sent only after the commit. An id that is in the outbox is ignored.
 */
export function enqueue(tx: Tx, { maxAttempts, ...message }: Message): Promise<void> {
  return insertDelivery(tx, {
    ...message,
    status: 'pending',
    scheduled_at: tx.now,
    lease: null,
    attempt: 0,
    max_attempts: maxAttempts ?? null,
    total_attempts: 0,
    held_by: null,
    created_at: tx.now,
    ended_at: null,
    last_status: null,
    last_error: null,
    redelivered_by: null,
  })
}
