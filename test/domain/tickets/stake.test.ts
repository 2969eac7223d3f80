import { expect, test } from 'vitest'
import { byStake, type OpenRecord, stakeOf, stakeText } from '../../../src/domain/tickets/stake.ts'

const open = (amount: string, currency: string | null = 'USD', kind: OpenRecord['kind'] = 'break'): OpenRecord => ({
  kind,
  currency,
  amount,
})
const field = (fieldCode: string, value: unknown) => ({ fieldCode, value })

test('is the sum of the open records by currency, without signs and without floats', () => {
  const stake = stakeOf([open('-0.1'), open('0.2', 'USD', 'transfer'), open('0.00000001', 'BTC'), open('0')], [])
  expect(stake).toEqual({
    amounts: [
      { currency: 'USD', amount: '0.3' },
      { currency: 'BTC', amount: '0.00000001' },
    ],
    breaks: 3,
    transfers: 1,
    source: 'book',
  })
  expect(stake && stakeText(stake)).toBe('0.3 USD, 0.00000001 BTC')
})

test.each([
  [
    'an amount with its currency',
    [field('depositAmount', '50.5'), field('currency', 'twd')],
    [{ currency: 'TWD', amount: '50.5' }],
  ],
  ['an amount alone', [field('amount', 50)], [{ currency: null, amount: '50' }]],
  ['a currency that is none', [field('amount', '5'), field('currency', 'a coin')], [{ currency: null, amount: '5' }]],
  ['no amount', [field('txnId', '50')], undefined],
  ['a text', [field('amount', 'about 50')], undefined],
  ['zero', [field('amount', '0.00')], undefined],
] as const)('without records is what the form states: %s', (_, fields, amounts) => {
  expect(stakeOf([], fields)?.amounts).toEqual(amounts)
})

test('records and form are never added', () => {
  expect(stakeOf([open('7')], [field('amount', '7')])?.amounts).toEqual([{ currency: 'USD', amount: '7' }])
})

test('sorts each currency by itself, the most frequent one first, unknown amounts last, and keeps the order of equals', () => {
  const stakes = {
    none: stakeOf([], []),
    small: stakeOf([open('9')], []),
    btc: stakeOf([open('100', 'BTC')], []),
    large: stakeOf([open('10')], []),
    equal: stakeOf([open('9.0')], []),
    both: stakeOf([open('999', 'BTC'), open('1')], []),
  }
  const names = Object.keys(stakes) as (keyof typeof stakes)[]
  expect(byStake(names, (name) => stakes[name])).toEqual(['large', 'small', 'equal', 'both', 'btc', 'none'])
})
