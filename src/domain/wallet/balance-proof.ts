/**
 * Proof that a player's balance between two readings changed only by known movements:
 *
 * balance + held stakes, then  =  balance + held stakes, before  +  transfers  +  slip records
 *
 * A stake leaves the balance when it is bet and is recorded only when its round is settled. So the stakes held at a
 * moment are known only later, from slips placed before and settled after it. Where that is ambiguous, every
 * possibility counts: a difference is one that none of them explains, and it does not go away.
 */
import type { Verdict } from '../reconcile/daily.ts'

/**
 * A range. `high` is null without an upper bound. `low` is negative if a balance may not yet show the stake of settled
 * records.
 */
export interface Held {
  /** Most likely value: whole stakes of everything placed by then. */
  readonly likely: bigint
  readonly low: bigint
  readonly high: bigint | null
}

export const nothingHeld: Held = { likely: 0n, low: 0n, high: 0n }

/** From one reading of a balance to another. Units of one currency. */
export interface WalletSpan {
  readonly from: bigint
  readonly to: bigint
  readonly transfers: bigint
  /** Changes by the records between the two readings, without the stakes of first settlements. */
  readonly records: bigint
  readonly heldFrom: Held
  readonly heldTo: Held
  /** Possible lead or lag of the reading against the counted records and transfers; 0 need not be among them. */
  readonly shifts: readonly bigint[]
  /** Part that a person has already settled. */
  readonly settled: bigint
}

export interface BalanceProof {
  readonly verdict: Verdict
  /** Unexplained rest by the most likely reading. */
  readonly rest: bigint
  /** Held stakes at the end, if the proof determines them. */
  readonly held: bigint | null
}

export function proveBalance(span: WalletSpan): BalanceProof {
  const { heldFrom, heldTo } = span
  const expected = span.transfers + span.records + heldFrom.likely - heldTo.likely
  const rest = span.to - span.from - expected
  if (rest === 0n || rest === span.settled) return { verdict: 'balanced', rest: 0n, held: heldTo.likely }
  // A held stake reduces the balance; one returned since increases it.
  const minDifference = heldTo.high === null ? null : heldFrom.low - heldFrom.likely - (heldTo.high - heldTo.likely)
  const max = heldFrom.high === null ? null : heldFrom.high - heldFrom.likely - (heldTo.low - heldTo.likely)
  const isPossible = [0n, ...span.shifts].some((shift) => {
    const left = rest - span.settled - shift
    return (minDifference === null || left >= minDifference) && (max === null || left <= max)
  })
  return { verdict: isPossible ? 'cannot-conclude' : 'differences', rest, held: null }
}

/** A revision of a slip as it changes the wallet. */
export interface WalletRecord {
  readonly slipId: string
  readonly rev: number
  readonly delta: bigint
  /** Amount taken at betting time, for the first revision; 0 for later ones. */
  readonly atStake: bigint
  readonly placedAt: number
  readonly settledAt: number
}

/**
 * Distance to a reading within which a platform may show a record in the balance before it is listed, or the reverse.
 */
export const nearMs = 60_000
/**
 * Time after its first bet in which a slip may get more bets, and before a reading in which it may have been placed.
 */
export const placingMs = 600_000

/** Uncertain records around a reading; the plain sums belong to the caller. */
export interface Around {
  /** Deltas of the last records that the reading includes, in order, and of the first ones it does not. */
  readonly lastIn: readonly bigint[]
  readonly firstOut: readonly bigint[]
  readonly held: Held
}

export const nothingAround: Around = { lastIn: [], firstOut: [], held: nothingHeld }

/** Adds a record in the order of arrival; `isIn` when the reading includes it. */
export function aroundWith(around: Around, record: WalletRecord, at: number, isIn: boolean): Around {
  const { likely, low, high } = around.held
  if (isIn) {
    if (record.settledAt < at - nearMs) return around
    // A balance that lags behind the records may also lack the stake.
    const held = { likely, low: record.placedAt >= at - nearMs ? low - record.atStake : low, high }
    return { ...around, lastIn: [...around.lastIn, record.delta], held }
  }
  const isNear = record.settledAt <= at + nearMs
  const mayBeHeld = record.placedAt <= at + placingMs
  // A slip settled long before and written only later was most likely bet and paid at once, after the reading.
  const isHeld = record.placedAt <= at && record.settledAt >= at - nearMs
  return {
    lastIn: around.lastIn,
    firstOut: isNear ? [...around.firstOut, record.delta] : around.firstOut,
    held: {
      likely: likely + (isHeld ? record.atStake : 0n),
      low,
      high: high === null ? null : high + (mayBeHeld ? record.atStake : 0n),
    },
  }
}

/** Returns possible offsets of a balance when records arrive before or after it, always in order. */
export function shiftsOf({ lastIn, firstOut }: Around): bigint[] {
  const behind = runningSums([...lastIn].reverse().map((delta) => -delta))
  return [...behind, ...runningSums(firstOut)]
}

/**
 * Returns the possible offsets of a span: what the first reading lacked arrived since, and what it was ahead by did
 * not.
 */
export function shiftsBetween(from: Around, to: Around): bigint[] {
  return combine(
    shiftsOf(to),
    shiftsOf(from).map((shift) => -shift),
  )
}

function runningSums(units: readonly bigint[]): bigint[] {
  let sum = 0n
  return units.map((each) => {
    sum += each
    return sum
  })
}

/** Maximum number of transfers near a reading whose combinations are all tried. */
const maxOptional = 8

/** Returns every sum of a subset. Beyond a maximum, only prefixes in order are tried. */
export function sumsOf(optional: readonly bigint[]): bigint[] {
  let sums = [0n]
  for (const change of optional.slice(0, maxOptional)) sums = [...sums, ...sums.map((sum) => sum + change)]
  let more = 0n
  for (const change of optional.slice(maxOptional)) {
    more += change
    sums = [...sums, more]
  }
  return [...new Set(sums)]
}

/** Combines two sets of offsets: each of one with each of the other. */
export function combine(a: readonly bigint[], b: readonly bigint[]): bigint[] {
  return [...new Set([0n, ...a].flatMap((one) => [0n, ...b].map((other) => one + other)))]
}
