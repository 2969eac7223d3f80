import { expect, test } from 'vitest'
import {
  type OfficeHours,
  officeHoursText,
  officeState,
  readOfficeHours,
} from '../../../src/domain/time/office-hours.ts'

const hours = (text: string, zone: string): OfficeHours => {
  const read = readOfficeHours(text, zone)
  if ('fault' in read) throw new Error(read.fault)
  return read
}
const at = (text: string) => Date.parse(text)
const state = (of: OfficeHours, text: string) => {
  const { isOpen, changesAt } = officeState(of, at(text))
  return [isOpen, changesAt === null ? null : new Date(changesAt).toISOString()]
}

test('office hours are read, and written as they are read', () => {
  const text = 'Mon 09:00-12:00 13:00-18:00, Tue 09:00-18:00, Sat 22:00-02:00, Sun 00:00-24:00'
  expect(officeHoursText(hours(text, 'UTC'))).toBe(text)
  expect(officeHoursText(hours('Fri-Mon 9:00-17:30', 'UTC'))).toBe(
    'Mon 09:00-17:30, Fri 09:00-17:30, Sat 09:00-17:30, Sun 09:00-17:30',
  )
  expect(officeHoursText(hours('sunday 10:00-11:00', 'UTC'))).toBe('Sun 10:00-11:00')
})

test.each([
  '',
  'Mon',
  'Mon-',
  'Foo 09:00-10:00',
  'Mon 9-18',
  'Mon 24:00-25:00',
  'Mon 09:60-10:00',
  'Mon 09:00-10:00-11:00',
  'Mon-Tue-Wed 09:00-10:00',
  'Mon 24:00-02:00',
])('the text "%s" is refused', (text) => {
  expect(readOfficeHours(text, 'UTC')).toHaveProperty('fault')
})

test('a zone that does not exist, and more times than anyone has, are refused', () => {
  expect(readOfficeHours('Mon 09:00-18:00', 'Europe/Nowhere')).toHaveProperty('fault')
  expect(readOfficeHours(`Mon-Sun${' 09:00-18:00'.repeat(8)}`, 'UTC')).toHaveProperty('fault')
})

test('the office is open within its hours, and knows when that changes', () => {
  const office = hours('Mon-Fri 09:00-18:00', 'Asia/Taipei')
  // Monday, 2 March 2026; Taipei is 8 hours ahead.
  expect(state(office, '2026-03-02T00:59:59Z')).toEqual([false, '2026-03-02T01:00:00.000Z'])
  expect(state(office, '2026-03-02T01:00:00Z')).toEqual([true, '2026-03-02T10:00:00.000Z'])
  expect(state(office, '2026-03-02T10:00:00Z')).toEqual([false, '2026-03-03T01:00:00.000Z'])
  expect(state(office, '2026-03-06T12:00:00Z')).toEqual([false, '2026-03-09T01:00:00.000Z'])
})

test('the hours follow daylight saving time', () => {
  const office = hours('Sat-Sun 01:00-04:00', 'Europe/London')
  // On 29 March 2026, clocks go from 01:00 to 02:00: the time that does not exist begins when they have moved on.
  expect(state(office, '2026-03-28T12:00:00Z')).toEqual([false, '2026-03-29T01:00:00.000Z'])
  expect(state(office, '2026-03-29T01:30:00Z')).toEqual([true, '2026-03-29T03:00:00.000Z'])
  // On 25 October, they go back: both of the repeated hours are open.
  expect(state(office, '2026-10-25T00:30:00Z')).toEqual([true, '2026-10-25T04:00:00.000Z'])
})

test.each(['02:00-03:00', '02:30-03:00'])('the time Sun %s does not exist when clocks skip it', (time) => {
  const office = hours(`Sun ${time}`, 'Europe/Berlin')
  const [from = ''] = time.split('-')
  // On 29 March 2026, clocks go from 02:00 to 03:00. On 5 April, Berlin is 2 hours ahead.
  const next = new Date(Date.parse(`2026-04-05T${from}:00Z`) - 2 * 3_600_000).toISOString()
  for (const moment of ['2026-03-22T12:00:00Z', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00Z', '2026-03-29T01:15:00Z'])
    expect(state(office, moment)).toEqual([false, next])
})

test('a gap of the week that clocks skip is none', () => {
  const office = hours('Mon-Sat 00:00-24:00, Sun 00:00-02:00 03:00-24:00', 'Europe/Berlin')
  expect(state(office, '2026-03-22T12:00:00Z')).toEqual([true, '2026-04-05T00:00:00.000Z'])
})

test('hours across midnight, without a gap and at no time', () => {
  const night = hours('Fri 22:00-02:00', 'UTC')
  expect(state(night, '2026-03-07T01:59:00Z')).toEqual([true, '2026-03-07T02:00:00.000Z'])
  expect(state(hours('Mon-Sun 00:00-24:00', 'UTC'), '2026-03-02T12:00:00Z')).toEqual([true, null])
  expect(state(hours('Mon 09:00-12:00 12:00-18:00', 'UTC'), '2026-03-02T11:00:00Z')).toEqual([
    true,
    '2026-03-02T18:00:00.000Z',
  ])
})

test('times are written in their order, with their minutes, and fifty are the most', () => {
  expect(officeHoursText(hours('Mon 13:00-18:00 09:59-12:30', 'UTC'))).toBe('Mon 09:59-12:30 13:00-18:00')
  expect(hours(`Mon${' 09:00-18:00'.repeat(50)}`, 'UTC').week).toHaveLength(50)
  expect(readOfficeHours(`Mon${' 09:00-18:00'.repeat(51)}`, 'UTC')).toHaveProperty('fault')
})

test.each([
  ['Tue 09:00-18:00', '2026-03-03T10:00:00Z', '2026-03-03T18:00:00.000Z'],
  ['Wed 09:00-18:00', '2026-03-04T10:00:00Z', '2026-03-04T18:00:00.000Z'],
  ['Thu 09:00-18:00', '2026-03-05T10:00:00Z', '2026-03-05T18:00:00.000Z'],
  ['Mon 09:59-10:30', '2026-03-02T09:59:00Z', '2026-03-02T10:30:00.000Z'],
  ['Mon 09:00-09:00', '2026-03-02T10:00:00Z', '2026-03-03T09:00:00.000Z'],
  ['Mon 13:00-18:00 09:00-13:00', '2026-03-02T10:00:00Z', '2026-03-02T18:00:00.000Z'],
  ['Mon 09:00-10:00, Tue 09:00-12:00 12:00-18:00', '2026-03-03T11:00:00Z', '2026-03-03T18:00:00.000Z'],
  ['Mon 00:00-11:00 11:30-24:00, Tue-Sun 00:00-24:00', '2026-03-02T12:00:00Z', '2026-03-09T11:00:00.000Z'],
])('an office with the hours %s is open at %s until %s', (text, moment, until) => {
  expect(state(hours(text, 'UTC'), moment)).toEqual([true, until])
})
