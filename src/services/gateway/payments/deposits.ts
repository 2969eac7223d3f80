import assert from 'node:assert/strict'
import type { DepositRow, FundsRow, MerchantRow, PaymentRow } from '../../../db/schema/gateway.ts'
import type { Tx } from '../../../db/store.ts'
import { sameAddressForm } from '../../../domain/chains/addresses.ts'
import { contractOf } from '../../../domain/chains/coins.ts'
import { networks } from '../../../domain/chains/networks.ts'
import { parseUnits } from '../../../domain/money.ts'
import { amountText, incrementOf, roundedUp, scaleOf, truncated } from '../../../domain/payments/amounts.ts'
import { amountDue, covers, evaluateDeposits, receivedIn, worthIn } from '../../../domain/payments/deposits.ts'
import { moved } from '../../../domain/payments/ledger.ts'
import { hasEnded, isDue, isOpen, quoteMs, stepsTo, windowMs } from '../../../domain/payments/payment.ts'
import { converted } from '../../../domain/payments/rates.ts'
import { letters } from '../../../kit/ids.ts'
import { accountOf, postOrThrow } from '../ledger.ts'
import { merchantOf } from '../queries/merchants.ts'
import {
  depositOf,
  insertDeposit,
  insertPayment,
  isSanctioned,
  liveDeposits,
  nextId,
  paymentAt,
  paymentOf,
  saveDeposit,
  savePayment,
} from '../queries/payments.ts'
import { insertFunds, isRefunding } from '../queries/refunds.ts'
import { theCoin } from '../rates/currencies.ts'
import { latestRates, rateStanding } from '../rates/rates.ts'
import type { ChainReport, Gateway } from '../service.ts'
import { isQuoteExpired, outcomeOf, requotedIfPossible, toleranceOf, wholeAt } from './quotes.ts'
import { settle } from './settlement.ts'
import { advance } from './transitions.ts'

/**
 * Processes a chain's report of a deposit: detected, confirmed, or removed. Repeating it changes nothing, and the order
 * of confirmations does not matter.
 */
export async function recordDeposit(app: Gateway, tx: Tx, report: ChainReport): Promise<void> {
  const known = await depositOf(tx, report.id)
  const deposit = known ?? (report.isRemoved ? undefined : await newDeposit(app, tx, report))
  if (deposit?.state !== 'seen') return
  const payment = await paymentOf(tx, deposit.payment_id)
  const merchant = payment && (await merchantOf(tx, payment.merchant))
  if (!payment || !merchant) return
  const isDeep = !report.isRemoved && report.confirmations >= networks[report.network].confirmations
  const state = report.isRemoved ? 'removed' : isDeep ? await depthState(tx, deposit) : 'seen'
  await saveDeposit(tx, deposit.tx_id, { state })
  const children = await divide(app, tx, payment, deposit.tx_id)
  if (isDeep) await bookDeposit(app, tx, deposit.tx_id)
  if (state === 'frozen') await holdFunds(tx, deposit.tx_id, { kind: 'frozen', contract: report.contract })
  for (const each of [payment, ...children]) await follow(app, tx, merchant, each)
}

/**
 * Returns the state of a confirmed deposit. The sanctions list is checked only now: before, there are no funds to
 * freeze.
 */
async function depthState(tx: Tx, { sender }: DepositRow): Promise<'frozen' | 'confirmed'> {
  return (await isSanctioned(tx, sender)) ? 'frozen' : 'confirmed'
}

/**
 * Inserts the row of a deposit with its payment. Returns undefined if it is not to a deposit address of this gateway.
 */
async function newDeposit(app: Gateway, tx: Tx, report: ChainReport): Promise<DepositRow | undefined> {
  const address = sameAddressForm(report.network, report.recipient)
  const first = await paymentAt(tx, report.environment, address)
  if (!first || first.network !== report.network || report.units <= 0n) return undefined
  // By chain and contract only: a token can have any name.
  const isStray = contractOf(theCoin(first.pay_currency), first.environment) !== report.contract
  const { payment, whole } = isStray
    ? { payment: first, whole: report.units }
    : await paymentFor(app, tx, first, report.units)
  const deposit: DepositRow = {
    tx_id: report.id,
    payment_id: payment.id,
    sender: report.sender,
    units: String(report.units),
    whole_amount: amountText(whole, first.pay_currency),
    state: isStray ? 'stray' : 'seen',
    seen_at: tx.now,
  }
  await insertDeposit(tx, deposit)
  if (isStray) await holdFunds(tx, deposit.tx_id, { kind: 'foreign', contract: report.contract })
  return deposit
}

/** Records a deposit that credits no payment, so that staff can release or return it. */
async function holdFunds(tx: Tx, txId: string, { kind, contract }: Pick<FundsRow, 'kind' | 'contract'>): Promise<void> {
  const deposit = await depositOf(tx, txId)
  const payment = deposit && (await paymentOf(tx, deposit.payment_id))
  assert(deposit && payment, `deposit ${txId} has a payment`)
  await insertFunds(tx, {
    tx_id: txId,
    environment: payment.environment,
    merchant: payment.merchant,
    payment_id: payment.id,
    kind,
    network: payment.network,
    contract,
    units: deposit.units,
    sender: deposit.sender,
    state: 'held',
    result: null,
    decided_by: null,
    decided_at: null,
    seen_at: deposit.seen_at,
  })
}

/**
 * Returns the payment that a new deposit belongs to, and the current cost of its whole price. The cost is that of the
 * quote, or of a new quote if it has expired. A deposit beyond a covered price is valued in the same way, without a new
 * quote.
 */
async function paymentFor(app: Gateway, tx: Tx, first: PaymentRow, units: bigint) {
  // A refunded amount is no longer part of the price, and after the window nothing is due.
  const isOver = !isOpen(first.status) || hasEnded(first.valid_until, tx.now) || (await isRefunding(tx, first.id))
  if (isOver) return { payment: await further(app, tx, first, units), whole: units }
  if (covers(await liveDeposits(tx, first), await toleranceOf(tx, first)))
    return { payment: first, whole: await wholeNow(app, tx, first) }
  const payment = await requotedIfPossible(app, tx, first)
  return { payment, whole: unitsIn(payment, payment.whole_amount) }
}

async function wholeNow(app: Gateway, tx: Tx, payment: PaymentRow): Promise<bigint> {
  const { table, isFresh } = await rateStanding(app, tx)
  const isPriced =
    isFresh &&
    isQuoteExpired(payment, tx.now) &&
    converted(table, 1n, payment.price_currency, payment.pay_currency) !== undefined
  return isPriced ? wholeAt(table, payment) : unitsIn(payment, payment.whole_amount)
}

/** Creates a payment for a deposit beyond another payment of the same address, so that no deposit is lost. */
export async function further(app: Gateway, tx: Tx, first: PaymentRow, units: bigint): Promise<PaymentRow> {
  const rates = await latestRates(app, tx)
  const coin = theCoin(first.pay_currency)
  const outcome = outcomeOf(rates, units, coin.code, first.outcome_currency)
  const outcomeCurrency = outcome === undefined ? coin.code : first.outcome_currency
  const worth = converted(rates, units, coin.code, first.price_currency) ?? 0n
  const payment: PaymentRow = {
    ...first,
    id: await nextId(tx),
    status: 'waiting',
    parent_id: first.id,
    price_amount: amountText(truncated(worth, first.price_currency), first.price_currency),
    pay_amount: amountText(roundedUp(units, coin), coin.code),
    whole_amount: amountText(units, coin.code),
    is_amount_given: 1,
    is_fee_paid_by_user: 0,
    actually_paid: '0',
    paid_worth: '0',
    outcome_amount: amountText(outcome ?? outcomeOf(rates, units, coin.code, coin.code) ?? 0n, outcomeCurrency),
    outcome_currency: outcomeCurrency,
    // The order belongs to the first payment: a merchant that treats this one as its duplicate would ship twice.
    order_id: null,
    page_token: letters(24, app.random),
    created_at: tx.now,
    updated_at: tx.now,
    quote_until: tx.now + quoteMs,
    valid_until: tx.now + windowMs,
  }
  await insertPayment(tx, payment)
  return payment
}

/** Moves every deposit that does not count toward a payment to a payment of its own, and returns the new payments. */
async function divide(app: Gateway, tx: Tx, payment: PaymentRow, depositId: string): Promise<PaymentRow[]> {
  // A child exists for its one deposit, in all states.
  if (payment.parent_id !== null) return []
  const deposits = await liveDeposits(tx, payment)
  const leaving = isOpen(payment.status)
    ? evaluateDeposits(deposits, await toleranceOf(tx, payment)).apart
    : // An ended payment has an unconfirmed deposit only in a world from before deposits were divided.
      deposits.filter(({ id }) => id === depositId)
  const children: PaymentRow[] = []
  for (const { id, units } of leaving) {
    const child = await further(app, tx, payment, units)
    await saveDeposit(tx, id, { payment_id: child.id, whole_amount: amountText(units, payment.pay_currency) })
    children.push(child)
  }
  return children
}

/** Posts a confirmed deposit: to the pending funds, or to the frozen ones when its sender is sanctioned. */
async function bookDeposit(app: Gateway, tx: Tx, txId: string): Promise<void> {
  const deposit = await depositOf(tx, txId)
  const payment = deposit && (await paymentOf(tx, deposit.payment_id))
  assert(deposit && payment, `deposit ${txId} has a payment`)
  const chain = accountOf('chain', payment.environment, payment.pay_currency)
  const kind = deposit.state === 'frozen' ? 'frozen' : 'pending'
  const into = accountOf(kind, payment.merchant, payment.pay_currency)
  await postOrThrow(app, tx, moved(chain, into, BigInt(deposit.units)), `payment/${payment.id}`)
}

/** Moves an open payment to the status its deposits require, with a callback for each step. */
export async function follow(app: Gateway, tx: Tx, merchant: MerchantRow, payment: PaymentRow): Promise<void> {
  if (!isOpen(payment.status)) return
  const deposits = await liveDeposits(tx, payment)
  const { status, counted } = evaluateDeposits(deposits, await toleranceOf(tx, payment))
  // A child has no amount due of its own: without its deposit there is nothing to wait for.
  if (payment.parent_id !== null && deposits.length === 0) return expire(app, tx, payment)
  // After the window no amount may be shown as due, not even until the next periodic job.
  const isTooLate = isDue(status) && hasEnded(payment.valid_until, tx.now)
  const coin = theCoin(payment.pay_currency)
  const received = receivedIn(counted)
  const change = {
    actually_paid: amountText(received, coin.code),
    paid_worth: amountText(
      worthIn(
        parseUnits(payment.price_amount, scaleOf(payment.price_currency)),
        payment.is_fee_paid_by_user === 1,
        counted,
        incrementOf(payment.price_currency),
      ),
      payment.price_currency,
    ),
    pay_amount: amountText(amountDue(unitsIn(payment, payment.whole_amount), counted, coin), coin.code),
  }
  const outcome = status === 'failed' ? 0n : await outcomeSoFar(app, tx, payment, received)
  const withMoney = {
    ...change,
    ...(outcome === undefined ? {} : { outcome_amount: amountText(outcome, payment.outcome_currency) }),
  }
  const isChanged = Object.entries(withMoney).some(([field, value]) => payment[field as keyof PaymentRow] !== value)
  if (isChanged) await savePayment(tx, payment.id, { ...withMoney, updated_at: tx.now })
  let current: PaymentRow = { ...payment, ...withMoney }
  // An amount due in a callback must be valid: an expired quote is replaced first.
  if (isTooLate) return expire(app, tx, current)
  if (isDue(status)) current = await requotedIfPossible(app, tx, current)
  const hasReceivedMore = change.actually_paid !== payment.actually_paid
  for (const step of stepsTo(payment.status, status, hasReceivedMore)) current = await advance(app, tx, current, step)
  if (current.status === 'confirmed') await settle(app, tx, merchant, current, received)
}

/**
 * Returns the merchant's outcome of what was received so far; undefined before the first deposit. Without a price, returns
 * 0: the last outcome may be that of the whole price, and merchants credit what an IPN says.
 */
async function outcomeSoFar(app: Gateway, tx: Tx, payment: PaymentRow, received: bigint): Promise<bigint | undefined> {
  if (received === 0n) return undefined
  return outcomeOf(await latestRates(app, tx), received, payment.pay_currency, payment.outcome_currency) ?? 0n
}

/** Expires a payment. A part that was received is settled as usual, less our fee. */
export async function expire(app: Gateway, tx: Tx, payment: PaymentRow): Promise<void> {
  const merchant = await merchantOf(tx, payment.merchant)
  // A refund under way must not be credited.
  const isGoingBack = await isRefunding(tx, payment.id)
  const received = isGoingBack ? 0n : receivedIn(await liveDeposits(tx, payment))
  if (merchant && received > 0n) await settle(app, tx, merchant, payment, received, 'expired')
  else await advance(app, tx, payment, 'expired', { outcome_amount: '0' })
}

function unitsIn(payment: PaymentRow, amount: string): bigint {
  return parseUnits(amount, scaleOf(payment.pay_currency))
}
