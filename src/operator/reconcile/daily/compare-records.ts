import type { BookSlipRow } from '../../../db/schema/book.ts'
import { latestOf, type SlipHistory, type SlipVersion, withVersion } from '../../../domain/bets/slip-history.ts'
import { formatUnits, playerScale } from '../../../domain/money.ts'
import { isOfDay } from '../../../domain/reconcile/break-causes.ts'
import { byText, type DayFigures, figuresOf, noFigures, plus } from '../../../domain/reconcile/daily.ts'
import type { Client } from '../../../http/contract/contract.ts'
import { canonicalJson } from '../../../kit/canonical-json.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import type { BetPage, BetRecord } from '../../../services/casino/api/schemas/index.ts'
import { amountOf, recordOf, versionOf, versionOfRow } from '../../bets/slip-versions.ts'
import { rowsOfSlips, type Span, slipsSettled } from '../../bets/slips-by-day.ts'
import type { Book } from '../../book/book.ts'

/** What reconciliation asks of the platform. Nothing of it changes anything there. */
export type Platform = Pick<Client<typeof casinoContract>, 'summary' | 'account' | 'bets'>

/** The largest page there is: fewest requests for the same records. */
const pageSize = 1000

/** The records behind the book's cursor: what the next sync will bring. */
export interface Tail {
  readonly records: readonly BetRecord[]
  /** Whether the end was reached within the pages allowed. */
  readonly isWhole: boolean
  /** Where it ended. */
  readonly cursor: string
}

/** Reads on from the book's cursor and keeps nothing. */
export async function readTail(
  platform: Platform,
  cursor: string,
  most: number,
  signal: AbortSignal | undefined,
): Promise<Tail> {
  const records: BetRecord[] = []
  let at = cursor
  for (let pages = 1; pages <= most; pages++) {
    const page = await platform.bets({ query: { cursor: at, limit: pageSize } }, signal ? { signal } : {})
    records.push(...page.items)
    at = page.nextCursor
    if (!page.hasMore) return { records, isWhole: true, cursor: at }
  }
  return { records, isWhole: false, cursor: at }
}

/** How a record of a day in the book differs from the platform's own. */
export type FindingKind = 'missing-in-book' | 'extra-in-book' | 'changed' | 'newer-than-book'

/** One field of a record, on both sides; null on the side that does not have the record. */
export interface FieldPair {
  readonly field: string
  readonly platform: string | null
  readonly book: string | null
}

export interface Finding {
  readonly kind: FindingKind
  readonly version: SlipVersion
  readonly fields: readonly FieldPair[]
}

/** What reading a day again brought to light. */
export interface Trace {
  readonly pages: number
  readonly records: number
  /** Whether every record that was settled on the day was read. */
  readonly isWholeDay: boolean
  readonly findings: readonly Finding[]
  /** The players' figures of the day by the platform's own records; of use once the whole day was read. */
  readonly figures: ReadonlyMap<string, DayFigures>
  /** The players' names and currencies, as these records have them. */
  readonly players: ReadonlyMap<string, { readonly username: string; readonly currency: string }>
}

export interface TraceOrder {
  readonly span: Span
  /** Where to begin, the day's start or earlier: a slip's moments may have been changed in the book. */
  readonly from: number
  readonly mostPages: number
  /** The (slip, revision) keys behind the book's cursor: not missing, only not pulled yet. */
  readonly tail: ReadonlySet<string>
  /** What was settled before is not in the book by intention. */
  readonly bookBegins: number
  /** The book's last row when it was compared: what a sync adds meanwhile is nothing the platform has taken back. */
  readonly lastPlace: number
  readonly signal: AbortSignal | undefined
  /** Where the tail is not known, a record that the book lacks counts as newer from the latest settlement in the book on. */
  readonly newerFrom: number
  /** Asked when the day has been read: whether these figures account for everything, so that reading on can stop. */
  readonly isEnough: (figures: ReadonlyMap<string, DayFigures>) => boolean
  readonly onPage?: (pages: number, records: number) => void
}

/** Corrections come within a day of the settlement; so long after the day's end the search for them is given up. */
const afterlifeMs = 48 * 3_600_000

export const keyOf = ({ slipId, rev }: { readonly slipId: string; readonly rev: number }) => `${slipId}/${rev}`

/** Reads a day's records from the platform once more and compares them with the book, record by record. Changes nothing on either side. */
export async function traceDay(platform: Platform, book: Book, order: TraceOrder): Promise<Trace> {
  const { span, signal } = order
  const slips: ReadSlips = new Map()
  const seen = new Set<string>()
  const findings: Finding[] = []
  let cursor: string | undefined
  let readTo = Number.NEGATIVE_INFINITY
  let records = 0
  let pages = 0
  while (pages < order.mostPages) {
    const page: BetPage = await platform.bets(
      { query: { limit: pageSize, ...(cursor === undefined ? { from: minuteOf(order.from) } : { cursor }) } },
      signal ? { signal } : {},
    )
    pages += 1
    records += page.items.length
    for (const found of await comparePage(book, order, page.items, slips, seen)) findings.push(found)
    for (const item of page.items) readTo = Math.max(readTo, versionOf(item).settledAt)
    order.onPage?.(pages, records)
    cursor = page.nextCursor
    if (!page.hasMore) readTo = Number.POSITIVE_INFINITY
    if (readTo >= span.to + afterlifeMs) break
    if (readTo >= span.to && order.isEnough(figuresRead(slips, span, readTo))) break
  }
  const isWholeDay = readTo >= span.to
  if (isWholeDay) findings.push(...(await extraRecords(book, order, readTo, seen)))
  const players = new Map<string, { username: string; currency: string }>()
  for (const { read } of slips.values()) {
    const { player, username, currency } = latestOf(read)
    players.set(player, { username, currency })
  }
  return { pages, records, isWholeDay, findings, figures: figuresRead(slips, span, readTo), players }
}

/** The slips of the day as they were read again, beside what the book has of them. */
type ReadSlips = Map<string, { read: SlipHistory; booked: readonly SlipVersion[] }>

/** The figures by what was read, and by the book where a revision was written later than the reading went. */
function figuresRead(slips: ReadSlips, { from, to }: Span, readTo: number): Map<string, DayFigures> {
  const figures = new Map<string, DayFigures>()
  for (const { read, booked } of slips.values()) {
    const later = booked.filter(
      (version) => version.settledAt >= readTo && !read.versions.some(({ rev }) => rev === version.rev),
    )
    const slip = later.reduce(withVersion, read)
    if (!isOfDay(slip, from, to)) continue
    const { player } = latestOf(slip)
    figures.set(player, plus(figures.get(player) ?? noFigures, figuresOf(latestOf(slip))))
  }
  return figures
}

/** `from` as the API aligns it anyway; done here so that no platform aligns it upward. */
function minuteOf(at: number): string {
  return new Date(Math.max(0, Math.floor(at / 60_000) * 60_000)).toISOString()
}

async function comparePage(
  book: Book,
  order: TraceOrder,
  items: readonly BetRecord[],
  slips: ReadSlips,
  seen: Set<string>,
): Promise<Finding[]> {
  const rowsOf = await rowsById(
    book,
    items.map((item) => item.slipId),
  )
  const findings: Finding[] = []
  for (const item of items) {
    const rows = (rowsOf.get(item.slipId) ?? []).map((row) => ({ row, version: versionOfRow(row) }))
    const booked = rows.map(({ version }) => version)
    const version = versionOf(item)
    if (!concerns(version, booked, slips, order.span)) continue
    const isAgain = seen.has(keyOf(item))
    seen.add(keyOf(item))
    const known = slips.get(item.slipId)
    slips.set(item.slipId, {
      read: withVersion(known?.read ?? { slipId: item.slipId, versions: [] }, version),
      booked: known?.booked ?? booked,
    })
    const finding = isAgain ? undefined : judged(item, version, rows, order)
    if (finding) findings.push(finding)
  }
  return findings
}

/** Whether a record is of a slip that either side counts on the day. */
function concerns(version: SlipVersion, booked: readonly SlipVersion[], slips: ReadSlips, { from, to }: Span): boolean {
  const { slipId } = version
  if (slips.has(slipId)) return true
  if (booked.length > 0 && isOfDay({ slipId, versions: booked }, from, to)) return true
  const isKnownEarlier = booked.some(({ rev }) => rev < version.rev)
  return !isKnownEarlier && isOfDay({ slipId, versions: [version] }, from, to)
}

/** A row of the book, and what it says. */
interface ReadRow {
  readonly row: BookSlipRow
  readonly version: SlipVersion
}

function judged(
  item: BetRecord,
  version: SlipVersion,
  rows: readonly ReadRow[],
  order: TraceOrder,
): Finding | undefined {
  const row = rows.find((each) => each.version.rev === item.rev)
  if (!row) {
    if (version.settledAt < order.bookBegins) return undefined
    const isNewer = order.tail.has(keyOf(item)) || version.settledAt >= order.newerFrom
    const kind = isNewer ? 'newer-than-book' : 'missing-in-book'
    return { kind, version, fields: figurePairs(version, 'platform') }
  }
  const fields = changedFields(item, row)
  return fields.length > 0 ? { kind: 'changed', version, fields } : undefined
}

/** The findings with those records taken for newer that were written while the day was being read: they are not missing, only new. */
export function withNewer(trace: Trace, later: readonly BetRecord[]): Trace {
  const keys = new Set(later.map(keyOf))
  const findings = trace.findings.map((finding): Finding => {
    const isNewer = finding.kind === 'missing-in-book' && keys.has(keyOf(finding.version))
    return isNewer ? { ...finding, kind: 'newer-than-book' } : finding
  })
  return { ...trace, findings }
}

/** Rows of the book's day that the platform did not give again, of those it should have by then. */
function extraRecords(
  book: Book,
  { span, lastPlace }: TraceOrder,
  readTo: number,
  seen: ReadonlySet<string>,
): Promise<Finding[]> {
  return book.store.read(async (reader) => {
    const findings: Finding[] = []
    for await (const slips of slipsSettled(reader, span)) {
      const extra = slips
        .filter((slip) => isOfDay(slip, span.from, span.to))
        .flatMap((slip) => slip.versions)
        // Records of the last moment that was read may go on behind the last page.
        .filter((version) => version.settledAt < readTo && !seen.has(keyOf(version)))
      if (extra.length === 0) continue
      const ids = [...new Set(extra.map(({ slipId }) => slipId))]
      const rows = await rowsOfSlips(reader, ids)
      const places = new Map(rows.map((row) => [keyOf({ slipId: row.slip_id, rev: row.rev }), row.place]))
      for (const version of extra)
        if ((places.get(keyOf(version)) ?? 0) <= lastPlace)
          findings.push({ kind: 'extra-in-book', version, fields: figurePairs(version, 'book') })
    }
    return findings
  })
}

/** How many ids one question to the book names. */
const idsAtOnce = 1000

async function rowsById(book: Book, ids: readonly string[]): Promise<Map<string, BookSlipRow[]>> {
  const distinct = [...new Set(ids)]
  const known = new Map<string, BookSlipRow[]>()
  await book.store.read(async (reader) => {
    for (let i = 0; i < distinct.length; i += idsAtOnce) {
      for (const row of await rowsOfSlips(reader, distinct.slice(i, i + idsAtOnce)))
        known.set(row.slip_id, [...(known.get(row.slip_id) ?? []), row])
    }
  })
  return known
}

/** The figures that tell a slip apart, for a record that only one side has. */
const toldFields = ['stake', 'hold', 'validStake', 'rolling', 'payout', 'winLoss', 'rake'] as const

/** The figures of a record that one side alone has. */
export function figurePairs(version: SlipVersion, side: 'platform' | 'book'): FieldPair[] {
  return toldFields
    .filter((field) => (field !== 'hold' && field !== 'rake') || version[field] !== 0n)
    .map((field) => pair(field, side, formatUnits(version[field], playerScale)))
}

const pair = (field: string, side: 'platform' | 'book', text: string): FieldPair => ({
  field,
  platform: side === 'platform' ? text : null,
  book: side === 'book' ? text : null,
})

const moneyFields: readonly string[] = [...toldFields, 'delta']

/** The fields of a record in which the platform and the book are not of one mind. */
function changedFields(item: BetRecord, { row, version }: ReadRow): FieldPair[] {
  const pairs = row.record === JSON.stringify(item) ? [] : changedParts(item, row)
  // The columns are what is counted: one that says another thing than its record is a change as well.
  const copies = version.differing.filter(({ field }) => pairs.every((each) => each.field !== field))
  return [...pairs, ...copies.map(({ field, copy, record }) => ({ field, platform: record, book: copy }))]
}

function changedParts(item: BetRecord, row: BookSlipRow): FieldPair[] {
  const kept = recordOf(row)
  if (!kept) return [{ field: 'record', platform: canonicalJson(item), book: row.record }]
  // Both are plain JSON; by name is how two records of any age can be compared.
  const [platform, book] = [item, kept] as unknown as Readonly<Record<string, unknown>>[]
  // Where a record stands in the write order is no part of what it says.
  const names = new Set([...Object.keys(item), ...Object.keys(kept)].filter((name) => name !== 'recSeq'))
  return [...names].sort(byText).flatMap((field) => {
    const [theirs, ours] = [platform?.[field], book?.[field]]
    return sameValue(field, theirs, ours) ? [] : [{ field, platform: shown(theirs), book: shown(ours) }]
  })
}

function sameValue(field: string, a: unknown, b: unknown): boolean {
  if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) return true
  // `1.50` and `1.5` are one amount.
  const isMoney = moneyFields.includes(field) && typeof a === 'string' && typeof b === 'string'
  return isMoney && amountOf(a) !== null && amountOf(a) === amountOf(b)
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : canonicalJson(value)
}
