/**
 * A day's figures as the platform states them against those of the book, field by field per player, and what may be
 * concluded from the two. Rules only: where the figures come from, and how a difference is traced, is decided elsewhere.
 */

import { noSlips, withSlip } from '../bets/slip.ts'
import type { SlipVersion } from '../bets/slip-history.ts'
import { formatUnits, playerScale } from '../money.ts'
import { foldUsername } from '../players/player.ts'

/** What is compared, in the order it is told. `slips` is a count, the rest are amounts. */
export const dayFields = ['slips', 'stake', 'validStake', 'rolling', 'payout', 'winLoss', 'rake'] as const
export type DayField = (typeof dayFields)[number]

/** One player's day; amounts in units at the player scale. */
export type DayFigures = Readonly<Record<DayField, bigint>>

export const noFigures: DayFigures = byField(() => 0n)

/** What one slip adds to its player's day, of which the latest revision is given. An on-site seat adds nothing. */
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

/** A figure of a field as decimal text. */
export function fieldText(field: DayField, units: bigint): string {
  return formatUnits(units, field === 'slips' ? 0 : playerScale)
}

/** One player of the platform's summary. A figure that is no number of its field is null; its text is kept to be shown. */
export interface StatedPlayer {
  readonly username: string
  readonly figures: Readonly<Record<DayField, bigint | null>>
  readonly texts: Readonly<Record<DayField, string>>
}

/** One player of the book's day. */
export interface BookedPlayer {
  /** The spelling players are compared by. */
  readonly player: string
  readonly username: string
  readonly currency: string
  readonly figures: DayFigures
}

export interface FieldLine {
  readonly field: DayField
  /** The platform's figure; null where it is no number. */
  readonly platform: bigint | null
  readonly platformText: string
  readonly book: bigint
  /** The platform's less the book's. */
  readonly difference: bigint | null
  readonly matches: boolean
}

/** One player, compared. Whoever is on one side only is compared with zeros. */
export interface PlayerLine {
  readonly player: string
  readonly username: string
  /** Known from the book alone: the summary does not say it. */
  readonly currency: string | null
  readonly isStated: boolean
  readonly isBooked: boolean
  readonly fields: readonly FieldLine[]
  readonly matches: boolean
}

/** Every player of either side, compared field by field, in the order of their names. */
export function compare(stated: readonly StatedPlayer[], booked: readonly BookedPlayer[]): PlayerLine[] {
  const platform = new Map<string, StatedPlayer>()
  for (const one of stated) {
    const key = foldUsername(one.username)
    const other = platform.get(key)
    platform.set(key, other ? together(other, one) : one)
  }
  const book = new Map(booked.map((one) => [one.player, one]))
  const players = [...new Set([...platform.keys(), ...book.keys()])].sort(byText)
  return players.map((player) => lineOf(player, platform.get(player), book.get(player)))
}

function lineOf(player: string, stated: StatedPlayer | undefined, booked: BookedPlayer | undefined): PlayerLine {
  const fields = dayFields.map((field): FieldLine => {
    const platform = stated ? stated.figures[field] : 0n
    const book = booked ? booked.figures[field] : 0n
    const difference = platform === null ? null : platform - book
    return {
      field,
      platform,
      platformText: stated && platform === null ? stated.texts[field] : fieldText(field, platform ?? 0n),
      book,
      difference,
      matches: difference === 0n,
    }
  })
  return {
    player,
    username: stated?.username ?? booked?.username ?? player,
    currency: booked?.currency ?? null,
    isStated: stated !== undefined,
    isBooked: booked !== undefined,
    fields,
    matches: fields.every((line) => line.matches),
  }
}

/** A player whom the summary lists twice, with what both lines say together. */
function together(a: StatedPlayer, b: StatedPlayer): StatedPlayer {
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

/** The names that the summary lists more than once, in one spelling or several. */
export function repeatedNames(stated: readonly StatedPlayer[]): string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { username } of stated) {
    const key = foldUsername(username)
    if (seen.has(key)) repeated.add(key)
    seen.add(key)
  }
  return [...repeated]
}

/** The sums of a currency's players, one field of it. A platform figure that is no number adds nothing. */
export interface TotalLine {
  readonly currency: string | null
  readonly field: DayField
  readonly platform: bigint
  readonly book: bigint
  readonly players: number
}

/** All fields summed up per currency, players of unknown currency last. Nothing is ever added up across currencies. */
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
 * Why agreement proves nothing, or a difference may be none. Each says of whom it makes the figures doubtful: of all
 * players, of those whom the summary does not list, or of some by name.
 */
export interface Reason {
  readonly code: ReasonCode
  readonly doubts: 'all' | 'unlisted' | readonly string[]
}

export const reasonCodes = [
  /** The book is of another tenant, or of its other environment. */
  'BOOK_OF_ANOTHER',
  /** Nothing was ever pulled into the book. */
  'BOOK_EMPTY',
  /** The summary is of another day than the one asked for. */
  'SUMMARY_OF_ANOTHER_DAY',
  /** The platform counts the day in another zone. */
  'OTHER_TIMEZONE',
  /** Slips may still be settled on this day. */
  'DAY_NOT_OVER',
  /** The platform does not have the record that the book read last: it was restored, or is another environment. */
  'BOOK_AHEAD',
  /** The book was not read past the day's end. */
  'BOOK_BEHIND',
  /** The book begins within the day or after it. */
  'BOOK_BEGINS_LATER',
  /** The platform may have removed bets of the day. */
  'RETENTION',
  /** The summary is full: players may be missing from it. */
  'SUMMARY_FULL',
  /** The summary lists a player more than once. */
  'PLAYER_REPEATED',
  /** A slip's first settlement is not in the book, and may have been on this day. */
  'FIRST_REVISION_MISSING',
  /** A record of the book cannot be read. */
  'RECORD_UNREADABLE',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

/** Whether a player's figures stand in spite of all reasons. */
export function isCertain(line: Pick<PlayerLine, 'player' | 'isStated'>, reasons: readonly Reason[]): boolean {
  return !reasons.some(({ doubts }) => {
    if (doubts === 'all') return true
    return doubts === 'unlisted' ? !line.isStated : doubts.includes(line.player)
  })
}

export const verdicts = ['balanced', 'cannot-conclude', 'differences'] as const
export type Verdict = (typeof verdicts)[number]

/**
 * What the day comes to. A difference that no reason can account for comes first, whatever else is in doubt: it will not
 * go away. Then any reason forbids a conclusion. Balanced is what is left: every figure equal, and nothing in doubt.
 */
export function verdictOf(day: {
  /** The players that differ, with whatever is known to account for it taken away. */
  readonly differing: readonly Pick<PlayerLine, 'player' | 'isStated'>[]
  readonly reasons: readonly Reason[]
  /** Whether a record of the book was found to be other than the platform's own: no reason accounts for that. */
  readonly hasProof: boolean
}): Verdict {
  const { differing, reasons, hasProof } = day
  if (hasProof || differing.some((line) => isCertain(line, reasons))) return 'differences'
  return reasons.length > 0 ? 'cannot-conclude' : 'balanced'
}

/** What several days come to together: the worst of them. */
export function worstVerdict(days: readonly Verdict[]): Verdict {
  return verdicts[Math.max(0, ...days.map((verdict) => verdicts.indexOf(verdict)))] ?? 'balanced'
}

/** Below zero when the first text comes first, by code point: no list changes with the machine's language. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
