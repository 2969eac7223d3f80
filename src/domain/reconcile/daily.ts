/**
 * Compares a day's figures of the platform with those of the book, field by field per player, and derives the verdict.
 * Rules only: reading the figures and tracing a difference happen elsewhere.
 */

import { noSlips, withSlip } from '../bets/slip.ts'
import type { SlipVersion } from '../bets/slip-history.ts'
import { formatUnits, playerScale } from '../money.ts'
import { foldUsername } from '../players/player.ts'

/** Amounts of a player's day, in display order. */
export const amountFields = ['stake', 'validStake', 'rolling', 'payout', 'winLoss', 'rake'] as const
export type AmountField = (typeof amountFields)[number]

/** Compared fields, in display order. `slips` is a count, the rest are amounts. */
export const dayFields = ['slips', ...amountFields] as const
export type DayField = (typeof dayFields)[number]

/** One player's day; amounts in units at the player scale. */
export type DayFigures = Readonly<Record<DayField, bigint>>

export const noFigures: DayFigures = byField(() => 0n)

/** Returns the figures that a slip's latest revision adds to its player's day. An on-site seat adds nothing. */
export function figuresOf(latest: SlipVersion): DayFigures {
  if (latest.isOnsite) return noFigures
  const sums = withSlip(noSlips, latest)
  return { ...sums, slips: BigInt(sums.slips) }
}

export function plus(a: DayFigures, b: DayFigures): DayFigures {
  return byField((field) => a[field] + b[field])
}

export function minus(a: DayFigures, b: DayFigures): DayFigures {
  return byField((field) => a[field] - b[field])
}

export function same(a: DayFigures, b: DayFigures): boolean {
  return dayFields.every((field) => a[field] === b[field])
}

/** Formats a figure as decimal text. */
export function fieldText(field: DayField, units: bigint): string {
  return formatUnits(units, field === 'slips' ? 0 : playerScale)
}

/** A player in the platform's summary. An invalid figure is null; its text is kept for display. */
export interface ReportedPlayer {
  readonly username: string
  readonly figures: Readonly<Record<DayField, bigint | null>>
  readonly texts: Readonly<Record<DayField, string>>
}

/** A player in the book's day. */
export interface BookedPlayer {
  /** Normalized username, used for comparing. */
  readonly player: string
  readonly username: string
  readonly currency: string
  readonly figures: DayFigures
}

export interface FieldLine {
  readonly field: DayField
  /** Platform's figure; null if invalid. */
  readonly platform: bigint | null
  readonly platformText: string
  readonly book: bigint
  /** Platform's figure less the book's. */
  readonly difference: bigint | null
  readonly matches: boolean
}

/** Comparison of one player. A player on one side only is compared with zeros. */
export interface PlayerLine {
  readonly player: string
  readonly username: string
  /** From the book: the summary has no currency. */
  readonly currency: string | null
  readonly isReported: boolean
  readonly isBooked: boolean
  readonly fields: readonly FieldLine[]
  readonly matches: boolean
}

/** Compares every player of either side, field by field, sorted by name. */
export function compare(reported: readonly ReportedPlayer[], booked: readonly BookedPlayer[]): PlayerLine[] {
  const platform = new Map<string, ReportedPlayer>()
  for (const one of reported) {
    const key = foldUsername(one.username)
    const other = platform.get(key)
    platform.set(key, other ? sum(other, one) : one)
  }
  const book = new Map(booked.map((one) => [one.player, one]))
  const players = [...new Set([...platform.keys(), ...book.keys()])].sort(byText)
  return players.map((player) => lineOf(player, platform.get(player), book.get(player)))
}

function lineOf(player: string, reported: ReportedPlayer | undefined, booked: BookedPlayer | undefined): PlayerLine {
  const fields = dayFields.map((field): FieldLine => {
    const platform = reported ? reported.figures[field] : 0n
    const book = booked ? booked.figures[field] : 0n
    const difference = platform === null ? null : platform - book
    return {
      field,
      platform,
      platformText: reported && platform === null ? reported.texts[field] : fieldText(field, platform ?? 0n),
      book,
      difference,
      matches: difference === 0n,
    }
  })
  return {
    player,
    username: reported?.username ?? booked?.username ?? player,
    currency: booked?.currency || null,
    isReported: reported !== undefined,
    isBooked: booked !== undefined,
    fields,
    matches: fields.every((line) => line.matches),
  }
}

/** Adds up the lines of a player who is listed twice. */
function sum(a: ReportedPlayer, b: ReportedPlayer): ReportedPlayer {
  const sumOf = (field: DayField) => {
    const [one, other] = [a.figures[field], b.figures[field]]
    return one === null || other === null ? null : one + other
  }
  const textOf = (field: DayField) => `${a.texts[field]} and ${b.texts[field]}`
  return { username: a.username, figures: byField(sumOf), texts: byField(textOf) }
}

/** Any value per field. */
export function byField<T>(make: (field: DayField) => T): Readonly<Record<DayField, T>> {
  return {
    slips: make('slips'),
    stake: make('stake'),
    validStake: make('validStake'),
    rolling: make('rolling'),
    payout: make('payout'),
    winLoss: make('winLoss'),
    rake: make('rake'),
  }
}

/** Returns names that the summary lists more than once, in any spelling. */
export function repeatedNames(reported: readonly ReportedPlayer[]): string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { username } of reported) {
    const key = foldUsername(username)
    if (seen.has(key)) repeated.add(key)
    seen.add(key)
  }
  return [...repeated]
}

/** Sums of one field over a currency's players. Invalid platform figures add nothing. */
export interface TotalLine {
  readonly currency: string | null
  readonly field: DayField
  readonly platform: bigint
  readonly book: bigint
  readonly players: number
}

/** Sums up all fields per currency, players of unknown currency last. Amounts are never added across currencies. */
export function totalsOf(lines: readonly PlayerLine[]): TotalLine[] {
  const currencies = [...new Set(lines.map((line) => line.currency))].sort((a, b) =>
    a === null ? 1 : b === null ? -1 : byText(a, b),
  )
  return currencies.flatMap((currency) => {
    const own = lines.filter((line) => line.currency === currency)
    return dayFields.map((field, i) => ({
      currency,
      field,
      platform: own.reduce((total, line) => total + (line.fields[i]?.platform ?? 0n), 0n),
      book: own.reduce((total, line) => total + (line.fields[i]?.book ?? 0n), 0n),
      players: own.length,
    }))
  })
}

/**
 * A reason why agreement proves nothing or a difference may not be one. It affects all players, those missing from the
 * summary, or some by name.
 */
export interface Reason {
  readonly code: ReasonCode
  readonly doubts: 'all' | 'unlisted' | readonly string[]
}

export const reasonCodes = [
  /** The book belongs to another tenant or environment. */
  'BOOK_OF_ANOTHER',
  /** Nothing was ever pulled into the book. */
  'BOOK_EMPTY',
  /** The summary is of a different day than requested. */
  'SUMMARY_OF_ANOTHER_DAY',
  /** The platform uses another time zone for the day. */
  'OTHER_TIMEZONE',
  /** Slips may still be settled on this day. */
  'DAY_NOT_OVER',
  /** The platform does not have the last record in the book: it was restored, or is another environment. */
  'BOOK_AHEAD',
  /** The book was not synced past the end of the day. */
  'BOOK_BEHIND',
  /** The book begins within or after the day. */
  'BOOK_BEGINS_LATER',
  /** The platform may have deleted bets of the day. */
  'RETENTION',
  /** The summary is at its maximum size: players may be missing. */
  'SUMMARY_FULL',
  /** The summary lists a player more than once. */
  'PLAYER_REPEATED',
  /** A slip's first settlement is not in the book and may have been on this day. */
  'FIRST_REVISION_MISSING',
  /** A record in the book is invalid. */
  'RECORD_UNREADABLE',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

/** Returns whether a player's figures are certain despite all reasons. */
export function isCertain(line: Pick<PlayerLine, 'player' | 'isReported'>, reasons: readonly Reason[]): boolean {
  return !reasons.some(({ doubts }) => {
    if (doubts === 'all') return true
    return doubts === 'unlisted' ? !line.isReported : doubts.includes(line.player)
  })
}

export const verdicts = ['balanced', 'cannot-conclude', 'differences'] as const
export type Verdict = (typeof verdicts)[number]

/**
 * Returns the verdict of a day. A difference that no reason explains wins over every doubt: it does not go away.
 * Otherwise any reason makes it inconclusive. Balanced means every figure is equal and nothing is in doubt.
 */
export function verdictOf(day: {
  /** Players with differences, less what known causes explain. */
  readonly differing: readonly Pick<PlayerLine, 'player' | 'isReported'>[]
  readonly reasons: readonly Reason[]
  /** True if a record in the book was found to differ from the platform's own. No reason explains that. */
  readonly hasProof: boolean
}): Verdict {
  const { differing, reasons, hasProof } = day
  if (hasProof || differing.some((line) => isCertain(line, reasons))) return 'differences'
  return reasons.length > 0 ? 'cannot-conclude' : 'balanced'
}

/** Returns the worst of several verdicts. Of none it is inconclusive, because nothing was checked. */
export function worstVerdict(days: readonly Verdict[]): Verdict {
  if (days.length === 0) return 'cannot-conclude'
  return verdicts[Math.max(0, ...days.map((verdict) => verdicts.indexOf(verdict)))] ?? 'balanced'
}

/** Compares two texts by code point, so that the order does not depend on the machine's locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
