import { describe, expect, test } from 'vitest'
import { parseUsd } from '../../../../src/domain/money.ts'
import { daysBetween } from '../../../../src/domain/time/day.ts'
import {
  type BillingPlatform,
  type BillOptions,
  reconcileBilling,
  tableDaysOf,
} from '../../../../src/operator/reconcile/billing/reconcile.ts'
import type { Statement, UsageDay } from '../../../../src/services/casino/api/schemas/index.ts'

const statement = (period: string, openingUsd: string, chargesUsd: string, closingUsd: string): Statement => ({
  ...{ period, openingUsd, chargesUsd, paymentsUsd: '0', closingUsd },
})
/** Newest first, at USD 1 for the stream of each day. */
const january = statement('2026-01', '100', '-31', '69')
const february = statement('2026-02', '69', '-28', '41')

const usageDay = (day: string, over: Partial<UsageDay> = {}): UsageDay => ({
  ...{ day, tableDays: 0, streamGb: '1', streamSource: 'cdn', tableFeeUsd: '0', streamFeeUsd: '1' },
  ...over,
})

/** A platform on 2026-03-10 with nine days charged since its last statement. */
function aPlatform({ statements = [february, january], balanceUsd = '32', change = {} as Partial<UsageDay> } = {}) {
  const calls: string[] = []
  const platform = {
    statements: async () => {
      calls.push('statements')
      return { statements }
    },
    usage: async ({ query: { from, to } }: { query: { from: string; to: string } }) => {
      calls.push(`${from} ${to}`)
      const days = daysBetween(from, to).filter((day) => day <= '2026-03-10')
      return { days: days.map((day) => usageDay(day, day === '2026-02-10' ? change : {})) }
    },
    account: async () => {
      calls.push('account')
      return { balanceUsd }
    },
  } as unknown as BillingPlatform
  return { platform, calls }
}

const reconcile = (
  platform: BillingPlatform,
  { now = '2026-03-10T12:00:00.000Z', ...order }: Partial<BillOptions> & { now?: string } = {},
  onMonth?: (read: number, of: number, period: string) => void,
) =>
  reconcileBilling(
    { platform, now: async () => Date.parse(now), ...(onMonth ? { onMonth } : {}) },
    { tenant: { companyCode: 'ACME', environment: 'live' }, tablePrice: parseUsd('310'), ...order },
  )

describe('a bill', () => {
  test('that adds up is balanced, month by month and up to today', async () => {
    const { platform, calls } = aPlatform()
    const { result, days } = await reconcile(platform)
    expect(result).toMatchObject({
      ...{ companyCode: 'ACME', environment: 'live', verdict: 'balanced', asOf: '2026-03-10T12:00:00.000Z' },
      ...{ tablePriceUsd: '310', findings: [], reasons: [] },
      since: { period: '2026-03', openingUsd: '41', chargesUsd: '-9', paymentsUsd: '0', balanceUsd: '32' },
    })
    expect(result.months.map(({ period }) => period)).toEqual(['2026-01', '2026-02'])
    expect(calls).toEqual([
      ...['statements', '2026-01-01 2026-01-31', '2026-02-01 2026-02-28', '2026-03-01 2026-03-31', 'account'],
    ])
    expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([69, '2026-01-01', '2026-03-10'])
  })

  test('has the figures of each month', async () => {
    const { platform } = aPlatform({ change: { tableDays: 2, tableFeeUsd: '22.14' } })
    const { result } = await reconcile(platform, { from: '2026-02', to: '2026-02' })
    expect(result.months).toEqual([
      {
        ...{ period: '2026-02', openingUsd: '69', chargesUsd: '-28', paymentsUsd: '0', closingUsd: '41' },
        ...{ days: 28, daysInMonth: 28, tableDays: 2, tableFeeUsd: '22.14', streamFeeUsd: '28', usageUsd: '50.14' },
        differenceUsd: '22.14',
        runs: [
          { from: '2026-02-01', to: '2026-02-09', tableDays: 0, feeUsd: '0' },
          { from: '2026-02-10', to: '2026-02-10', tableDays: 2, feeUsd: '22.14' },
          { from: '2026-02-11', to: '2026-02-28', tableDays: 0, feeUsd: '0' },
        ],
      },
    ])
    expect(result.findings).toMatchObject([
      { code: 'CHARGES_DIFFER', period: '2026-02', day: null, stated: '28', computed: '50.14' },
    ])
    expect(result.explanations).toMatchObject([{ code: 'TABLES_CHANGED', period: '2026-02' }])
  })

  test('names the day whose fee does not match its tables', async () => {
    const { platform } = aPlatform({ change: { tableDays: 1, tableFeeUsd: '5', streamFeeUsd: '-4' } })
    const { result } = await reconcile(platform)
    expect(result.findings).toMatchObject([
      {
        code: 'FEE_DIFFERS',
        period: '2026-02',
        day: '2026-02-10',
        stated: '5',
        computed: expect.stringMatching(/^11\.07/),
      },
    ])
    expect(result.verdict).toBe('differences')
  })

  test('with a credit below the rest differs', async () => {
    const { result } = await reconcile(aPlatform({ balanceUsd: '30' }).platform)
    expect(result).toMatchObject({
      verdict: 'differences',
      findings: [{ code: 'BALANCE_DIFFERS', day: null, stated: '30', computed: '32' }],
    })
  })

  test('with a higher credit had payments since', async () => {
    const { result } = await reconcile(aPlatform({ balanceUsd: '82' }).platform)
    expect(result).toMatchObject({ verdict: 'balanced', since: { paymentsUsd: '50', balanceUsd: '82' } })
  })
})

describe('the checked months', () => {
  const december = statement('2025-12', '131', '-31', '100')
  const monthsOf = async (order: Partial<BillOptions>) => {
    const { platform, calls } = aPlatform({ statements: [february, january, december] })
    const { result } = await reconcile(platform, order)
    return [result.months.map(({ period }) => period), result.since !== null, calls.includes('account')]
  }

  test.each([
    [{}, ['2025-12', '2026-01', '2026-02'], true],
    [{ from: '2026-01' }, ['2026-01', '2026-02'], true],
    [{ from: '2026-02' }, ['2026-02'], true],
    [{ to: '2026-01' }, ['2025-12', '2026-01'], false],
    [{ from: '2026-01', to: '2026-01' }, ['2026-01'], false],
    [{ to: '2025-11' }, [], false],
  ])('are the requested ones, and today if no end was given: %j', async (order, months, isToday) => {
    expect(await monthsOf(order)).toEqual([months, isToday, isToday])
  })

  test('are announced one by one', async () => {
    const seen: unknown[] = []
    await reconcile(aPlatform().platform, {}, (...each) => seen.push(each))
    expect(seen).toEqual([
      ...[
        [1, 3, '2026-01'],
        [2, 3, '2026-02'],
        [3, 3, '2026-03'],
      ],
    ])
  })

  test('continue to the current one, also if statements are late', async () => {
    const { platform, calls } = aPlatform({ statements: [january] })
    const { result } = await reconcile(platform, { now: '2026-03-31T23:59:59.999Z' })
    expect(calls.filter((each) => each.startsWith('2026'))).toEqual([
      ...['2026-01-01 2026-01-31', '2026-02-01 2026-02-28', '2026-03-01 2026-03-31'],
    ])
    expect(result.reasons).toMatchObject([{ code: 'STATEMENT_LATE', period: '2026-02' }])
  })

  test('without a statement are none, and the verdict is inconclusive', async () => {
    const { platform, calls } = aPlatform({ statements: [] })
    const { result, days } = await reconcile(platform)
    expect(result).toMatchObject({ verdict: 'cannot-conclude', months: [], since: null })
    expect(result.reasons).toMatchObject([{ code: 'NO_STATEMENT', period: null }])
    expect([days, calls]).toEqual([[], ['statements', 'account']])
  })
})

describe('a clock behind that of the platform', () => {
  test.each([
    ['in the month of the last statement', '2026-02-28T23:00:00.000Z'],
    ['in the month before', '2026-01-15T00:00:00.000Z'],
  ])('%s is skipped: today is the last day with usage', async (_, now) => {
    const { platform, calls } = aPlatform()
    const { result } = await reconcile(platform, { now })
    expect(calls.filter((each) => each.startsWith('2026')).at(-1)).toBe('2026-03-01 2026-03-31')
    expect(result).toMatchObject({
      ...{ verdict: 'balanced', since: { period: '2026-03', chargesUsd: '-9', paymentsUsd: '0' } },
    })
  })

  test('on the first day of a month is not behind the statement of the month before', async () => {
    const { result } = await reconcile(aPlatform({ balanceUsd: '41' }).platform, { now: '2026-03-01T00:00:00.000Z' })
    expect(result).toMatchObject({ verdict: 'balanced', since: { period: '2026-03', chargesUsd: '0' } })
  })
})

test('a canceled run reads no further month', async () => {
  const { platform, calls } = aPlatform()
  const canceling = new AbortController()
  const work = {
    platform,
    now: async () => Date.UTC(2026, 2, 10),
    signal: canceling.signal,
    onMonth: () => canceling.abort(),
  }
  const tenant = { companyCode: 'ACME', environment: 'live' } as const
  await expect(reconcileBilling(work, { tenant, tablePrice: 0n })).rejects.toThrow('aborted')
  expect(calls).toEqual(['statements', '2026-01-01 2026-01-31'])
})

test.each([
  [[], 0],
  [[1, 2], 3],
  [[0.1, 0.2], 0.3],
  [[0.000001, 0.0000004], 0.000001],
])('the table-days %j are %d in all', (parts, total) => {
  expect(tableDaysOf(parts.map((tableDays) => ({ tableDays })))).toBe(total)
})
