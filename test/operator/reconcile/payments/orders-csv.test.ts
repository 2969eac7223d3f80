import { describe, expect, test } from 'vitest'
import { ordersFromCsv } from '../../../../src/operator/reconcile/payments/orders-csv.ts'

const read = (...lines: readonly string[]) => ordersFromCsv(lines.join('\n'))

test('orders are parsed with any other columns of the file', async () => {
  const orders = await read('no,currency,order_id,amount,paid', '1,USD,o-1,12.5,Yes', '2,usdttrc20,o-2,0,')
  expect(orders).toEqual([
    { id: 'o-1', amount: 12_500_000_000_000_000_000n, currency: 'usd', isPaid: true },
    { id: 'o-2', amount: 0n, currency: 'usdttrc20', isPaid: null },
  ])
})

test('without the optional column, the payment of an order is unknown', async () => {
  expect(await read('order_id,amount,currency', 'o-1,1,usd')).toMatchObject([{ isPaid: null }])
})

test.each([
  ['yes', true],
  ['TRUE', true],
  ['1', true],
  ['paid', true],
  ['no', false],
  ['False', false],
  ['0', false],
  ['open', false],
])('the word %s as the payment of an order: %s', async (word, isPaid) => {
  expect(await read('order_id,amount,currency,paid', `o-1,1,usd,${word}`)).toMatchObject([{ isPaid }])
})

describe('the columns', () => {
  const needs = 'required: order_id, amount, currency'
  test.each([
    ['id,amount,currency', `The orders have no column "order_id"; ${needs}`],
    ['currency', `The orders have no column "order_id"; ${needs}`],
    ['order_id,currency', `The orders have no column "amount"; ${needs}`],
    ['order_id,amount', `The orders have no column "currency"; ${needs}`],
  ])('%s are not enough: the first missing one is named', async (head, message) => {
    await expect(read(head, 'x,1,usd')).rejects.toMatchObject({ code: 'INVALID_FILE', message })
  })

  test('do not matter without an order', async () => {
    expect(await read('id')).toEqual([])
  })
})

describe('an order', () => {
  const head = 'order_id,amount,currency,paid'
  test.each([
    ['o-1,-1,usd,', 'Line 2: "-1" is not an amount'],
    ['o-1,1e3,usd,', 'Line 2: "1e3" is not an amount'],
    [',1,usd,', 'Line 2: the order_id is missing'],
    ['o-1,1,u,', 'Line 2: "u" is not a currency'],
    ['o-1,1,u$d,', 'Line 2: "u$d" is not a currency'],
    ['o-1,1,usd,maybe', 'Line 2: "maybe" must be yes or no'],
    ['o-1,1,5,usd,no', 'Line 2: more cells than columns; does an amount contain a comma?'],
  ])('is refused with its line: %s', async (row, message) => {
    await expect(read(head, row)).rejects.toMatchObject({
      code: 'INVALID_FILE',
      message: expect.stringContaining(message),
      detail: { line: 2 },
    })
  })

  test('may have fewer cells than columns, but no ID that the file has already', async () => {
    expect(await read(head, 'o-1,1,usd')).toHaveLength(1)
    await expect(read(head, 'o-1,1,usd', 'o-2,1,usd', 'o-1,2,usd')).rejects.toMatchObject({
      message: 'Line 4: the order o-1 appears twice in the file',
    })
  })

  test('without an ID is an error once, not a duplicate too', async () => {
    await expect(read(head, ',1,usd', ',1,usd')).rejects.toMatchObject({
      message: 'Line 2: the order_id is missing; Line 3: the order_id is missing',
    })
  })
})
