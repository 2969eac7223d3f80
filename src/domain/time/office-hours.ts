import { DateTime } from 'luxon'
import { isZone } from './day.ts'

/** Weekly office hours in a time zone. */
export interface OfficeHours {
  readonly zone: string
  readonly week: readonly OpenTime[]
}

/** A time of a day of the week, in minutes of that day. It may end on the next day. */
export interface OpenTime {
  /** 1 for Monday to 7 for Sunday. */
  readonly day: number
  readonly from: number
  /** Up to 2880: 24 hours after the day's end. */
  readonly to: number
}

/** State at a moment: whether the office is open, and when that changes; null if it never does. */
export interface OfficeState {
  readonly isOpen: boolean
  readonly changesAt: number | null
}

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const dayMinutes = 1_440
/** More than any merchant needs. */
const maxTimes = 50

export const hoursExample = 'Mon-Fri 09:00-18:00, Sat 10:00-14:00'

/**
 * Reads `Mon-Fri 09:00-12:00 13:00-18:00, Sat 22:00-02:00`: days, then one or more times. A time that does not end later
 * than it begins ends on the next day. Returns the fault of a text that is invalid.
 */
export function readOfficeHours(text: string, zone: string): OfficeHours | { readonly fault: string } {
  if (!isZone(zone)) return { fault: `"${zone}" is not a time zone, such as Europe/London` }
  const week: OpenTime[] = []
  for (const part of text.split(',')) {
    const [days = '', ...times] = part.trim().split(/\s+/)
    const numbers = daysIn(days)
    if (!numbers) return { fault: `"${days}" is not a day or a range of days, such as Mon-Fri` }
    if (times.length === 0) return { fault: `"${days}" needs a time, such as 09:00-18:00` }
    for (const time of times) {
      const span = spanIn(time)
      if (!span) return { fault: `"${time}" is not a time, such as 09:00-18:00` }
      for (const day of numbers) week.push({ day, ...span })
    }
  }
  if (week.length > maxTimes) return { fault: `it has more than ${maxTimes} times` }
  return { zone, week }
}

function daysIn(text: string): number[] | undefined {
  const [from, to] = text
    .toLowerCase()
    .split('-')
    .map((name) => dayNames.indexOf(name.slice(0, 3)) + 1)
  if (!/^[a-z]{3,9}(-[a-z]{3,9})?$/i.test(text) || !from || to === 0) return undefined
  const count = (((to ?? from) - from + 7) % 7) + 1
  return Array.from({ length: count }, (_, i) => ((from - 1 + i) % 7) + 1)
}

function spanIn(text: string): { from: number; to: number } | undefined {
  const [from, to] = text.split('-').map(minuteIn)
  if (from === undefined || to === undefined || !/^[^-]+-[^-]+$/.test(text) || from === dayMinutes) return undefined
  return { from, to: to > from ? to : to + dayMinutes }
}

function minuteIn(text: string): number | undefined {
  const [, hours = '', minutes = ''] = /^([0-9]{1,2}):([0-9]{2})$/.exec(text) ?? []
  const at = Number(hours) * 60 + Number(minutes)
  return hours === '' || Number(minutes) > 59 || at > dayMinutes ? undefined : at
}

/** Writes office hours as `readOfficeHours` reads them, one part per day. */
export function officeHoursText({ week }: OfficeHours): string {
  const clock = (minute: number) => {
    const at = minute > dayMinutes ? minute - dayMinutes : minute
    return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
  }
  return dayNames
    .flatMap((name, i) => {
      const times = week.filter(({ day }) => day === i + 1).sort((a, b) => a.from - b.from)
      const day = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
      return times.length === 0
        ? []
        : [`${day} ${times.map(({ from, to }) => `${clock(from)}-${clock(to)}`).join(' ')}`]
    })
    .join(', ')
}

/** Days that are looked ahead: two weeks, because clocks can skip the only time of one, and the times that begin today. */
const horizonDays = 15

/** Returns whether the office is open at a moment. The zone's clock changes are respected. */
export function officeState({ zone, week }: OfficeHours, at: number): OfficeState {
  const today = DateTime.fromMillis(at, { zone }).startOf('day')
  const spans: { from: number; to: number }[] = []
  for (let ahead = -1; ahead <= horizonDays; ahead++) {
    const day = today.plus({ days: ahead })
    for (const time of week.filter((each) => each.day === day.weekday)) {
      const span = { from: momentOf(day, time.from), to: momentOf(day, time.to) }
      // Clocks that go forward can skip the time up to its end.
      if (span.from < span.to) spans.push(span)
    }
  }
  spans.sort((a, b) => a.from - b.from)
  const open: { from: number; to: number }[] = []
  for (const span of spans) {
    const last = open.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else open.push({ ...span })
  }
  const now = open.find(({ from, to }) => from <= at && at < to)
  const end = today.plus({ days: horizonDays }).toMillis()
  if (now) return { isOpen: true, changesAt: now.to < end ? now.to : null }
  return { isOpen: false, changesAt: open.find(({ from }) => from > at)?.from ?? null }
}

/** A time that clocks skip is later by as much as they skip. */
function momentOf(day: DateTime, minute: number): number {
  const date = day.plus({ days: Math.floor(minute / dayMinutes) })
  return date.set({ hour: Math.floor((minute % dayMinutes) / 60), minute: minute % 60 }).toMillis()
}
