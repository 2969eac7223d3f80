import { describe, expect, test } from 'vitest'
import { parseAmount } from '../../../src/domain/money.ts'
import {
  aboveLimits,
  approvalEnd,
  approvalLimits,
  approvalStanding,
  foldName,
} from '../../../src/domain/wallet/approval.ts'

describe('limits above which a second person approves', () => {
  test.each([
    ['1000:USD', { USD: '1000' }],
    ['1000:USD,30000:twd', { USD: '1000', TWD: '30000' }],
    [' 0.0001:USD , 999999999999999.9999:USDTX ', { USD: '0.0001', USDTX: '999999999999999.9999' }],
  ])('%s', (text, expected) => {
    const units = Object.entries(expected).map(([currency, amount]) => [currency, parseAmount(amount)])
    expect([...(approvalLimits(text) ?? [])]).toEqual(units)
  })

  test.each([
    '',
    'USD',
    '1000',
    '1000:US',
    '1000:USDTXX',
    '-1:USD',
    '1.00001:USD',
    '1000:USD,',
    '1:USD,2:usd',
    '1e3:USD',
  ])('"%s" has no valid form', (text) => {
    expect(approvalLimits(text)).toBeNull()
  })

  test.each([
    ['999.9999', 0],
    ['1000', 0],
    ['1000.0001', 1],
  ])('of 1000, %s needs %i more', (amount, count) => {
    expect(aboveLimits([{ currency: 'USD', amount }], approvalLimits('1000:USD') ?? undefined)).toHaveLength(count)
  })

  test('a currency without a limit always needs one if limits are set, and never if none are', () => {
    const moved = [{ currency: 'JPY', amount: '0.0001' }]
    expect(aboveLimits(moved, approvalLimits('1000:USD') ?? undefined)).toEqual(moved)
    expect(aboveLimits([{ currency: 'JPY', amount: '0' }], new Map())).toEqual([])
    expect(aboveLimits(moved, undefined)).toEqual([])
  })
})

test('an approval expires after its number of days, each of 24 hours', () => {
  const approvedAt = Date.parse('2026-03-10T12:00:00.000Z')
  expect(new Date(approvalEnd(approvedAt, 7)).toISOString()).toBe('2026-03-17T12:00:00.000Z')
  expect(approvalEnd(approvedAt, 0)).toBe(approvedAt)
})

test('two spellings of a name are one person', () => {
  expect(new Set(['Amy', ' amy ', 'AMY', 'a\u200bmy', 'ａｍｙ'].map(foldName))).toEqual(new Set(['amy']))
})

describe('a batch', () => {
  const batch = { digest: 'd1', madeBy: 'Amy' }
  const by = (nameKey: string, digest = 'd1') => ({ nameKey, digest })
  test.each([
    ['approved by nobody', [], true, 'none'],
    ['approved before it was changed', [by('bob', 'd0')], false, 'none'],
    ['approved by its maker, where another is needed', [by('amy')], true, 'own-only'],
    ['approved by its maker, where that is enough', [by('amy')], false, 'approved'],
    ['approved by another', [by('bob')], true, 'approved'],
    ['approved by both', [by('amy'), by('bob')], true, 'approved'],
    ['approved by its maker, and by another before it was changed', [by('amy'), by('bob', 'd0')], true, 'own-only'],
  ] as const)('%s', (_, approvals, needsAnother, standing) => {
    expect(approvalStanding(batch, approvals, needsAnother)).toBe(standing)
  })
})
