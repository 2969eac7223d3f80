import { signWebhook } from '../../../domain/signing.ts'
import { momentText } from '../../../kit/moment.ts'
import type { Seal } from '../../../outbox/outbox.ts'
import { casino } from '../api/contract.ts'
import { webhookOf } from '../queries/webhooks.ts'
import type { Casino } from '../service.ts'

/** Names the sender and the version of what it sends. */
const userAgent = `countroom-webhooks/${casino.version}`

/**
 * A tenant's message as it is sent (1-tenant-api, Events). `createdAt` is the world's moment of this attempt; the
 * signature's `t` is the machine's, since receivers hold it against their own clocks, which no one has moved.
 */
export function webhookSeal(app: Pick<Casino, 'machineNow'>): Seal {
  return async (reader, delivery) => {
    const hook = await webhookOf(reader, delivery.owner)
    if (!hook?.secret || hook.enabled !== 1) return 'withdrawn'
    const head = JSON.stringify({
      id: delivery.id,
      event: delivery.event,
      companyCode: delivery.owner,
      createdAt: momentText(reader.now),
    })
    // The data was written as JSON already, and is sent as it was written.
    const body = `${head.slice(0, -1)},"data":${delivery.body}}`
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        'x-svc-event': delivery.event,
        'x-svc-delivery': delivery.id,
        'x-svc-signature': signWebhook(hook.secret, body, app.machineNow()),
      },
    }
  }
}
