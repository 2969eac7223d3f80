import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { Tx } from '../db/store.ts'
import { deliveryOf, saveDelivery } from './queries.ts'

/**
 * Makes a message due again at once, whatever became of it, with its whole schedule before it; nothing when there is no
 * such message. Its id stays: a receiver that had it knows it again.
 */
export async function revive(tx: Tx, id: string, by: string, url?: string): Promise<DeliveryRow | undefined> {
  const delivery = await deliveryOf(tx, id)
  if (!delivery) return undefined
  const change = {
    state: 'owed',
    due_at: tx.now,
    claim: null,
    tries: 0,
    ended_at: null,
    revived_by: by,
    ...(url === undefined ? {} : { url }),
  } as const
  await saveDelivery(tx, id, change)
  return { ...delivery, ...change }
}
