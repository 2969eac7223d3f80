import type { AcceptanceRow, FundsRow, PaymentRow, RefundRow } from '../../../db/schema/gateway.ts'
import type { Reader } from '../../../db/store.ts'
import { sameAddressForm } from '../../../domain/chains/addresses.ts'
import { coinOf } from '../../../domain/chains/coins.ts'
import { amountText } from '../../../domain/payments/amounts.ts'
import { partName } from '../../../domain/payments/refund.ts'
import { momentText } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import { refundUrl } from '../api/views.ts'
import { accept } from '../payments/accept.ts'
import { withdrawRefund } from '../payments/approved-refunds.ts'
import { coinOfFunds, releaseFunds, returnFunds } from '../payments/funds.ts'
import { partFrom, type RefundInput, refund } from '../payments/refunds.ts'
import { paymentOf } from '../queries/payments.ts'
import { acceptanceOf, fundsOf, fundsOfMerchant, refundsOf, refundsOfMerchant } from '../queries/refunds.ts'
import { theCoin } from '../rates/currencies.ts'
import type { Gateway } from '../service.ts'
import { theMerchant } from './platform.ts'

/** Decisions of the merchant's staff about payments and deposits. Each is one transaction and takes effect once. */

/** A refund, or a returned deposit, as the console shows it. */
export interface ShownRefund {
  readonly id: string
  readonly paymentId: string
  /** The returned deposit; null for a refund. */
  readonly deposit: string | null
  readonly part: string
  readonly state: RefundRow['state']
  /** Amount taken from the account, including the fee; null for a token that is no coin of the gateway. */
  readonly amount: string | null
  readonly fee: string | null
  /** Amount that the recipient gets. */
  readonly sends: string | null
  readonly currency: string
  /** Empty until the customer names it. */
  readonly address: string
  /** Link under which the customer names the address; null if staff named it. */
  readonly link: string | null
  readonly payout: string | null
  readonly requestedBy: string | null
  readonly approvedBy: string | null
  readonly requestedAt: string
}

async function shownRefund(app: Gateway, reader: Reader, row: RefundRow): Promise<ShownRefund> {
  const link = row.token === null ? null : refundUrl(app, await thePayment(reader, row.payment_id), row.token)
  const text = (units: bigint) => (coinOf(row.coin) ? amountText(units, row.coin) : null)
  const [units, fee] = [BigInt(row.units), BigInt(row.fee_units)]
  return {
    id: row.id,
    paymentId: String(row.payment_id),
    deposit: row.deposit,
    part: row.part,
    state: row.state,
    amount: text(units),
    fee: text(fee),
    sends: text(units - fee),
    currency: row.coin,
    address: row.address,
    link,
    payout: row.payout,
    requestedBy: row.asked_by,
    approvedBy: row.approved_by,
    requestedAt: momentText(row.asked_at),
  }
}

async function thePayment(reader: Reader, id: number): Promise<PaymentRow> {
  const payment = await paymentOf(reader, id)
  if (!payment) throw refuse('NOT_FOUND', `There is no payment ${id}`)
  return payment
}

/** Refunds a part of a payment, or records the request if it needs a second person. */
export function requestRefund(app: Gateway, paymentId: number, input: RefundInput): Promise<ShownRefund> {
  return app.store.write(async (tx) => {
    const { row } = await refund(app, tx, await thePayment(tx, paymentId), input)
    return shownRefund(app, tx, row)
  })
}

/** Withdraws the approved refund of a payment, while it waits for the customer's address. */
export function withdrawApproved(app: Gateway, paymentId: number): Promise<ShownRefund> {
  return app.store.write(async (tx) =>
    shownRefund(app, tx, await withdrawRefund(app, tx, await thePayment(tx, paymentId))),
  )
}

/** Returns a payment's last withdrawn refund; undefined if there is none, or another one waits for an address. */
export function findWithdrawn(app: Gateway, paymentId: number): Promise<ShownRefund | undefined> {
  return app.store.read(async (reader) => {
    const rows = await refundsOf(reader, paymentId)
    const row = rows.some(({ state }) => state === 'approved')
      ? undefined
      : rows.findLast(({ state }) => state === 'withdrawn')
    return row && shownRefund(app, reader, row)
  })
}

/**
 * Returns the last refund of a part that this person requested or approved since a moment, without failed and withdrawn
 * ones. The moment excludes an earlier refund of the rest and an expired request.
 */
export function findRefund(
  app: Gateway,
  paymentId: number,
  input: RefundInput,
  since: number,
): Promise<ShownRefund | undefined> {
  return app.store.read(async (reader) => {
    const payment = await thePayment(reader, paymentId)
    const coin = theCoin(payment.pay_currency)
    const name = partName(partFrom(input.part, coin), input.key)
    const address = input.address === undefined ? undefined : sameAddressForm(coin.network, input.address.trim())
    const row = (await refundsOf(reader, paymentId)).findLast(
      (each) =>
        each.part === name &&
        (address === undefined || each.address === address) &&
        ((each.asked_by === input.by && each.asked_at >= since) ||
          (each.approved_by === input.by && (each.state === 'approved' || (each.sent_at ?? 0) >= since))) &&
        each.state !== 'failed' &&
        each.state !== 'withdrawn',
    )
    return row && shownRefund(app, reader, row)
  })
}

/** Lists the refunds and returned deposits of a merchant, or the refunds of one payment, newest first. */
export function listRefunds(
  app: Gateway,
  of: { readonly merchant: string; readonly limit: number } | { readonly paymentId: number },
): Promise<ShownRefund[]> {
  return app.store.read(async (reader) => {
    if ('merchant' in of) await theMerchant(reader, of.merchant)
    else await thePayment(reader, of.paymentId)
    const rows =
      'merchant' in of
        ? await refundsOfMerchant(reader, of.merchant, of.limit)
        : (await refundsOf(reader, of.paymentId)).toReversed()
    return Promise.all(rows.map((row) => shownRefund(app, reader, row)))
  })
}

/** An acceptance as the console shows it. */
export interface ShownAcceptance {
  readonly paymentId: string
  readonly status: string
  readonly before: string
  readonly received: string
  readonly due: string
  readonly currency: string
  readonly reason: string
  readonly acceptedBy: string | null
  readonly acceptedAt: string
}

async function shownAcceptance(reader: Reader, row: AcceptanceRow): Promise<ShownAcceptance> {
  const payment = await thePayment(reader, row.payment_id)
  return {
    paymentId: String(row.payment_id),
    status: payment.status,
    before: row.status,
    received: row.received,
    due: row.due,
    currency: payment.pay_currency,
    reason: row.reason,
    acceptedBy: row.accepted_by,
    acceptedAt: momentText(row.accepted_at),
  }
}

/** Accepts a part-paid or expired payment with what it received. */
export function acceptPayment(
  app: Gateway,
  paymentId: number,
  decision: { readonly reason: string; readonly by: string | null },
): Promise<ShownAcceptance> {
  return app.store.write(async (tx) =>
    shownAcceptance(tx, await accept(app, tx, await thePayment(tx, paymentId), decision)),
  )
}

/** Returns the acceptance of a payment; undefined if there is none. */
export function findAcceptance(app: Gateway, paymentId: number): Promise<ShownAcceptance | undefined> {
  return app.store.read(async (reader) => {
    const row = await acceptanceOf(reader, paymentId)
    return row && shownAcceptance(reader, row)
  })
}

/** A frozen or foreign deposit as the console shows it. */
export interface ShownFunds {
  readonly id: string
  readonly kind: FundsRow['kind']
  readonly state: FundsRow['state']
  /** Null for a token that is no coin of the gateway, whose decimals are unknown. */
  readonly amount: string | null
  readonly currency: string | null
  readonly units: string
  readonly contract: string | null
  readonly network: string
  readonly sender: string
  readonly paymentId: string
  /** The payment it was released to, or the payout that returns it. */
  readonly result: string | null
  readonly decidedBy: string | null
  readonly decidedAt: string | null
  readonly seenAt: string
}

function toShownFunds(row: FundsRow): ShownFunds {
  const coin = coinOfFunds(row)
  return {
    id: row.tx_id,
    kind: row.kind,
    state: row.state,
    amount: coin ? amountText(BigInt(row.units), coin.code) : null,
    currency: coin?.code ?? null,
    units: row.units,
    contract: row.contract,
    network: row.network,
    sender: row.sender,
    paymentId: String(row.payment_id),
    result: row.result,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at === null ? null : momentText(row.decided_at),
    seenAt: momentText(row.seen_at),
  }
}

/** Lists the frozen and foreign deposits of a merchant, newest first. */
export function listFunds(app: Gateway, merchant: string, limit: number): Promise<ShownFunds[]> {
  return app.store.read(async (reader) => {
    await theMerchant(reader, merchant)
    return (await fundsOfMerchant(reader, merchant, limit)).map(toShownFunds)
  })
}

/** Releases a frozen deposit to the merchant. */
export function releaseDeposit(app: Gateway, txId: string, by: string | null): Promise<ShownFunds> {
  return app.store.write(async (tx) => toShownFunds(await releaseFunds(app, tx, txId, by)))
}

/** Returns a frozen or foreign deposit to an address. */
export function returnDeposit(
  app: Gateway,
  txId: string,
  to: { readonly to: string; readonly by: string | null },
): Promise<ShownFunds> {
  return app.store.write(async (tx) => toShownFunds(await returnFunds(app, tx, txId, to)))
}

/** Returns a frozen or foreign deposit that was released or returned; undefined if it is unknown or still held. */
export function findDecidedFunds(app: Gateway, txId: string): Promise<ShownFunds | undefined> {
  return app.store.read(async (reader) => {
    const row = await fundsOf(reader, txId)
    return row && row.state !== 'held' ? toShownFunds(row) : undefined
  })
}
