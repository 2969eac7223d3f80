import type { FundsRow, MerchantRow, PaymentRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { isAddress, sameAddressForm } from '../../../domain/chains/addresses.ts'
import { type Coin, coins, contractOf } from '../../../domain/chains/coins.ts'
import { networks } from '../../../domain/chains/networks.ts'
import { amountText } from '../../../domain/payments/amounts.ts'
import { moved } from '../../../domain/payments/ledger.ts'
import { transferFeeIn } from '../../../domain/payments/rates.ts'
import { minuteText } from '../../../kit/moment.ts'
import { checkMayMove } from '../account-standing.ts'
import { refuse } from '../api/contract.ts'
import { accountOf, postOrThrow } from '../ledger.ts'
import { checkNotSanctioned } from '../payout-policy.ts'
import { merchantOf } from '../queries/merchants.ts'
import { insertTransfer, paymentAt, paymentOf, saveDeposit } from '../queries/payments.ts'
import { fundsOf, insertRefund, saveFunds } from '../queries/refunds.ts'
import { priced } from '../rates/currencies.ts'
import { latestRates } from '../rates/rates.ts'
import type { Gateway } from '../service.ts'
import { openStaffPayout } from '../staff-payouts.ts'
import { follow, further } from './deposits.ts'

/**
 * Deposits that credit no payment: frozen after a sanctions match, or foreign, in another token than the payment's.
 * Staff release or return them.
 */

/** Returns the coin of such a deposit; undefined for a token that is no coin of the gateway. */
export function coinOfFunds({
  network,
  contract,
  environment,
}: Pick<FundsRow, 'network' | 'contract' | 'environment'>) {
  return coins.find((coin) => coin.network === network && contractOf(coin, environment) === contract)
}

interface Held {
  readonly funds: FundsRow
  readonly payment: PaymentRow
  readonly merchant: MerchantRow
}

async function heldFunds(reader: Reader, txId: string): Promise<Held> {
  const funds = await fundsOf(reader, txId)
  const payment = funds && (await paymentOf(reader, funds.payment_id))
  const merchant = funds && (await merchantOf(reader, funds.merchant))
  if (!funds || !payment || !merchant) throw refuse('NOT_FOUND', `There is no frozen or foreign deposit ${txId}`)
  if (funds.state === 'held') return { funds, payment, merchant }
  const who = funds.decided_by === null ? '' : ` by ${funds.decided_by}`
  const at = minuteText(funds.decided_at ?? 0)
  const what = funds.state === 'returning' ? 'is already being returned, decided' : `was already ${funds.state}`
  const target = funds.state === 'released' ? `as payment ${funds.result}` : `with payout ${funds.result}`
  throw refuse('CONFLICT', `Deposit ${txId} ${what}${who} at ${at} ${target}`)
}

/**
 * Releases a frozen deposit: it becomes a payment of its own, with callbacks, and is settled like any other. The failed
 * payment stays failed. Throws CONFLICT for a foreign token, which is never credited.
 */
export async function releaseFunds(app: Gateway, tx: Tx, txId: string, by: string | null): Promise<FundsRow> {
  const { funds, payment, merchant } = await heldFunds(tx, txId)
  if (funds.kind === 'foreign')
    throw refuse(
      'CONFLICT',
      `Deposit ${txId} is in another token than the payment's, and such tokens are never credited. To return it to an address of the customer: countroom help console merchants funds return`,
    )
  const units = BigInt(funds.units)
  const { environment, merchant: owner, pay_currency: coin } = payment
  const first = (await paymentAt(tx, environment, payment.address)) ?? payment
  const child = await further(app, tx, first, units)
  await saveDeposit(tx, txId, { payment_id: child.id, whole_amount: amountText(units, coin), state: 'confirmed' })
  const [frozen, pending] = [accountOf('frozen', owner, coin), accountOf('pending', owner, coin)]
  await postOrThrow(app, tx, moved(frozen, pending, units), `payment/${child.id}`)
  await follow(app, tx, merchant, child)
  return decided(tx, funds, { state: 'released', result: String(child.id), decided_by: by })
}

/**
 * Returns a frozen or foreign deposit to an address, less the network's fee. Throws CONFLICT if it was already released
 * or returned or is not confirmed yet, and POLICY_REJECTED for an address on the sanctions list.
 */
export async function returnFunds(
  app: Gateway,
  tx: Tx,
  txId: string,
  { to, by }: { readonly to: string; readonly by: string | null },
): Promise<FundsRow> {
  const held = await heldFunds(tx, txId)
  const { funds, merchant } = held
  await checkMayMove(tx, merchant)
  if (!isAddress(funds.environment, funds.network, to.trim()))
    throw refuse('INVALID_ADDRESS', `The address is not valid on the network ${funds.network}`)
  const address = sameAddressForm(funds.network, to.trim())
  await checkNotSanctioned(tx, address)
  if ((await app.chains.depthOf(tx, txId)) < networks[funds.network].confirmations)
    throw refuse('CONFLICT', `Deposit ${txId} is not confirmed yet, or was removed by its chain`)
  const coin = coinOfFunds(funds)
  const result = await (coin ? sendCoin(app, tx, held, coin, address) : sendToken(app, tx, held, address))
  return decided(tx, funds, { state: 'returning', result, decided_by: by })
}

async function sendCoin(app: Gateway, tx: Tx, { funds, payment, merchant }: Held, coin: Coin, address: string) {
  const units = BigInt(funds.units)
  const fee = priced(transferFeeIn(await latestRates(app, tx), coin))
  if (units <= fee)
    throw refuse(
      'AMOUNT_TOO_SMALL',
      `The network fee of ${amountText(fee, coin.code)} ${coin.code} exceeds the deposit`,
    )
  // A foreign deposit was never posted, so its return is posted from the chain account.
  const source = funds.kind === 'frozen' ? 'frozen' : 'chain'
  const owner = source === 'chain' ? funds.environment : funds.merchant
  const id = app.id()
  const payout = await openStaffPayout(app, tx, merchant, {
    purpose: 'return',
    coin,
    units,
    fee,
    address,
    from: accountOf(source, owner, coin.code),
    description: `Return of a ${funds.kind} deposit of payment ${payment.id}`,
    externalId: id,
    callback: payment.ipn_callback_url,
  })
  await insertReturn(tx, { funds, id, coin: coin.code, fee, address, source, result: payout.id })
  return payout.id
}

/** Sends back a token that is no coin of the gateway: it has no price, so no fee is deducted and nothing is posted. */
async function sendToken(app: Gateway, tx: Tx, { funds, payment }: Held, address: string): Promise<string> {
  const id = app.id()
  await insertTransfer(tx, {
    id,
    environment: funds.environment,
    merchant: funds.merchant,
    kind: 'return',
    payment_id: payment.id,
    coin: payment.pay_currency,
    address,
    units: funds.units,
    fee_units: '0',
    hash: null,
    state: 'queued',
    created_at: tx.now,
    contract: funds.contract,
  })
  await insertReturn(tx, {
    funds,
    id: app.id(),
    coin: funds.contract ?? '',
    fee: 0n,
    address,
    source: 'chain',
    result: id,
  })
  return id
}

interface Return {
  readonly funds: FundsRow
  readonly id: string
  readonly coin: string
  readonly fee: bigint
  readonly address: string
  readonly source: string
  /** Id of the payout or transfer. */
  readonly result: string
}

async function insertReturn(tx: Tx, { funds, id, coin, fee, address, source, result }: Return): Promise<void> {
  await insertRefund(tx, {
    id,
    environment: funds.environment,
    merchant: funds.merchant,
    payment_id: funds.payment_id,
    deposit: funds.tx_id,
    part: 'deposit',
    coin,
    units: funds.units,
    fee_units: String(fee),
    address,
    source,
    payout: result,
    state: 'sent',
    token: null,
    asked_by: null,
    approved_by: null,
    asked_at: tx.now,
    sent_at: tx.now,
  })
}

async function decided(
  tx: Tx,
  funds: FundsRow,
  decision: Pick<FundsRow, 'state' | 'result' | 'decided_by'>,
): Promise<FundsRow> {
  const change = { ...decision, decided_at: tx.now }
  await saveFunds(tx, funds.tx_id, change)
  return { ...funds, ...change }
}
