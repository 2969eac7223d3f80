/**
 * Rules by which a platform may count slips into days. Documented is the day of the first settlement, in the tenant's time
 * zone, with the highest revision. A platform that counts otherwise can still be reconciled, once it is known how.
 */

import type { SlipHistory } from '../bets/slip-history.ts'
import { countedAt, isHeadless, latestOf } from '../bets/slip-history.ts'
import { isZone } from '../time/day.ts'
import { type DayFigures, figuresOf, minus, noFigures, plus, same } from './daily.ts'

/**
 * `first-settlement`: a slip counts on the day of its first settlement, with its highest revision. `latest-revision`: on the
 * day of its highest revision. `each-revision`: every revision counts on its own day, with what it changed.
 */
export const dayBases = ['first-settlement', 'latest-revision', 'each-revision'] as const
export type DayBasis = (typeof dayBases)[number]

export interface DayRule {
  readonly basis: DayBasis
  readonly zone: string
}

const basisTexts = {
  'first-settlement': 'by first settlement',
  'latest-revision': 'by latest revision',
  'each-revision': 'by each revision',
} as const satisfies Record<DayBasis, string>

/** Formats a rule: `by each revision, in UTC`. */
export const ruleText = ({ basis, zone }: DayRule): string => `${basisTexts[basis]}, in ${zone}`

export const documentedRule = (zone: string): DayRule => ({ basis: 'first-settlement', zone })

export const isSameRule = (a: DayRule, b: DayRule): boolean => a.basis === b.basis && a.zone === b.zone

/** Parses `each-revision@UTC`, or `each-revision` for the tenant's time zone; null for other text. */
export function parseDayRule(text: string, zone: string): DayRule | null {
  const [basisText = '', zoneText = zone, ...more] = text.split('@')
  const basis = dayBases.find((each) => each === basisText)
  return basis === undefined || more.length > 0 || !isZone(zoneText) ? null : { basis, zone: zoneText }
}

/** Returns all rules to try: every basis in every zone. */
export function rulesToTry(zones: readonly string[]): DayRule[] {
  return [...new Set(zones)].flatMap((zone) => dayBases.map((basis) => ({ basis, zone })))
}

/** Returns what a slip adds to the days between two moments; null if it has no part in them. */
export function contributionOf(slip: SlipHistory, basis: DayBasis, from: number, to: number): DayFigures | null {
  const isWithin = (at: number) => at >= from && at < to
  const latest = latestOf(slip)
  if (basis === 'first-settlement') return isWithin(countedAt(slip)) ? figuresOf(latest) : null
  if (basis === 'latest-revision') return isWithin(latest.settledAt) ? figuresOf(latest) : null
  let total: DayFigures | null = null
  for (const [i, version] of slip.versions.entries()) {
    if (!isWithin(version.settledAt)) continue
    const before = slip.versions[i - 1]
    total = plus(total ?? noFigures, minus(figuresOf(version), before ? figuresOf(before) : noFigures))
  }
  return total
}

/** Returns whether a revision between two moments has an unknown predecessor, so that its change is unknown. */
export function isUnknownChange(slip: SlipHistory, from: number, to: number): boolean {
  return (
    isHeadless(slip) &&
    slip.versions[0] !== undefined &&
    slip.versions[0].settledAt >= from &&
    slip.versions[0].settledAt < to
  )
}

/** Returns the rule that differs least from the documented one; null if two differ alike, or there is none. */
export function leastDeviation(rules: readonly DayRule[], zone: string): DayRule | null {
  const deviation = (rule: DayRule) => (rule.zone === zone ? 0 : 1) + (rule.basis === 'first-settlement' ? 0 : 2)
  const least = rules.reduce((smallest, rule) => Math.min(smallest, deviation(rule)), Number.POSITIVE_INFINITY)
  const best = rules.filter((rule) => deviation(rule) === least)
  return best.length === 1 ? (best[0] ?? null) : null
}

/** Returns whether figures are all zero: a player with them counts like an absent one. */
export const isNothing = (figures: DayFigures): boolean => same(figures, noFigures)
