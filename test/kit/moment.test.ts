import { expect, test } from 'vitest'
import { maybeMoment, minuteText, momentText, secondText } from '../../src/kit/moment.ts'

const at = Date.UTC(2026, 2, 1, 12, 0, 59, 999)

test('a time has one form for programs and one for people, truncated and not rounded', () => {
  expect(momentText(at)).toBe('2026-03-01T12:00:59.999Z')
  expect(minuteText(at)).toBe('2026-03-01 12:00 UTC')
  expect(secondText(at)).toBe('2026-03-01 12:00:59 UTC')
})

test('the text of a time is formatted like the time, with or without milliseconds', () => {
  expect(minuteText('2026-03-01T12:00:59.999Z')).toBe('2026-03-01 12:00 UTC')
  expect(secondText('2026-03-01T12:00:59Z')).toBe('2026-03-01 12:00:59 UTC')
})

test('an absent time has no text', () => {
  expect([maybeMoment(null), maybeMoment(Number.NaN), maybeMoment(at)]).toEqual([
    null,
    null,
    '2026-03-01T12:00:59.999Z',
  ])
})
