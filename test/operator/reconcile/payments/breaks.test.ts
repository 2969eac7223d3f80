import { expect, test } from 'vitest'
import type { BookBreakRow } from '../../../../src/db/schema/book.ts'
import { paymentFindings } from '../../../../src/operator/reconcile/payments/breaks.ts'
import type { PaymentsReconciled } from '../../../../src/operator/reconcile/payments/reconcile.ts'

const unpaid = {
  kind: 'underpaid',
  paymentId: '77',
  orderId: 'o-1',
  message: 'Too little arrived',
  expected: '10',
  found: '9',
} as const

const result: PaymentsReconciled = {
  verdict: 'differences',
  payments: 3,
  callbacks: 3,
  orders: 2,
  findings: [unpaid, { ...unpaid, paymentId: null }],
  ofOrders: 1,
  doubts: [],
}

/** Returns the open breaks that the run finds again: those of payments, and those of orders. */
function covered(outcome: PaymentsReconciled, range: { from?: string; to?: string } = {}) {
  const [looked] = paymentFindings(outcome, range).looked
  const row = (side: string) => ({ detail: JSON.stringify({ side }) }) as BookBreakRow
  return { payments: looked?.covers(row('payments')), orders: looked?.covers(row('orders')) }
}

test('a payment and an order with the same finding are two breaks, which name their subjects', () => {
  const { detected: found } = paymentFindings(result, {})
  expect(found.map(({ subject }) => subject)).toEqual(['payments underpaid 77 o-1', 'orders underpaid - o-1'])
  expect(found.map(({ message }) => message)).toEqual([
    'Too little arrived, payment 77, order o-1',
    'Too little arrived, order o-1',
  ])
})

test('other amounts are a new finding of the same break', () => {
  const [first] = paymentFindings(result, {}).detected
  const [other] = paymentFindings({ ...result, findings: [{ ...unpaid, found: '8' }], ofOrders: 0 }, {}).detected
  expect(other?.subject).toBe(first?.subject)
  expect(other?.fingerprint).not.toBe(first?.fingerprint)
})

test('a run over all payments covers the breaks of payments, and with orders those of orders', () => {
  expect(covered(result)).toEqual({ payments: true, orders: true })
  expect(covered({ ...result, orders: null })).toEqual({ payments: true, orders: false })
})

test('a run with doubts, or over a part of the payments, covers no break', () => {
  const none = { payments: false, orders: false }
  expect(covered({ ...result, doubts: ['The list changed'] })).toEqual(none)
  expect(covered(result, { from: '2026-03-01T00:00:00.000Z' })).toEqual(none)
  expect(covered(result, { to: '2026-03-01T00:00:00.000Z' })).toEqual(none)
})
