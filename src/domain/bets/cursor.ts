/**
 * Where a reader of the bet records stands: a UTC month and the write sequence within it, which starts again each month.
 * Clients hand it back unopened; only this file knows what is in it.
 */
import assert from 'node:assert/strict'

/** A UTC month as `yyyymm`. Text order is time order. */
export type Month = string

export interface Cursor {
  readonly month: Month
  /** The last record read; 0 before the first one. It has any number of digits (1-tenant-api, Shared types). */
  readonly seq: bigint
}

const form = /^([0-9]{4})(0[1-9]|1[0-2])[.]([0-9]+)$/

/** The cursor that a text stands for, or `null` when it is none: a month that does not exist is none either. */
export function cursorOf(text: string): Cursor | null {
  const parts = form.exec(text)
  if (!parts) return null
  return { month: `${parts[1]}${parts[2]}`, seq: BigInt(parts[3] ?? '') }
}

export function formatCursor({ month, seq }: Cursor): string {
  return `${month}.${seq}`
}

/** Below zero when the first stands before the second. */
export function compareCursors(a: Cursor, b: Cursor): number {
  return compareMonths(a.month, b.month) || (a.seq === b.seq ? 0 : a.seq < b.seq ? -1 : 1)
}

/** Below zero when the first month is before the second. */
export function compareMonths(a: Month, b: Month): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** The month a moment belongs to. */
export function monthOf(at: number): Month {
  const date = new Date(at)
  return monthAt(date.getUTCFullYear(), date.getUTCMonth())
}

/** The month so many months later, or earlier when below zero. */
export function monthAfter(month: Month, count: number): Month {
  const { year, index } = partsOf(month)
  const months = year * 12 + index + count
  return monthAt(Math.floor(months / 12), ((months % 12) + 12) % 12)
}

export function nextMonth(month: Month): Month {
  return monthAfter(month, 1)
}

/** The first moment of a month. It ends where the next one starts. */
export function monthStart(month: Month): number {
  const { year, index } = partsOf(month)
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  return new Date(0).setUTCFullYear(year, index, 1)
}

/** How many months the second is after the first. */
export function monthsBetween(from: Month, to: Month): number {
  const [a, b] = [partsOf(from), partsOf(to)]
  return (b.year - a.year) * 12 + b.index - a.index
}

function monthAt(year: number, index: number): Month {
  assert(year >= 0 && year <= 9999, 'a month has a year of four digits')
  return `${String(year).padStart(4, '0')}${String(index + 1).padStart(2, '0')}`
}

function partsOf(month: Month): { year: number; index: number } {
  assert(/^[0-9]{4}(0[1-9]|1[0-2])$/.test(month), `"${month}" is no month`)
  return { year: Number(month.slice(0, 4)), index: Number(month.slice(4)) - 1 }
}
