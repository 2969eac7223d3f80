import { timingSafeEqual } from 'node:crypto'
import type { PaymentRow, RefundRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { isAddress, sameAddressForm } from '../../../domain/chains/addresses.ts'
import { checkMayMove } from '../account-standing.ts'
import { refuse } from '../api/contract.ts'
import { merchantOf } from '../queries/merchants.ts'
import { isSanctioned, paymentAt, paymentOf } from '../queries/payments.ts'
import { refundsOf, refundWith, saveRefund } from '../queries/refunds.ts'
import { theCoin } from '../rates/currencies.ts'
import type { Gateway } from '../service.ts'
import { follow } from './deposits.ts'
import { sendRefund } from './refunds.ts'

/** Refunds that staff approved without an address: the customer names it once, on a page with its own link. */

/** Returns the refund of a link; undefined if the secret is not that of a refund of this payment. */
export async function refundOfLink(
  reader: Reader,
  payment: PaymentRow,
  secret: string,
): Promise<RefundRow | undefined> {
  const given = Buffer.from(secret)
  return (await refundsOf(reader, payment.id)).find(({ token }) => {
    const known = Buffer.from(token ?? '')
    return known.length > 0 && known.length === given.length && timingSafeEqual(known, given)
  })
}

/**
 * Returns the normalized spelling of an address that a refund may go to. Throws INVALID_ADDRESS if it is not valid on
 * the coin's network or is a deposit address of this gateway. Throws POLICY_REJECTED if it is on the sanctions list.
 */
export async function refundAddress(reader: Reader, row: RefundRow, typed: string): Promise<string> {
  const { network } = theCoin(row.coin)
  const text = typed.trim()
  if (!isAddress(row.environment, network, text))
    throw refuse('INVALID_ADDRESS', `The address is not valid for ${row.coin} on its network`)
  const address = sameAddressForm(network, text)
  if (await paymentAt(reader, row.environment, address))
    throw refuse('INVALID_ADDRESS', 'The address receives payments of this gateway')
  if (await isSanctioned(reader, address)) throw refuse('POLICY_REJECTED', 'The address is on the sanctions list')
  return address
}

/**
 * Sends an approved refund to the customer's address, once: later addresses have no effect. Throws what `refundAddress`
 * does, and INSUFFICIENT_BALANCE, FROZEN or FORBIDDEN when the merchant cannot pay now.
 */
export async function nameRefundAddress(app: Gateway, tx: Tx, refundId: string, typed: string): Promise<RefundRow> {
  const row = await refundWith(tx, refundId)
  if (!row) throw refuse('NOT_FOUND', `There is no refund ${refundId}`)
  if (row.state !== 'approved') return row
  const address = await refundAddress(tx, row, typed)
  const [payment, merchant] = [await paymentOf(tx, row.payment_id), await merchantOf(tx, row.merchant)]
  if (!payment || !merchant) throw new Error(`refund ${row.id} has no payment`)
  await checkMayMove(tx, merchant)
  return sendRefund(app, tx, { payment, merchant }, { ...row, address }, row.approved_by)
}

/** Withdraws a payment's refund that waits for the customer's address. A part-paid payment is due again. */
export async function withdrawRefund(app: Gateway, tx: Tx, payment: PaymentRow): Promise<RefundRow> {
  const row = (await refundsOf(tx, payment.id)).find(({ state }) => state === 'approved')
  if (!row) throw refuse('CONFLICT', `No refund of payment ${payment.id} waits for an address`)
  await saveRefund(tx, row.id, { state: 'withdrawn' })
  const merchant = await merchantOf(tx, payment.merchant)
  if (merchant && payment.status === 'partially_paid') await follow(app, tx, merchant, payment)
  return { ...row, state: 'withdrawn' }
}
