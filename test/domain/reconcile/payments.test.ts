import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseUnits } from '../../../src/domain/money.ts'
import { callbackEvidenceOf } from '../../../src/domain/reconcile/callback-evidence.ts'
import {
  amountScale,
  findingsOf,
  findingsOfOrders,
  type ListedPayment,
  type Order,
  paymentsVerdict,
} from '../../../src/domain/reconcile/payments.ts'

const units = (text: string) => parseUnits(text, amountScale)

function aPayment(over: Partial<ListedPayment> = {}): ListedPayment {
  return {
    id: '1',
    status: 'finished',
    orderId: 'o-1',
    price: units('100'),
    priceCurrency: 'usd',
    due: units('100.5'),
    paid: units('100.5'),
    payCurrency: 'usdttrc20',
    evidence: 'received',
    ...over,
  }
}

const anOrder = (over: Partial<Order> = {}): Order => ({
  id: 'o-1',
  amount: units('100'),
  currency: 'usd',
  isPaid: true,
  ...over,
})

const kinds = (findings: readonly { kind: string }[]) => findings.map(({ kind }) => kind)

describe('callbacks of a payment', () => {
  const now = { status: 'partially_paid', paid: 2 }
  test.each([
    [[], 'missing'],
    [[{ status: 'waiting', paid: 0 }], 'stale'],
    // A second deposit has the same status.
    [[{ status: 'partially_paid', paid: 1 }], 'stale'],
    [[now, { status: 'partially_paid', paid: 1 }], 'received'],
    [[{ status: 'waiting', paid: 0 }, now], 'received'],
  ] as const)('%j is %s', (callbacks, evidence) => {
    expect(callbackEvidenceOf(now, callbacks)).toBe(evidence)
  })

  test('does not depend on the order of arrival', () => {
    const telling = fc.record({ status: fc.constantFrom('waiting', 'finished'), paid: fc.nat(2) })
    fc.assert(
      fc.property(telling, fc.array(telling), (payment, callbacks) => {
        expect(callbackEvidenceOf(payment, [...callbacks].reverse())).toBe(callbackEvidenceOf(payment, callbacks))
      }),
    )
  })
})

describe('a payment by itself', () => {
  test.each([
    [{}, []],
    [{ evidence: 'missing' }, ['missing']],
    [{ evidence: 'stale' }, ['stale']],
    [{ evidence: 'recent' }, []],
    [{ evidence: 'unknown' }, []],
    [{ paid: units('100.6') }, ['overpaid']],
    // Within the merchant's tolerance, or it would not be finished.
    [{ paid: units('100.4') }, []],
    [{ status: 'partially_paid', paid: units('40') }, ['underpaid']],
    [{ status: 'expired', paid: units('40') }, ['underpaid']],
    [{ status: 'expired', paid: 0n }, []],
    [{ status: 'waiting', paid: 0n }, []],
    [{ status: 'confirming', paid: units('200') }, []],
    [{ status: 'refunded', paid: units('40') }, []],
    [{ status: 'partially_paid', paid: units('40'), evidence: 'stale' }, ['stale', 'underpaid']],
  ] as const)('%o shows %j', (over, expected) => {
    expect(kinds(findingsOf(aPayment(over)))).toEqual(expected)
  })
})

describe('orders against payments', () => {
  test.each([
    ['paid and finished', [anOrder()], [aPayment()], []],
    ['open and nothing paid', [anOrder({ isPaid: false })], [aPayment({ status: 'waiting', paid: 0n })], []],
    ['open and finished', [anOrder({ isPaid: false })], [aPayment()], ['stale']],
    ['not said and finished', [anOrder({ isPaid: null })], [aPayment()], []],
    ['paid and only waiting', [anOrder()], [aPayment({ status: 'waiting', paid: 0n })], ['missing']],
    ['paid and no payment at all', [anOrder()], [], ['unknown']],
    ['paid for less', [anOrder({ amount: units('120') })], [aPayment()], ['underpaid']],
    ['paid in two parts', [anOrder({ amount: units('200') })], [aPayment(), aPayment({ id: '2' })], []],
    ['paid twice', [anOrder()], [aPayment(), aPayment({ id: '2' })], ['overpaid']],
    ['paid once, tried twice', [anOrder()], [aPayment({ id: '2', status: 'expired', paid: 0n }), aPayment()], []],
    ['in another currency', [anOrder({ currency: 'eur' })], [aPayment()], ['unknown']],
    ['money for an unknown order', [], [aPayment()], ['unknown']],
    ['money for no order', [anOrder({ isPaid: false })], [aPayment({ orderId: null })], ['unknown']],
    ['an unknown order without money', [], [aPayment({ status: 'expired', paid: 0n })], []],
    ['money of an unknown order that went back', [], [aPayment({ status: 'refunded' })], []],
  ] as const)('%s', (_what, orders, payments, expected) => {
    expect(kinds(findingsOfOrders(orders, payments))).toEqual(expected)
  })

  test('an empty file has no orders, and without a file orders are unknown', () => {
    expect(findingsOfOrders([], [aPayment()])).toMatchObject([
      { paymentId: '1', orderId: 'o-1', found: '100.5 usdttrc20' },
    ])
  })
})

test('a difference counts with any doubt; without one a doubt is inconclusive', () => {
  const findings = findingsOf(aPayment({ evidence: 'missing' }))
  expect(paymentsVerdict(findings, [])).toBe('differences')
  expect(paymentsVerdict(findings, ['nobody listened'])).toBe('differences')
  expect(paymentsVerdict([], ['nobody listened'])).toBe('cannot-conclude')
  expect(paymentsVerdict([], [])).toBe('balanced')
})
