/**
 * A slip as it was read from the platform, revision by revision, and what it says against itself. A record that was
 * changed on its way rarely keeps its arithmetic: that is how a wrong one is known without asking anybody.
 */
import assert from 'node:assert/strict'
import { formatUnits, playerScale, sum, unitsOf } from '../money.ts'
import type { Counted, SlipStatus } from './slip.ts'

/** One bet of a revision that was read. */
export interface ReadLeg {
  readonly zone: string
  readonly amount: bigint
  readonly return: bigint
  readonly hold: bigint
}

/** One revision of a slip as it was read. Amounts are units at the player scale; one that was no amount counts 0 and is named. */
export interface SlipVersion extends Counted {
  readonly slipId: string
  readonly rev: number
  readonly status: SlipStatus
  /** The spelling the player is compared by. */
  readonly player: string
  readonly username: string
  readonly currency: string
  readonly game: string
  readonly variant: string
  readonly tableId: string
  readonly roundId: string
  /** An on-site seat stays outside of the wallet, and so outside of the day's figures. */
  readonly isOnsite: boolean
  readonly hold: bigint
  readonly payout: bigint
  readonly delta: bigint
  readonly legs: readonly ReadLeg[]
  readonly recSeq: number
  readonly placedAt: number
  readonly settledAt: number
  /** What could not be read as what it should be: the field, and the text found there. */
  readonly unreadable: readonly { readonly field: string; readonly found: string }[]
  /** Where the copy kept beside the record says another thing than the record: what is above is that copy's. */
  readonly differing: readonly { readonly field: string; readonly copy: string; readonly record: string }[]
}

/** The amounts of a revision that the day's figures are made of, and those they can be checked by. */
export const figureNames = ['stake', 'hold', 'validStake', 'rolling', 'payout', 'winLoss', 'rake'] as const
export type FigureName = (typeof figureNames)[number]

/** All known revisions of one slip, the lowest first. */
export interface SlipHistory {
  readonly slipId: string
  readonly versions: readonly SlipVersion[]
}

export function firstOf({ versions }: SlipHistory): SlipVersion {
  const first = versions[0]
  assert(first, 'a slip has a revision')
  return first
}

/** The final word on a slip: its highest revision. */
export function latestOf({ versions }: SlipHistory): SlipVersion {
  const latest = versions.at(-1)
  assert(latest, 'a slip has a revision')
  return latest
}

/** Whether the first settlement is not among the known revisions. */
export function isHeadless(slip: SlipHistory): boolean {
  return firstOf(slip).rev > 1
}

/**
 * The moment that decides the slip's day: its first settlement. Where that is not known, the moment it was placed, since a
 * round is over within minutes, while the correction that is known may have come days later.
 */
export function countedAt(slip: SlipHistory): number {
  return isHeadless(slip) ? firstOf(slip).placedAt : firstOf(slip).settledAt
}

/** The slip with one more revision, or with another one in the place of one that bears the same number. */
export function withVersion(slip: SlipHistory, version: SlipVersion): SlipHistory {
  const others = slip.versions.filter(({ rev }) => rev !== version.rev)
  return { slipId: slip.slipId, versions: [...others, version].sort((a, b) => a.rev - b.rev) }
}

export const contradictionRules = {
  'win-loss': 'the win/loss is not the payout less stake and hold',
  stake: 'the stake is not the sum of its bets',
  hold: "the hold is not the sum of its bets' holds",
  payout: 'the payout is not the sum of what the bets returned',
  deltas: 'the changes to the balance do not add up to the payout',
  void: 'a voided slip gives stake and hold back and counts nothing',
  revisions: 'a revision between the known ones is missing',
  player: 'its revisions name different players or currencies',
  copy: "the figure kept beside the record is not the record's",
  unreadable: 'what should be an amount or a moment is none',
} as const
export type ContradictionRule = keyof typeof contradictionRules

/** Two things a slip says that cannot both be true. */
export interface Contradiction {
  readonly slipId: string
  readonly rev: number
  readonly rule: ContradictionRule
  readonly field: string
  readonly found: string
  /** What the rest of the slip asks for; null where it does not tell. */
  readonly expected: string | null
}

/** All a slip says against itself; nothing for a slip whose arithmetic holds. */
export function contradictionsOf(slip: SlipHistory): Contradiction[] {
  const found = slip.versions.flatMap(ownContradictions)
  return [...found, ...historyContradictions(slip)]
}

function ownContradictions(version: SlipVersion): Contradiction[] {
  const { slipId, rev, legs } = version
  const at = { slipId, rev }
  const found: Contradiction[] = version.unreadable.map((part) => ({
    ...at,
    rule: 'unreadable',
    field: part.field,
    found: part.found,
    expected: null,
  }))
  for (const { field, copy, record } of version.differing)
    found.push({ ...at, rule: 'copy', field, found: copy, expected: record })
  // Arithmetic on what could not be read would only repeat that it could not.
  if (version.unreadable.length > 0) return found
  const check = (rule: ContradictionRule, field: FigureName, expected: bigint) => {
    if (version[field] !== expected)
      found.push({ ...at, rule, field, found: text(version[field]), expected: text(expected) })
  }
  check('win-loss', 'winLoss', version.payout - version.stake - version.hold)
  check('stake', 'stake', sum(legs.map((leg) => leg.amount)))
  check('hold', 'hold', sum(legs.map((leg) => leg.hold)))
  if (paysByLegs(version)) check('payout', 'payout', sum(legs.map((leg) => leg.return)))
  if (version.status === 'void') {
    check('void', 'payout', version.stake + version.hold)
    for (const field of ['validStake', 'rolling', 'rake'] as const) check('void', field, 0n)
  }
  return found
}

/** At no-limit Hold'em the return of the one leg is the uncalled part only, and the payout comes from the pot. */
function paysByLegs(version: SlipVersion): boolean {
  return version.variant !== 'nlhe' || version.status === 'void'
}

function historyContradictions(slip: SlipHistory): Contradiction[] {
  const { slipId, versions } = slip
  const found: Contradiction[] = []
  const first = firstOf(slip)
  let balance = 0n
  let isWhole = !isHeadless(slip)
  for (const [i, version] of versions.entries()) {
    const before = versions[i - 1]
    const at = { slipId, rev: version.rev }
    if (before && version.rev !== before.rev + 1) {
      isWhole = false
      found.push({ ...at, rule: 'revisions', field: 'rev', found: `${version.rev}`, expected: `${before.rev + 1}` })
    }
    for (const field of ['player', 'currency'] as const)
      if (version[field] !== first[field])
        found.push({ ...at, rule: 'player', field, found: version[field], expected: first[field] })
    balance += version.delta
    // The deltas of a seat outside the wallet change no balance; those after a gap begin at an unknown one.
    if (!isWhole || version.isOnsite || version.unreadable.length > 0) continue
    if (balance !== version.payout) {
      const expected = version.payout - (balance - version.delta)
      found.push({ ...at, rule: 'deltas', field: 'delta', found: text(version.delta), expected: text(expected) })
      // Said once: what follows starts from the payout, or one wrong figure would spoil all later revisions.
      balance = version.payout
    }
  }
  return found
}

const text = (units: bigint) => formatUnits(units, playerScale)

/** The latest revision with one of its figures put right by the others: every way in which its own contradictions can be mended. */
export function mendedVersions(slip: SlipHistory): { readonly field: FigureName; readonly version: SlipVersion }[] {
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

/** A record's place in the order in which records arrived. */
export interface Arrival {
  readonly place: number
  readonly month: string
  readonly recSeq: number
  readonly slipId: string
}

/** Where two records that stand next to each other do not follow each other. */
export interface SequenceBreak {
  /**
   * `hole`: numbers between the two never came, which proves nothing; `repeat` and `step-back` cannot be. `deleted`: rows
   * between the two were in the book once, since places have no holes.
   */
  readonly kind: 'hole' | 'repeat' | 'step-back' | 'deleted'
  readonly month: string
  /** The numbers that did not come, both included; at a repeat or step back the number that came again; the places of deleted rows. */
  readonly from: number
  readonly to: number
  readonly before: string
  readonly after: string
}

/** The breaks in arrivals that are given in their order. Numbers are compared within a month, and only where no row is gone in between. */
export function sequenceBreaks(arrivals: readonly Arrival[]): SequenceBreak[] {
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
