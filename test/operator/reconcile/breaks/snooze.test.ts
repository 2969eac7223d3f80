import { describe, expect, test } from 'vitest'
import { snoozeEnd } from '../../../../src/operator/reconcile/breaks/snooze.ts'

const utc = (text: string) => Date.parse(`${text}Z`)
const end = (day: string, timezone: string, now: string) =>
  new Date(snoozeEnd(day, timezone, utc(now))).toISOString().slice(0, 16)

describe('a snooze ends when the day begins in the zone of the tenant', () => {
  test.each([
    // From a day of 24 hours over one of 23: the night from Saturday to Sunday, 8 March 2026.
    ['2026-03-08', 'America/New_York', '2026-03-07T12:00', '2026-03-08T05:00'],
    ['2026-03-09', 'America/New_York', '2026-03-07T12:00', '2026-03-09T04:00'],
    // Over one of 25 hours, 1 November 2026.
    ['2026-11-01', 'America/New_York', '2026-10-30T12:00', '2026-11-01T04:00'],
    ['2026-11-02', 'America/New_York', '2026-10-30T12:00', '2026-11-02T05:00'],
    // This day had no midnight: its clocks went from 00:00 to 01:00.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-01T12:00', '2018-11-04T03:00'],
    // The next day begins in the repeated hour of the day before: 00:00 was repeated.
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-15T12:00', '2018-02-18T03:00'],
    ['2026-03-08', 'Asia/Taipei', '2026-03-07T12:00', '2026-03-07T16:00'],
  ])('%s in %s', (day, timezone, now, expected) => {
    expect(end(day, timezone, now)).toBe(expected)
  })

  test("today is the tenant's, also in the hour that a change of clocks repeats", () => {
    // 23:30 of 17 February in São Paulo, before and after the clocks went back at midnight.
    for (const now of ['2018-02-18T01:30', '2018-02-18T02:30']) {
      expect(() => snoozeEnd('2018-02-17', 'America/Sao_Paulo', utc(now))).toThrow('after today')
      expect(end('2018-02-18', 'America/Sao_Paulo', now)).toBe('2018-02-18T03:00')
    }
  })

  test('is at most 92 days away, counted in days and not in hours', () => {
    expect(end('2026-05-01', 'America/New_York', '2026-01-29T12:00')).toBe('2026-05-01T04:00')
    expect(() => snoozeEnd('2026-05-02', 'America/New_York', utc('2026-01-29T12:00'))).toThrow('at most 2026-05-01')
    expect(() => snoozeEnd('2026-02-30', 'UTC', utc('2026-01-29T12:00'))).toThrow('must be a day')
  })
})
