/**
 * Possible causes of a player's difference. Each hypothesis is applied to the book's slips, and those that yield
 * exactly the platform's figures are reported. A match is evidence, not proof: it shows an accountant which slips to
 * check first.
 */

import {
  contradictionsOf,
  countedAt,
  type FigureName,
  firstOf,
  isHeadless,
  latestOf,
  repairedVersions,
  type SlipHistory,
} from '../bets/slip-history.ts'
import { type DayFigures, figuresOf, minus, noFigures, plus, same } from './daily.ts'

export const causeCodes = [
  'PLAYER_NOT_STATED',
  'PLAYER_NOT_IN_BOOK',
  'SUMMARY_CONTRADICTS_ITSELF',
  'COUNTED_BY_PLACING',
  'COUNTED_BY_LAST_SETTLING',
  'HOLD_IN_PAYOUT',
  'VOIDED_LEFT_OUT',
  'VOIDED_STAKE_COUNTED',
  'ONSITE_COUNTED',
  'SLIP_CONTRADICTS_ITSELF',
  'EARLIER_REVISION',
  'SLIP_NOT_COUNTED',
  'OTHER_DAYS_SLIP_COUNTED',
  'SLIPS_NOT_IN_BOOK',
  'SLIPS_NOT_STATED',
  'FIGURES_DIFFER',
] as const
export type CauseCode = (typeof causeCodes)[number]

export interface Cause {
  readonly code: CauseCode
  readonly player: string
  /** True if all figures agree under this hypothesis. */
  readonly balances: boolean
  /**
   * Slips that the hypothesis is about. If `balances` is true and it is about one slip, each of them alone is
   * sufficient.
   */
  readonly slips: readonly string[]
  /** Remaining difference when the names of the slips are unknown. */
  readonly rest?: DayFigures
  /** Figure of the slip that must be different. */
  readonly field?: FigureName
}

/** A player with a difference. */
export interface PlayerDifference {
  readonly player: string
  readonly isReported: boolean
  /** The platform's figures, all readable. */
  readonly reported: DayFigures
  /** The player's slips that the book counts on this day. */
  readonly slips: readonly SlipHistory[]
  /** The player's slips of the neighboring days. */
  readonly neighbors: readonly SlipHistory[]
  /** The day: from its first moment to the first of the next day. */
  readonly from: number
  readonly to: number
}

/** Returns possible causes of the difference, most likely first; at least a statement of the difference itself. */
export function causesOf(one: PlayerDifference): Cause[] {
  const booked = sumOf(one.slips)
  const rest = minus(one.reported, booked)
  if (same(rest, noFigures)) return []
  const candidates = [
    ...oneSided(one, rest),
    ...summaryItself(one, booked),
    ...otherDays(one),
    ...otherRules(one),
    ...singleSlips(one, booked),
  ]
  const matching = candidates.filter((cause) => cause.balances)
  const nonMatching = candidates.filter((cause) => !cause.balances)
  // Without a match, report the remaining difference: how many slips are missing or extra, and with which figures.
  return matching.length > 0 ? [...matching, ...nonMatching] : [...nonMatching, unexplainedCause(one, rest)]
}

function sumOf(slips: readonly SlipHistory[]): DayFigures {
  return slips.reduce((total, slip) => plus(total, figuresOf(latestOf(slip))), noFigures)
}

const idsOf = (slips: readonly SlipHistory[]) => slips.map(({ slipId }) => slipId)

function oneSided(one: PlayerDifference, rest: DayFigures): Cause[] {
  const { player, slips } = one
  if (!one.isReported) return [{ code: 'PLAYER_NOT_STATED', player, balances: true, slips: idsOf(slips) }]
  if (slips.length === 0) return [{ code: 'PLAYER_NOT_IN_BOOK', player, balances: false, slips: [], rest }]
  return []
}

/** The summary's payout is stake plus win or loss: a single changed figure breaks that. */
function summaryItself({ player, reported }: PlayerDifference, booked: DayFigures): Cause[] {
  if (reported.payout === reported.stake + reported.winLoss) return []
  // If the book satisfies the rule and the platform does not, one of the platform's own three figures is wrong.
  const bookKeepsIt = booked.payout === booked.stake + booked.winLoss
  return bookKeepsIt ? [{ code: 'SUMMARY_CONTRADICTS_ITSELF', player, balances: false, slips: [] }] : []
}

/** A platform that counts a slip on the day it was placed, or was last settled, differs at the edges of the day. */
function otherDays(one: PlayerDifference): Cause[] {
  const { player, reported, slips, neighbors, from, to } = one
  const ways = [
    ['COUNTED_BY_PLACING', (slip: SlipHistory) => firstOf(slip).placedAt],
    ['COUNTED_BY_LAST_SETTLING', (slip: SlipHistory) => latestOf(slip).settledAt],
  ] as const
  return ways.flatMap(([code, momentOf]): Cause[] => {
    const isThere = (slip: SlipHistory) => momentOf(slip) >= from && momentOf(slip) < to
    const moved = [...slips.filter((slip) => !isThere(slip)), ...neighbors.filter(isThere)]
    if (moved.length === 0) return []
    const balances = same(reported, sumOf([...slips, ...neighbors].filter(isThere)))
    return balances ? [{ code, player, balances, slips: idsOf(moved) }] : []
  })
}

/** A platform that counts by another rule differs by all slips of one kind. */
function otherRules({ player, reported, slips }: PlayerDifference): Cause[] {
  const booked = sumOf(slips)
  const voided = slips.filter((slip) => latestOf(slip).status === 'void' && !latestOf(slip).isOnsite)
  const held = slips.filter((slip) => latestOf(slip).hold > 0n && latestOf(slip).status !== 'void')
  const onsite = slips.filter((slip) => latestOf(slip).isOnsite)
  const stakeOf = (slip: SlipHistory) => latestOf(slip).stake
  const total = (of: readonly SlipHistory[], unitsOf: (slip: SlipHistory) => bigint) =>
    of.reduce((sum, slip) => sum + unitsOf(slip), 0n)
  const ways: [Cause['code'], readonly SlipHistory[], DayFigures][] = [
    ['HOLD_IN_PAYOUT', held, { ...booked, payout: booked.payout + total(held, (slip) => latestOf(slip).hold) }],
    ['VOIDED_LEFT_OUT', voided, { ...booked, slips: booked.slips - BigInt(voided.length) }],
    ['VOIDED_STAKE_COUNTED', voided, { ...booked, stake: booked.stake + total(voided, stakeOf) }],
    [
      'VOIDED_STAKE_COUNTED',
      voided,
      { ...booked, stake: booked.stake + total(voided, stakeOf), payout: booked.payout + total(voided, stakeOf) },
    ],
    [
      'ONSITE_COUNTED',
      onsite,
      onsite.reduce((sum, slip) => plus(sum, figuresOf({ ...latestOf(slip), isOnsite: false })), booked),
    ],
  ]
  return ways.flatMap(([code, of, figures]): Cause[] =>
    of.length > 0 && same(reported, figures) ? [{ code, player, balances: true, slips: idsOf(of) }] : [],
  )
}

/**
 * A single slip that is counted differently. If several slips would explain the difference, they are reported together
 * as alternatives.
 */
function singleSlips(one: PlayerDifference, booked: DayFigures): Cause[] {
  const { player, reported, slips, neighbors } = one
  const matches = (slip: SlipHistory, instead: DayFigures) =>
    same(reported, plus(minus(booked, figuresOf(latestOf(slip))), instead))
  const causes: Cause[] = []
  const add = (code: CauseCode, of: readonly SlipHistory[], field?: FigureName) => {
    if (of.length > 0) causes.push({ code, player, balances: true, slips: idsOf(of), ...(field ? { field } : {}) })
  }
  const corrected = new Map<FigureName, SlipHistory[]>()
  for (const slip of slips.filter((each) => contradictionsOf(each).length > 0)) {
    const way = repairedVersions(slip).find(({ version }) => matches(slip, figuresOf(version)))
    if (way) corrected.set(way.field, [...(corrected.get(way.field) ?? []), slip])
  }
  for (const [field, of] of corrected) add('SLIP_CONTRADICTS_ITSELF', of, field)
  add(
    'EARLIER_REVISION',
    slips.filter((slip) => slip.versions.slice(0, -1).some((version) => matches(slip, figuresOf(version)))),
  )
  add(
    'SLIP_NOT_COUNTED',
    slips.filter((slip) => matches(slip, noFigures)),
  )
  add(
    'OTHER_DAYS_SLIP_COUNTED',
    neighbors.filter((slip) => same(reported, plus(booked, figuresOf(latestOf(slip))))),
  )
  return causes
}

function unexplainedCause({ player, slips }: PlayerDifference, rest: DayFigures): Cause {
  const at = { player, balances: false, slips: idsOf(slips), rest }
  if (rest.slips > 0n) return { ...at, code: 'SLIPS_NOT_IN_BOOK', slips: [] }
  return { ...at, code: rest.slips < 0n ? 'SLIPS_NOT_STATED' : 'FIGURES_DIFFER' }
}

/** Returns whether a slip without a known first settlement may belong to the day. */
export function mayBeOf(slip: SlipHistory, from: number, to: number): boolean {
  const first = firstOf(slip)
  return isHeadless(slip) && first.placedAt >= from - longestRoundMs && first.placedAt < to && first.settledAt >= from
}

/** Returns whether the book counts a slip on a day. */
export function isOfDay(slip: SlipHistory, from: number, to: number): boolean {
  const at = countedAt(slip)
  return at >= from && at < to
}

/** Maximum duration of a round: betting and dealing take minutes. */
export const longestRoundMs = 3_600_000
