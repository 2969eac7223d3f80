import type { AttemptRow, DeliveryRow } from '../db/schema/outbox.ts'
import { Problem } from '../kit/problem.ts'
import type { Outbox } from './outbox.ts'
import { attemptsOf, type DeliveryQuery, deliveriesBy, deliveryOf } from './queries.ts'

/** Lists deliveries for the Console. */

export function listDeliveries({ store }: Pick<Outbox, 'store'>, asked: DeliveryQuery): Promise<DeliveryRow[]> {
  return store.read((reader) => deliveriesBy(reader, asked))
}

/** Returns a delivery with its attempts, or throws NOT_FOUND. */
export function readDelivery(
  { store }: Pick<Outbox, 'store'>,
  id: string,
): Promise<{ delivery: DeliveryRow; attempts: AttemptRow[] }> {
  return store.read(async (reader) => {
    const delivery = await deliveryOf(reader, id)
    if (!delivery) throw new Problem('NOT_FOUND', `Delivery ${id} does not exist`)
    return { delivery, attempts: await attemptsOf(reader, id) }
  })
}
