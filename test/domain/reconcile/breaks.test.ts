import { describe, expect, test } from 'vitest'
import {
  afterFinding,
  afterLooking,
  ageOf,
  ageText,
  breakEventKinds,
  breakId,
  breakKinds,
  breakStates,
  isBreakId,
} from '../../../src/domain/reconcile/breaks.ts'

describe('a break', () => {
  test('has one id for one subject, which contains its kind', () => {
    for (const kind of breakKinds) {
      const id = breakId({ kind, subject: '2026-03-29 amy' })
      expect(id).toMatch(new RegExp(`^${kind}-[0-9a-f]{10}$`))
      expect(breakId({ kind, subject: '2026-03-29 amy' })).toBe(id)
      expect(breakId({ kind, subject: '2026-03-29 bob' })).not.toBe(id)
      expect([isBreakId(id), isBreakId(id.slice(0, -4)), isBreakId(`${id}0`)]).toEqual([true, true, false])
    }
    expect(['daily-', 'daily-3FA', '2026-03-29', 'x-3fa', '01K7Q2M3V4W5X6Y7Z8A9B0C1D2', ''].filter(isBreakId)).toEqual(
      [],
    )
  })

  test.each([
    ['for the first time', undefined, 'found', 'open'],
    ['again as it was, open', { state: 'open', fingerprint: 'a' }, null, 'open'],
    ['again as it was, closed', { state: 'closed', fingerprint: 'a' }, null, 'closed'],
    ['again as it was, cleared', { state: 'cleared', fingerprint: 'a' }, 'found-again', 'open'],
    ['otherwise, open', { state: 'open', fingerprint: 'b' }, 'changed', 'open'],
    ['otherwise, closed', { state: 'closed', fingerprint: 'b' }, 'found-again', 'open'],
  ] as const)('found %s', (_, known, event, state) => {
    expect(afterFinding(known, 'a')).toEqual({ event, state })
  })

  test('that is not found any more is cleared, and one closed by a person stays closed', () => {
    expect(afterLooking({ state: 'open' })).toEqual({ event: 'cleared', state: 'cleared' })
    expect(afterLooking({ state: 'closed' })).toEqual({ event: null, state: 'closed' })
    expect(afterLooking({ state: 'cleared' })).toEqual({ event: null, state: 'cleared' })
  })

  test('has an age while it is open, never below zero', () => {
    expect(ageOf({ state: 'open', openedAt: 1000 }, 1000)).toBe(0)
    expect(ageOf({ state: 'open', openedAt: 1000 }, 61_001)).toBe(60_001)
    expect(ageOf({ state: 'open', openedAt: 1000 }, 999)).toBe(0)
    expect(ageOf({ state: 'closed', openedAt: 1000 }, 61_000)).toBeNull()
    expect(ageOf({ state: 'cleared', openedAt: 1000 }, 61_000)).toBeNull()
  })

  test('is listed by kinds, states and events in the order in which they are explained', () => {
    expect(breakKinds).toEqual([
      'daily',
      'restated',
      'wallet',
      'transfers',
      'billing',
      'payments',
      'payouts',
      'settlement',
      'period',
    ])
    expect(breakStates).toEqual(['open', 'closed', 'cleared'])
    expect(breakEventKinds).toEqual([
      'found',
      'found-again',
      'changed',
      'cleared',
      'assigned',
      'noted',
      'closed',
      'reopened',
      'snoozed',
      'snooze-ended',
    ])
  })

  test('prints its age in the two largest units', () => {
    expect(
      [0, 59_999, 60_000, 3_599_999, 3_600_000, 3_660_000, 86_399_999, 86_400_000, 90_000_000, 100_000_000_000].map(
        ageText,
      ),
    ).toEqual(['0m', '0m', '1m', '59m', '1h 0m', '1h 1m', '23h 59m', '1d', '1d 1h', '1157d 9h'])
  })
})
