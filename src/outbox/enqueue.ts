import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { Tx } from '../db/store.ts'
import { insertDelivery } from './queries.ts'

/** A message for somebody outside. `body` is JSON of what is told; the channel's seal makes of it what is sent. */
export type Message = Pick<DeliveryRow, 'id' | 'channel' | 'owner' | 'event' | 'subject' | 'url' | 'body'> & {
  /** After how many attempts it is given up; as its channel says when not given. */
  readonly mostTries?: number | undefined
}

/** Owes a message from the moment this transaction commits. A message whose id is owed or was sent already is not owed again. */
export function enqueue(tx: Tx, { mostTries, ...message }: Message): Promise<void> {
  return insertDelivery(tx, {
    ...message,
    state: 'owed',
    due_at: tx.now,
    claim: null,
    tries: 0,
    most_tries: mostTries ?? null,
    attempts: 0,
    created_at: tx.now,
    ended_at: null,
    last_status: null,
    last_error: null,
    revived_by: null,
  })
}
