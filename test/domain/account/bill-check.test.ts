import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BillFacts, feeFor, feeOf, proveBill, type UsageFigures } from '../../../src/domain/account/bill-check.ts'
import { tableFee } from '../../../src/domain/account/billing.ts'
import {
  closingOf,
  daysOfPeriod,
  periodAfter,
  periodOf,
  type StatementFigures,
  statementFaults,
  wholeOf,
} from '../../../src/domain/account/statement-check.ts'
import { parseUsd, sum } from '../../../src/domain/money.ts'
import { daysBetween } from '../../../src/domain/time/day.ts'

const price = parseUsd('100')

/** A day with this number of tables, charged as the platform charges it. */
function aDay(day: string, tables: number, more: Partial<UsageFigures> = {}): UsageFigures {
  return { day, tableDays: tables, tableFee: tableFee(tables, Date.parse(day)), streamFee: 0n, ...more }
}

/** A bill that adds up, made from its days: statements up to the month before today, and the credit of today. */
function aBill(
  days: readonly UsageFigures[],
  today: string,
  payments: Readonly<Record<string, string>> = {},
): BillFacts {
  const paidIn = (period: string) => parseUsd(payments[period] ?? '0')
  const first = periodOf(days[0]?.day ?? today)
  const statements: StatementFigures[] = []
  let opening = 0n
  for (let period = first; period < periodOf(today); period = periodAfter(period, 1)) {
    const charges = -sum(days.filter(({ day }) => periodOf(day) === period).map(feeOf))
    const own = { period, opening, charges, payments: paidIn(period) }
    opening = closingOf(own)
    statements.unshift({ ...own, closing: opening })
  }
  const since = days.filter(({ day }) => periodOf(day) === periodOf(today) && day < today)
  const balance = opening + paidIn(periodOf(today)) - sum(since.map(feeOf))
  return { statements, usage: days, current: { today, balance }, tablePrice: price }
}

const spring = daysBetween('2026-01-20', '2026-03-10').map((day) => aDay(day, day < '2026-02-11' ? 2 : 3))
const good = aBill(spring, '2026-03-10', { '2026-01': '500', '2026-03': '20.000001' })
const codes = (facts: BillFacts) => {
  const { verdict, findings, reasons, explanations } = proveBill(facts)
  const named = (all: readonly { readonly code: string }[]) => all.map(({ code }) => code)
  return { verdict, findings: named(findings), reasons: named(reasons), explanations: named(explanations) }
}

describe('a bill', () => {
  test('that adds up is balanced, and changes within a month are explained', () => {
    expect(codes(good)).toEqual({
      verdict: 'balanced',
      findings: [],
      reasons: [],
      explanations: ['TABLES_CHANGED', 'BEGAN_WITHIN'],
    })
    expect(proveBill(good).since).toMatchObject({ payments: parseUsd('20.000001') })
  })

  test('whose charges are off by a millionth does not add up', () => {
    for (const off of [1n, -1n]) {
      const statements = good.statements.map((statement, i) =>
        i === 0 ? { ...statement, charges: statement.charges + off, closing: statement.closing + off } : statement,
      )
      expect(codes({ ...good, statements, current: null }).findings).toEqual(['CHARGES_DIFFER'])
    }
  })

  test('whose statement does not continue the previous one, does not close, or is missing, does not add up', () => {
    const [february, january] = good.statements
    if (!february || !january) throw new Error('there are two')
    const opened = { ...february, opening: february.opening + 1n, closing: february.closing + 1n }
    expect(codes({ ...good, statements: [opened, january], current: null }).findings).toEqual(['CHAIN_BROKEN'])
    const closed = { ...february, closing: february.closing + 1n }
    expect(codes({ ...good, statements: [closed, january], current: null }).findings).toEqual(['SUM_DIFFERS'])
    const earlier = { ...january, period: '2025-12' }
    expect(statementFaults([february, earlier]).map(({ code }) => code)).toEqual(['MONTH_MISSING'])
  })

  test('with usage missing is inconclusive if that may be the reason, and wrong if it cannot be', () => {
    const usage = spring.filter(({ day }) => day !== '2026-02-14')
    expect(codes({ ...good, usage })).toMatchObject({ verdict: 'cannot-conclude', reasons: ['USAGE_MISSING'] })
    // The rest is more than the charges: no further day can explain that.
    const dear = usage.map((day) => (day.day === '2026-02-02' ? { ...day, streamFee: parseUsd('50') } : day))
    expect(codes({ ...good, usage: dear })).toMatchObject({ verdict: 'differences', findings: ['CHARGES_DIFFER'] })
  })

  test('with a day that is not pro rata is wrong if it differs by more than a cent, and a free day is explained', () => {
    const charged = (fee: bigint) => {
      const days = spring.map((day) => (day.day === '2026-02-02' ? { ...day, tableFee: fee } : day))
      return codes(aBill(days, '2026-03-10', { '2026-01': '500' }))
    }
    const due = feeFor(2, '2026-02-02', price)
    expect(charged(due + parseUsd('0.02')).findings).toEqual([])
    expect(charged(due + parseUsd('0.020001')).findings).toEqual(['FEE_DIFFERS'])
    expect(charged(due - parseUsd('0.020001')).findings).toEqual(['FEE_DIFFERS'])
    expect(charged(0n)).toMatchObject({ findings: [], explanations: expect.arrayContaining(['NOT_CHARGED']) })
  })

  test('for half a day is pro rata of half a day', () => {
    const half = spring.map((day) =>
      day.day === '2026-02-02' ? { ...day, tableDays: 0.5, tableFee: feeFor(0.5, day.day, price) } : day,
    )
    const outcome = codes(aBill(half, '2026-03-10', { '2026-01': '500' }))
    expect(outcome).toMatchObject({ verdict: 'balanced', explanations: expect.arrayContaining(['PARTS_OF_DAYS']) })
  })

  test('whose credit is lower than payments explain does not add up, unless today is already charged', () => {
    const { current } = good
    if (!current) throw new Error('it has one')
    const paid = parseUsd('20.000001')
    const lower = (by: bigint) => codes({ ...good, current: { ...current, balance: current.balance - paid - by } })
    const todays = feeOf(spring.at(-1) ?? aDay('2026-03-10', 3))
    expect(lower(0n)).toMatchObject({ verdict: 'balanced', findings: [] })
    expect(lower(todays)).toMatchObject({ findings: [], explanations: expect.arrayContaining(['TODAY_CHARGED']) })
    expect(lower(todays + 1n)).toMatchObject({ verdict: 'differences', findings: ['BALANCE_DIFFERS'] })
  })

  test('without a statement, or without the last one, is inconclusive', () => {
    expect(codes({ ...good, statements: [] })).toMatchObject({ verdict: 'cannot-conclude', reasons: ['NO_STATEMENT'] })
    const late = { ...good, current: { today: '2026-04-01', balance: good.current?.balance ?? 0n } }
    expect(codes(late)).toMatchObject({ verdict: 'cannot-conclude', reasons: ['STATEMENT_LATE'] })
  })

  test('adds up for any tables and payments, and no longer with any figure changed', () => {
    const tables = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 70, maxLength: 200 })
    const change = fc.constantFrom('opening', 'charges', 'payments', 'closing')
    fc.assert(
      fc.property(tables, fc.nat(), change, fc.integer({ min: 1, max: 10_000_000 }), (counts, at, key, off) => {
        const days = daysBetween('2025-11-15', '2027-01-01')
          .slice(0, counts.length)
          .map((day, i) => aDay(day, counts[i] ?? 0))
        const bill = aBill(days, days.at(-1)?.day ?? '', { '2025-12': '1234.5' })
        expect(proveBill(bill).verdict).toBe('balanced')
        const which = at % bill.statements.length
        const statements = bill.statements.map((statement, i) =>
          i === which ? { ...statement, [key]: statement[key] + BigInt(off) } : statement,
        )
        expect(proveBill({ ...bill, statements }).verdict).toBe('differences')
      }),
      { numRuns: 60 },
    )
  })
})

test('several statements open with the first, close with the last, and differ if any of them does', () => {
  const oldestFirst = good.statements.toReversed()
  const whole = wholeOf(oldestFirst)
  expect(whole && closingOf(whole)).toBe(whole?.closing)
  const broken = oldestFirst.map((statement, i) =>
    i === 0 ? { ...statement, charges: statement.charges - 7n } : statement,
  )
  const torn = wholeOf(broken)
  expect(torn && torn.closing - closingOf(torn)).toBe(7n)
  expect(wholeOf([])).toBeUndefined()
})

test.each([
  ['2024-02', 29],
  ['2026-02', 28],
  ['2026-12', 31],
  ['0099-02', 28],
])('%s has %i days', (period, count) => {
  expect(daysOfPeriod(period)).toEqual({ first: `${period}-01`, last: `${period}-${count}`, count })
  expect(periodAfter(periodAfter(period, 14), -14)).toBe(period)
})

describe('the figures of a bill', () => {
  const month = (days: readonly UsageFigures[], more: Partial<StatementFigures> = {}): StatementFigures => {
    const charges = -sum(days.map(feeOf))
    return { period: '2026-02', opening: 0n, charges, payments: 0n, closing: charges, ...more }
  }
  const february = (tables: (at: number) => number, more: Partial<UsageFigures> = {}) =>
    daysBetween('2026-02-01', '2026-02-28').map((day, at) => aDay(day, tables(at), more))
  /** Returns the findings about one month by its days and its charges. */
  const prove = (days: readonly UsageFigures[], statements = [month(days)]) =>
    proveBill({ statements, usage: days, current: null, tablePrice: price })

  test('a day costs its tables and its streaming volume', () => {
    expect(feeOf({ tableFee: 5n, streamFee: 3n })).toBe(8n)
  })

  test.each([
    [1, '2026-02-02', '3.571428'],
    [1, '2026-03-02', '3.225806'],
    [3, '2026-04-02', '10'],
    [0.5, '2026-02-02', '1.785714'],
    [1 / 3, '2026-02-02', '1.190475'],
    [0, '2026-02-02', '0'],
  ])('%d table-days on %s are pro rata of USD 100: %s', (tableDays, day, fee) => {
    expect(feeFor(tableDays, day, price)).toBe(parseUsd(fee))
  })

  test('consecutive days with equal tables are one run, with their fees added up', () => {
    const days = february((at) => (at < 2 ? 1 : at < 5 ? 2 : at < 6 ? 1 : 3))
    const [only] = prove(days).months
    const fee = (from: number, to: number) => sum(days.slice(from, to).map(({ tableFee }) => tableFee))
    expect(only?.runs).toEqual([
      { from: '2026-02-01', to: '2026-02-02', tableDays: 1, fee: fee(0, 2) },
      { from: '2026-02-03', to: '2026-02-05', tableDays: 2, fee: fee(2, 5) },
      { from: '2026-02-06', to: '2026-02-06', tableDays: 1, fee: fee(5, 6) },
      { from: '2026-02-07', to: '2026-02-28', tableDays: 3, fee: fee(6, 28) },
    ])
    expect(only).toMatchObject({ tableFee: fee(0, 28), streamFee: 0n, difference: 0n, missing: [] })
  })

  test('a run ends where a day is missing', () => {
    const days = february(() => 1).filter((_, at) => at !== 9)
    expect(prove(days).months[0]?.runs.map(({ from, to }) => [from, to])).toEqual([
      ['2026-02-01', '2026-02-09'],
      ['2026-02-11', '2026-02-28'],
    ])
  })

  test.each([
    ['the first day of the oldest month', (at: number) => at === 0, 'BEGAN_WITHIN'],
    ['the first days of the oldest month', (at: number) => at < 9, 'BEGAN_WITHIN'],
    ['a day within the month', (at: number) => at === 9, 'DAYS_WITHOUT_USAGE'],
    ['the first day and another', (at: number) => at === 0 || at === 9, 'DAYS_WITHOUT_USAGE'],
    ['the last day', (at: number) => at === 27, 'DAYS_WITHOUT_USAGE'],
    ['all days', () => true, 'DAYS_WITHOUT_USAGE'],
  ])('with the usage of %s missing, and nothing charged for it', (_, isMissing, code) => {
    const days = february(() => 1).filter((_, at) => !isMissing(at))
    const { verdict, explanations } = prove(days)
    expect([verdict, explanations[0]?.code]).toEqual(['balanced', code])
  })

  test('a later month whose usage starts late did not start then', () => {
    const days = february(() => 1).slice(1)
    const january = { period: '2026-01', opening: 0n, charges: 0n, payments: 0n, closing: 0n }
    expect(prove(days, [month(days), january]).explanations.map(({ code, period }) => [code, period])).toEqual([
      ['DAYS_WITHOUT_USAGE', '2026-02'],
      ['DAYS_WITHOUT_USAGE', '2026-01'],
    ])
  })

  test('days with free tables are named, days without tables are not', () => {
    const days = february(() => 1).map((day, at) =>
      at < 3 ? { ...day, tableDays: [0, 0.5, 1][at] ?? 0, tableFee: 0n } : day,
    )
    const free = prove(days).explanations.find(({ code }) => code === 'NOT_CHARGED')
    expect(free).toEqual({ code: 'NOT_CHARGED', period: '2026-02', days: ['2026-02-02', '2026-02-03'] })
    expect(prove(days).explanations.find(({ code }) => code === 'PARTS_OF_DAYS')).toEqual({
      code: 'PARTS_OF_DAYS',
      period: '2026-02',
      days: ['2026-02-02'],
    })
  })

  test.each([
    [0, '0.01', 0],
    [0, '0.010001', 1],
    [0.5, '0.01', 0],
    [0.5, '0.010001', 1],
    [1, '0.01', 0],
    [1, '0.010001', 1],
    [1.5, '0.02', 0],
    [1.5, '0.020001', 1],
    [3, '0.03', 0],
    [3, '0.030001', 1],
  ])('%d table-days can differ by a cent per started table, so by %s there are %i findings', (tables, off, count) => {
    const fee = feeFor(tables, '2026-02-01', price) + parseUsd(off)
    const days = february(() => 1).map((day, at) => (at === 0 ? { ...day, tableDays: tables, tableFee: fee } : day))
    const { findings } = prove(days)
    expect(findings).toHaveLength(count)
    if (count > 0)
      expect(findings[0]).toEqual({
        code: 'FEE_DIFFERS',
        period: '2026-02',
        day: '2026-02-01',
        tableDays: tables,
        stated: fee,
        computed: feeFor(tables, '2026-02-01', price),
      })
  })

  test('since the last statement the credit decreases by the charges, and payments are the rest', () => {
    const days = february(() => 1)
    const since = [aDay('2026-03-01', 1), aDay('2026-03-02', 1, { streamFee: parseUsd('7') }), aDay('2026-03-03', 9)]
    const statement = month(days, { payments: parseUsd('500'), closing: parseUsd('400') })
    const charged = sum(since.slice(0, 2).map(feeOf))
    const proved = (balance: bigint) =>
      proveBill({
        statements: [statement],
        usage: [...days, ...since],
        current: { today: '2026-03-03', balance },
        tablePrice: price,
      })
    const exact = parseUsd('400') - charged
    const period = '2026-03'
    expect(proved(exact)).toMatchObject({
      verdict: 'balanced',
      since: { period, opening: parseUsd('400'), charged, payments: 0n, balance: exact },
      explanations: [],
    })
    expect(proved(exact + 1n)).toMatchObject({ verdict: 'balanced', since: { payments: 1n }, explanations: [] })
    const todays = feeOf(since[2] ?? { tableFee: 0n, streamFee: 0n })
    const today = { code: 'TODAY_CHARGED', period, day: '2026-03-03' }
    expect(proved(exact - 1n)).toMatchObject({ verdict: 'balanced', explanations: [today] })
    expect(proved(exact - todays)).toMatchObject({ verdict: 'balanced', explanations: [today] })
    const balance = exact - todays - 1n
    expect(proved(balance)).toMatchObject({
      verdict: 'differences',
      findings: [{ code: 'BALANCE_DIFFERS', period, stated: balance, computed: exact }],
    })
  })
})
