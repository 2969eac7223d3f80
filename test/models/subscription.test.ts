import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { deliveriesAbout } from '../../src/outbox/queries.ts'
import { depositTo, fund, theMerchant } from '../../src/services/gateway/admin/platform.ts'
import { mailsTo } from '../../src/services/gateway/queries/subscriptions.ts'
import { confirmTx } from '../../src/services/gateway/simulator/chain-control.ts'
import { pauseSubscription } from '../../src/services/gateway/subscriptions.ts'
import { aHouse, aMerchant, type House, type Merchant, refusal } from '../services/gateway/house.ts'
import { type Plan, type Subscription, SubscriptionModel } from './subscription-model.ts'

/**
 * Subscriptions by model: for payers in time, late or never, look-ups, list, callbacks, mails and balances are equal.
 * `MODEL_RUNS=10000` tries that many histories, another `MODEL_SEED` different ones; `MODEL_SHRINK=1` shortens a
 * failure.
 */

const runs = Number(process.env['MODEL_RUNS'] ?? 16)
const seed = Number(process.env['MODEL_SEED'] ?? 13)
const day = 24 * 3_600_000

const pick = fc.constantFrom
const which = pick(0, 0, 0, 1, 1, 2)
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })
const action = fc.oneof(
  weighted(
    3,
    fc.record({ do: pick('subscribe'), plan: pick(0, 1, 2), by: pick('account', 'account', 'email', 'email') }),
  ),
  weighted(3, fc.record({ do: pick('fill'), cents: pick(2000, 1999, 500, 4000) })),
  weighted(1, fc.record({ do: pick('empty') })),
  weighted(5, fc.record({ do: pick('pay'), which })),
  weighted(4, fc.record({ do: pick('pause', 'pause', 'pause', 'resume', 'resume', 'cancel'), which })),
  weighted(1, fc.record({ do: pick('price'), plan: pick(0, 1, 2), cents: pick(2000, 2500, 1000) })),
  weighted(1, fc.record({ do: pick('interval'), plan: pick(0, 1, 2), days: pick(1, 2, 10, 30) })),
  weighted(
    9,
    fc.record({
      do: pick('wait'),
      which,
      to: pick(
        'bill-1',
        'bill',
        'end-1',
        'end',
        'end+1',
        'over-1',
        'over',
        'over+1',
        1,
        3_600_000,
        day,
        day,
        3 * day,
        12 * day,
      ),
      how: pick('awake', 'awake', 'awake', 'asleep', 'dead'),
    }),
  ),
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never
type Only<Name> = Extract<Action, { do: Name }>

interface Real {
  readonly house: House
  readonly merchant: Merchant
}

class Step implements fc.AsyncCommand<SubscriptionModel, Real> {
  readonly action: Action
  constructor(action: Action) {
    this.action = action
  }
  check = (model: Readonly<SubscriptionModel>) => !('which' in this.action) || model.subscriptions.length > 0
  async run(model: SubscriptionModel, real: Real) {
    await act(this.action, model, real)
    await agree(model, real)
  }
  toString = () => JSON.stringify(this.action)
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[list.length - 1 - (index % list.length)]
  if (item === undefined) throw new Error('the step was checked for something to act on')
  return item
}

const dollars = (cents: bigint) => Number(cents) / 100
const outcomeOf = (isPossible: boolean) => (isPossible ? 'not refused' : 'CONFLICT')

async function act(step: Action, model: SubscriptionModel, real: Real): Promise<void> {
  const { house, merchant } = real
  switch (step.do) {
    case 'subscribe':
      await subscribe(step, model, real)
      break
    case 'fill':
    case 'empty':
      await moveMoney(step, model, merchant)
      break
    case 'pay':
      await payLatest(at(model.subscriptions, step.which), model, real)
      break
    case 'pause':
    case 'resume': {
      const subscription = at(model.subscriptions, step.which)
      const request = pauseSubscription(house.app, merchant.id, subscription.id, step.do)
      expect(await refusal(request)).toBe(outcomeOf(model[step.do](subscription)))
      break
    }
    case 'cancel': {
      const subscription = at(model.subscriptions, step.which)
      const cancellation = (await merchant.signedIn()).cancelSubscription({ params: { id: subscription.id } })
      expect(await refusal(cancellation)).toBe(outcomeOf(model.cancel(subscription)))
      break
    }
    case 'price': {
      // Applies from the next charge.
      const plan = at(model.plans, step.plan)
      await (await merchant.signedIn()).updatePlan({ params: { id: plan.id }, body: { amount: step.cents / 100 } })
      plan.price = BigInt(step.cents)
      break
    }
    case 'interval': {
      const plan = at(model.plans, step.plan)
      await (await merchant.signedIn()).updatePlan({ params: { id: plan.id }, body: { interval_day: step.days } })
      plan.days = step.days
      break
    }
    case 'wait':
      await wait(step, model, house)
      return
  }
  await house.settle()
  model.run()
}

async function subscribe(step: Only<'subscribe'>, model: SubscriptionModel, { merchant }: Real): Promise<void> {
  const plan = at(model.plans, step.plan)
  const client = await merchant.signedIn()
  const account = at(model.accounts, 0)
  const email = `s${model.subscriptions.length}@mail.example`
  const order = { subscription_plan_id: plan.id, ...(step.by === 'email' ? { email } : { sub_partner_id: account.id }) }
  // By email the price must be in a fiat currency.
  if (step.by === 'email' && plan === model.plans[0]) {
    expect(await refusal(client.createSubscription({ body: order }))).toBe('INVALID_REQUEST_PARAMS')
    return
  }
  const { result } = await client.createSubscription({ body: order })
  const made = model.subscribe(plan, step.by === 'email' ? email : account)
  made.id = result.id
  expect(result).toMatchObject(viewOf(made))
}

async function moveMoney(step: Only<'fill' | 'empty'>, model: SubscriptionModel, merchant: Merchant): Promise<void> {
  const account = at(model.accounts, 0)
  const client = await merchant.signedIn()
  const body = (cents: bigint) => ({ currency: 'usdttrc20', amount: dollars(cents), sub_partner_id: account.id })
  if (step.do === 'fill') {
    await client.depositToSub({ body: body(BigInt(step.cents)) })
    account.balance += BigInt(step.cents)
    model.earned -= BigInt(step.cents)
  } else if (account.balance > 0n) {
    await client.writeOffSub({ body: body(account.balance) })
    model.earned += account.balance
    account.balance = 0n
  }
}

const mailsOf = (house: House, { email }: Subscription) =>
  house.app.store.read((reader) => mailsTo(reader, 'production', email ?? '', 100))

/** Pays the last mailed bill as its reader would: selects a coin on its page, and sends the amount. */
async function payLatest(
  subscription: Subscription,
  model: SubscriptionModel,
  { house, merchant }: Real,
): Promise<void> {
  if (subscription.email === null) return
  const [latest] = await mailsOf(house, subscription)
  const path = /https:\/\/pay\.example(\S+)/.exec(latest?.body ?? '')?.[1] ?? ''
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const chosen = await house.server.inject({ method: 'POST', path, headers: form, body: 'coin=usdttrc20' })
  expect(chosen.status).toBe(303)
  const state = await house.server.inject({
    method: 'GET',
    path: `${String(chosen.headers['location'])}/state`,
    headers: {},
  })
  const { phase, address } = JSON.parse(state.body)
  // A paid bill is not paid twice.
  if (phase !== 'waiting') return
  const { data } = await merchant.client.payments({ query: { limit: 500, status: 'waiting' } })
  const payment = data.find(({ pay_address }) => pay_address === address)
  const { id } = await depositTo(house.app, payment?.payment_id ?? 0)
  await house.settle()
  await confirmTx(house.app, id)
  await house.settle()
  // The due jobs ran before the payment was confirmed.
  model.run()
  model.payBill(subscription)
}

async function wait({ to, which: index, how }: Only<'wait'>, model: SubscriptionModel, house: House): Promise<void> {
  const { paidUntil } = at(model.subscriptions, index)
  const [name = '', offset = '0'] = typeof to === 'string' ? to.split(/(?=[+-])/) : []
  const moments: Readonly<Record<string, number>> = { bill: paidUntil - day, end: paidUntil, over: paidUntil + 7 * day }
  const moment = typeof to === 'number' ? model.now + to : (moments[name] ?? 0) + Number(offset)
  if (moment < model.now) return
  if (how === 'awake') {
    await house.wait(moment - house.now())
    model.wait(moment)
    return
  }
  await house.sleep(moment - house.now())
  model.now = moment
  if (how === 'dead') return
  await house.settle()
  model.run()
}

// ── Invariants after each step ──

const viewOf = ({ id, plan, account, email, status, paidUntil }: Subscription) => ({
  id,
  subscription_plan_id: plan.id,
  is_active: status === 'active',
  status,
  expire_date: new Date(paidUntil).toISOString(),
  subscriber: account ? { sub_partner_id: account.id } : { email },
})

async function agree(model: SubscriptionModel, { house, merchant }: Real): Promise<void> {
  const { result: listed, count } = await merchant.client.subscriptions({ query: { limit: 500 } })
  expect(count).toBe(model.subscriptions.length)
  expect(listed).toMatchObject(model.subscriptions.map(viewOf))
  const { count: active } = await merchant.client.subscriptions({ query: { is_active: 'true' } })
  expect(active).toBe(model.subscriptions.filter(({ status }) => status === 'active').length)
  for (const [i, subscription] of model.subscriptions.entries()) {
    const { result } = await merchant.client.subscription({ params: { id: subscription.id } })
    expect(result).toEqual(listed[i])
    const rows = await house.app.store.read((reader) => deliveriesAbout(reader, merchant.id, subscription.id))
    expect(rows.map(({ event }) => event)).toEqual(subscription.callbacks)
    if (subscription.email !== null) expect(await mailsOf(house, subscription)).toHaveLength(subscription.mails)
  }
  const account = at(model.accounts, 0)
  const { result } = await merchant.client.subBalance({ params: { id: account.id } })
  expect(result.balances['usdttrc20']?.amount ?? 0).toBe(dollars(account.balance))
  await house.proveLedger()
  expect(house.failures).toEqual([])
}

const visited = new Map<string, number>()

async function run(commands: Iterable<fc.AsyncCommand<SubscriptionModel, Real>>): Promise<void> {
  const house = await aHouse()
  try {
    const merchant = await aMerchant(house)
    await house.app.store.write(async (tx) => {
      await fund(house.app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '100000')
    })
    const client = await merchant.signedIn()
    const model = new SubscriptionModel(house.now())
    model.accounts.push({ id: (await client.createSubaccount({ body: { name: 'amy' } })).result.id, balance: 0n })
    for (const [currency, days] of [
      ['usdttrc20', 10],
      ['usd', 30],
      ['usd', 2],
    ] as const) {
      const body = {
        title: 'Gold',
        interval_day: days,
        amount: 20,
        currency,
        ipn_callback_url: 'https://shop.example/ipn',
      }
      const plan: Plan = { id: (await client.createPlan({ body })).result.id, days, price: 2000n }
      model.plans.push(plan)
    }
    await fc.asyncModelRun(() => ({ model, real: { house, merchant } }), commands)
    // Unpaid subscriptions expire in the end, and only a pause lasts.
    await act({ do: 'empty' }, model, { house, merchant })
    await house.wait(60 * day)
    model.wait(model.now + 60 * day)
    await agree(model, { house, merchant })
    for (const { status } of model.subscriptions) expect(['cancelled', 'paused']).toContain(status)
    for (const { callbacks, email } of model.subscriptions)
      for (const [i, status] of callbacks.entries()) {
        const transition = `${email === null ? 'account' : 'email'}: ${callbacks[i - 1] ?? ''} → ${status}`
        visited.set(transition, (visited.get(transition) ?? 0) + 1)
      }
  } finally {
    await house.close()
  }
}

test('subscriptions agree with the model after every step', async () => {
  const commands = fc.commands<SubscriptionModel, Real, boolean>(
    [action.map((each): fc.AsyncCommand<SubscriptionModel, Real> => new Step(each))],
    { maxCommands: 45, size: 'max' },
  )
  await fc.assert(fc.asyncProperty(commands, run), {
    numRuns: runs,
    seed,
    endOnFailure: process.env['MODEL_SHRINK'] === undefined,
  })
}, 3_600_000)

afterAll(() => {
  // biome-ignore lint/suspicious/noConsole: prints the figures of the additional runs that were requested.
  if (process.env['MODEL_RUNS']) console.log([...visited].toSorted().join('\n'))
})
