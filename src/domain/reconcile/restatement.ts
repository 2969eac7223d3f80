/**
 * Days whose figures changed after they were stated: a correction or void is written when it happens and belongs to the day
 * of the slip's first settlement, however long ago that is. What was written by then is known by its place in the order of
 * arrival, which is never given out again.
 */

import { latestOf, type SlipHistory, type SlipVersion } from '../bets/slip-history.ts'
import { type DayFigures, figuresOf, minus, noFigures, plus, same } from './daily.ts'

/** A revision, and where it stands in the order of arrival. */
export interface PlacedVersion {
  readonly place: number
  readonly version: SlipVersion
}

/** A slip that counts otherwise than it did. */
export interface RestatedSlip {
  readonly slipId: string
  readonly player: string
  readonly username: string
  readonly currency: string
  readonly was: SlipVersion | null
  readonly is: SlipVersion
  readonly before: DayFigures
  readonly after: DayFigures
  /** The last place at which it changed. */
  readonly place: number
}

/** What a slip counted when the book ended at a place, against what it counts now; nothing where the two are the same. */
export function restatedSlip(slip: readonly PlacedVersion[], place: number): RestatedSlip | undefined {
  const known = historyOf(slip.filter((each) => each.place <= place))
  const all = historyOf(slip)
  if (!all) return undefined
  const is = latestOf(all)
  const was = known ? latestOf(known) : null
  const [before, after] = [was ? figuresOf(was) : noFigures, figuresOf(is)]
  if (same(before, after)) return undefined
  const { slipId, player, username, currency } = is
  const last = Math.max(...slip.map((each) => each.place))
  return { slipId, player, username, currency, was, is, before, after, place: last }
}

function historyOf(slip: readonly PlacedVersion[]): SlipHistory | undefined {
  const [first] = slip
  if (!first) return undefined
  const versions = slip.map(({ version }) => version).sort((a, b) => a.rev - b.rev)
  return { slipId: first.version.slipId, versions }
}

/** What the restated slips of one player of one day come to. */
export interface RestatedPlayer {
  readonly player: string
  readonly username: string
  readonly currency: string
  readonly slips: readonly RestatedSlip[]
  /** The figures of these slips; those of the player's other slips stand as they were. */
  readonly before: DayFigures
  readonly after: DayFigures
  readonly change: DayFigures
}

/** By player and currency, in the order of their names. */
export function restatedPlayers(slips: readonly RestatedSlip[]): RestatedPlayer[] {
  const byPlayer = Map.groupBy(slips, ({ player, currency }) => `${player} ${currency}`)
  return [...byPlayer.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, own]) => {
      const [first] = own
      if (!first) return []
      const before = own.reduce((total, slip) => plus(total, slip.before), noFigures)
      const after = own.reduce((total, slip) => plus(total, slip.after), noFigures)
      const { player, username, currency } = first
      return [{ player, username, currency, slips: own, before, after, change: minus(after, before) }]
    })
}
