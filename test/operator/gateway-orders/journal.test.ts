import { expect, test } from 'vitest'
import {
  listOrders,
  type Order,
  recordOrder,
  recordOrderSending,
  settleOrder,
} from '../../../src/operator/gateway-orders/journal.ts'
import { aBook } from '../book-rows.ts'

const anOrder = (key: string): Order => ({ key, endpoint: 'createPayouts', target: 'here', input: { body: {} } })

test('an order that was sent again since can only become done', async () => {
  const book = await aBook()
  await recordOrder(book, anOrder('k'))
  const first = await recordOrderSending(book, 'k', 5)
  expect(first).toMatchObject({ state: 'unknown', attempts: 1, sent_at: 5 })
  expect(await recordOrderSending(book, 'k', 9)).toMatchObject({ attempts: 2, sent_at: 5 })
  for (const end of [{ state: 'refused', refusal: 'X' }, { state: 'new' }, { state: 'unknown' }] as const)
    expect(await settleOrder(book, first, end)).toMatchObject({
      state: 'unknown',
      attempts: 2,
      sent_at: 5,
      refusal: null,
    })
  const done = { state: 'done', reply: '{"id":7}', refusal: null }
  expect(await settleOrder(book, first, { state: 'done', reply: { id: 7 } })).toMatchObject(done)
  expect(await settleOrder(book, first, { state: 'refused', refusal: 'X' })).toMatchObject(done)
  expect(await recordOrderSending(book, 'k', 9)).toMatchObject({ ...done, attempts: 2 })
})

test('orders are listed newest first, those of one moment by key', async () => {
  let now = 1_000
  const book = await aBook(() => now)
  for (const [key, at] of [
    ['b', 1_000],
    ['c', 2_000],
    ['a', 2_000],
  ] as const) {
    now = at
    await recordOrder(book, anOrder(key))
  }
  const keys = async (limit: number) => (await listOrders(book, limit)).map(({ key }) => key)
  expect([await keys(9), await keys(2)]).toEqual([
    ['c', 'a', 'b'],
    ['c', 'a'],
  ])
})
