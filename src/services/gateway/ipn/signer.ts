import type { DeliverySigner } from '../../../outbox/outbox.ts'
import { merchantOf } from '../queries/merchants.ts'
import { ipnHeaders } from './ipns.ts'

/**
 * Signs a callback: the text stored when it was enqueued. The secret and the compatibility option are the current ones,
 * because they are settings of the receiver.
 */
export const ipnSigner: DeliverySigner = async (reader, { owner, body }) => {
  const merchant = await merchantOf(reader, owner)
  return merchant ? { body, headers: ipnHeaders(merchant, body) } : 'withdrawn'
}
