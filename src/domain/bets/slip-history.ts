/**
 * A slip with the revisions read from the platform, and its contradictions. A record that was changed on its way rarely
 * keeps its arithmetic, so wrong records are found without asking the platform.
 */
import assert from 'node:assert/strict'
import { formatUnits, playerScale, sum, unitsOf } from '../money.ts'
import type { Counted, SlipStatus } from './slip.ts'

/** One bet of a revision. */
export interface ReadLeg {
  readonly zone: string
  readonly amount: bigint
  readonly return: bigint
  readonly hold: bigint
}

/**
 * One revision of a slip. Amounts are in units at the player scale; invalid amounts count as 0 and are listed in
 * `unreadable`.
 */
export interface SlipVersion extends Counted {
  readonly slipId: string
  readonly rev: number
  readonly status: SlipStatus
  /** Normalized username, used for comparing. */
  readonly player: string
  readonly username: string
  readonly currency: string
  readonly game: string
  readonly variant: string
  readonly tableId: string
  readonly roundId: string
  /** An on-site seat is outside of the wallet and of the day's figures. */
  readonly isOnsite: boolean
  readonly hold: bigint
  readonly payout: bigint
  readonly delta: bigint
  readonly legs: readonly ReadLeg[]
  readonly recSeq: number
  readonly placedAt: number
  readonly settledAt: number
  /** Fields with an invalid value, and that value. */
  readonly unreadable: readonly { readonly field: string; readonly value: string }[]
  /** Fields whose stored copy differs from the record. The values above are those of the copy. */
  readonly differing: readonly { readonly field: string; readonly copy: string; readonly record: string }[]
}

/** Amounts of a revision that enter the day's figures, or that those are checked by. */
export const figureNames = ['stake', 'hold', 'validStake', 'rolling', 'payout', 'winLoss', 'rake'] as const
export type FigureName = (typeof figureNames)[number]

/** All known revisions of a slip, lowest first. */
export interface SlipHistory {
  readonly slipId: string
  readonly versions: readonly SlipVersion[]
}

export function firstOf({ versions }: SlipHistory): SlipVersion {
  const first = versions[0]
  assert(first, 'a slip has a revision')
  return first
}

/** Returns the final revision of a slip: its highest. */
export function latestOf({ versions }: SlipHistory): SlipVersion {
  const latest = versions.at(-1)
  assert(latest, 'a slip has a revision')
  return latest
}

/** Returns whether the first settlement is missing from the known revisions. */
export function isHeadless(slip: SlipHistory): boolean {
  return firstOf(slip).rev > 1
}

/**
 * Returns the moment that decides the slip's day: its first settlement. If that is unknown, the moment it was placed:
 * rounds take minutes, while a correction may follow days later.
 */
export function countedAt(slip: SlipHistory): number {
  return isHeadless(slip) ? firstOf(slip).placedAt : firstOf(slip).settledAt
}

/** Adds a revision to a slip, or replaces the one with the same number. */
export function withVersion(slip: SlipHistory, version: SlipVersion): SlipHistory {
  const rest = slip.versions.filter(({ rev }) => rev !== version.rev)
  return { slipId: slip.slipId, versions: [...rest, version].sort((a, b) => a.rev - b.rev) }
}

export const contradictionRules = {
  'win-loss': 'the win/loss is not the payout less stake and hold',
  stake: 'the stake is not the sum of its bets',
  hold: "the hold is not the sum of its bets' holds",
  payout: 'the payout is not the sum of the returns of its bets',
  deltas: 'the balance changes do not add up to the payout',
  void: 'a voided slip must return stake and hold and count nothing',
  revisions: 'a revision between the known ones is missing',
  player: 'the revisions name different players or currencies',
  copy: 'the stored copy of a figure differs from the record',
  unreadable: 'an amount or time is invalid',
} as const
export type ContradictionRule = keyof typeof contradictionRules

/** Two statements of a slip that cannot both be true. */
export interface Contradiction {
  readonly slipId: string
  readonly rev: number
  readonly rule: ContradictionRule
  readonly field: string
  readonly actual: string
  /** Value that the rest of the slip requires; null if unknown. */
  readonly expected: string | null
}

/** Returns all contradictions of a slip; empty when its arithmetic holds. */
export function contradictionsOf(slip: SlipHistory): Contradiction[] {
  const contradictions = slip.versions.flatMap(ownContradictions)
  return [...contradictions, ...historyContradictions(slip)]
}

function ownContradictions(version: SlipVersion): Contradiction[] {
  const { slipId, rev, legs } = version
  const at = { slipId, rev }
  const contradictions: Contradiction[] = version.unreadable.map((part) => ({
    ...at,
    rule: 'unreadable',
    field: part.field,
    actual: part.value,
    expected: null,
  }))
  for (const { field, copy, record } of version.differing)
    contradictions.push({ ...at, rule: 'copy', field, actual: copy, expected: record })
  // Arithmetic on invalid values would only repeat that they are invalid.
  if (version.unreadable.length > 0) return contradictions
  const check = (rule: ContradictionRule, field: FigureName, expected: bigint) => {
    if (version[field] !== expected)
      contradictions.push({ ...at, rule, field, actual: text(version[field]), expected: text(expected) })
  }
  check('win-loss', 'winLoss', version.payout - version.stake - version.hold)
  check('stake', 'stake', sum(legs.map((leg) => leg.amount)))
  check('hold', 'hold', sum(legs.map((leg) => leg.hold)))
  if (paysByLegs(version)) check('payout', 'payout', sum(legs.map((leg) => leg.return)))
  if (version.status === 'void') {
    check('void', 'payout', version.stake + version.hold)
    for (const field of ['validStake', 'rolling', 'rake'] as const) check('void', field, 0n)
  }
  return contradictions
}

/** In no-limit Hold'em the leg returns only the uncalled part, and the payout comes from the pot. */
function paysByLegs(version: SlipVersion): boolean {
  return version.variant !== 'nlhe' || version.status === 'void'
}

function historyContradictions(slip: SlipHistory): Contradiction[] {
  const { slipId, versions } = slip
  const contradictions: Contradiction[] = []
  const first = firstOf(slip)
  let balance = 0n
  let isWhole = !isHeadless(slip)
  for (const [i, version] of versions.entries()) {
    const before = versions[i - 1]
    const at = { slipId, rev: version.rev }
    if (before && version.rev !== before.rev + 1) {
      isWhole = false
      contradictions.push({
        ...at,
        rule: 'revisions',
        field: 'rev',
        actual: `${version.rev}`,
        expected: `${before.rev + 1}`,
      })
    }
    for (const field of ['player', 'currency'] as const)
      if (version[field] !== first[field])
        contradictions.push({ ...at, rule: 'player', field, actual: version[field], expected: first[field] })
    balance += version.delta
    // Deltas of a seat outside of the wallet change no balance; those after a gap start at an unknown balance.
    if (!isWhole || version.isOnsite || version.unreadable.length > 0) continue
    if (balance !== version.payout) {
      const expected = version.payout - (balance - version.delta)
      contradictions.push({
        ...at,
        rule: 'deltas',
        field: 'delta',
        actual: text(version.delta),
        expected: text(expected),
      })
      // Reported once: the check continues from the payout, so that one wrong figure does not flag all later revisions.
      balance = version.payout
    }
  }
  return contradictions
}

const text = (units: bigint) => formatUnits(units, playerScale)

/** Returns every correction of one figure in the latest revision that resolves its contradictions. */
export function repairedVersions(slip: SlipHistory): { readonly field: FigureName; readonly version: SlipVersion }[] {
  const latest = latestOf(slip)
  const { legs } = latest
  const ways: [FigureName, bigint][] = [
    ['winLoss', latest.payout - latest.stake - latest.hold],
    ['winLoss', (paysByLegs(latest) ? sum(legs.map((leg) => leg.return)) : latest.payout) - latest.stake - latest.hold],
    ['stake', sum(legs.map((leg) => leg.amount))],
    ['stake', latest.payout - latest.hold - latest.winLoss],
    ...latest.differing.flatMap(({ field, record }): [FigureName, bigint][] => {
      const figure = figureNames.find((name) => name === field)
      const units = unitsOf(record, playerScale)
      return figure && units !== null ? [[figure, units]] : []
    }),
  ]
  return ways.flatMap(([field, units]) =>
    units === latest[field] ? [] : [{ field, version: { ...latest, [field]: units } }],
  )
}

/** Position of a record in the order of arrival. */
export interface RecordArrival {
  readonly place: number
  readonly month: string
  readonly recSeq: number
  readonly slipId: string
}

/** Two neighboring records that are not in sequence. */
export interface SequenceBreak {
  /**
   * `hole`: numbers between the two never arrived, which proves nothing. `repeat` and `step-back`: impossible on a
   * correct platform. `deleted`: rows were removed from the book, because its positions have no holes.
   */
  readonly kind: 'hole' | 'repeat' | 'step-back' | 'deleted'
  readonly month: string
  /**
   * The missing numbers, both ends included. For a repeat or step back, the repeated number; for `deleted`, the
   * positions of the deleted rows.
   */
  readonly from: number
  readonly to: number
  readonly before: string
  readonly after: string
}

/**
 * Returns the sequence breaks in arrivals, given in their order. Numbers are compared within a month, and only where no
 * row is missing in between.
 */
export function sequenceBreaks(arrivals: readonly RecordArrival[]): SequenceBreak[] {
  return arrivals.flatMap((after, i): SequenceBreak[] => {
    const before = arrivals[i - 1]
    if (!before) return []
    const around = { month: after.month, before: before.slipId, after: after.slipId }
    if (after.place > before.place + 1)
      return [{ kind: 'deleted', ...around, from: before.place + 1, to: after.place - 1 }]
    const step = after.recSeq - before.recSeq
    if (before.month !== after.month || step === 1) return []
    if (step > 1) return [{ kind: 'hole', ...around, from: before.recSeq + 1, to: after.recSeq - 1 }]
    return [{ kind: step === 0 ? 'repeat' : 'step-back', ...around, from: after.recSeq, to: after.recSeq }]
  })
}
