/**
 * Position of a reader of bet records: a UTC month and the write sequence within it, which restarts each month. Cursors
 * are opaque to clients; only this file knows their contents.
 */
import assert from 'node:assert/strict'

/** A UTC month as `yyyymm`. Text order is time order. */
export type Month = string

export interface Cursor {
  readonly month: Month
  /**
   * Sequence number of the last record read; 0 before the first. It has any number of digits (1-tenant-api, Shared
   * types).
   */
  readonly seq: bigint
}

const form = /^([0-9]{4})(0[1-9]|1[0-2])[.]([0-9]+)$/

/** Parses a cursor; `null` for any other text and for months that do not exist. */
export function cursorOf(text: string): Cursor | null {
  const parts = form.exec(text)
  if (!parts) return null
  return { month: `${parts[1]}${parts[2]}`, seq: BigInt(parts[3] ?? '') }
}

export function formatCursor({ month, seq }: Cursor): string {
  return `${month}.${seq}`
}

/** Compares two cursors for sorting. */
export function compareCursors(a: Cursor, b: Cursor): number {
  return compareMonths(a.month, b.month) || (a.seq === b.seq ? 0 : a.seq < b.seq ? -1 : 1)
}

/** Compares two months for sorting. */
export function compareMonths(a: Month, b: Month): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** Returns the month of a moment. */
export function monthOf(at: number): Month {
  const date = new Date(at)
  return monthAt(date.getUTCFullYear(), date.getUTCMonth())
}

/** Returns the month `count` months later; negative counts go back. */
export function monthAfter(month: Month, count: number): Month {
  const { year, index } = partsOf(month)
  const months = year * 12 + index + count
  return monthAt(Math.floor(months / 12), ((months % 12) + 12) % 12)
}

export function nextMonth(month: Month): Month {
  return monthAfter(month, 1)
}

/** Returns the first moment of a month. */
export function monthStart(month: Month): number {
  const { year, index } = partsOf(month)
  // Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999.
  return new Date(0).setUTCFullYear(year, index, 1)
}

/** Returns the number of months from the first to the second. */
export function monthsBetween(from: Month, to: Month): number {
  const [a, b] = [partsOf(from), partsOf(to)]
  return (b.year - a.year) * 12 + b.index - a.index
}

function monthAt(year: number, index: number): Month {
  assert(year >= 0 && year <= 9999, 'a month has a year of four digits')
  return `${String(year).padStart(4, '0')}${String(index + 1).padStart(2, '0')}`
}

function partsOf(month: Month): { year: number; index: number } {
  assert(/^[0-9]{4}(0[1-9]|1[0-2])$/.test(month), `"${month}" is not a month`)
  return { year: Number(month.slice(0, 4)), index: Number(month.slice(4)) - 1 }
}
