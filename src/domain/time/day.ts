/**
 * Which day a moment belongs to, where it is counted. A tenant's day may have 23 or 25 hours, may not begin at
 * midnight, and once in a while is left out of the calendar, so nobody else adds 24 hours to anything.
 */
import assert from 'node:assert/strict'
import { DateTime, IANAZone } from 'luxon'

/** A day as `YYYY-MM-DD`. Text order is time order. */
export type Day = string

const form = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/
const dayMs = 86_400_000

/** Whether a text names a time zone. */
export function isZone(text: string): boolean {
  return IANAZone.isValidZone(text)
}

/** The day a moment belongs to in a zone (`UTC` for the days of the bill). */
export function dayOf(at: number, zone: string): Day {
  return dayAt(numberAt(at, zone))
}

/** Further from UTC than any zone is or was. */
const widestOffsetMs = dayMs

/**
 * The first moment of a day in a zone. A day that the zone skipped starts and ends where the next one starts.
 * Searched for by the days of moments, since midnight itself is no landmark: where clocks change at midnight it is missing,
 * and in Havana or on the Azores it strikes twice, the day having begun with the first.
 */
export function dayStart(day: Day, zone: string): number {
  return startOf(numberOf(day), zone)
}

/** The moment at which a day is over in a zone: the first of the next day. */
export function dayEnd(day: Day, zone: string): number {
  return startOf(numberOf(day) + 1, zone)
}

function startOf(number: number, zone: string): number {
  let before = number * dayMs - widestOffsetMs
  let start = number * dayMs + widestOffsetMs
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2)
    if (numberAt(middle, zone) < number) before = middle
    else start = middle
  }
  return start
}

/** The day so many days later, or earlier when below zero. */
export function dayAfter(day: Day, count: number): Day {
  return dayAt(numberOf(day) + count)
}

/** How many days the second is after the first. */
export function daysApart(from: Day, to: Day): number {
  return numberOf(to) - numberOf(from)
}

/** All days from the first to the last, both included; none when the last is before the first. */
export function daysBetween(from: Day, to: Day): Day[] {
  return Array.from({ length: Math.max(0, daysApart(from, to) + 1) }, (_, i) => dayAfter(from, i))
}

/** Days as a count since 1970, on which whole numbers may be added. Here a day has 24 hours: the calendar's, not a zone's. */
function numberOf(day: Day): number {
  assert(form.test(day), `"${day}" is no day`)
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return numberFrom(year, month, date)
}

/** The count of the day that a zone's calendar shows at a moment. */
function numberAt(at: number, zone: string): number {
  const shown = DateTime.fromMillis(at, { zone })
  assert(shown.isValid, `"${zone}" is no time zone`)
  return numberFrom(shown.year, shown.month, shown.day)
}

/** Not by Date.UTC, which takes the years 0 to 99 for 1900 to 1999. */
function numberFrom(year: number, month: number, date: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, date) / dayMs
}

function dayAt(number: number): Day {
  return new Date(number * dayMs).toISOString().slice(0, 10)
}
