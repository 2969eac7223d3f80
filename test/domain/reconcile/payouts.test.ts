import { describe, expect, test } from 'vitest'
import {
  amountOf,
  belongsInLedger,
  type GatewayPayout,
  type LedgerPayout,
  ledgerPayoutStatuses,
  meaningOf,
  payoutDifferences,
  payoutResults,
  payoutScale,
  payoutsVerdict,
  resultOfPair,
} from '../../../src/domain/reconcile/payouts.ts'

const ledger: LedgerPayout = {
  payoutId: '5000000001',
  externalId: null,
  address: null,
  currency: 'usdttrc20',
  amount: 10n ** 18n,
  status: null,
  at: null,
  line: 2,
}
const gateway: GatewayPayout = {
  id: '5000000001',
  externalId: 'ref-1',
  address: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  currency: 'usdttrc20',
  amount: 10n ** 18n,
  status: 'finished',
  at: 0,
}

describe('a payout that both sides have', () => {
  test.each([
    ['agrees', {}, {}, [], 'matched'],
    ['agrees in its reference and address', { externalId: 'ref-1', address: gateway.address }, {}, [], 'matched'],
    ['has another amount', { amount: 1n }, {}, ['amount'], 'different'],
    ['is in another coin', { currency: 'btc' }, {}, ['currency'], 'different'],
    ['went elsewhere', { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }, {}, ['address'], 'different'],
    ['has another reference', { externalId: 'ref-2' }, {}, ['externalId'], 'different'],
    ['failed, but counts as paid', {}, { status: 'FAILED' }, ['status'], 'different'],
    ['was rejected, as the ledger says', { status: 'failed' }, { status: 'rejected' }, [], 'matched'],
    ['is paid, but counts as pending', { status: 'pending' }, {}, ['status'], 'different'],
    ['is paid, but counts as failed', { status: 'failed' }, {}, ['status'], 'different'],
    ['is on its way', {}, { status: 'sending' }, [], 'undecided'],
    ['is on its way, as the ledger says', { status: 'pending' }, { status: 'creating' }, [], 'matched'],
    ['has a status that nobody knows', {}, { status: 'paused' }, [], 'undecided'],
  ] as const)('%s', (_, ours, theirs, fields, result) => {
    const [row, payout] = [
      { ...ledger, ...ours },
      { ...gateway, ...theirs },
    ]
    const differences = payoutDifferences(row, payout)
    expect(differences.map(({ field }) => field)).toEqual(fields)
    expect(resultOfPair(row, payout, differences)).toBe(result)
  })
})

test('only a payout that moved money must be in the ledger', () => {
  const statuses = ['creating', 'waiting', 'processing', 'sending', 'finished', 'failed', 'rejected', 'paused']
  expect(statuses.filter((status) => !belongsInLedger({ ...gateway, status }))).toEqual(['failed', 'rejected'])
  expect([meaningOf('FINISHED'), meaningOf('Sending'), meaningOf('paused')]).toEqual(['paid', 'pending', undefined])
})

test('a difference precedes a doubt, and a doubt precedes a match', () => {
  expect(payoutsVerdict(['matched'], 0)).toBe('balanced')
  expect(payoutsVerdict([], 0)).toBe('balanced')
  expect(payoutsVerdict(['matched'], 1)).toBe('cannot-conclude')
  expect(payoutsVerdict(['undecided', 'matched'], 0)).toBe('cannot-conclude')
  for (const result of ['different', 'missing-at-gateway', 'missing-in-ledger'] as const)
    expect(payoutsVerdict(['undecided', result], 1)).toBe('differences')
})

test('amounts have 18 decimals, as many as the coin with the most', () => {
  expect([payoutScale, amountOf(10n ** 18n), amountOf(1n)]).toEqual([18, '1', '0.000000000000000001'])
})

test('statuses and results are named in the order of their help and of the report', () => {
  expect(ledgerPayoutStatuses).toEqual(['paid', 'pending', 'failed'])
  expect(payoutResults).toEqual(['matched', 'different', 'missing-at-gateway', 'missing-in-ledger', 'undecided'])
})
