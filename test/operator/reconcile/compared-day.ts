import {
  type BookedPlayer,
  byField,
  compare,
  type DayField,
  type DayFigures,
  figuresOf,
  type Reason,
  type ReportedPlayer,
} from '../../../src/domain/reconcile/daily.ts'
import { documentedRule } from '../../../src/domain/reconcile/day-rules.ts'
import { versionOf } from '../../../src/operator/bets/slip-versions.ts'
import { type BookDay, readBook } from '../../../src/operator/reconcile/daily/book-side.ts'
import type { Platform } from '../../../src/operator/reconcile/daily/compare-records.ts'
import { investigate } from '../../../src/operator/reconcile/daily/investigate.ts'
import type { ComparedDay, DayOptions } from '../../../src/operator/reconcile/daily/types.ts'
import type { BetRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { aBook, aRecord, toRow, writeRows } from '../book-rows.ts'
import { aFakePlatform, inWriteOrder } from '../reconcile-fake.ts'

/** 2026-03-10 in UTC on both sides, without a room, and its investigation. */

export const span = { from: Date.UTC(2026, 2, 10), to: Date.UTC(2026, 2, 11) }
const options: DayOptions = {
  ...{ date: '2026-03-10', trace: true, tracePages: 5 },
  tenant: { companyCode: 'ACME', environment: 'live', timezone: 'UTC' },
}

export type ReportedFigures = Readonly<Record<DayField, bigint | null>>

export interface Sides {
  /** Records of the platform; the book has the first `booked` of it, in write order, plus `extra`. */
  readonly records: readonly Partial<BetRecord>[]
  readonly booked?: number
  readonly extra?: readonly Partial<BetRecord>[]
  /** Changes a record before it is stored in the book. */
  readonly inBook?: (record: BetRecord) => BetRecord
  /** Changes the figures of the summary; without it they are those of all records of the day. */
  readonly reported?: (figures: DayFigures, username: string) => ReportedFigures
  readonly over?: Partial<DayOptions>
  readonly platform?: (platform: Platform) => Partial<Platform>
  readonly reasons?: readonly Reason[]
  readonly ofBook?: (day: BookDay) => BookDay
  readonly signal?: AbortSignal
}

/** Investigates a day. */
export async function aDay(sides: Sides) {
  const { records, booked = records.length, extra = [], inBook = (record) => record, ...more } = sides
  const written = inWriteOrder(records.map((record) => aRecord(record)))
  const known = written.slice(0, booked)
  const book = await aBook()
  const rows = [...known.map(inBook), ...extra.map((record) => aRecord(record))]
  await writeRows(
    book,
    rows.map((record, i) => toRow(record, i + 1)),
  )
  const row = { cursor: `202603.${known.at(-1)?.recSeq ?? 0}`, rows: rows.length, ahead_ms: null }
  const times = { started_from: Date.UTC(2026, 0, 1), caught_up_at: Date.UTC(2026, 2, 12) }
  await book.store.write(({ q }) =>
    q
      .insertInto('book_position')
      .values({ id: 'bets', ...row, ...times })
      .execute(),
  )
  const { platform, calls } = aFakePlatform(written, 'UTC')
  const read = await readBook(book, span)
  const ofDay = more.ofBook?.(read) ?? read
  const { players } = await platform.summary({ query: { date: options.date } })
  const reported = players.map(({ username }) => reportedPlayer(username, written, more.reported))
  const lines = compare(reported, [...ofDay.players.values()] satisfies BookedPlayer[])
  const rule = { ...documentedRule('UTC'), from: 'documented', date: null } as const
  const day: ComparedDay = {
    options: { ...options, ...more.over },
    rule,
    span,
    booked: ofDay,
    reported,
    lines,
    now: span.to,
  }
  calls.length = 0
  const steps: string[] = []
  const work = {
    ...{ platform: { ...platform, ...more.platform?.(platform) }, book, now: () => span.to },
    onStep: (step: string) => steps.push(step),
    ...(more.signal ? { signal: more.signal } : {}),
  }
  return { investigation: await investigate(work, day, more.reasons ?? []), day, calls, steps }
}

function reportedPlayer(username: string, written: readonly BetRecord[], reported: Sides['reported']): ReportedPlayer {
  const own = written.filter((record) => record.username === username && record.settledAt.startsWith(options.date))
  const sums = own.map((record) => figuresOf(versionOf(record)))
  const sum = byField((field) => sums.reduce((total, each) => total + each[field], 0n))
  const figures = reported?.(sum, username) ?? sum
  return { username, figures, texts: byField((field) => `${figures[field]}`) }
}

/** A time of the day, in milliseconds after its beginning. */
export const at = (ms: number) => new Date(span.from + ms).toISOString()
export const dayMs = span.to - span.from
const noonMs = dayMs / 2

/** One slip of each player, settled from noon on in the order of the list. */
export const slips = (...usernames: readonly string[]): Partial<BetRecord>[] =>
  usernames.map((username, i) => ({
    ...{ slipId: `S-${username}`, roundId: `R${i}`, username, settledAt: at(noonMs + i * 1000) },
  }))

export const more = (figures: DayFigures): DayFigures => ({ ...figures, winLoss: figures.winLoss + 1n })
