import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BillFacts, feeFor, feeOf, proveBill, type UsageFigures } from '../../src/domain/bill.ts'
import { tableFee } from '../../src/domain/billing.ts'
import { daysBetween } from '../../src/domain/day.ts'
import { parseUsd, sum } from '../../src/domain/money.ts'
import {
  closingOf,
  daysOfPeriod,
  periodAfter,
  periodOf,
  type StatementFigures,
  statementFaults,
  wholeOf,
} from '../../src/domain/statement.ts'

const price = parseUsd('100')

/** A day with so many tables, charged as the platform charges it. */
function aDay(day: string, tables: number, more: Partial<UsageFigures> = {}): UsageFigures {
  return { day, tableDays: tables, tableFee: tableFee(tables, Date.parse(day)), streamFee: 0n, ...more }
}

/** A bill that adds up, from the days of it: statements up to the month before today, and the credit of today. */
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
  test('that adds up is balanced, and what began or changed within a month is explained', () => {
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

  test('whose statement does not chain, does not close, or is missing, does not add up', () => {
    const [february, january] = good.statements
    if (!february || !january) throw new Error('there are two')
    const opened = { ...february, opening: february.opening + 1n, closing: february.closing + 1n }
    expect(codes({ ...good, statements: [opened, january], current: null }).findings).toEqual(['CHAIN_BROKEN'])
    const closed = { ...february, closing: february.closing + 1n }
    expect(codes({ ...good, statements: [closed, january], current: null }).findings).toEqual(['SUM_DIFFERS'])
    const earlier = { ...january, period: '2025-12' }
    expect(statementFaults([february, earlier]).map(({ code }) => code)).toEqual(['MONTH_MISSING'])
  })

  test('with usage missing cannot be concluded where that may be the reason, and is wrong where it cannot be', () => {
    const usage = spring.filter(({ day }) => day !== '2026-02-14')
    expect(codes({ ...good, usage })).toMatchObject({ verdict: 'cannot-conclude', reasons: ['USAGE_MISSING'] })
    // What is left comes to more than is charged: no further day can mend that.
    const dear = usage.map((day) => (day.day === '2026-02-02' ? { ...day, streamFee: parseUsd('50') } : day))
    expect(codes({ ...good, usage: dear })).toMatchObject({ verdict: 'differences', findings: ['CHARGES_DIFFER'] })
  })

  test('with a day that is not pro rata is wrong from beyond a cent on, and a day that costs nothing is explained', () => {
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

  test('whose credit is lower than payments can explain does not add up, unless today is charged already', () => {
    const { current } = good
    if (!current) throw new Error('it has one')
    const paid = parseUsd('20.000001')
    const lower = (by: bigint) => codes({ ...good, current: { ...current, balance: current.balance - paid - by } })
    const todays = feeOf(spring.at(-1) ?? aDay('2026-03-10', 3))
    expect(lower(0n)).toMatchObject({ verdict: 'balanced', findings: [] })
    expect(lower(todays)).toMatchObject({ findings: [], explanations: expect.arrayContaining(['TODAY_CHARGED']) })
    expect(lower(todays + 1n)).toMatchObject({ verdict: 'differences', findings: ['BALANCE_DIFFERS'] })
  })

  test('without a statement, or without the last one, cannot be concluded', () => {
    expect(codes({ ...good, statements: [] })).toMatchObject({ verdict: 'cannot-conclude', reasons: ['NO_STATEMENT'] })
    const late = { ...good, current: { today: '2026-04-01', balance: good.current?.balance ?? 0n } }
    expect(codes(late)).toMatchObject({ verdict: 'cannot-conclude', reasons: ['STATEMENT_LATE'] })
  })

  test('adds up whatever the tables and payments were, and no longer once any figure is changed', () => {
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

test('statements as one open with the first, close with the last, and differ where any of them does', () => {
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
