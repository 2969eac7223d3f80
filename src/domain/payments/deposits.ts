import type { Coin } from '../chains/coins.ts'
import type { Ratio } from '../money.ts'
import { roundedUp } from './amounts.ts'
import { type PaymentStatus, serviceFee } from './payment.ts'

/**
 * Deposits of one payment (docs/gateway.md, "The money of a payment"). Every deposit is valued once, at the rate when
 * it was detected, and covers that share of the price permanently. The rest of the price is still due.
 */

/** A deposit of a payment. Deposits that a reorganization removed and tokens of other contracts are excluded. */
export interface Deposit {
  readonly id: string
  readonly units: bigint
  /** Cost of the whole price in the coin at this deposit's rate. Above zero. */
  readonly whole: bigint
  /** `seen`: not confirmed yet. `tainted`: confirmed, from a sender on the sanctions list. */
  readonly state: 'seen' | 'confirmed' | 'tainted'
}

/** Status of an open payment as its deposits alone require. */
export interface Evaluation {
  readonly status: Extract<PaymentStatus, 'waiting' | 'confirming' | 'partially_paid' | 'confirmed' | 'failed'>
  /** The deposits that pay this payment. */
  readonly counted: readonly Deposit[]
  /** Deposits that become payments of their own. */
  readonly apart: readonly Deposit[]
}

/** Returns the exact share of the price that these deposits cover. */
export function coverage(deposits: readonly Deposit[]): Ratio {
  const byRate = new Map<bigint, bigint>()
  for (const { units, whole } of deposits) byRate.set(whole, (byRate.get(whole) ?? 0n) + units)
  let sum: Ratio = { numerator: 0n, denominator: 1n }
  for (const [whole, units] of byRate)
    sum = {
      numerator: sum.numerator * whole + units * sum.denominator,
      denominator: sum.denominator * whole,
    }
  return sum
}

/** Returns whether these deposits cover the price, less the share that the tolerance allows to be missing. */
export function covers(deposits: readonly Deposit[], tolerance: Ratio): boolean {
  const { numerator, denominator } = coverage(deposits)
  return (
    numerator > 0n && numerator * tolerance.denominator >= denominator * (tolerance.denominator - tolerance.numerator)
  )
}

/**
 * Evaluates an open payment by its deposits, in the order they were detected. A tainted first deposit fails the
 * payment; a later one is only moved to its own payment. Once confirmed deposits cover the price, the payment is
 * complete and all others are moved. Until then a deposit beyond the price waits: when a payer replaces a transaction,
 * a reorganization may still remove the other one.
 */
export function evaluateDeposits(deposits: readonly Deposit[], tolerance: Ratio): Evaluation {
  const [first] = deposits
  if (first?.state === 'tainted') return { status: 'failed', counted: [first], apart: deposits.slice(1) }
  const clean = deposits.filter(({ state }) => state !== 'tainted')
  const confirmed = upToCovered(
    clean.filter(({ state }) => state === 'confirmed'),
    tolerance,
  )
  if (covers(confirmed, tolerance))
    return { status: 'confirmed', counted: confirmed, apart: deposits.filter((each) => !confirmed.includes(each)) }
  const counted = upToCovered(clean, tolerance)
  const apart = deposits.filter(({ state }) => state === 'tainted')
  if (counted.some(({ state }) => state === 'seen')) return { status: 'confirming', counted, apart }
  return { status: counted.length > 0 ? 'partially_paid' : 'waiting', counted, apart }
}

/** Returns the first deposits that together cover the price, or all of them if they do not. */
function upToCovered(deposits: readonly Deposit[], tolerance: Ratio): readonly Deposit[] {
  const counted: Deposit[] = []
  for (const deposit of deposits) {
    if (covers(counted, tolerance)) break
    counted.push(deposit)
  }
  return counted
}

/**
 * Returns the amount due: what was received, plus the cost of the uncovered rest at the present quote. Deposits made at
 * this very quote leave it unchanged, so a stated amount is valid as long as its quote.
 */
export function amountDue(whole: bigint, counted: readonly Deposit[], coin: Coin): bigint {
  const earlier = counted.filter((deposit) => deposit.whole !== whole)
  const { numerator, denominator } = coverage(earlier)
  const open = denominator > numerator ? denominator - numerator : 0n
  return roundedUp(unitsIn(earlier) + (whole * open + denominator - 1n) / denominator, coin)
}

/** Returns the amount still to be paid, in units that a payer can send. */
export function restDue(due: bigint, paid: bigint, coin: Coin): bigint {
  return due > paid ? roundedUp(due - paid, coin) : 0n
}

/** Returns the sum of the confirmed deposits among these, clean or tainted. */
export function receivedIn(deposits: readonly Deposit[]): bigint {
  return unitsIn(deposits.filter(({ state }) => state !== 'seen'))
}

/**
 * Returns the value of confirmed deposits in the price currency, each at its own rate, rounded half up to multiples of
 * `increment`. A fee on top of the price is part of what was paid.
 */
export function worthIn(price: bigint, isFeeOnTop: boolean, deposits: readonly Deposit[], increment = 1n): bigint {
  const { numerator, denominator } = coverage(deposits.filter(({ state }) => state !== 'seen'))
  const { numerator: fee, denominator: whole } = serviceFee
  const [above, below] = isFeeOnTop ? [numerator * whole, denominator * (whole - fee)] : [numerator, denominator]
  return ((price * above * 2n + below * increment) / (below * increment * 2n)) * increment
}

function unitsIn(deposits: readonly Deposit[]): bigint {
  return deposits.reduce((sum, { units }) => sum + units, 0n)
}
