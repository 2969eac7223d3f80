/**
 * Whether a player's balance moved by what is known to have moved it, from one reading to the next:
 *
 *     balance + held stakes, then  =  balance + held stakes, before  +  transfers  +  records of slips
 *
 * A stake leaves the balance when it is bet and shows in a record only when its round is settled, so what rounds hold at a
 * moment is known only afterwards, from the slips that were placed before it and settled behind it. Where that, or what had
 * reached the balance by the moment it was read, can be one thing or another, every possibility counts: a difference is
 * one that none of them accounts for, and it does not go away.
 */
import type { Verdict } from '../reconcile/daily.ts'

/**
 * What is between its ends; `high` is null where nothing is known to bound it, and `low` is below zero where a balance may not
 * even show the stake of what the records have settled already.
 */
export interface Held {
  /** By the plain reading: whole stakes of whatever was placed by then. */
  readonly likely: bigint
  readonly low: bigint
  readonly high: bigint | null
}

export const nothingHeld: Held = { likely: 0n, low: 0n, high: 0n }

/** From one reading of a balance to another. Units, all of one currency. */
export interface WalletSpan {
  readonly from: bigint
  readonly to: bigint
  readonly transfers: bigint
  /** What the records between the two changed, the stakes of first settlements taken off. */
  readonly records: bigint
  readonly heldFrom: Held
  readonly heldTo: Held
  /** By how much the reading may have been ahead of the records and transfers counted here, or behind; 0 need not be among them. */
  readonly shifts: readonly bigint[]
  /** What a person has settled of it before. */
  readonly settled: bigint
}

export interface WalletJudgement {
  readonly verdict: Verdict
  /** What is not accounted for by the plain reading. */
  readonly rest: bigint
  /** What was held at the end, where the proof tells it. */
  readonly held: bigint | null
}

export function judgeWallet(span: WalletSpan): WalletJudgement {
  const { heldFrom, heldTo } = span
  const expected = span.transfers + span.records + heldFrom.likely - heldTo.likely
  const rest = span.to - span.from - expected
  if (rest === 0n || rest === span.settled) return { verdict: 'balanced', rest: 0n, held: heldTo.likely }
  // A stake that is held takes from the balance; one that was given back since adds to it.
  const least = heldTo.high === null ? null : heldFrom.low - heldFrom.likely - (heldTo.high - heldTo.likely)
  const most = heldFrom.high === null ? null : heldFrom.high - heldFrom.likely - (heldTo.low - heldTo.likely)
  const isPossible = [0n, ...span.shifts].some((shift) => {
    const left = rest - span.settled - shift
    return (least === null || left >= least) && (most === null || left <= most)
  })
  return { verdict: isPossible ? 'cannot-conclude' : 'differences', rest, held: null }
}

/** One revision of a slip as it moves the wallet. */
export interface WalletRecord {
  readonly slipId: string
  readonly rev: number
  readonly delta: bigint
  /** What was taken when it was bet, for the first revision; 0 for later ones. */
  readonly atStake: bigint
  readonly placedAt: number
  readonly settledAt: number
}

/** So close to a reading that a platform may have shown it in the balance and not yet in the records, or the reverse. */
export const nearMs = 60_000
/** So long after its first bet a slip may have been added to, and so long before a reading may it have been placed. */
export const placingMs = 600_000

/** What is known of one reading from the records around it: the plain sums are the caller's. */
export interface Around {
  /** Deltas of the last records that the reading counts, in their order, and of the first that it does not. */
  readonly lastIn: readonly bigint[]
  readonly firstOut: readonly bigint[]
  readonly held: Held
}

export const nothingAround: Around = { lastIn: [], firstOut: [], held: nothingHeld }

/** The same with one more record, given in the order of arrival; `isIn` when the reading counts it. */
export function aroundWith(around: Around, record: WalletRecord, at: number, isIn: boolean): Around {
  const { likely, low, high } = around.held
  if (isIn) {
    if (record.settledAt < at - nearMs) return around
    // Of a balance that is behind the records the stake may be missing too.
    const held = { likely, low: record.placedAt >= at - nearMs ? low - record.atStake : low, high }
    return { ...around, lastIn: [...around.lastIn, record.delta], held }
  }
  const isNear = record.settledAt <= at + nearMs
  const mayBeHeld = record.placedAt <= at + placingMs
  // One that was settled long before and written only afterwards was most likely bet and paid in one go, behind the reading.
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

/** By how much a balance may be off when records reach it later than their list, or earlier: always in their order. */
export function shiftsOf({ lastIn, firstOut }: Around): bigint[] {
  const behind = runningSums([...lastIn].reverse().map((delta) => -delta))
  return [...behind, ...runningSums(firstOut)]
}

/** The same for a span: what the reading at its beginning lacked came since, and what it was ahead by did not. */
export function shiftsBetween(from: Around, to: Around): bigint[] {
  return together(
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

/** How many transfers that may lie on either side of a reading are played through in all their combinations. */
const mostOptional = 8

/** Every sum that a choice among these makes. Beyond a few they are taken all or none, in their order. */
export function sumsOf(optional: readonly bigint[]): bigint[] {
  let sums = [0n]
  for (const change of optional.slice(0, mostOptional)) sums = [...sums, ...sums.map((sum) => sum + change)]
  let more = 0n
  for (const change of optional.slice(mostOptional)) {
    more += change
    sums = [...sums, more]
  }
  return [...new Set(sums)]
}

/** Both kinds of doubt together: each of the one with each of the other. */
export function together(a: readonly bigint[], b: readonly bigint[]): bigint[] {
  return [...new Set([0n, ...a].flatMap((one) => [0n, ...b].map((other) => one + other)))]
}
