import type { MerchantRow, PayoutRow } from '../../db/schema/gateway.ts'
import type { Tx } from '../../db/store.ts'
import type { Coin } from '../../domain/chains/coins.ts'
import { amountText } from '../../domain/payments/amounts.ts'
import { type Account, moved } from '../../domain/payments/ledger.ts'
import { refuse } from './api/contract.ts'
import { enqueuePayoutIpn } from './ipn/ipns.ts'
import { accountOf, post } from './ledger.ts'
import { checkNotSanctioned } from './payout-policy.ts'
import { nextId } from './queries/payments.ts'
import { insertBatch, insertPayout } from './queries/payouts.ts'
import type { Gateway } from './service.ts'

/** A payout that staff start in the console: a refund, or the return of a deposit. */
export interface StaffPayout {
  readonly purpose: 'refund' | 'return'
  readonly coin: Coin
  /** Amount taken from the account. The network's fee is deducted from what is sent. */
  readonly units: bigint
  readonly fee: bigint
  readonly address: string
  readonly from: Account
  readonly description: string
  readonly externalId: string
  readonly callback: string | null
}

/**
 * Creates a payout that waits to be sent, and reserves its funds; or does neither. It needs no code and no whitelisted
 * address, and the account's limits do not apply: they are for payouts over the API. Throws INSUFFICIENT_BALANCE, or
 * POLICY_REJECTED for an address on the sanctions list.
 */
export async function openStaffPayout(
  app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  input: StaffPayout,
): Promise<PayoutRow> {
  const { coin, units, fee, address, from } = input
  await checkNotSanctioned(tx, address)
  const batch = String(await nextId(tx))
  const payout: PayoutRow = {
    id: String(await nextId(tx)),
    batch,
    environment: merchant.environment,
    merchant: merchant.id,
    status: 'waiting',
    currency: coin.code,
    amount: amountText(units - fee, coin.code),
    fee: amountText(fee, coin.code),
    address,
    fiat_amount: null,
    fiat_currency: null,
    description: input.description,
    external_id: input.externalId,
    ipn_callback_url: input.callback,
    hash: null,
    error: null,
    execute_at: null,
    due_at: tx.now,
    purpose: input.purpose,
    sent_at: null,
    created_at: tx.now,
    requested_at: tx.now,
    updated_at: tx.now,
  }
  const held = accountOf('held', merchant.id, coin.code)
  if ((await post(app, tx, moved(from, held, units), `payout/${payout.id}`)) === 'too-little')
    throw refuse('INSUFFICIENT_BALANCE', `The balance is below ${amountText(units, coin.code)} ${coin.code}`)
  await insertBatch(tx, {
    id: batch,
    environment: merchant.environment,
    merchant: merchant.id,
    wrong_codes: 0,
    needs_approval: 0,
    created_at: tx.now,
    verified_at: tx.now,
  })
  await insertPayout(tx, payout)
  await enqueuePayoutIpn(tx, app, payout)
  return payout
}
