/**
 * Days whose figures changed after they were stated. A correction or void is written when it happens but belongs to the
 * day of the slip's first settlement, however long ago. Its position in the order of arrival, which is never reused,
 * shows what was known at the time.
 */

import { latestOf, type SlipHistory, type SlipVersion } from '../bets/slip-history.ts'
import { type DayFigures, figuresOf, minus, noFigures, plus, same } from './daily.ts'

/** A revision and its position in the order of arrival. */
export interface PlacedVersion {
  readonly place: number
  readonly version: SlipVersion
}

/** A slip whose counted figures changed. */
export interface RestatedSlip {
  readonly slipId: string
  readonly player: string
  readonly username: string
  readonly currency: string
  readonly was: SlipVersion | null
  readonly is: SlipVersion
  readonly before: DayFigures
  readonly after: DayFigures
  /** Position of its last change. */
  readonly place: number
}

/**
 * Returns a slip's figures at a position of the book and now, or undefined if they are equal. `former` has revisions that a repair
 * has replaced or removed since.
 */
export function restatedSlip(
  slip: readonly PlacedVersion[],
  place: number,
  former: readonly PlacedVersion[] = [],
  until = 0,
): RestatedSlip | undefined {
  const known = historyOf([...slip.filter((each) => each.place <= place), ...former])
  const all = historyOf(slip)
  const was = known ? latestOf(known) : null
  const is = all ? latestOf(all) : was
  if (!is) return undefined
  const [before, after] = [was ? figuresOf(was) : noFigures, all ? figuresOf(is) : noFigures]
  if (same(before, after)) return undefined
  const { slipId, player, username, currency } = is
  const last = Math.max(until, ...slip.map((each) => each.place))
  return { slipId, player, username, currency, was, is, before, after, place: last }
}

function historyOf(slip: readonly PlacedVersion[]): SlipHistory | undefined {
  const [first] = slip
  if (!first) return undefined
  const versions = slip.map(({ version }) => version).sort((a, b) => a.rev - b.rev)
  return { slipId: first.version.slipId, versions }
}

/** Sum of one player's restated slips of one day. */
export interface RestatedPlayer {
  readonly player: string
  readonly username: string
  readonly currency: string
  readonly slips: readonly RestatedSlip[]
  /** Figures of these slips only; the player's other slips are unchanged. */
  readonly before: DayFigures
  readonly after: DayFigures
  readonly change: DayFigures
}

/** Groups restated slips by player and currency, sorted by name. */
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
