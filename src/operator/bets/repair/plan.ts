import type { BookReplacedRow, BookSlipRow } from '../../../db/schema/book.ts'
import type { Reader } from '../../../db/store.ts'
import { isOfDay } from '../../../domain/reconcile/break-causes.ts'
import { piecesOf } from '../../../kit/pieces.ts'
import { type ArrivedSlip, isSameRecord, keyOf } from '../slip-rows.ts'
import { versionOfRow } from '../slip-versions.ts'
import { headlessSlips, rowsOfSlips, type Span, slipsSettled } from '../slips-by-day.ts'
import type { ReadDay } from './read-day.ts'

/** Changes that make the book's day equal to the platform's. */
export interface RepairPlan {
  readonly added: readonly ArrivedSlip[]
  readonly replaced: readonly { readonly was: BookSlipRow; readonly is: ArrivedSlip }[]
  readonly removed: readonly BookSlipRow[]
}

const idsAtOnce = 500

/**
 * Compares the records of a day with the book. A record counts if either side has its slip on the day. Rows are compared with their
 * columns, because the columns are what rows are found by.
 */
export async function planRepair(reader: Reader, span: Span, day: ReadDay): Promise<RepairPlan> {
  const rows = await rowsOf(reader, span, day)
  const bySlip = Map.groupBy(rows.values(), (row) => row.slip_id)
  const concerned = slipsOfDay(bySlip, span, day.records)
  const added: ArrivedSlip[] = []
  const replaced: { was: BookSlipRow; is: ArrivedSlip }[] = []
  const seen = new Set<string>()
  for (const record of day.records) {
    if (!concerned.has(record.slip_id) || seen.has(keyOf(record))) continue
    seen.add(keyOf(record))
    const row = rows.get(keyOf(record))
    if (!row) added.push(record)
    else if (!isEqual(row, record)) replaced.push({ was: row, is: record })
  }
  const removed = [...rows.values()].filter(
    (row) => concerned.has(row.slip_id) && !seen.has(keyOf(row)) && isCovered(row, span, day),
  )
  return { added, replaced, removed }
}

export const isEmptyPlan = ({ added, replaced, removed }: RepairPlan): boolean =>
  added.length + replaced.length + removed.length === 0

/** Reads the rows of all slips that the book has on the day, and of all slips that were read. */
async function rowsOf(reader: Reader, span: Span, day: ReadDay): Promise<Map<string, BookSlipRow>> {
  const ids = new Set(day.records.map((record) => record.slip_id))
  for await (const slips of slipsSettled(reader, span)) for (const { slipId } of slips) ids.add(slipId)
  for await (const slips of headlessSlips(reader, span.from))
    for (const slip of slips) if (isOfDay(slip, span.from, span.to)) ids.add(slip.slipId)
  const rows = new Map<string, BookSlipRow>()
  for (const some of piecesOf([...ids], idsAtOnce))
    for (const row of await rowsOfSlips(reader, some)) rows.set(keyOf(row), row)
  return rows
}

/** Returns the slips that one of the two sides has on the day. */
function slipsOfDay(
  bySlip: ReadonlyMap<string, BookSlipRow[]>,
  { from, to }: Span,
  records: readonly ArrivedSlip[],
): Set<string> {
  const concerned = new Set<string>()
  for (const [slipId, rows] of bySlip)
    if (isOfDay({ slipId, versions: rows.map(versionOfRow) }, from, to)) concerned.add(slipId)
  for (const [slipId, own] of Map.groupBy(records, (record) => record.slip_id)) {
    const revs = new Set(own.map(({ rev }) => rev))
    // The platform's version of a revision decides; the book has those before the read range.
    const earlier = (bySlip.get(slipId) ?? []).filter((row) => !revs.has(row.rev))
    const all = [...earlier, ...own.map((record) => ({ ...record, place: 0 }))].sort((x, y) => x.rev - y.rev)
    if (isOfDay({ slipId, versions: all.map(versionOfRow) }, from, to)) concerned.add(slipId)
  }
  return concerned
}

/** Returns whether the platform would have returned this row, so that its absence proves something. */
function isCovered(row: BookSlipRow, { from }: Span, { readTo }: ReadDay): boolean {
  const at = writtenAt(row)
  return at >= from && at < readTo
}

/** Returns the time at which a row was written: by its record, because a column may have been changed to another day. */
function writtenAt(row: BookSlipRow): number {
  const at = Date.parse(readable(row)?.settledAt ?? '')
  return Number.isNaN(at) ? row.settled_at : at
}

function isEqual(row: BookSlipRow, record: ArrivedSlip): boolean {
  return (
    row.rec_seq === record.rec_seq &&
    row.month === record.month &&
    row.name_key === record.name_key &&
    row.settled_at === record.settled_at &&
    readable(row) !== undefined &&
    isSameRecord(row.record, record.record)
  )
}

function readable({ record }: BookSlipRow): { readonly settledAt?: string } | undefined {
  try {
    const value: unknown = JSON.parse(record)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns a row as it is kept after a repair. */
export function keptRow(
  row: BookSlipRow,
  kept: Pick<BookReplacedRow, 'repair_id' | 'kind' | 'until_place' | 'at'>,
): BookReplacedRow {
  const { place, slip_id, rev, month, rec_seq, name_key, settled_at, record } = row
  return { place, slip_id, rev, month, rec_seq, name_key, settled_at, record, ...kept }
}
