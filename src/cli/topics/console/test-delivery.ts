import type { DeliveryRow } from '../../../db/schema/outbox.ts'
import { loggedState } from '../../../domain/webhooks/delivery-status.ts'
import { sendTest } from '../../../services/casino/admin/webhook-settings.ts'
import { sendTestIpn } from '../../../services/gateway/admin/test-ipn.ts'
import type { World } from '../../../world/world.ts'
import type { CommandContext } from '../../context/context.ts'
import { afterFirstAttempt } from '../callbacks/await-first-attempt.ts'

/** Sends a test webhook to a tenant and waits for its first attempt. */
export async function testWebhook(context: CommandContext, code: string, message: string) {
  const world = await context.services.world()
  const deliveryId = await sendTest(world.casino, code, message)
  return { companyCode: code.toUpperCase(), ...(await firstAttempt(context, world, deliveryId, 'webhook')) }
}

/** Sends a test IPN to a merchant and waits for its first attempt. */
export async function testIpn(context: CommandContext, merchant: string, url: string | undefined) {
  const world = await context.services.world()
  const deliveryId = await sendTestIpn(world.gateway, merchant, url)
  return { merchant, ...(await firstAttempt(context, world, deliveryId, 'IPN')) }
}

async function firstAttempt(context: CommandContext, world: World, deliveryId: string, noun: 'webhook' | 'IPN') {
  if (context.isDryRun) return { deliveryId: null, state: 'owed', lastStatus: null, lastError: null }
  const sent: DeliveryRow = await afterFirstAttempt(world, deliveryId, context.stop)
  const { total_attempts: attempts, last_status: lastStatus, last_error: lastError } = sent
  const state = loggedState(sent)
  if (attempts === 0) context.note(`The served world queued the ${noun} and has no response yet.`)
  else if (state !== 'delivered') context.endWith('DELIVERY_FAILED', `Not acknowledged: ${lastError}`, { deliveryId })
  return { deliveryId, state, lastStatus, lastError }
}
