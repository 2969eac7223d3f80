import { expect, test } from 'vitest'
import type { Finding, FindingKind } from '../../../src/domain/reconcile/payments.ts'
import { paymentsPage } from '../../../src/operator/report/payments-page.ts'

const finding = (kind: FindingKind, number: number): Finding => ({
  kind,
  paymentId: String(number),
  orderId: null,
  message: 'the callback is missing',
  expected: 'finished',
  found: null,
})

const pageOf = (findings: readonly Finding[]) =>
  paymentsPage({
    result: { verdict: 'differences', payments: 900, callbacks: 1, orders: null, findings, ofOrders: 0, doubts: [] },
    range: 'March',
    madeAt: 0,
    madeBy: 'countroom 0.0.0',
  })

test('findings are listed by kind in the order of the payments, at most 500 of each kind with the total number', () => {
  const missing = Array.from({ length: 501 }, (_, i) => finding('missing', 5_000_000_600 - i))
  const page = pageOf([...missing, finding('overpaid', 5_000_000_007), finding('overpaid', 999)])
  expect(page).toContain('At most 500 of each kind.')
  expect([...page.matchAll(/<summary>(.*?)<\/summary>/g)].map(([, text]) => text)).toEqual([
    'missing: 500 of 501',
    'overpaid: 2',
  ])
  const numbers = [...page.matchAll(/<th scope="row">(\d+)<\/th>/g)].map(([, text]) => Number(text))
  expect(numbers.slice(0, 500)).toEqual(Array.from({ length: 500 }, (_, i) => 5_000_000_100 + i))
  expect(numbers.slice(500)).toEqual([999, 5_000_000_007])
})

test('findings without a payment are last, in the order of their orders', () => {
  const ofOrder = (orderId: string): Finding => ({ ...finding('unknown', 1), paymentId: null, orderId })
  const page = pageOf([ofOrder('b'), ofOrder('a'), finding('unknown', 5_000_000_007), finding('unknown', 999)])
  const rows = [...page.matchAll(/<th scope="row">(\d*)<\/th><td><bdi>(\w*)<\/bdi>/g)]
  expect(rows.map(([, payment, order]) => payment || order)).toEqual(['999', '5000000007', 'a', 'b'])
})

test('a page with all findings states it, and one without has no list', () => {
  expect(pageOf([finding('stale', 1)])).toContain('All of them.')
  expect(pageOf([])).not.toContain('<h2>Findings</h2>')
})
