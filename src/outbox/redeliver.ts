import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { Tx } from '../db/store.ts'
import { deliveryOf, saveDelivery } from './queries.ts'

/**
 * Makes a delivery due at once, from any state and with its full number of attempts. Returns undefined if it does not
 * exist. The id stays the same, so that receivers can detect the duplicate.
 */
export async function redeliver(tx: Tx, id: string, by: string, url?: string): Promise<DeliveryRow | undefined> {
  const delivery = await deliveryOf(tx, id)
  if (!delivery) return undefined
  const change = {
    status: 'pending',
    scheduled_at: tx.now,
    lease: null,
    attempt: 0,
    ended_at: null,
    redelivered_by: by,
    ...(url === undefined ? {} : { url }),
  } as const
  await saveDelivery(tx, id, change)
  return { ...delivery, ...change }
}
