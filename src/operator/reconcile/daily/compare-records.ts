import type { BookSlipRow } from '../../../db/schema/book.ts'
import { latestOf, type SlipHistory, type SlipVersion, withVersion } from '../../../domain/bets/slip-history.ts'
import { formatUnits, playerScale } from '../../../domain/money.ts'
import { isOfDay } from '../../../domain/reconcile/break-causes.ts'
import { byText, type DayFigures, figuresOf, noFigures, plus } from '../../../domain/reconcile/daily.ts'
import type { Client } from '../../../http/contract/contract.ts'
import { canonicalJson } from '../../../kit/canonical-json.ts'
import { piecesOf } from '../../../kit/pieces.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import type { BetPage, BetRecord } from '../../../services/casino/api/schemas/index.ts'
import { amountOf, recordOf, versionOf, versionOfRow } from '../../bets/slip-versions.ts'
import { rowsOfSlips, type Span, slipsSettled } from '../../bets/slips-by-day.ts'
import type { Book } from '../../book/book.ts'

/** Read-only API calls of the reconciliation. */
export type Platform = Pick<Client<typeof casinoContract>, 'summary' | 'account' | 'bets'>

/** Largest page size, for the fewest requests. */
const pageSize = 1000

/** Records after the book's cursor, which the next sync will read. */
export interface Tail {
  readonly records: readonly BetRecord[]
  /** True if the end was reached within the allowed pages. */
  readonly isWhole: boolean
  /** Cursor at the end. */
  readonly cursor: string
}

/** Reads the records after the book's cursor without storing them. */
export async function readTail(
  platform: Platform,
  cursor: string,
  pageLimit: number,
  signal: AbortSignal | undefined,
): Promise<Tail> {
  const records: BetRecord[] = []
  let at = cursor
  for (let pages = 1; pages <= pageLimit; pages++) {
    const page = await platform.bets({ query: { cursor: at, limit: pageSize } }, signal ? { signal } : {})
    records.push(...page.items)
    at = page.nextCursor
    if (!page.hasMore) return { records, isWhole: true, cursor: at }
  }
  return { records, isWhole: false, cursor: at }
}

/** Difference of a record between book and platform. */
export type FindingKind = 'missing-in-book' | 'extra-in-book' | 'changed' | 'newer-than-book'

/** One field on both sides; null on the side without the record. */
export interface FieldPair {
  readonly field: string
  readonly platform: string | null
  readonly book: string | null
}

export interface SlipFinding {
  readonly kind: FindingKind
  readonly version: SlipVersion
  readonly fields: readonly FieldPair[]
}

/** Result of reading a day again. */
export interface Trace {
  readonly pages: number
  readonly records: number
  /** True if every record settled on the day was read. */
  readonly isWholeDay: boolean
  readonly findings: readonly SlipFinding[]
  /** Players' figures of the day by the platform's records; valid if the whole day was read. */
  readonly figures: ReadonlyMap<string, DayFigures>
  /** Names and currencies of the players in these records. */
  readonly players: ReadonlyMap<string, { readonly username: string; readonly currency: string }>
}

export interface TraceOptions {
  readonly span: Span
  /** Start, the day's start or earlier: the times of a slip may have been changed in the book. */
  readonly from: number
  readonly maxPages: number
  /** Keys (slip, revision) after the book's cursor: they are not missing, only not synced. */
  readonly tail: ReadonlySet<string>
  /** Start of the book; earlier settlements are not in it. */
  readonly bookBegins: number
  /** Last row of the book when it was compared: later rows of a concurrent sync are not missing at the platform. */
  readonly lastPlace: number
  readonly signal: AbortSignal | undefined
  /** If the tail is unknown, records after the latest settlement in the book count as newer. */
  readonly newerFrom: number
  /** Called after the day was read: returns true if these figures explain everything, so that reading can stop. */
  readonly isEnough: (figures: ReadonlyMap<string, DayFigures>) => boolean
  readonly onPage?: (pages: number, records: number) => void
}

/**
 * Time after the day for which records are read. Corrections arrive within 24 hours of the settlement; later ones are
 * not searched.
 */
const afterlifeMs = 48 * 3_600_000

export const keyOf = ({ slipId, rev }: { readonly slipId: string; readonly rev: number }) => `${slipId}/${rev}`

/** Reads a day's records from the platform again and compares them with the book, one by one. Read-only on both sides. */
export async function traceDay(platform: Platform, book: Book, options: TraceOptions): Promise<Trace> {
  const { span, signal } = options
  const slips: ReadSlips = new Map()
  const seen = new Set<string>()
  const findings: SlipFinding[] = []
  let cursor: string | undefined
  let readTo = Number.NEGATIVE_INFINITY
  let records = 0
  let pages = 0
  while (pages < options.maxPages) {
    const page: BetPage = await platform.bets(
      { query: { limit: pageSize, ...(cursor === undefined ? { from: minuteOf(options.from) } : { cursor }) } },
      signal ? { signal } : {},
    )
    pages += 1
    records += page.items.length
    for (const finding of await comparePage(book, options, page.items, slips, seen)) findings.push(finding)
    for (const item of page.items) readTo = Math.max(readTo, versionOf(item).settledAt)
    options.onPage?.(pages, records)
    cursor = page.nextCursor
    if (!page.hasMore) readTo = Number.POSITIVE_INFINITY
    if (readTo >= span.to + afterlifeMs) break
    if (readTo >= span.to && options.isEnough(figuresRead(slips, span, readTo))) break
  }
  const isWholeDay = readTo >= span.to
  if (isWholeDay) findings.push(...(await extraRecords(book, options, readTo, seen)))
  const players = new Map<string, { username: string; currency: string }>()
  for (const { read } of slips.values()) {
    const { player, username, currency } = latestOf(read)
    players.set(player, { username, currency })
  }
  return { pages, records, isWholeDay, findings, figures: figuresRead(slips, span, readTo), players }
}

/** The slips of the day as read from the platform, each with its versions in the book. */
type ReadSlips = Map<string, { read: SlipHistory; booked: readonly SlipVersion[] }>

/** Returns the figures by the read records, and by the book for revisions written after the read range. */
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

/** The API rounds `from` down; rounding here makes sure that no platform rounds up. */
function minuteOf(at: number): string {
  return new Date(Math.max(0, Math.floor(at / 60_000) * 60_000)).toISOString()
}

async function comparePage(
  book: Book,
  options: TraceOptions,
  items: readonly BetRecord[],
  slips: ReadSlips,
  seen: Set<string>,
): Promise<SlipFinding[]> {
  const rowsOf = await rowsById(
    book,
    items.map((item) => item.slipId),
  )
  const findings: SlipFinding[] = []
  for (const item of items) {
    const rows = (rowsOf.get(item.slipId) ?? []).map((row) => ({ row, version: versionOfRow(row) }))
    const booked = rows.map(({ version }) => version)
    const version = versionOf(item)
    if (!concerns(version, booked, slips, options.span)) continue
    const isAgain = seen.has(keyOf(item))
    seen.add(keyOf(item))
    const known = slips.get(item.slipId)
    slips.set(item.slipId, {
      read: withVersion(known?.read ?? { slipId: item.slipId, versions: [] }, version),
      booked: known?.booked ?? booked,
    })
    const finding = isAgain ? undefined : withFindings(item, version, rows, options)
    if (finding) findings.push(finding)
  }
  return findings
}

/** Returns whether either side counts the slip of a record on the day. */
function concerns(version: SlipVersion, booked: readonly SlipVersion[], slips: ReadSlips, { from, to }: Span): boolean {
  const { slipId } = version
  if (slips.has(slipId)) return true
  if (booked.length > 0 && isOfDay({ slipId, versions: booked }, from, to)) return true
  const isKnownEarlier = booked.some(({ rev }) => rev < version.rev)
  return !isKnownEarlier && isOfDay({ slipId, versions: [version] }, from, to)
}

/** A row of the book and its parsed content. */
interface ReadRow {
  readonly row: BookSlipRow
  readonly version: SlipVersion
}

function withFindings(
  item: BetRecord,
  version: SlipVersion,
  rows: readonly ReadRow[],
  options: TraceOptions,
): SlipFinding | undefined {
  const row = rows.find((each) => each.version.rev === item.rev)
  if (!row) {
    if (version.settledAt < options.bookBegins) return undefined
    const isNewer = options.tail.has(keyOf(item)) || version.settledAt >= options.newerFrom
    const kind = isNewer ? 'newer-than-book' : 'missing-in-book'
    return { kind, version, fields: figurePairs(version, 'platform') }
  }
  const fields = changedFields(item, row)
  return fields.length > 0 ? { kind: 'changed', version, fields } : undefined
}

/** Marks records written during the read as newer: they are not missing. */
export function withNewer(trace: Trace, later: readonly BetRecord[]): Trace {
  const keys = new Set(later.map(keyOf))
  const findings = trace.findings.map((finding): SlipFinding => {
    const isNewer = finding.kind === 'missing-in-book' && keys.has(keyOf(finding.version))
    return isNewer ? { ...finding, kind: 'newer-than-book' } : finding
  })
  return { ...trace, findings }
}

/** Finds rows of the book's day that the platform did not return although it should have them. */
function extraRecords(
  book: Book,
  { span, lastPlace }: TraceOptions,
  readTo: number,
  seen: ReadonlySet<string>,
): Promise<SlipFinding[]> {
  return book.store.read(async (reader) => {
    const findings: SlipFinding[] = []
    for await (const slips of slipsSettled(reader, span)) {
      const extra = slips
        .filter((slip) => isOfDay(slip, span.from, span.to))
        .flatMap((slip) => slip.versions)
        // Records of the last instant may continue on the next page.
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

/** Maximum number of IDs per query. */
const idsAtOnce = 1000

async function rowsById(book: Book, ids: readonly string[]): Promise<Map<string, BookSlipRow[]>> {
  const distinct = [...new Set(ids)]
  const known = new Map<string, BookSlipRow[]>()
  await book.store.read(async (reader) => {
    for (const some of piecesOf(distinct, idsAtOnce))
      for (const row of await rowsOfSlips(reader, some))
        known.set(row.slip_id, [...(known.get(row.slip_id) ?? []), row])
  })
  return known
}

/** Figures that identify a slip, for a record on one side only. */
const comparedFields = ['stake', 'hold', 'validStake', 'rolling', 'payout', 'winLoss', 'rake'] as const

/** Returns the figures of a record on one side only. */
export function figurePairs(version: SlipVersion, side: 'platform' | 'book'): FieldPair[] {
  return comparedFields
    .filter((field) => (field !== 'hold' && field !== 'rake') || version[field] !== 0n)
    .map((field) => pair(field, side, formatUnits(version[field], playerScale)))
}

const pair = (field: string, side: 'platform' | 'book', text: string): FieldPair => ({
  field,
  platform: side === 'platform' ? text : null,
  book: side === 'book' ? text : null,
})

const moneyFields: readonly string[] = [...comparedFields, 'delta']

/** Returns the fields in which platform and book differ. */
function changedFields(item: BetRecord, { row, version }: ReadRow): FieldPair[] {
  const pairs = row.record === JSON.stringify(item) ? [] : changedParts(item, row)
  // The columns are counted, so a column that differs from its record is a change too.
  const copies = version.differing.filter(({ field }) => pairs.every((each) => each.field !== field))
  return [...pairs, ...copies.map(({ field, copy, record }) => ({ field, platform: record, book: copy }))]
}

function changedParts(item: BetRecord, row: BookSlipRow): FieldPair[] {
  const stored = recordOf(row)
  if (!stored) return [{ field: 'record', platform: canonicalJson(item), book: row.record }]
  // Both are plain JSON; records of any age are compared by field name.
  const [platform, book] = [item, stored] as unknown as Readonly<Record<string, unknown>>[]
  // The position in the write order is not part of a record's content.
  const names = new Set([...Object.keys(item), ...Object.keys(stored)].filter((name) => name !== 'recSeq'))
  return [...names].sort(byText).flatMap((field) => {
    const [theirs, ours] = [platform?.[field], book?.[field]]
    return sameValue(field, theirs, ours) ? [] : [{ field, platform: shown(theirs), book: shown(ours) }]
  })
}

function sameValue(field: string, a: unknown, b: unknown): boolean {
  if (canonicalJson(a ?? null) === canonicalJson(b ?? null)) return true
  // `1.50` and `1.5` are the same amount.
  const isMoney = moneyFields.includes(field) && typeof a === 'string' && typeof b === 'string'
  return isMoney && amountOf(a) !== null && amountOf(a) === amountOf(b)
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : canonicalJson(value)
}
