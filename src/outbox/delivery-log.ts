import type { AttemptRow, DeliveryRow } from '../db/schema/outbox.ts'
import { Problem } from '../kit/problem.ts'
import type { Outbox } from './outbox.ts'
import { attemptsOf, type DeliveryQuery, deliveriesBy, deliveryOf } from './queries.ts'

/** What was owed to others and what became of it, as the Console shows it. */

export function listDeliveries({ store }: Pick<Outbox, 'store'>, asked: DeliveryQuery): Promise<DeliveryRow[]> {
  return store.read((reader) => deliveriesBy(reader, asked))
}

/** A delivery with its attempts, or NOT_FOUND. */
export function readDelivery(
  { store }: Pick<Outbox, 'store'>,
  id: string,
): Promise<{ delivery: DeliveryRow; attempts: AttemptRow[] }> {
  return store.read(async (reader) => {
    const delivery = await deliveryOf(reader, id)
    if (!delivery) throw new Problem('NOT_FOUND', `There is no delivery ${id}`)
    return { delivery, attempts: await attemptsOf(reader, id) }
  })
}
