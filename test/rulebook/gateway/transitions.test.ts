import { generateSync } from 'otplib'
import { describe, expect, test } from 'vitest'
import { paymentTransitions } from '../../../src/domain/payments/payment.ts'
import { payoutTransitions } from '../../../src/domain/payments/payout.ts'
import { deliveriesBy } from '../../../src/outbox/queries.ts'
import {
  depositTo,
  enrollTotp,
  refundPayment,
  removeDeposit,
  sanction,
  setCoin,
  setMerchant,
  setWhitelisted,
} from '../../../src/services/gateway/admin/platform.ts'
import { acceptPayment } from '../../../src/services/gateway/admin/staff-payments.ts'
import { decideBatch } from '../../../src/services/gateway/payouts.ts'
import { confirmDeposits, dropPayout } from '../../../src/services/gateway/simulator/chain-control.ts'
import { pauseSubscription } from '../../../src/services/gateway/subscriptions.ts'
import { aReceiver } from '../../support/http/receiver.ts'
import { testWorld } from '../../support/worlds/world.ts'
import { aFundedShop, ask, order, wallet } from './gateway.ts'
import { payoutVerification, subscriptionUnpaidDays, validDays } from './limits.ts'
import * as book from './transitions.ts'

const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute

/** A shop that gets every callback, and its clock. */
async function aShop() {
  const receiver = await aReceiver()
  const shop = await aFundedShop(await testWorld())
  const { world } = shop
  await setMerchant(world.gateway, shop.id, { ipnUrl: receiver.url })
  const changes = new Map<string, { id: string; status: string }>()
  /** Records pending deliveries in the order of the changes, because they are deleted after a month. */
  const listen = async () => {
    await world.settle()
    const rows = await world.store.read((reader) => deliveriesBy(reader, { owner: shop.id, limit: 100 }))
    for (const { id, subject, event } of rows.toReversed()) changes.set(id, { id: subject, status: event })
  }
  const wait = async (ms: number) => {
    await listen()
    await world.clock.advance((await world.clock.now()) + ms)
    await listen()
  }
  /**
   * Returns the statuses in the callbacks of an object, in the order of its changes, after checking that the receiver
   * has them all.
   */
  const callbackStatuses = async (id: string | number) => {
    await listen()
    const statuses = [...changes.values()].filter((each) => each.id === String(id)).map(({ status }) => status)
    const got = receiver.got.map(({ raw }) => JSON.parse(raw.toString()))
    const mine = got.filter((body) => String(body.payment_id ?? body.id) === String(id))
    expect(mine.map((body) => body.payment_status ?? body.status).toSorted()).toEqual(statuses.toSorted())
    return statuses
  }
  let token = { text: shop.token, at: await world.clock.now() }
  /** Sends a request with a token that is currently valid. */
  const call = async (endpoint: string, sent?: object) => {
    const now = await world.clock.now()
    if (now - token.at > 4 * minute) {
      const fresh = await shop.client.auth({ body: { email: shop.email, password: shop.password } })
      token = { text: fresh.token, at: now }
    }
    return ask({ ...shop, token: token.text }, endpoint, sent)
  }
  return { ...shop, wait, callbackStatuses, call }
}

const steps = (statuses: readonly string[]) => statuses.slice(1).map((to, i) => `${statuses[i]} ${to}`)
const listed = (transitions: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(transitions).flatMap(([from, next]) => next.map((to) => `${from} ${to}`))

describe('a payment', () => {
  test('has the transitions of the table, and its histories contain all that a world can produce', () => {
    expect(paymentTransitions).toEqual(book.paymentTransitions)
    const reached = new Set(book.paymentHistories.flatMap(({ statuses }) => steps(statuses)))
    expect([...reached, ...book.unreachable.payment].toSorted()).toEqual(listed(book.paymentTransitions).toSorted())
  })

  test.each(book.paymentHistories)('$steps', async ({ steps: done, statuses, ...life }) => {
    const shop = await aShop()
    const app = shop.world.gateway
    if ('settled' in life) await setCoin(app, shop.id, 'usdttrc20', { wallet })
    const { body } = await ask(shop, 'POST /payment', order)
    const id: number = body.payment_id
    const deep = () => shop.wait(3 * minute)
    const bad = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
    let seen = ''
    const acts = {
      all: async () => depositTo(app, id).then(deep),
      half: async () => depositTo(app, id, { amount: '50' }).then(deep),
      rest: async () => depositTo(app, id).then(deep),
      async seen() {
        seen = (await depositTo(app, id)).id
        await shop.world.settle()
      },
      reorganized: async () => removeDeposit(app, seen).then(() => shop.world.settle()),
      async sanctioned() {
        await sanction(app, bad)
        await depositTo(app, id, { sender: bad })
        await deep()
      },
      async 'sanctioned and deep'() {
        await sanction(app, bad)
        await depositTo(app, id, { sender: bad })
        await confirmDeposits(app, id)
        await shop.world.settle()
      },
      deep,
      window: () => shop.wait(validDays * day),
      /** Exactly at the end: half a price takes three minutes to confirm. */
      'to the end': () => shop.wait(validDays * day - 3 * minute),
      'almost the window': () => shop.wait(validDays * day - 10 * second),
      'past the window': () => shop.wait(20 * second),
      refund: async () => refundPayment(app, id).then(deep),
      accept: async () => acceptPayment(app, id, { reason: 'Close enough', by: null }),
    }
    for (const step of done) await acts[step]()
    const { data } = (await ask(shop, 'GET /payment/?orderBy=desc')).body
    const of =
      'child' in life ? data.find((each: { parent_payment_id: number }) => each.parent_payment_id === id) : data.at(-1)
    expect(await shop.callbackStatuses(of.payment_id)).toEqual(statuses)
    expect(of.payment_status).toBe(statuses.at(-1))
    await shop.wait((validDays + 1) * day)
    const later = await shop.callbackStatuses(of.payment_id)
    // Finished payments do not change.
    if (!['waiting', 'partially_paid'].includes(statuses.at(-1) ?? '')) expect(later).toEqual(statuses)
  })
})

describe('a payout', () => {
  test('has the transitions of the table, and its histories contain all that a world can produce', () => {
    expect(payoutTransitions).toEqual(book.payoutTransitions)
    const reached = new Set(book.payoutHistories.flatMap(({ statuses }) => steps(statuses)))
    expect([...reached, ...book.unreachable.payout].toSorted()).toEqual(listed(book.payoutTransitions).toSorted())
  })

  test.each(book.payoutHistories)('$steps', async ({ steps: done, statuses }) => {
    const shop = await aShop()
    const app = shop.world.gateway
    const { totpSecret } = await enrollTotp(app, shop.id)
    const withdrawals = [{ address: wallet, currency: 'usdttrc20', amount: 100 }]
    const isLater = done.some((step) => step === 'schedule')
    if (done.some((step) => step === 'ceiling')) await setMerchant(app, shop.id, { approvalUsd: '99' })
    const executeAt = new Date((await shop.world.clock.now()) + 30 * minute).toISOString()
    const sent = { withdrawals, ...(isLater ? { execute_at: executeAt } : {}) }
    const { body } = await shop.call('POST /payout', sent)
    const item: string = body.withdrawals[0].id
    const acts = {
      ceiling: async () => {},
      schedule: async () => {},
      async verify() {
        const epoch = (await shop.world.clock.now()) / 1000
        const verification_code = generateSync({ secret: totpSecret, epoch })
        expect((await shop.call(`POST /payout/${body.id}/verify`, { verification_code })).status).toBe(200)
        await shop.world.settle()
      },
      drop: () => dropPayout(app, item),
      wait: () => shop.wait(60 * minute),
      hour: () => shop.wait(payoutVerification.rejectedAfterMinutes * minute),
      reject: () => decideBatch(app, body.id, 'reject'),
      approve: () => decideBatch(app, body.id, 'approve'),
      cancel: () => shop.call(`POST /payout/${item}/cancel`),
      unlist: () => setWhitelisted(app, shop.id, 'usdttrc20', wallet, false),
    }
    for (const step of done) await acts[step]()
    expect(await shop.callbackStatuses(item)).toEqual(statuses)
    const { body: now } = await ask(shop, `GET /payout/${item}`)
    expect(now[0].status).toBe(statuses.at(-1))
    // Unpaid amounts are returned to the balance.
    const { body: balance } = await ask(shop, 'GET /balance')
    expect(balance.usdttrc20.amount < 1000).toBe(statuses.at(-1) === 'finished')
    await shop.wait(2 * day)
    expect(await shop.callbackStatuses(item)).toEqual(statuses)
  })
})

describe('a subscription', () => {
  test('passes all transitions of the table', () => {
    const reached = new Set(book.subscriptionHistories.flatMap(({ statuses }) => steps(statuses)))
    expect([...reached].toSorted()).toEqual(listed(book.subscriptionTransitions).toSorted())
  })

  test.each(book.subscriptionHistories)('funds $funds, $steps', async ({ funds, steps: done, statuses }) => {
    const shop = await aShop()
    const app = shop.world.gateway
    const sub = (await shop.call('POST /sub-partner/balance', { name: 'ann' })).body.result.id
    const fill = (amount: number) =>
      shop.call('POST /sub-partner/deposit', { currency: 'usdttrc20', amount, sub_partner_id: sub })
    await fill(funds ? 20 : 1)
    const terms = { title: 'Monthly', interval_day: 30, amount: 20, currency: 'usdttrc20' }
    const plan = (await shop.call('POST /subscriptions/plans', terms)).body.result
    const made = await shop.call('POST /subscriptions', { subscription_plan_id: plan.id, sub_partner_id: sub })
    const { id } = made.body.result
    const acts = {
      cancel: () => shop.call(`DELETE /subscriptions/${id}`),
      period: () => shop.wait(30 * day),
      week: () => shop.wait(subscriptionUnpaidDays * day),
      day: () => shop.wait(day),
      pause: () => pauseSubscription(app, shop.id, id, 'pause'),
      resume: () => pauseSubscription(app, shop.id, id, 'resume'),
      fill: () => fill(30),
    }
    for (const step of done) await acts[step]()
    expect(await shop.callbackStatuses(id)).toEqual(statuses)
    const { body } = await ask(shop, `GET /subscriptions/${id}`)
    expect(body.result).toMatchObject({ status: statuses.at(-1), is_active: statuses.at(-1) === 'active' })
  })

  test.each([-1, 0])('unpaid for seven days and %i seconds', async (more) => {
    const shop = await aShop()
    const sub = (await shop.call('POST /sub-partner/balance', { name: 'ann' })).body.result.id
    const terms = { title: 'Monthly', interval_day: 30, amount: 20, currency: 'usdttrc20' }
    const plan = (await shop.call('POST /subscriptions/plans', terms)).body.result
    const made = await shop.call('POST /subscriptions', { subscription_plan_id: plan.id, sub_partner_id: sub })
    await shop.wait(subscriptionUnpaidDays * day + more * second)
    expect(await shop.callbackStatuses(made.body.result.id)).toEqual(
      more < 0 ? ['past_due'] : ['past_due', 'cancelled'],
    )
  })
})

test('conversions and transfers are finished with their response, with one callback', async () => {
  const shop = await aShop()
  const conversion = { amount: 50, from_currency: 'usdttrc20', to_currency: 'trx' }
  const { body: turned } = await shop.call('POST /conversion', conversion)
  const sub = (await shop.call('POST /sub-partner/balance', { name: 'ann' })).body.result.id
  const given = { currency: 'usdttrc20', amount: 5, sub_partner_id: sub }
  const { body: moved } = await shop.call('POST /sub-partner/deposit', given)
  for (const { result } of [turned, moved]) {
    expect(result.status).toBe('finished')
    expect(await shop.callbackStatuses(result.id)).toEqual(['finished'])
  }
  const refusedOnes = [
    await shop.call('POST /conversion', { ...conversion, amount: 5000 }),
    await shop.call('POST /sub-partner/write-off', { ...given, amount: 50 }),
  ]
  expect(refusedOnes.map(({ body }) => body.code)).toEqual(Array(2).fill('INSUFFICIENT_BALANCE'))
})
