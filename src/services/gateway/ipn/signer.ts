import type { DeliverySigner } from '../../../outbox/outbox.ts'
import { merchantOf } from '../queries/merchants.ts'
import { ipnHeaders } from './ipns.ts'

/**
 * Signs a callback: the text stored when it was enqueued, with the merchant's current secret and compatibility option,
 * because these belong to the receiver.
 */
export const ipnSigner: DeliverySigner = async (reader, { owner, body }) => {
  const merchant = await merchantOf(reader, owner)
  return merchant ? { body, headers: ipnHeaders(merchant, body) } : 'withdrawn'
}
