import type { DeliveryRow } from '../../../db/schema/outbox.ts'
import { realSleep } from '../../../http/client/sleep.ts'
import { readDelivery } from '../../../outbox/delivery-log.ts'
import type { World } from '../../../world/world.ts'

/** Maximum time to wait for a served world that leased the delivery first. */
const waitMs = 12_000
const lookEveryMs = 100

/** Returns a delivery after its first attempt, made here or by a served world on the same database. */
export async function afterFirstAttempt(world: World, deliveryId: string, stop: AbortSignal): Promise<DeliveryRow> {
  await world.settle()
  for (let waited = 0; ; waited += lookEveryMs) {
    const { delivery } = await readDelivery(world, deliveryId)
    if (delivery.total_attempts > 0 || delivery.ended_at !== null || waited >= waitMs || stop.aborted) return delivery
    await realSleep(lookEveryMs)
  }
}
