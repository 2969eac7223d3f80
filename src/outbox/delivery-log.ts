import type { AttemptRow, DeliveryRow } from '../db/schema/outbox.ts'
import { type LoggedState, loggedStates } from '../domain/webhooks/delivery-status.ts'
import { Problem } from '../kit/problem.ts'
import type { Outbox } from './outbox.ts'
import { attemptsOf, type DeliveryQuery, deliveriesBy, deliveryOf } from './queries.ts'

/** Filters of the delivery log. */
export interface LogQuery extends Omit<DeliveryQuery, 'statuses'> {
  readonly state?: LoggedState | undefined
}

/** Lists matching deliveries, newest first. */
export function listDeliveries(
  { store }: Pick<Outbox, 'store'>,
  { state, ...filters }: LogQuery,
): Promise<DeliveryRow[]> {
  const statuses = state && loggedStates[state]
  return store.read((reader) => deliveriesBy(reader, { ...filters, statuses }))
}

/** Returns a delivery with its attempts, or throws NOT_FOUND. */
export function readDelivery(
  { store }: Pick<Outbox, 'store'>,
  id: string,
): Promise<{ delivery: DeliveryRow; attempts: AttemptRow[] }> {
  return store.read(async (reader) => {
    const delivery = await deliveryOf(reader, id)
    if (!delivery)
      throw new Problem(
        'NOT_FOUND',
        `Delivery ${id} does not exist. To list the deliveries: countroom console deliveries list`,
      )
    return { delivery, attempts: await attemptsOf(reader, id) }
  })
}
