import { describe, expect, test } from 'vitest'
import { demoDayLimit, limitsOf, oldestReadableMonth } from '../../../src/domain/account/plan-limits.ts'
import { formatAmount } from '../../../src/domain/money.ts'

describe('limits of the plans', () => {
  test('paid, free and sandbox have the documented figures', () => {
    expect(limitsOf('paid', 'live')).toMatchObject({
      rate: { perSecond: 100, burst: 200 },
      tables: null,
      players: null,
      online: null,
      isDemo: false,
      hasWebhooks: true,
    })
    expect(limitsOf('free', 'live')).toMatchObject({
      rate: { perSecond: 5, burst: 10 },
      tables: 2,
      players: 50,
      online: 10,
      isDemo: true,
      hasWebhooks: false,
      hasRoundWebhooks: false,
    })
    expect(limitsOf('free', 'sandbox')).toMatchObject({
      rate: { perSecond: 20, burst: 40 },
      tables: 2,
      players: 500,
      online: 50,
      isDemo: true,
      hasRoundWebhooks: true,
    })
  })

  test('a sandbox has the sandbox limits, with any plan of its live twin', () => {
    expect(limitsOf('paid', 'sandbox')).toBe(limitsOf('free', 'sandbox'))
  })

  test('a demo day is about 1,000 USD in each listed currency, and 1,000 in any other', () => {
    const listed = ['USD', 'TWD', 'CNY', 'HKD', 'THB', 'VND', 'PHP', 'MYR', 'JPY', 'KRW', 'USDT']
    expect(listed.map((currency) => formatAmount(demoDayLimit(currency)))).toEqual(
      '1000 30000 7000 7800 35000 25000000 56000 4700 150000 1350000 1000'.split(' '),
    )
    expect(demoDayLimit('twd')).toBe(demoDayLimit('TWD'))
    expect(formatAmount(demoDayLimit('EUR'))).toBe('1000')
  })
})

describe('how far back bets can be read', () => {
  test('seven days are whole months, and never less than the previous one', () => {
    expect(oldestReadableMonth(Date.UTC(2026, 2, 20), 7)).toBe('202602')
    expect(oldestReadableMonth(Date.UTC(2026, 2, 1), 7)).toBe('202602')
    expect(oldestReadableMonth(Date.UTC(2026, 0, 31), 7)).toBe('202512')
  })

  test('400 days reach back into the month they end in', () => {
    expect(oldestReadableMonth(Date.UTC(2026, 10, 21), 400)).toBe('202510')
  })
})
