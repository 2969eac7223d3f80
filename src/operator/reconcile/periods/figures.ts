import type { Reader } from '../../../db/store.ts'
import { isHeadless, latestOf, type SlipHistory } from '../../../domain/bets/slip-history.ts'
import { formatUnits, playerScale } from '../../../domain/money.ts'
import { isOfDay } from '../../../domain/reconcile/break-causes.ts'
import {
  byField,
  byText,
  type DayFigures,
  dayFields,
  fieldText,
  figuresOf,
  minus,
  noFigures,
  plus,
  same,
} from '../../../domain/reconcile/daily.ts'
import type { Period } from '../../../domain/reconcile/periods.ts'
import { type Day, dayEnd } from '../../../domain/time/day.ts'
import { canonicalJson } from '../../../kit/canonical-json.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { amountOf } from '../../bets/slip-versions.ts'
import { headlessSlips, slipsSettled } from '../../bets/slips-by-day.ts'
import type { PeriodFigures, PeriodLine } from './schema.ts'

/** The book's figures of a period. */

/** Figures of one player in one currency. */
export interface PlayerPeriodFigures {
  readonly player: string
  readonly currency: string
  readonly username: string
  readonly figures: DayFigures
}

/** Figures of one table on one day in one currency. */
export interface TableFigures {
  readonly date: Day
  readonly game: string
  readonly tableId: string
  readonly currency: string
  readonly figures: DayFigures
}

export interface BookedPeriod {
  readonly players: readonly PlayerPeriodFigures[]
  readonly tables: readonly TableFigures[]
  /** SHA-256 of both. */
  readonly digest: string
}

/** Counts a period: every slip on the day of its first settlement, with its highest revision. Seats on site do not count. */
export async function countPeriod(reader: Reader, period: Period, zone: string): Promise<BookedPeriod> {
  const players = new Map<string, PlayerPeriodFigures>()
  const tables = new Map<string, TableFigures>()
  const ends = period.days.map((day) => dayEnd(day, zone))
  const count = (slip: SlipHistory, at: number) => {
    const latest = latestOf(slip)
    if (latest.isOnsite) return
    const figures = figuresOf(latest)
    const { player, currency, username, game, tableId } = latest
    const date = period.days[ends.findIndex((end) => at < end)] ?? period.name
    const playerKey = `${player} ${currency}`
    const tableKey = `${date} ${game} ${tableId} ${currency}`
    const own = players.get(playerKey)
    players.set(playerKey, { player, currency, username, figures: plus(own?.figures ?? noFigures, figures) })
    const table = tables.get(tableKey)
    tables.set(tableKey, { date, game, tableId, currency, figures: plus(table?.figures ?? noFigures, figures) })
  }
  for await (const slips of slipsSettled(reader, period))
    for (const slip of slips) if (!isHeadless(slip)) count(slip, slip.versions[0]?.settledAt ?? 0)
  for await (const slips of headlessSlips(reader, period.from))
    for (const slip of slips) if (isOfDay(slip, period.from, period.to)) count(slip, slip.versions[0]?.placedAt ?? 0)
  const sorted = <T>(map: Map<string, T>) => [...map].sort(([a], [b]) => byText(a, b)).map(([, value]) => value)
  const booked = { players: sorted(players), tables: sorted(tables) }
  return { ...booked, digest: digestOf(booked) }
}

function digestOf({ players, tables }: Omit<BookedPeriod, 'digest'>): string {
  // The spelling of a name is not a figure.
  const own = players.map(({ player, currency, figures }) => [player, currency, figureTexts(figures)])
  return sha256Hex(canonicalJson([own, tables.map(lineOf)]))
}

export function figureTexts(figures: DayFigures): Record<string, string> {
  return byField((field) => fieldText(field, figures[field])) as Record<string, string>
}

/** Parses figures that were stored as text. */
export function figuresFrom(texts: Readonly<Record<string, string>>): DayFigures {
  return byField((field) => (field === 'slips' ? BigInt(texts[field] ?? '0') : (amountOf(texts[field] ?? '0') ?? 0n)))
}

export function figuresShown(figures: DayFigures): PeriodFigures {
  return {
    ...(figureTexts(figures) as Omit<PeriodFigures, 'ggr'>),
    ggr: formatUnits(-figures.winLoss, playerScale),
  }
}

export const lineOf = ({ date, game, tableId, currency, figures }: TableFigures): PeriodLine => ({
  date,
  game,
  tableId,
  currency,
  ...figuresShown(figures),
})

/** Sums lines by a key, in the order of the keys. */
export function sumBy<K extends keyof PeriodLine>(
  lines: readonly PeriodLine[],
  keys: readonly K[],
): (Pick<PeriodLine, K> & PeriodFigures)[] {
  const groups = Map.groupBy(lines, (line) => keys.map((key) => line[key]).join('\n'))
  return [...groups]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([, own]) => {
      const [first] = own
      if (!first) return []
      const figures = own.reduce((total, line) => plus(total, figuresFrom(line)), noFigures)
      const named = Object.fromEntries(keys.map((key) => [key, first[key]])) as Pick<PeriodLine, K>
      return [{ ...named, ...figuresShown(figures) }]
    })
}

/** A change of a player's figures since the close. */
export interface PlayerChange {
  readonly player: string
  readonly currency: string
  readonly username: string
  readonly fields: readonly { field: string; before: string; after: string; change: string }[]
  readonly winLoss: string
}

/** Compares the figures at the close with the current ones, by player and currency. */
export function changesOf(
  before: readonly PlayerPeriodFigures[],
  after: readonly PlayerPeriodFigures[],
): PlayerChange[] {
  const keyOf = ({ player, currency }: PlayerPeriodFigures) => `${player} ${currency}`
  const [was, is] = [before, after].map((all) => new Map(all.map((one) => [keyOf(one), one])))
  const keys = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])].sort(byText)
  return keys.flatMap((key) => {
    const [old, current] = [was?.get(key), is?.get(key)]
    const named = current ?? old
    const [from, to] = [old?.figures ?? noFigures, current?.figures ?? noFigures]
    if (!named || same(from, to)) return []
    const change = minus(to, from)
    const fields = dayFields
      .filter((field) => change[field] !== 0n)
      .map((field) => ({
        field,
        before: fieldText(field, from[field]),
        after: fieldText(field, to[field]),
        change: fieldText(field, change[field]),
      }))
    const { player, currency, username } = named
    return [{ player, currency, username, fields, winLoss: fieldText('winLoss', change.winLoss) }]
  })
}
