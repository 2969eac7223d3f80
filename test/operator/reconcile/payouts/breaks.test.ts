import { expect, test } from 'vitest'
import { payoutFindings } from '../../../../src/operator/reconcile/payouts/breaks.ts'
import type { ComparedPayout } from '../../../../src/operator/reconcile/payouts/reconcile.ts'

const side = { currency: 'trx', amount: '2', address: 'T1', status: 'finished', at: '2026-03-01T08:00:00.000Z' }

const aPayout = (over: Partial<ComparedPayout> = {}): ComparedPayout => ({
  ...{ payoutId: '7', externalId: 'p-1', result: 'different', line: 2, currency: 'trx', amount: '3', address: 'T1' },
  ...{ status: 'paid', at: '2026-03-01T23:59:59.000Z', gateway: side, message: '7: another amount' },
  ...{ differences: [{ field: 'amount', ledger: '3', gateway: '2' }] },
  ...over,
})

test('only a payout that differs is a break, of its day, under the ID of the payout', () => {
  const payouts = [
    aPayout(),
    aPayout({ payoutId: null, at: null, result: 'missing-at-gateway' }),
    aPayout({ payoutId: '8', result: 'matched' }),
    aPayout({ payoutId: '9', result: 'undecided' }),
  ]
  expect(payoutFindings(payouts).detected).toMatchObject([
    { kind: 'payouts', subject: '7', date: '2026-03-01', currency: 'trx', amount: '3', message: '7: another amount' },
    { kind: 'payouts', subject: 'external p-1', date: null },
  ])
})

test('another status at the gateway is a new finding of the same break', () => {
  const of = (payout: ComparedPayout) => payoutFindings([payout]).detected[0]
  const [first, other] = [of(aPayout()), of(aPayout({ gateway: { ...side, status: 'failed' } }))]
  expect(other?.subject).toBe(first?.subject)
  expect(other?.fingerprint).not.toBe(first?.fingerprint)
  expect(of(aPayout({ gateway: null }))?.fingerprint).toContain('null]')
})

test('a run covers the breaks of its decided payouts, and of no other', () => {
  const { looked } = payoutFindings([aPayout({ result: 'matched' }), aPayout({ payoutId: '9', result: 'undecided' })])
  const covers = (subject: string) => looked.map((each) => each.covers({ subject } as never))
  expect(looked.map(({ kind }) => kind)).toEqual(['payouts'])
  expect([covers('7'), covers('9'), covers('8')]).toEqual([[true], [false], [false]])
})
