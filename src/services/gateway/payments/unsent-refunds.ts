import type { Tx } from '../../../db/store.ts'
import { moved } from '../../../domain/payments/ledger.ts'
import { accountOf, postOrThrow } from '../ledger.ts'
import { merchantOf } from '../queries/merchants.ts'
import { payoutOf } from '../queries/payouts.ts'
import type { Gateway } from '../service.ts'
import { follow } from './deposits.ts'
import { recordNotPaidBack } from './sent-back.ts'

/**
 * Moves the reserved funds of a refund or return back to their source after its payout failed. A part-paid payment is
 * due again.
 */
export async function reverseUnsent(app: Gateway, tx: Tx, payoutId: string, units: bigint): Promise<void> {
  const payout = await payoutOf(tx, payoutId)
  if (!payout) throw new Error(`there is no payout ${payoutId}`)
  const { account, payment } = await recordNotPaidBack(tx, payoutId)
  const held = accountOf('held', payout.merchant, payout.currency)
  await postOrThrow(app, tx, moved(held, account, units), `payout/${payoutId}`)
  const merchant = await merchantOf(tx, payout.merchant)
  if (merchant && payment?.status === 'partially_paid') await follow(app, tx, merchant, payment)
}
