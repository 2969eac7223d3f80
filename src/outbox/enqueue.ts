import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { Tx } from '../db/store.ts'
import { insertDelivery } from './queries.ts'

/** A delivery to enqueue. `body` is the event as JSON; the channel's signer turns it into the request. */
export type Message = Pick<DeliveryRow, 'id' | 'channel' | 'owner' | 'event' | 'subject' | 'url' | 'body'> & {
  /** Maximum number of attempts. Defaults to the channel's. */
  readonly maxAttempts?: number | undefined
}

/** Enqueues a delivery when this transaction commits. An id that was enqueued before is ignored. */
export function enqueue(tx: Tx, { maxAttempts, ...message }: Message): Promise<void> {
  return insertDelivery(tx, {
    ...message,
    state: 'owed',
    due_at: tx.now,
    claim: null,
    tries: 0,
    most_tries: maxAttempts ?? null,
    attempts: 0,
    created_at: tx.now,
    ended_at: null,
    last_status: null,
    last_error: null,
    revived_by: null,
  })
}
