import { describe, expect, test } from 'vitest'
import {
  type DayStanding,
  isMonth,
  openReasons,
  periodIn,
  refusal,
  shownState,
} from '../../../src/domain/reconcile/periods.ts'

const hours = (period: ReturnType<typeof periodIn>) => ((period?.to ?? 0) - (period?.from ?? 0)) / 3_600_000

describe('a period', () => {
  test('is a day or a month of a time zone, with 23 or 25 hours when the clocks change', () => {
    expect(hours(periodIn('2026-03-29', 'Europe/Berlin'))).toBe(23)
    expect(hours(periodIn('2026-10-25', 'Europe/Berlin'))).toBe(25)
    expect(hours(periodIn('2026-03', 'Europe/Berlin'))).toBe(31 * 24 - 1)
    expect(periodIn('2026-02', 'UTC')?.days).toHaveLength(28)
    expect(periodIn('2028-02', 'UTC')?.days.at(-1)).toBe('2028-02-29')
    expect(periodIn('2026-04', 'UTC')?.days.at(-1)).toBe('2026-04-30')
  })

  test('is nothing else', () => {
    for (const text of ['2026', '2026-13', '2026-02-30', '2026-3', 'march', '', '2026-03-01T00:00'])
      expect(periodIn(text, 'UTC')).toBeNull()
    expect(['2026-03', '2026-13', '2026-00', '2026-03-01', 'march'].map(isMonth)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('a day', () => {
  const day = (over: Partial<DayStanding> = {}): DayStanding => ({
    ...{ date: '2026-03-01', isOver: true, verdict: 'balanced', openBreaks: [], closedBreaks: 0, isRestated: false },
    ...over,
  })
  const codes = (over: Partial<DayStanding>) => openReasons(day(over)).map(({ code }) => code)

  test('keeps its period open until a person has decided', () => {
    expect(codes({})).toEqual([])
    expect(codes({ isOver: false, verdict: null })).toEqual(['NOT_OVER'])
    expect(codes({ verdict: null })).toEqual(['NOT_RECONCILED'])
    expect(codes({ verdict: 'differences', openBreaks: ['daily-1'] })).toEqual(['BREAKS_OPEN'])
    expect(codes({ verdict: 'differences' })).toEqual(['DIFFERENCES'])
    expect(codes({ verdict: 'differences', closedBreaks: 1 })).toEqual([])
    expect(codes({ verdict: 'differences', closedBreaks: 1, openBreaks: ['x'] })).toEqual(['BREAKS_OPEN'])
    expect(codes({ isRestated: true })).toEqual(['RESTATED'])
    expect(codes({ openBreaks: ['settlement-1'] })).toEqual(['BREAKS_OPEN'])
  })
})

describe('permissions', () => {
  const period = (state: 'open' | 'closed' | 'approved' | 'restated', closedBy: string | null = 'Amy') => ({
    ...{ name: '2026-03', state, closedBy },
  })

  test('in every state', () => {
    const allowed = (['open', 'closed', 'approved', 'restated'] as const).map((state) =>
      (['close', 'approve', 'reopen'] as const).filter((action) => refusal(action, period(state), 'bob') === null),
    )
    expect(allowed).toEqual([['close'], ['approve', 'reopen'], ['reopen'], ['reopen']])
  })

  test('an approval reports why there is nothing to approve', () => {
    expect(refusal('approve', period('approved'), 'bob')).toBe('Period 2026-03 is approved already')
    expect(refusal('approve', period('restated'), 'bob')).toContain('its figures changed after the close')
  })

  test('the same person never approves, in any spelling of the name', () => {
    for (const name of ['Amy', 'amy', ' AMY ', 'ａｍｙ', 'a\u200bmy'])
      expect(refusal('approve', period('closed'), name)).toContain('another person')
    expect(refusal('approve', period('closed'), 'amyx')).toBeNull()
  })

  test('an undecided change precedes the state', () => {
    expect([
      shownState('approved', 0),
      shownState('approved', 1),
      shownState('closed', 2),
      shownState('open', 1),
    ]).toEqual(['approved', 'restated', 'restated', 'open'])
  })
})
