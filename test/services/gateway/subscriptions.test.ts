import { NowPayments } from 'nowpayments-node'
import { describe, expect, test } from 'vitest'
import { depositTo, fund, theMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { mailsTo } from '../../../src/services/gateway/queries/subscriptions.ts'
import { pauseSubscription } from '../../../src/services/gateway/subscriptions.ts'
import { aMerchant, openHouse, refusal } from './house.ts'

const day = 24 * 3_600_000

async function subscribed(balance: string, over = {}) {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  await house.app.store.write(async (tx) => {
    await fund(house.app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '1000')
  })
  const client = await merchant.loggedIn()
  const sub = (await client.createSubaccount({ body: { name: 'amy' } })).result.id
  await client.depositToSub({ body: { currency: 'usdttrc20', amount: balance, sub_partner_id: sub } })
  const terms = {
    title: 'Monthly',
    interval_day: 30,
    amount: 20,
    currency: 'usdttrc20',
    ipn_callback_url: 'https://shop.example/ipn',
    ...over,
  }
  const plan = (await client.createPlan({ body: terms })).result
  const { result } = await client.createSubscription({
    body: { subscription_plan_id: Number(plan.id), sub_partner_id: sub },
  })
  return {
    house,
    merchant,
    client,
    plan,
    sub,
    first: result,
    read: async () => (await merchant.client.subscription({ params: { id: result.id } })).result,
    left: async () => (await merchant.client.subBalance({ params: { id: sub } })).result.balances['usdttrc20']?.amount,
    callbackStatuses: () => house.callbackStatuses(merchant.id, Number(result.id)),
    fill: async (amount: string) =>
      (await merchant.loggedIn()).depositToSub({ body: { currency: 'usdttrc20', amount, sub_partner_id: sub } }),
  }
}

describe('a subscription', () => {
  test('is charged at once and then by the clock, ahead of each period', async () => {
    const { house, first, read, left, callbackStatuses } = await subscribed('60')
    expect(first).toMatchObject({ status: 'active', is_active: true })
    expect(Date.parse(first.expire_date)).toBe(house.now() + 30 * day)
    expect(await left()).toBe(40)
    await house.wait(30 * day - 1)
    expect(await left()).toBe(40)
    await house.wait(1)
    expect(await left()).toBe(20)
    await house.wait(30 * day)
    expect(await left()).toBeUndefined()
    expect(await read()).toMatchObject({ status: 'active' })
    expect(await callbackStatuses()).toEqual(['active'])
    await house.proveLedger()
  })

  test('without funds is past due, retried each day, and canceled after seven', async () => {
    const { house, first, read, callbackStatuses } = await subscribed('1')
    expect(first).toMatchObject({ status: 'past_due', is_active: false })
    await house.wait(6 * day)
    expect(await read()).toMatchObject({ status: 'past_due' })
    await house.wait(day)
    expect(await read()).toMatchObject({ status: 'cancelled' })
    await house.wait(60 * day)
    expect(await callbackStatuses()).toEqual(['past_due', 'cancelled'])
    await house.proveLedger()
  })

  test('that is past due continues when there are funds, with its period from that day', async () => {
    const { house, read, fill, callbackStatuses } = await subscribed('1')
    await house.wait(2 * day + 1000)
    await fill('30')
    await house.wait(day)
    expect(await read()).toMatchObject({ status: 'active' })
    expect(Date.parse((await read()).expire_date)).toBe(house.now() - 1000 + 30 * day)
    expect(await callbackStatuses()).toEqual(['past_due', 'active'])
  })

  test('is not charged while paused, nor after it was canceled', async () => {
    const { house, merchant, first, left, read } = await subscribed('100')
    await pauseSubscription(house.app, merchant.id, first.id, 'pause')
    await house.wait(90 * day)
    expect(await left()).toBe(80)
    await pauseSubscription(house.app, merchant.id, first.id, 'resume')
    await house.settle()
    expect(await left()).toBe(60)
    const client = await merchant.loggedIn()
    expect(await client.cancelSubscription({ params: { id: first.id } })).toEqual({ result: 'ok' })
    expect(await refusal(client.cancelSubscription({ params: { id: first.id } }))).toBe('CONFLICT')
    await house.wait(90 * day)
    expect(await left()).toBe(60)
    expect(await read()).toMatchObject({ status: 'cancelled' })
  })

  test('resumed within a paid period is charged at its end, not a day before it', async () => {
    const { house, merchant, first, left } = await subscribed('60')
    await house.wait(5 * day)
    await pauseSubscription(house.app, merchant.id, first.id, 'pause')
    await house.wait(5 * day)
    await pauseSubscription(house.app, merchant.id, first.id, 'resume')
    await house.wait(20 * day - 1)
    expect(await left()).toBe(40)
    await house.wait(1)
    expect(await left()).toBe(20)
  })

  test('is paused only while it runs and resumed only while it is paused: anything else is CONFLICT', async () => {
    const { house, merchant, client, first } = await subscribed('60')
    const change = (to: 'pause' | 'resume') => refusal(pauseSubscription(house.app, merchant.id, first.id, to))
    expect(await change('resume')).toBe('CONFLICT')
    expect(await change('pause')).toBe('not refused')
    expect(await change('pause')).toBe('CONFLICT')
    expect(await change('resume')).toBe('not refused')
    await client.cancelSubscription({ params: { id: first.id } })
    for (const to of ['pause', 'resume'] as const) expect([to, await change(to)]).toEqual([to, 'CONFLICT'])
  })

  test('in a fiat currency is charged in a coin that covers it, at the rate of the day', async () => {
    const { left } = await subscribed('60', { currency: 'EUR', amount: '10' })
    expect(await left()).toBe(49)
  })

  test('without a subscriber, with two, or by email to a plan in a coin is rejected', async () => {
    const { client, plan } = await subscribed('60')
    const ask = (body: object) =>
      refusal(client.createSubscription({ body: { subscription_plan_id: plan.id, ...body } }))
    expect(await ask({ email: 'amy@shop.example' })).toBe('INVALID_REQUEST_PARAMS')
    expect(await ask({ email: 'amy@shop.example', sub_partner_id: '1' })).toBe('INVALID_REQUEST_PARAMS')
    expect(await ask({})).toBe('INVALID_REQUEST_PARAMS')
    expect(await ask({ sub_partner_id: '1' })).toBe('NOT_FOUND')
  })
})

test('plans and subscriptions of another account, and those that do not exist, are NOT_FOUND', async () => {
  const { house, plan, first, sub } = await subscribed('60')
  const client = await (await aMerchant(house, { email: 'other@shop.example' })).loggedIn()
  for (const id of [plan.id, '1']) {
    expect(await refusal(client.plan({ params: { id } }))).toBe('NOT_FOUND')
    expect(await refusal(client.updatePlan({ params: { id }, body: { amount: 1 } }))).toBe('NOT_FOUND')
    const body = { subscription_plan_id: id, sub_partner_id: sub }
    expect(await refusal(client.createSubscription({ body }))).toBe('NOT_FOUND')
  }
  for (const id of [first.id, '1']) expect(await refusal(client.subscription({ params: { id } }))).toBe('NOT_FOUND')
})

test('a price below every minimum is refused by email, where it would be a payment, and charged to a sub-account', async () => {
  const { client, plan, first, left } = await subscribed('60', { currency: 'usd', amount: '0.5' })
  expect(first).toMatchObject({ status: 'active' })
  expect(await left()).toBe(59.5)
  const body = { subscription_plan_id: plan.id, email: 'ann@mail.example' }
  expect(await refusal(client.createSubscription({ body }))).toBe('AMOUNT_TOO_SMALL')
})

describe('a subscription by email', () => {
  async function mailed(days = 30) {
    const house = await openHouse()
    const merchant = await aMerchant(house)
    const client = await merchant.loggedIn()
    const terms = {
      title: 'Gold table',
      interval_day: days,
      amount: 20,
      currency: 'usd',
      ipn_callback_url: 'https://shop.example/ipn',
      success_url: 'https://shop.example/thanks',
    }
    const plan = (await client.createPlan({ body: terms })).result
    const body = { subscription_plan_id: plan.id, email: 'ann@mail.example' }
    const { result } = await client.createSubscription({ body })
    const mails = () => house.app.store.read((reader) => mailsTo(reader, 'production', 'ann@mail.example', 100))
    return {
      house,
      merchant,
      first: result,
      plan,
      mails,
      read: async () => (await merchant.client.subscription({ params: { id: result.id } })).result,
      callbackStatuses: () => house.callbackStatuses(merchant.id, Number(result.id)),
      /** Pays the last mailed bill as its reader would: by selecting a coin on its page. */
      async payLatest() {
        const [latest] = await mails()
        const path = /https:\/\/pay\.example(\S+)/.exec(latest?.body ?? '')?.[1] ?? ''
        const form = { 'content-type': 'application/x-www-form-urlencoded' }
        await house.server.inject({ method: 'POST', path, headers: form, body: 'coin=usdttrc20' })
        const { data } = await merchant.client.payments({ query: { limit: 500 } })
        const open = data.filter(({ payment_status }) => payment_status === 'waiting').at(-1)
        await depositTo(house.app, open?.payment_id ?? 0)
        await house.wait(120_000)
      },
    }
  }

  test('is mailed its first bill at once, and is active when that is paid', async () => {
    const { house, merchant, first, mails, read, callbackStatuses, payLatest } = await mailed()
    expect(first).toMatchObject({ status: 'past_due', is_active: false, subscriber: { email: 'ann@mail.example' } })
    const [bill] = (await merchant.client.invoices({ query: {} })).data
    expect(bill).toMatchObject({ is_fixed_rate: false, is_fee_paid_by_user: false })
    expect(bill?.invoice_url).toMatch(/^https:\/\/pay[.]example\/invoice\/[A-Za-z0-9]{24}$/)
    const now = new Date(house.now()).toISOString()
    expect(await mails()).toMatchObject([
      {
        subject: 'Gold table: 20 USD for the next 30 days',
        body: expect.stringContaining(`Pay here by ${now}:\n${bill?.invoice_url}\n`),
      },
    ])
    await payLatest()
    expect(await read()).toMatchObject({ status: 'active', is_active: true })
    expect(await callbackStatuses()).toEqual(['past_due', 'active'])
    await house.proveLedger()
  })

  test('is mailed the next bill a day ahead, and paid in time it is never past due', async () => {
    const { house, mails, read, callbackStatuses, payLatest } = await mailed()
    await payLatest()
    const until = Date.parse((await read()).expire_date)
    await house.wait(until - house.now() - day - 1)
    expect(await mails()).toHaveLength(1)
    await house.wait(1)
    expect(await mails()).toHaveLength(2)
    expect((await mails())[0]?.body).toContain(`Pay here by ${new Date(until).toISOString()}:`)
    await payLatest()
    expect(Date.parse((await read()).expire_date)).toBe(until + 30 * day)
    await house.wait(20 * day)
    expect(await callbackStatuses()).toEqual(['past_due', 'active'])
  })

  test.each([
    ['shorter', 10],
    ['longer', 90],
  ])('keeps the days and the price of its bill, although the plan is %s now', async (_, days) => {
    const { house, merchant, plan, mails, read, payLatest } = await mailed()
    const change = async (body: object) =>
      (await merchant.loggedIn()).updatePlan({ params: { id: plan.id }, body: { ...body } })
    await change({ interval_day: days, amount: 25 })
    const begun = house.now()
    await payLatest()
    // The period begins with the payment, a few blocks later.
    const until = Date.parse((await read()).expire_date)
    expect(until - begun - 30 * day).toBeLessThan(120_000)
    expect(until - begun).toBeGreaterThanOrEqual(30 * day)
    expect((await merchant.client.payments({ query: {} })).data).toMatchObject([{ price_amount: 20 }])
    // The next bill has the new terms, which apply from then on.
    await house.wait(until - day - house.now())
    expect((await mails())[0]?.subject).toBe(`Gold table: 25 USD for the next ${days} days`)
    await payLatest()
    expect(Date.parse((await read()).expire_date)).toBe(until + days * day)
    await house.proveLedger()
  })

  test('that is not paid is past due at the end of its period, and expires seven days later', async () => {
    const { house, mails, read, callbackStatuses, payLatest } = await mailed()
    await payLatest()
    await house.wait(30 * day)
    expect(await read()).toMatchObject({ status: 'past_due' })
    await house.wait(7 * day)
    expect(await read()).toMatchObject({ status: 'cancelled' })
    expect(await callbackStatuses()).toEqual(['past_due', 'active', 'past_due', 'cancelled'])
    await house.wait(60 * day)
    expect(await mails()).toHaveLength(2)
  })

  test('paid late begins its period on the day of the payment', async () => {
    const { house, read, payLatest } = await mailed()
    await house.wait(3 * day)
    await payLatest()
    const begun = Date.parse((await read()).expire_date) - 30 * day
    expect(house.now() - begun).toBeLessThan(120_000)
  })

  test('paid late during a pause begins its period on the day of the payment, and the pause stays', async () => {
    const { house, merchant, first, read, callbackStatuses, payLatest } = await mailed()
    await house.wait(3 * day)
    await pauseSubscription(house.app, merchant.id, first.id, 'pause')
    await house.wait(20 * day)
    await payLatest()
    const { status, expire_date } = await read()
    expect(status).toBe('paused')
    expect(house.now() + 30 * day - Date.parse(expire_date)).toBeLessThan(120_000)
    await pauseSubscription(house.app, merchant.id, first.id, 'resume')
    expect(await read()).toMatchObject({ status: 'active', expire_date })
    await house.wait(28 * day)
    expect(await callbackStatuses()).toEqual(['past_due', 'paused', 'active'])
  })

  test('resumed within a paid period is mailed its next bill a day before the end', async () => {
    const { house, merchant, first, mails, read, payLatest } = await mailed()
    await payLatest()
    const until = Date.parse((await read()).expire_date)
    await pauseSubscription(house.app, merchant.id, first.id, 'pause')
    await house.wait(5 * day)
    await pauseSubscription(house.app, merchant.id, first.id, 'resume')
    await house.wait(until - house.now() - day - 1)
    expect(await mails()).toHaveLength(1)
    await house.wait(1)
    expect(await mails()).toHaveLength(2)
  })

  test('that is paused is not billed until it is resumed; after a cancellation its open bill changes nothing', async () => {
    const { house, merchant, first, mails, read, payLatest } = await mailed()
    await payLatest()
    await pauseSubscription(house.app, merchant.id, first.id, 'pause')
    await house.wait(60 * day)
    expect(await mails()).toHaveLength(1)
    await pauseSubscription(house.app, merchant.id, first.id, 'resume')
    await house.wait(1)
    expect(await mails()).toHaveLength(2)
    const fresh = await merchant.loggedIn()
    await fresh.cancelSubscription({ params: { id: first.id } })
    await payLatest()
    expect(await read()).toMatchObject({ status: 'cancelled' })
  })
})

test('plans are read, changed from the next charge on, and listed, through a published client too', async () => {
  const { house, merchant, client, plan, left } = await subscribed('60')
  const { url } = await house.server.listen()
  const np = new NowPayments({ apiKey: merchant.apiKey, baseUrl: url })
  expect(plan).toMatchObject({ interval_day: '30', amount: 20, currency: 'usdttrc20', success_url: null })
  expect(await np.getSubscriptionPlan(plan.id)).toEqual({ result: plan })
  const changed = await client.updatePlan({ params: { id: plan.id }, body: { amount: '5.5' } })
  expect(changed.result).toMatchObject({ amount: 5.5, title: 'Monthly', interval_day: '30' })
  expect(await left()).toBe(40)
  await house.wait(30 * day)
  expect(await left()).toBe(34.5)
  expect(await np.getSubscriptionPlans({ limit: 5 })).toMatchObject({ count: 1 })
  expect(await np.getSubscriptions({ limit: 5 })).toMatchObject({ count: 1 })
  expect((await merchant.client.subscriptions({ query: { is_active: 'False' } })).count).toBe(0)
  await expect(np.getSubscription('1')).rejects.toMatchObject({ statusCode: 404, code: 'NOT_FOUND' })
})
