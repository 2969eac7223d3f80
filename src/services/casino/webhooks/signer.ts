import { signWebhook } from '../../../domain/signing.ts'
import { momentText } from '../../../kit/moment.ts'
import type { DeliverySigner } from '../../../outbox/outbox.ts'
import { casino } from '../api/contract.ts'
import { webhookOf } from '../queries/webhooks.ts'
import type { Casino } from '../service.ts'

/** Sender and version in the User-Agent. */
const userAgent = `countroom-webhooks/${casino.version}`

/**
 * Signs a tenant's event for one attempt (1-tenant-api, Events). `createdAt` is the world's time of this attempt. The
 * signature's `t` is the machine's, because receivers check it against their own clocks.
 */
export function webhookSigner(app: Pick<Casino, 'machineNow'>): DeliverySigner {
  return async (reader, delivery) => {
    const hook = await webhookOf(reader, delivery.owner)
    if (!hook?.secret || hook.enabled !== 1) return 'withdrawn'
    const head = JSON.stringify({
      id: delivery.id,
      event: delivery.event,
      companyCode: delivery.owner,
      createdAt: momentText(reader.now),
    })
    // The data is stored as JSON, and is sent as stored.
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
