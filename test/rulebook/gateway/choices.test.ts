import { describe, expect, test } from 'vitest'
import { aReceiver } from '../../support/http/receiver.ts'
import { aClock, testWorld } from '../../support/worlds/world.ts'
import * as book from './creating.ts'
import { aFundedShop, aShop, ask, order, wallet } from './gateway.ts'

/** Values that a request selects from. */

const payout = (change: object = {}) => ({
  withdrawals: [{ address: wallet, currency: 'usdttrc20', amount: 10 }],
  ...change,
})

describe('the list of payouts', () => {
  test('has the orders of the table', async () => {
    const shop = await aFundedShop(await testWorld())
    for (const amount of [1, 2]) await ask(shop, 'POST /payout', payout({ payout_description: `${amount}` }))
    const status = async (query: string) => (await ask(shop, `GET /payout?${query}`)).status
    for (const by of book.payoutOrders.accepts) expect([by, await status(`order_by=${by}`)]).toEqual([by, 200])
    for (const by of book.payoutOrders.refuses) expect([by, await status(`order_by=${by}`)]).toEqual([by, 400])
    const { directions } = book.payoutOrders
    for (const order of directions.accepts) expect([order, await status(`order=${order}`)]).toEqual([order, 200])
    for (const order of directions.refuses) expect([order, await status(`order=${order}`)]).toEqual([order, 400])
    const ids = async (query: string) =>
      (await ask(shop, `GET /payout?${query}`)).body.payouts.map(({ id }: { id: string }) => id)
    expect(await ids('order_by=id&order=desc')).toEqual((await ids('order_by=id&order=asc')).toReversed())
  })
})

test('a batch of payouts has the interval of the table, and no other', async () => {
  const shop = await aFundedShop(await testWorld())
  for (const interval of book.intervals.accepts)
    expect([interval, (await ask(shop, 'POST /payout', payout({ interval }))).status]).toEqual([interval, 200])
  for (const interval of book.intervals.refuses)
    expect([interval, (await ask(shop, 'POST /payout', payout({ interval }))).status]).toEqual([interval, 400])
})

describe('a sandbox payment', () => {
  test.each(book.sandboxCases)('of the case $case is $statuses', async (row) => {
    const time = aClock()
    const world = await testWorld({ time })
    const shop = await aShop(world)
    const receiver = await aReceiver()
    const made = await ask(shop, 'POST /payment', { ...order, case: row.case, ipn_callback_url: receiver.url })
    expect([made.status, made.body.payment_status]).toEqual([201, row.statuses[0]])
    time.add('1h')
    await world.settle()
    const statuses = receiver.got.map(({ body }) => (body as unknown as { payment_status: string }).payment_status)
    expect(statuses).toEqual(row.statuses)
  })

  test('of another case is refused', async () => {
    const shop = await aShop(await testWorld())
    for (const name of book.noSandboxCases)
      expect([name, (await ask(shop, 'POST /payment', { ...order, case: name })).status]).toEqual([name, 400])
  })
})

test.each(book.emailPlans)('a plan in $currency is billed by $by: $is', async ({ currency, by, is }) => {
  const shop = await aFundedShop(await testWorld())
  const plan = await ask(shop, 'POST /subscriptions/plans', {
    ...{ title: 'Monthly', interval_day: 30, currency, amount: currency === 'btc' ? 0.01 : 20 },
  })
  expect(plan.status).toBe(200)
  const sub = await ask(shop, 'POST /sub-partner/balance', { name: 'ann' })
  const subscriber = by === 'email' ? { email: 'ann@example.com' } : { sub_partner_id: sub.body.result.id }
  const made = await ask(shop, 'POST /subscriptions', { subscription_plan_id: plan.body.result.id, ...subscriber })
  expect(made.status).toBe(is)
})

test.each(book.minimums)('the minimum of $query has $fields', async ({ query, fields }) => {
  const shop = await aShop(await testWorld())
  const { status, body } = await ask(shop, `GET /min-amount?${query}`)
  expect([status, Object.keys(body).toSorted()]).toEqual([200, fields.toSorted()])
})
