import { sameAddressForm } from '../domain/chains/addresses.ts'
import { contractOf } from '../domain/chains/coins.ts'
import { networks } from '../domain/chains/networks.ts'
import { moved } from '../domain/ledger.ts'
import { parseUnits, times } from '../domain/money.ts'
import { isOpen, type PaymentStatus, quoteMs, serviceFee, standing, stepsTo, windowMs } from '../domain/payment.ts'
import { amountText, askable, scaleOf } from '../domain/payment-amounts.ts'
import { converted } from '../domain/payment-rates.ts'
import { letters } from '../kit/ids.ts'
import { isProblem } from '../kit/problem.ts'
import type { Tx } from '../store/store.ts'
import type { DepositRow, MerchantRow, PaymentRow } from '../store/tables/gateway.ts'
import { theCoin } from './currencies.ts'
import type { Gateway, Sighting } from './gateway.ts'
import { accountOf, book } from './ledger.ts'
import { advance, expectedOutcome, requoted } from './payments.ts'
import { merchantOf } from './queries/merchants.ts'
import {
  depositOf,
  depositsOf,
  insertDeposit,
  insertPayment,
  isSanctioned,
  nextId,
  paymentAt,
  paymentOf,
  saveDeposit,
  savePayment,
} from './queries/payments.ts'
import { latestRates, rateStanding } from './rates.ts'
import { isRefunding, settle } from './settlements.ts'

/**
 * Acts on what a chain says of a deposit: seen, deep enough, or taken away. The same said again changes nothing, and
 * the order in which deposits are told does not matter.
 */
export async function takeDeposit(app: Gateway, tx: Tx, sighting: Sighting): Promise<void> {
  const known = await depositOf(tx, sighting.id)
  const deposit = known ?? (sighting.isRemoved ? undefined : await newDeposit(app, tx, sighting))
  if (deposit?.state !== 'seen') return
  const payment = await paymentOf(tx, deposit.payment_id)
  const merchant = payment && (await merchantOf(tx, payment.merchant))
  if (!payment || !merchant) return
  const isDeep = sighting.confirmations >= networks[sighting.network].confirmations
  if (sighting.isRemoved) await saveDeposit(tx, deposit.tx_id, { state: 'removed' })
  else if (isDeep) await confirm(app, tx, payment, deposit)
  const current = await paymentOf(tx, payment.id)
  if (!current) return
  if (isOpen(current.status)) await follow(app, tx, merchant, current)
  else if (isDeep && !sighting.isRemoved) await addToClosed(app, tx, current, deposit)
}

/** The deposit as a row of its own, joined to the payment it is for; nothing for an address that is not ours. */
async function newDeposit(app: Gateway, tx: Tx, sighting: Sighting): Promise<DepositRow | undefined> {
  const address = sameAddressForm(sighting.network, sighting.recipient)
  const first = await paymentAt(tx, sighting.environment, address)
  if (!first || first.network !== sighting.network) return undefined
  // By chain and contract alone: a token may call itself what it likes.
  const contract = contractOf(theCoin(first.pay_currency), first.environment)
  const isStray = contract !== sighting.contract
  const payment = isStray ? first : await paymentFor(app, tx, first, sighting)
  const deposit: DepositRow = {
    tx_id: sighting.id,
    payment_id: payment.id,
    sender: sighting.sender,
    units: String(sighting.units),
    state: isStray ? 'stray' : 'seen',
    seen_at: tx.now,
  }
  await insertDeposit(tx, deposit)
  return deposit
}

/** The payment a deposit counts toward. Without fresh prices the old quote stands: money that arrived waits for nobody's rates. */
async function paymentFor(app: Gateway, tx: Tx, first: PaymentRow, sighting: Sighting): Promise<PaymentRow> {
  // What is being given back is no part of the price any more: a deposit beside it is for itself.
  if (!isOpen(first.status) || (await isRefunding(tx, first.id))) return further(app, tx, first, sighting)
  if (!(await rateStanding(app, tx)).isFresh) return first
  try {
    return await requoted(app, tx, first)
  } catch (error) {
    if (!isProblem(error, 'RATE_UNAVAILABLE')) throw error
    return first
  }
}

/** A payment of its own for a deposit that came when the address's first payment was over: nothing that arrives is lost. */
async function further(app: Gateway, tx: Tx, first: PaymentRow, sighting: Sighting): Promise<PaymentRow> {
  const rates = await latestRates(app, tx)
  const coin = theCoin(first.pay_currency)
  const worth = converted(rates, sighting.units, coin.code, first.price_currency) ?? 0n
  const isExchanged = converted(rates, sighting.units, coin.code, first.outcome_currency) !== undefined
  const outcomeCurrency = isExchanged ? first.outcome_currency : coin.code
  const payment: PaymentRow = {
    ...first,
    id: await nextId(tx),
    status: 'waiting',
    parent_id: first.id,
    price_amount: amountText(worth, first.price_currency),
    pay_amount: amountText(askable(sighting.units, coin), coin.code),
    actually_paid: '0',
    outcome_amount: expectedOutcome(rates, sighting.units, coin.code, outcomeCurrency),
    outcome_currency: outcomeCurrency,
    // The order was the first payment's; who treats this one as its twin would ship twice.
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

/** Books a deposit that is deep enough: to the payment's pending funds, or aside for good when its sender is sanctioned. */
async function confirm(app: Gateway, tx: Tx, payment: PaymentRow, deposit: DepositRow): Promise<void> {
  const isFrozen = await isSanctioned(tx, deposit.sender)
  const units = BigInt(deposit.units)
  const chain = accountOf('chain', payment.environment, payment.pay_currency)
  const into = accountOf(isFrozen ? 'frozen' : 'pending', payment.merchant, payment.pay_currency)
  await book(app, tx, moved(chain, into, units), `payment/${payment.id}`)
  await saveDeposit(tx, deposit.tx_id, { state: isFrozen ? 'frozen' : 'confirmed' })
  const paid = parseUnits(payment.actually_paid, scaleOf(payment.pay_currency)) + units
  await savePayment(tx, payment.id, { actually_paid: amountText(paid, payment.pay_currency), updated_at: tx.now })
}

/** Takes an open payment to where its deposits put it, telling of each step on the way. */
async function follow(app: Gateway, tx: Tx, merchant: MerchantRow, payment: PaymentRow): Promise<void> {
  const deposits = await depositsOf(tx, payment.id)
  const total = (state: DepositRow['state']) =>
    deposits.filter((deposit) => deposit.state === state).reduce((sum, { units }) => sum + BigInt(units), 0n)
  const to = standing(
    parseUnits(payment.pay_amount, scaleOf(payment.pay_currency)),
    { numerator: BigInt(merchant.tolerance_bps), denominator: 10_000n },
    {
      confirmed: total('confirmed'),
      unconfirmed: total('seen'),
      isSanctioned: deposits.some(({ state }) => state === 'frozen'),
    },
  )
  let current = payment
  for (const status of stepsTo(payment.status, to)) current = await reach(app, tx, current, status, total('confirmed'))
  if (current.status === 'confirmed') await settle(app, tx, merchant, current, total('confirmed'))
}

async function reach(
  app: Gateway,
  tx: Tx,
  payment: PaymentRow,
  status: PaymentStatus,
  confirmed: bigint,
): Promise<PaymentRow> {
  if (status === 'failed') {
    // What came clean before goes aside with the rest: whoever looks into it wants the whole.
    const pending = accountOf('pending', payment.merchant, payment.pay_currency)
    const frozen = accountOf('frozen', payment.merchant, payment.pay_currency)
    await book(app, tx, moved(pending, frozen, confirmed), `payment/${payment.id}`)
  }
  return advance(app, tx, payment, status)
}

/** Books a second deposit that was on its way when the first one settled the payment: credited, less our fee; the status stays. */
async function addToClosed(app: Gateway, tx: Tx, payment: PaymentRow, deposit: DepositRow): Promise<void> {
  const current = await depositOf(tx, deposit.tx_id)
  if (current?.state !== 'confirmed') return
  const units = BigInt(deposit.units)
  const fee = times(units, serviceFee)
  const pending = accountOf('pending', payment.merchant, payment.pay_currency)
  const into =
    payment.subaccount === null
      ? accountOf('available', payment.merchant, payment.pay_currency)
      : accountOf('sub', payment.subaccount, payment.pay_currency)
  const fees = accountOf('fees', payment.environment, payment.pay_currency)
  await book(app, tx, [...moved(pending, fees, fee), ...moved(pending, into, units - fee)], `payment/${payment.id}`)
}

/** Ends payments whose time is up; what came for them in part is credited, less our fee. */
export async function expire(app: Gateway, tx: Tx, payment: PaymentRow): Promise<void> {
  const deposits = await depositsOf(tx, payment.id)
  // What is on its way back to the payer is nobody's to credit.
  const isGoingBack = await isRefunding(tx, payment.id)
  const confirmed = isGoingBack ? [] : deposits.filter(({ state }) => state === 'confirmed')
  for (const deposit of confirmed) await addToClosed(app, tx, payment, deposit)
  const paid = confirmed.reduce((sum, { units }) => sum + BigInt(units), 0n)
  await advance(app, tx, payment, 'expired', {
    outcome_amount: amountText(paid - times(paid, serviceFee), payment.pay_currency),
    outcome_currency: payment.pay_currency,
  })
}
