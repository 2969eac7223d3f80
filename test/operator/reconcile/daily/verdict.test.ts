import { describe, expect, test } from 'vitest'
import { daysOfRange } from '../../../../src/operator/reconcile/daily/days.ts'
import { verdictOfDays } from '../../../../src/operator/reconcile/daily/verdict.ts'

const balanced = { date: '2026-03-01', verdict: 'balanced', stale: false } as const
const inconclusive = { date: '2026-03-02', verdict: 'cannot-conclude', stale: false } as const
const outdated = { date: '2026-03-03', verdict: 'differences', stale: true } as const
const different = { date: '2026-03-04', verdict: 'differences', stale: false } as const

describe('the verdict of several days', () => {
  test('is that of the worst day, with the days that have it', () => {
    expect(verdictOfDays([balanced, balanced])).toMatchObject({ verdict: 'balanced', isStale: false })
    expect(verdictOfDays([balanced, inconclusive])).toMatchObject({
      verdict: 'cannot-conclude',
      dates: ['2026-03-02'],
      isStale: false,
    })
    expect(verdictOfDays([balanced, outdated, inconclusive, different])).toEqual({
      verdict: 'differences',
      dates: ['2026-03-03', '2026-03-04'],
      isStale: false,
    })
  })

  test('is outdated only if an outdated book explains every difference', () => {
    expect(verdictOfDays([balanced, outdated, inconclusive])).toMatchObject({ isStale: true })
    expect(verdictOfDays([outdated, different])).toMatchObject({ isStale: false })
  })
})

describe('the days of a range', () => {
  test('include both ends', () => {
    expect(daysOfRange('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(daysOfRange('2026-03-01', '2026-03-01')).toEqual(['2026-03-01'])
  })

  test('are at least 1 and at most 400', () => {
    expect(daysOfRange('2026-01-01', '2027-02-04')).toHaveLength(400)
    expect(() => daysOfRange('2026-01-01', '2027-02-05')).toThrow('at most 400 days')
    expect(() => daysOfRange('2026-03-02', '2026-03-01')).toThrow('--to is before --from')
  })
})
