import { expect, test } from 'vitest'
import { byStake, type OpenRecord, stakeGroups, stakeOf, stakeText } from '../../../src/domain/tickets/stake.ts'

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
] as const)('without records is the amount in the form: %s', (_, fields, amounts) => {
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
  expect(stakeGroups(names, (name) => stakes[name])).toEqual([
    { currency: 'USD', items: ['large', 'small', 'equal', 'both'] },
    { currency: 'BTC', items: ['btc'] },
    { currency: undefined, items: ['none'] },
  ])
})

test('sorts currencies of equally many items by their codes, the unknown one last', () => {
  const currencies = ['usdttrc20', null, 'USD', 'EUR']
  const groups = stakeGroups(currencies, (currency) => stakeOf([open('1', currency)], []))
  expect(groups.map(({ currency }) => currency)).toEqual(['EUR', 'USD', 'usdttrc20', null])
})

test('amounts have 18 decimals, and further ones are cut off', () => {
  expect(stakeOf([open('0.0000000000000000019')], [])?.amounts).toEqual([
    { currency: 'USD', amount: '0.000000000000000001' },
  ])
})

test('a currency whose records sum to zero is not listed', () => {
  expect(stakeOf([open('0', 'EUR'), open('1')], [])?.amounts).toEqual([{ currency: 'USD', amount: '1' }])
})

test('a form has no records', () => {
  expect(stakeOf([], [field('amount', '-5')])).toEqual({
    amounts: [{ currency: null, amount: '5' }],
    breaks: 0,
    transfers: 0,
    source: 'ticket',
  })
})

test.each([
  [['BTC', 'USD', 'USD'], ['USD', 'USD', 'BTC'], 'the most frequent currency first'],
  [['USD', 'USD', 'BTC'], ['USD', 'USD', 'BTC'], 'the most frequent currency first'],
  [['EUR', 'BTC'], ['BTC', 'EUR'], 'equally frequent currencies by name'],
  [['BTC', 'EUR'], ['BTC', 'EUR'], 'equally frequent currencies by name'],
])('sorts %j as %j: %s', (currencies, sorted) => {
  const items = currencies.map((currency) => ({ currency }))
  expect(byStake(items, ({ currency }) => stakeOf([open('1', currency)], [])).map(({ currency }) => currency)).toEqual(
    sorted,
  )
})

test.each([[['1 USD', '999 BTC']], [['999 BTC', '1 USD']]])(
  'an item with %j is sorted by the currency that most items have',
  (amounts) => {
    const records = amounts.map((text) => open(text.split(' ')[0] ?? '', text.split(' ')[1]))
    const stakes = {
      ...{ both: stakeOf(records, []), usd: stakeOf([open('2')], []) },
      ...{ btc: stakeOf([open('1000', 'BTC')], []), more: stakeOf([open('3')], []) },
    }
    const names = Object.keys(stakes) as (keyof typeof stakes)[]
    expect(byStake(names, (name) => stakes[name])).toEqual(['more', 'usd', 'both', 'btc'])
  },
)
