import type { Seal } from '../../../outbox/outbox.ts'
import { merchantOf } from '../queries/merchants.ts'
import { ipnHeaders } from './ipns.ts'

/**
 * A callback as it is sent: the text that was written when it was owed, with the merchant's present secret and
 * compatibility option, since these belong to the receiver and not to what is told.
 */
export const ipnSeal: Seal = async (reader, { owner, body }) => {
  const merchant = await merchantOf(reader, owner)
  return merchant ? { body, headers: ipnHeaders(merchant, body) } : 'withdrawn'
}
