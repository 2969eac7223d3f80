import { expect, test } from 'vitest'
import type { BookBreakRow } from '../../../../src/db/schema/book.ts'
import { billFindings } from '../../../../src/operator/reconcile/billing/breaks.ts'

const fee = {
  code: 'FEE_DIFFERS',
  period: '2026-03',
  day: '2026-03-04',
  stated: '3.23',
  computed: '3.225806',
  message: 'The fee differs',
} as const
const gap = {
  code: 'MONTH_MISSING',
  period: '2026-03',
  day: null,
  stated: null,
  computed: null,
  message: 'A month is missing',
} as const
const bill = { verdict: 'differences', findings: [fee, gap], months: [{ period: '2026-03' }] } as const

function covers(result: Parameters<typeof billFindings>[0], date: string | null) {
  return billFindings(result).looked[0]?.covers({ date } as BookBreakRow)
}

test('a break is about a day or a month, and its amount is stated minus computed', () => {
  const { detected: found } = billFindings({ ...bill, findings: [...bill.findings] })
  expect(found).toMatchObject([
    { subject: '2026-03-04 FEE_DIFFERS', date: '2026-03-04', amount: '0.004194', currency: 'USD' },
    { subject: '2026-03 MONTH_MISSING', date: '2026-03', amount: null },
  ])
})

test('a break has no amount if one of the two figures is none', () => {
  const findings = [
    { ...fee, stated: 'much' },
    { ...fee, computed: null },
    { ...fee, stated: null },
  ]
  expect(billFindings({ ...bill, findings }).detected.map(({ amount }) => amount)).toEqual([null, null, null])
})

test('a run covers the months that it checked, with their days', () => {
  const checked = { ...bill, findings: [] }
  expect(covers(checked, '2026-03')).toBe(true)
  expect(covers(checked, '2026-03-31')).toBe(true)
  expect(covers(checked, '2026-02-28')).toBe(false)
  expect(covers(checked, null)).toBe(false)
})

test('an inconclusive run covers no month', () => {
  expect(covers({ ...bill, findings: [], verdict: 'cannot-conclude' }, '2026-03')).toBe(false)
})
