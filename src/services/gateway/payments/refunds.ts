import type { MerchantRow, PaymentRow, RefundRow } from '../../../db/schema/gateway.ts'
import type { Tx } from '../../../db/store.ts'
import { isAddress, sameAddressForm } from '../../../domain/chains/addresses.ts'
import type { Coin } from '../../../domain/chains/coins.ts'
import { ratioOf, sum } from '../../../domain/money.ts'
import { amountText, precisionOf, scaleOf } from '../../../domain/payments/amounts.ts'
import { isDue, isPaymentTransition } from '../../../domain/payments/payment.ts'
import { transferFeeIn } from '../../../domain/payments/rates.ts'
import {
  needsSecondPerson,
  partName,
  partUnits,
  type RefundFault,
  type RefundPart,
} from '../../../domain/payments/refund.ts'
import { type ApprovalLimits, approvalEnd, foldName } from '../../../domain/wallet/approval.ts'
import { letters } from '../../../kit/ids.ts'
import { minuteText } from '../../../kit/moment.ts'
import { isProblem } from '../../../kit/problem.ts'
import { checkMayMove } from '../account-standing.ts'
import { refuse } from '../api/contract.ts'
import { worthOf, worthScale } from '../payout-policy.ts'
import { merchantOf } from '../queries/merchants.ts'
import { depositsOf, savePayment } from '../queries/payments.ts'
import { insertRefund, refundsOf, saveRefund } from '../queries/refunds.ts'
import { priced, theAmount, theCoin } from '../rates/currencies.ts'
import { latestRates } from '../rates/rates.ts'
import type { Gateway } from '../service.ts'
import { openStaffPayout } from '../staff-payouts.ts'
import { receivedUnits, sourceOf } from './sent-back.ts'

/** A request for a refund. */
export interface RefundInput {
  /** Amount in the coin, percentage of the received amount, or the overpaid part. Default: the rest. */
  readonly part: {
    readonly amount?: string | undefined
    readonly percent?: string | undefined
    readonly overpaid?: boolean
  }
  /** Key that distinguishes a further refund of the same part. */
  readonly key?: string | undefined
  /** Recipient. Default: the sender of the first confirmed deposit. */
  readonly address?: string | undefined
  /** True if the customer names the address, on a page with its own link. */
  readonly isAskingCustomer?: boolean
  /** Person who requests it; null for the simulator, which needs no approval. */
  readonly by: string | null
  readonly limits?: ApprovalLimits | undefined
  /** Days after which a request without an approval expires. */
  readonly approvalDays?: number
}

/** Result of a request: sent, or waiting for a second person or for the customer's address. */
export interface Refunded {
  readonly row: RefundRow
  /** Amount that the recipient gets: the network's fee is deducted. */
  readonly sends: string
}

/**
 * Sends back a part of what a payment received, once: a payout from the merchant's custody, less the network's fee.
 * Above the limits the first request is only recorded, and the same request by another person sends it. Throws CONFLICT
 * if the part was already refunded or there is nothing to refund, and INSUFFICIENT_BALANCE if the merchant has spent
 * the funds.
 */
export async function refund(app: Gateway, tx: Tx, payment: PaymentRow, input: RefundInput): Promise<Refunded> {
  const merchant = await merchantOf(tx, payment.merchant)
  if (!merchant) throw new Error(`payment ${payment.id} has no merchant`)
  const known = await refundsOf(tx, payment.id)
  const coin = theCoin(payment.pay_currency)
  const part = partFrom(input.part, coin)
  const name = partName(part, input.key)
  const units = await unitsOf(tx, payment, { known, part, name, coin })
  const address = input.isAskingCustomer ? '' : await addressOf(tx, payment, coin, input.address)
  await checkMayMove(tx, merchant)
  const fee = priced(transferFeeIn(await latestRates(app, tx), coin))
  if (units <= fee)
    throw refuse('AMOUNT_TOO_SMALL', `The network fee of ${amountText(fee, coin.code)} ${coin.code} exceeds the refund`)
  const asked = known.find((row) => isSameRequest(row, { name, address, units }, input, tx.now))
  const draft: RefundRow = asked ?? {
    id: app.id(),
    environment: payment.environment,
    merchant: payment.merchant,
    payment_id: payment.id,
    deposit: null,
    part: name,
    coin: coin.code,
    units: String(units),
    fee_units: String(fee),
    address,
    source: isDue(payment.status) ? 'pending' : payment.subaccount === null ? 'available' : 'sub',
    payout: null,
    state: 'requested',
    token: null,
    asked_by: input.by,
    approved_by: null,
    asked_at: tx.now,
    sent_at: null,
  }
  if (!asked) await insertRefund(tx, draft)
  const sends = amountText(units - fee, coin.code)
  const isAbove = await isAboveLimits(app, tx, input, { known, units, coin })
  if (isAbove && !asked) return { row: draft, sends }
  const isOther = input.by !== null && asked?.asked_by != null && foldName(input.by) !== foldName(asked.asked_by)
  if (isAbove && !isOther)
    throw refuse(
      'CONFLICT',
      `${draft.asked_by} requested this refund at ${minuteText(draft.asked_at)} (${draft.id}), so another person must approve it. Nothing was sent`,
      { requestedBy: draft.asked_by },
    )
  const approvedBy = isOther ? input.by : null
  const row = { ...draft, fee_units: String(fee) }
  return {
    row: input.isAskingCustomer
      ? await approve(app, tx, payment, row, approvedBy)
      : await sendRefund(app, tx, { payment, merchant }, row, approvedBy),
    sends,
  }
}

/** Approves a refund whose address the customer names. Nothing more is due from then on. */
async function approve(
  app: Gateway,
  tx: Tx,
  payment: PaymentRow,
  row: RefundRow,
  approvedBy: string | null,
): Promise<RefundRow> {
  const change = {
    state: 'approved',
    token: letters(32, app.random),
    approved_by: approvedBy,
    fee_units: row.fee_units,
  } as const
  await saveRefund(tx, row.id, change)
  if (isDue(payment.status)) await savePayment(tx, payment.id, { pay_amount: payment.actually_paid })
  return { ...row, ...change }
}

/** Sends a refund to its address: opens the payout and records it. */
export async function sendRefund(
  app: Gateway,
  tx: Tx,
  { payment, merchant }: { readonly payment: PaymentRow; readonly merchant: MerchantRow },
  row: RefundRow,
  approvedBy: string | null,
): Promise<RefundRow> {
  const payout = await openStaffPayout(app, tx, merchant, {
    purpose: 'refund',
    coin: theCoin(row.coin),
    units: BigInt(row.units),
    fee: BigInt(row.fee_units),
    address: row.address,
    from: sourceOf(row, payment),
    description: `Refund of payment ${payment.id}`,
    externalId: row.id,
    callback: payment.ipn_callback_url,
  })
  const change = {
    state: 'sent',
    payout: payout.id,
    approved_by: approvedBy,
    sent_at: tx.now,
    fee_units: row.fee_units,
    address: row.address,
  } as const
  await saveRefund(tx, row.id, change)
  // Nothing more is due: a merchant that computes the rest of a part-paid payment must not ask its payer for it.
  if (isDue(payment.status)) await savePayment(tx, payment.id, { pay_amount: payment.actually_paid })
  return { ...row, ...change }
}

/** Returns the requested part, or throws INVALID_AMOUNT. */
export function partFrom({ amount, percent, overpaid }: RefundInput['part'], coin: Coin): RefundPart {
  if (amount !== undefined) {
    const units = theAmount(amount, coin.code, 'amount')
    return { kind: 'amount', units, text: amountText(units, coin.code) }
  }
  if (percent === undefined) return { kind: overpaid ? 'overpaid' : 'rest' }
  const share = /^[0-9]{1,3}([.][0-9]{1,6})?$/.test(percent) ? ratioOf(percent) : null
  if (share === null || share.numerator <= 0n || share.numerator > 100n * share.denominator)
    throw refuse(
      'INVALID_AMOUNT',
      `The percentage must be above 0 and at most 100, with at most 6 decimals, not ${percent}`,
    )
  const text = percent.includes('.') ? percent.replace(/0+$/, '').replace(/[.]$/, '') : percent
  return {
    kind: 'percent',
    share: { numerator: share.numerator, denominator: share.denominator * 100n },
    text: text.replace(/^0+(?=[0-9])/, ''),
  }
}

interface PartInput {
  readonly known: readonly RefundRow[]
  readonly part: RefundPart
  readonly name: string
  readonly coin: Coin
}

/** Returns the units of a part. Throws CONFLICT when it cannot be refunded, or was refunded already. */
async function unitsOf(tx: Tx, payment: PaymentRow, { known, part, name, coin }: PartInput): Promise<bigint> {
  const received = await receivedUnits(tx, payment.id)
  const live = known.filter(isLive)
  const refunded = sum(live.map(({ units }) => BigInt(units)))
  const text = (units: bigint) => `${amountText(units, coin.code)} ${coin.code}`
  const twin = live.find((row) => row.part === name && part.kind !== 'rest')
  if (twin) {
    const hint = part.kind === 'overpaid' ? '' : '. For a further refund of the same part, add --key KEY'
    throw refuse('CONFLICT', `${sentText(twin)}${hint}`)
  }
  const latest = live.at(-1)
  if (latest && refunded >= received)
    throw refuse(
      'CONFLICT',
      `Everything that payment ${payment.id} received is refunded, or approved to be. ${sentText(latest)}`,
    )
  if (!isPaymentTransition(payment.status, 'refunded') || received === 0n)
    throw refuse('CONFLICT', `A ${payment.status} payment has nothing to refund`)
  // Uncredited deposits can only be returned completely: a part would leave a rest without a price.
  if (isDue(payment.status) && part.kind !== 'rest')
    throw refuse(
      'CONFLICT',
      `Payment ${payment.id} is ${payment.status}: refund all of it, or accept it first: countroom console merchants payments accept ${payment.id} --reason 'partial payment accepted'`,
    )
  const step = 10n ** BigInt(scaleOf(coin.code) - precisionOf(coin.code))
  const due = dueOf(payment, coin)
  const units = partUnits(part, { received, due, refunded, step })
  if (typeof units === 'bigint') return units
  throw partProblem(units, { received: text(received), rest: text(received - refunded) })
}

function dueOf(payment: PaymentRow, coin: Coin): bigint {
  return payment.pay_amount === '0' ? 0n : theAmount(payment.pay_amount, coin.code, 'pay_amount')
}

function partProblem(fault: RefundFault, { received, rest }: { received: string; rest: string }) {
  switch (fault) {
    case 'nothing-left':
      return refuse('CONFLICT', 'Nothing is left to refund')
    case 'not-overpaid':
      return refuse('CONFLICT', `The payment is not overpaid: it received ${received}`)
    case 'zero':
      return refuse('AMOUNT_TOO_SMALL', 'The refund is below the smallest unit of the coin')
    case 'above-received':
      return refuse('AMOUNT_TOO_LARGE', `The payment received ${received}`)
    case 'above-rest':
      return refuse('CONFLICT', `Only ${rest} of the ${received} that the payment received is left to refund`)
  }
}

/** Returns whether a refund was sent, is being sent, or only waits for the customer's address. */
function isLive({ state }: RefundRow): boolean {
  return state === 'approved' || state === 'sent' || state === 'done'
}

function sentText({ id, units, coin, sent_at, payout, asked_by, payment_id, state }: RefundRow): string {
  if (state === 'approved')
    return `Refund ${id} of ${amountText(BigInt(units), coin)} ${coin} is approved and waits for the customer's address. To withdraw it: countroom console merchants payments refund ${payment_id} --withdraw`
  const at = minuteText(sent_at ?? 0)
  const who = asked_by === null ? '' : ` by ${asked_by}`
  return `Refund ${id} of ${amountText(BigInt(units), coin)} ${coin} was already made${who} at ${at}${payout === null ? '' : ` with payout ${payout}`}`
}

async function addressOf(tx: Tx, payment: PaymentRow, coin: Coin, named: string | undefined): Promise<string> {
  const text =
    named?.trim() ?? (await depositsOf(tx, payment.id)).find(({ state }) => state === 'confirmed')?.sender ?? ''
  if (!isAddress(payment.environment, coin.network, text))
    throw refuse(
      'INVALID_ADDRESS',
      named === undefined
        ? `The payer's address is unknown: give an address for ${coin.code}`
        : `The address is not valid for ${coin.code} on its network`,
    )
  return sameAddressForm(coin.network, text)
}

/** Returns whether an earlier request is for exactly this refund and is neither approved nor expired. */
function isSameRequest(
  row: RefundRow,
  { name, address, units }: { name: string; address: string; units: bigint },
  { approvalDays = 7 }: RefundInput,
  now: number,
): boolean {
  return (
    row.state === 'requested' &&
    row.part === name &&
    row.address === address &&
    row.units === String(units) &&
    now < approvalEnd(row.asked_at, approvalDays)
  )
}

async function isAboveLimits(
  app: Gateway,
  tx: Tx,
  { limits, by }: RefundInput,
  { known, units, coin }: { known: readonly RefundRow[]; units: bigint; coin: Coin },
): Promise<boolean> {
  if (limits === undefined || by === null) return false
  const total = units + sum(known.filter(isLive).map((row) => BigInt(row.units)))
  const rates = await latestRates(app, tx)
  const usd = () => worthOf(rates, [{ amount: amountText(total, coin.code), currency: coin.code }])
  return needsSecondPerson(limits, {
    coin: coin.code,
    units: total,
    scale: coin.decimals,
    usd: valueIfPriced(usd),
    usdScale: worthScale,
  })
}

function valueIfPriced(value: () => bigint): bigint | null {
  try {
    return value()
  } catch (error) {
    if (!isProblem(error, 'RATE_UNAVAILABLE')) throw error
    return null
  }
}
