/**
 * Days in a time zone. A tenant's day may have 23 or 25 hours, may not begin at midnight, and may be skipped by the
 * zone. So all day arithmetic is here, and no code adds 24 hours.
 */
import assert from 'node:assert/strict'
import { DateTime, IANAZone } from 'luxon'

/** A day as `YYYY-MM-DD`. Text order is time order. */
export type Day = string

const form = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/
const dayMs = 86_400_000

/** Returns whether a text names a time zone. */
export function isZone(text: string): boolean {
  return IANAZone.isValidZone(text)
}

/** Returns the day of a moment in a zone (`UTC` for the days of the bill). */
export function dayOf(at: number, zone: string): Day {
  return dayAt(numberAt(at, zone))
}

/** More than the offset of any zone, past or present. */
const widestOffsetMs = dayMs

/**
 * Returns the first moment of a day in a zone. A skipped day starts and ends where the next one starts. Found by
 * searching, because midnight is unreliable: where clocks change at midnight it may not exist, and in Havana or on the
 * Azores it occurs twice.
 */
export function dayStart(day: Day, zone: string): number {
  return startOf(numberOf(day), zone)
}

/** Returns the first moment after a day in a zone. */
export function dayEnd(day: Day, zone: string): number {
  return startOf(numberOf(day) + 1, zone)
}

/** Starts of days by zone and number. A search reads the calendar 28 times, and a run asks for the same days for each slip. */
const starts = new Map<string, number>()
const keptStarts = 5_000

function startOf(number: number, zone: string): number {
  const key = `${zone} ${number}`
  const start = starts.get(key) ?? searchStart(number, zone)
  if (starts.size >= keptStarts) starts.clear()
  starts.set(key, start)
  return start
}

function searchStart(number: number, zone: string): number {
  let before = number * dayMs - widestOffsetMs
  let start = number * dayMs + widestOffsetMs
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2)
    if (numberAt(middle, zone) < number) before = middle
    else start = middle
  }
  return start
}

/** Returns the day `count` days later; negative counts go back. */
export function dayAfter(day: Day, count: number): Day {
  return dayAt(numberOf(day) + count)
}

/** Returns the number of days from the first to the second. */
export function daysApart(from: Day, to: Day): number {
  return numberOf(to) - numberOf(from)
}

/** Returns all days from the first to the last, both included; none when the last is before the first. */
export function daysBetween(from: Day, to: Day): Day[] {
  return Array.from({ length: Math.max(0, daysApart(from, to) + 1) }, (_, i) => dayAfter(from, i))
}

/** Returns a day as a count since 1970, for whole-number arithmetic. These are calendar days, not a zone's. */
function numberOf(day: Day): number {
  assert(form.test(day), `"${day}" is not a day`)
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return numberFrom(year, month, date)
}

/** Returns the day count of a zone's calendar at a moment. */
function numberAt(at: number, zone: string): number {
  const shown = DateTime.fromMillis(at, { zone })
  assert(shown.isValid, `"${zone}" is not a time zone`)
  return numberFrom(shown.year, shown.month, shown.day)
}

/** Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999. */
function numberFrom(year: number, month: number, date: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, date) / dayMs
}

function dayAt(number: number): Day {
  return new Date(number * dayMs).toISOString().slice(0, 10)
}
