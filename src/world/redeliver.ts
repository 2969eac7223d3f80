import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { Tx } from '../db/store.ts'
import { Problem } from '../kit/problem.ts'
import { type LogQuery, listDeliveries, readDelivery } from '../outbox/delivery-log.ts'
import { deliveryOf } from '../outbox/queries.ts'
import { redeliver } from '../outbox/redeliver.ts'
import { webhookOf } from '../services/casino/queries/webhooks.ts'
import type { World } from './world.ts'

/** Maximum number of redelivered deliveries. */
const maxReplayed = 10_000

/**
 * Makes the given deliveries due again, all or none. A webhook goes to its tenant's current URL; a callback of the
 * gateway to the URL of its payment, payout or account.
 */
export function replayDeliveries({ store }: Pick<World, 'store'>, ids: readonly string[]): Promise<DeliveryRow[]> {
  return store.write(async (tx) => {
    const redelivered: DeliveryRow[] = []
    for (const id of ids) {
      const delivery = await redeliver(tx, id, 'console', await placeNow(tx, id))
      if (!delivery)
        throw new Problem(
          'NOT_FOUND',
          `Delivery ${id} does not exist. To list the deliveries: countroom console deliveries list`,
        )
      redelivered.push(delivery)
    }
    return redelivered
  })
}

async function placeNow(tx: Tx, id: string): Promise<string | undefined> {
  const delivery = await deliveryOf(tx, id)
  if (delivery?.channel !== 'tenant-webhook') return undefined
  const hook = await webhookOf(tx, delivery.owner)
  if (hook?.enabled !== 1)
    throw new Problem(
      'CONFLICT',
      `The webhook of ${delivery.owner} is not enabled. To enable it: countroom console webhooks enable ${delivery.owner}`,
    )
  return hook.url ?? undefined
}

/** Makes all deliveries that match a query due again, the newest ones up to a maximum. */
export async function replayMatching(
  world: Pick<World, 'store'>,
  query: Omit<LogQuery, 'limit'>,
): Promise<DeliveryRow[]> {
  const deliveries = await listDeliveries(world, { ...query, limit: maxReplayed })
  return replayDeliveries(
    world,
    deliveries.map((delivery) => delivery.id),
  )
}

/** Runs what is due, and returns the deliveries as they are then. */
export async function afterSettling(world: World, deliveries: readonly DeliveryRow[]): Promise<DeliveryRow[]> {
  await world.settle()
  return Promise.all(deliveries.map(async ({ id }) => (await readDelivery(world, id)).delivery))
}
