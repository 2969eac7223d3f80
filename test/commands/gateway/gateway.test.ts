import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aHomeFor, type Home, noTerminal, run, runJson, runOnTerminal } from '../../support/program/cli.ts'
import { type Served, served, workbench } from '../../support/program/processes.ts'

/** The operator's commands of the payment gateway, against a served world and against the local one. */

interface Keys {
  readonly gateway: Readonly<
    Record<'production' | 'sandbox', { readonly whitelisted: Readonly<Record<string, string>> }>
  >
}

const { folder, env, done } = workbench('gateway-commands')
let world: Served
let keys: Keys
const home: Home = aHomeFor(folder, env)
const box = ['--profile', 'box']
const call = (...args: string[]) => runJson([...args, ...box], { home })
const address = (coin = 'usdttrc20') => keys.gateway.sandbox.whitelisted[coin] ?? ''

beforeAll(async () => {
  world = await served(folder, { ...env, ...home.env })
  keys = JSON.parse(readFileSync(world.readyFile, 'utf8'))
  for (const [name, environment] of [
    ['box', 'sandbox'],
    ['house', 'live'],
  ] as const) {
    const added = await run(['profiles', 'add', name, '--environment', environment, '--from', world.readyFile], {
      home,
    })
    expect(added.code, added.stderr).toBe(0)
  }
})
afterAll(async () => {
  await world.stop()
  done()
})

describe('payments', () => {
  test('are created once per key, shown, and listed', async () => {
    const order = ['payments', 'create', '29.99', 'usd', 'usdttrc20', '--order', 'o-1', '--key', 'pay-1']
    const first = await call(...order)
    expect(first.data).toMatchObject({
      payment_status: 'waiting',
      price_amount: 29.99,
      order_id: 'o-1',
      earlier: false,
    })
    const again = await call(...order)
    expect(again.data).toMatchObject({ payment_id: first.data['payment_id'], earlier: true })
    expect(await call('payments', 'show', String(first.data['payment_id']))).toMatchObject({
      data: { payment_status: 'waiting', actually_paid: 0 },
    })
    const { data } = await call('payments', 'list')
    const mine = (data['payments'] as { order_id: string }[]).filter(({ order_id }) => order_id === 'o-1')
    expect(mine).toHaveLength(1)
  })

  test('a list cut by --limit has a note', async () => {
    const { data } = await call('payments', 'create', '30', 'usd', 'btc')
    expect((await call('payments', 'list')).data['more']).toBe(false)
    const first = await call('payments', 'list', '--limit', '1')
    expect(first.data).toMatchObject({ payments: [{ payment_id: data['payment_id'] }], more: true })
    const shown = await run(['payments', 'list', '--limit', '1', ...box], { home })
    expect(shown.stderr).toContain('Showing the first 1 results. To see more, raise --limit')
    for (const list of [
      ['book', 'orders'],
      ['payouts', 'list'],
      ['conversions', 'list'],
      ['subscriptions', 'list'],
    ])
      expect(await call(...list, '--limit', '1')).toMatchObject({ code: 0, data: { more: expect.any(Boolean) } })
    expect((await call('book', 'orders', '--limit', '1')).data).toMatchObject({
      orders: [{ state: 'done' }],
      more: true,
    })
  })

  test('under the key of another order are rejected, and nothing is sent', async () => {
    await call('payments', 'create', '20', 'usd', 'btc', '--key', 'pay-2')
    const { code, error } = await call('payments', 'create', '21', 'usd', 'btc', '--key', 'pay-2')
    expect([code, error.code, error.remoteCode]).toEqual([6, 'IDEMPOTENCY_KEY_REUSED', null])
  })

  test('in a dry run are shown as they would be sent', async () => {
    const { data } = await call('payments', 'create', '20.50', 'USD', 'BTC', '--dry-run')
    expect(data).toEqual({
      idempotencyKey: null,
      earlier: false,
      dryRun: true,
      request: {
        method: 'POST',
        path: '/api/v1/payment',
        body: { price_amount: 20.5, price_currency: 'usd', pay_currency: 'btc' },
      },
    })
  })

  test.each([
    [['payments', 'create', '1,5', 'usd', 'btc'], 2, 'INVALID_AMOUNT', null],
    [['payments', 'create', '0', 'usd', 'btc'], 2, 'INVALID_AMOUNT', null],
    [['payments', 'create', '20', 'usd', 'doge'], 2, 'CURRENCY_UNAVAILABLE', 'CURRENCY_UNAVAILABLE'],
    [['payments', 'create', '0.01', 'usd', 'btc'], 2, 'AMOUNT_TOO_SMALL', 'AMOUNT_TOO_SMALL'],
    [['payments', 'show', '5999999999'], 5, 'NOT_FOUND', 'NOT_FOUND'],
    [['coins', 'show', 'doge'], 5, 'NOT_FOUND', 'NOT_FOUND'],
  ])('%j exits with %i, %s', async (args, exit, code, remoteCode) => {
    const result = await call(...args)
    expect([result.code, result.error.code, result.error.remoteCode]).toEqual([exit, code, remoteCode])
  })

  test('are estimated, have a minimum, and can be requoted', async () => {
    expect((await call('payments', 'estimate', '29.99', 'usd', 'usdttrc20')).data).toMatchObject({
      estimated_amount: 29.99,
    })
    expect((await call('payments', 'minimum', 'btc', '--fiat', 'usd')).data).toMatchObject({ currency_from: 'btc' })
    const { data } = await call('payments', 'create', '20', 'usd', 'btc')
    const quoted = await call('payments', 'requote', String(data['payment_id']))
    expect(quoted.data).toMatchObject({ pay_amount: data['pay_amount'] })
  })

  test('work the same on the local world, in process', async () => {
    const { data } = await runJson(['payments', 'create', '20', 'usd', 'trx'], { home })
    expect(data).toMatchObject({ payment_status: 'waiting', pay_currency: 'trx' })
    expect((await runJson(['coins', 'balance'], { home })).data['balances']).toContainEqual(
      expect.objectContaining({ currency: 'usdttrc20' }),
    )
    expect((await runJson(['book', 'orders'], { home })).data['orders']).toContainEqual(
      expect.objectContaining({ endpoint: 'createPayment', state: 'done' }),
    )
  })
})

test('invoices are created, shown with their payments, and paid in a coin', async () => {
  const { data } = await call(
    'invoices',
    'create',
    '20',
    'usd',
    '--order',
    'i-1',
    '--success',
    'https://shop.example/ok',
  )
  expect(data).toMatchObject({ price_amount: '20', pay_currency: null, success_url: 'https://shop.example/ok' })
  const id = String(data['id'])
  const paid = await call('invoices', 'pay', id, 'eth')
  expect((await call('invoices', 'show', id)).data['payments']).toMatchObject([{ payment_id: paid.data['payment_id'] }])
})

describe('payouts', () => {
  const batch = async (...args: string[]) => {
    const { data } = await call('payouts', 'create', ...args)
    return String(data['id'])
  }

  test('are created, verified with the code of the profile, and verified once', async () => {
    const id = await batch(address(), '25', 'usdttrc20', '--key', 'out-1')
    expect(await batch(address(), '25', 'usdttrc20', '--key', 'out-1')).toBe(id)
    expect((await call('payouts', 'show', id)).data).toMatchObject({
      kind: 'batch',
      withdrawals: [{ status: 'creating', amount: '25' }],
    })
    expect((await call('payouts', 'verify', id, '--dry-run')).data).toMatchObject({ dryRun: true, earlier: false })
    const verified = await call('payouts', 'verify', id)
    expect(verified.data['withdrawals']).not.toMatchObject([{ status: 'creating' }])
    expect((await call('payouts', 'verify', id)).data).toMatchObject({ earlier: true })
    expect((await call('payouts', 'list', '--batch', id)).data['payouts']).toHaveLength(1)
  })

  test('are created from a CSV file, whose errors have line numbers', async () => {
    const rows = `address,currency,amount,external_id\n${address()},usdttrc20,10.5,a\n${address('eth')},eth,0.25,b\n`
    const file = home.write('payouts.csv', rows)
    const { data } = await call('payouts', 'create', '--file', file)
    expect(data['withdrawals']).toMatchObject([
      { amount: '10.5', unique_external_id: 'a' },
      { amount: '0.25', unique_external_id: 'b' },
    ])
    const wrong = home.write('wrong.csv', `${rows}${address()},usdttrc20,1e3,c\n`)
    const refused = await call('payouts', 'create', '--file', wrong)
    expect([refused.code, refused.error.code, refused.error.details['line']]).toEqual([2, 'INVALID_FILE', 4])
    const twice = home.write('twice.csv', `${rows}${address()},usdttrc20,1,a\n`)
    expect((await call('payouts', 'create', '--file', twice)).error.message).toContain('external_id a')
  })

  test('with a wrong code, to an unlisted address, or above the balance are rejected', async () => {
    const id = await batch(address(), '20', 'usdttrc20')
    const wrong = await call('payouts', 'verify', id, '--code', '000000')
    expect([wrong.code, wrong.error.code]).toEqual([4, 'INVALID_MFA_CODE'])
    const strange = await call('payouts', 'create', 'TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa', '20', 'usdttrc20')
    expect([strange.code, strange.error.code]).toEqual([6, 'ADDRESS_NOT_WHITELISTED'])
    const much = await call('payouts', 'create', address(), '99999999', 'usdttrc20')
    expect([much.code, much.error.code]).toEqual([6, 'INSUFFICIENT_BALANCE'])
  })

  test('in a dry run are checked as far as the platform allows, and nothing is created', async () => {
    // Earlier payouts continue while this runs: their number is compared, not their status.
    const payoutIds = async () =>
      ((await call('payouts', 'list')).data['payouts'] as { id: string }[]).map(({ id }) => id)
    const before = await payoutIds()
    const well = await call('payouts', 'create', address(), '25', 'usdttrc20', '--dry-run')
    expect(well).toMatchObject({
      code: 0,
      data: {
        dryRun: true,
        request: { method: 'POST', path: '/api/v1/payout' },
        needs: [{ currency: 'usdttrc20', payouts: 1, amount: '25', fees: '2.1', total: '27.1' }],
      },
    })
    const rows = [
      'address,currency,amount',
      `${address()},usdttrc20,99999999`,
      'nonsense,usdttrc20,10',
      `${address()},usdttrc20,0.01`,
      `${address('eth')},nocoin,1`,
    ]
    const ill = await call('payouts', 'create', '--file', home.write('ill.csv', rows.join('\n')), '--dry-run')
    expect([ill.code, ill.error.code, ill.error.remoteCode]).toEqual([2, 'INVALID_ADDRESS', null])
    expect(ill.error.message).toMatch(/Line 3: .*Line 4: The minimum payout is .*Line 5: .*nocoin.*The batch needs/)
    expect(ill.error.details['faults']).toMatchObject([
      { item: 1, code: 'INVALID_ADDRESS' },
      { item: 2, code: 'AMOUNT_TOO_SMALL' },
      { item: 3, code: 'CURRENCY_UNAVAILABLE' },
      { item: null, code: 'INSUFFICIENT_BALANCE' },
    ])
    const much = await call('payouts', 'create', address(), '99999999', 'usdttrc20', '--dry-run')
    expect([much.code, much.error.code]).toEqual([6, 'INSUFFICIENT_BALANCE'])
    expect(await payoutIds()).toEqual(before)
  })

  test('scheduled for later can be canceled', async () => {
    const id = await batch(address(), '20', 'usdttrc20', '--execute-at', '2099-01-01T00:00:00Z')
    expect((await call('payouts', 'cancel', id)).code).toBe(3)
    const { data } = await call('payouts', 'cancel', id, '--yes')
    expect(data['payouts']).toMatchObject([{ status: 'rejected' }])
  })

  test('of real money need a confirmed total, and nothing is sent without it', async () => {
    const to = keys.gateway.production.whitelisted['usdttrc20'] ?? ''
    const order = ['payouts', 'create', to, '20', 'usdttrc20', '--profile', 'house']
    expect((await runJson(order, { home })).code).toBe(3)
    expect((await runJson([...order, '--yes', '--confirm-total', '21:usdttrc20'], { home })).code).toBe(3)
    expect((await runJson(['payouts', 'list', '--profile', 'house'], { home })).data['payouts']).toEqual([])
    expect((await runJson([...order, '--yes', '--confirm-total', '20.0:USDTTRC20'], { home })).code).toBe(0)
  })

  test.skipIf(noTerminal)('need a confirmation on a terminal, also in the sandbox', async () => {
    const to = address()
    const order = ['payouts', 'create', to, '20', 'usdttrc20', ...box]
    const { code, screen } = await runOnTerminal(order, [['?', 'n\n']], { home })
    expect(screen).toContain(`Pay out 20 usdttrc20 to ${to}?`)
    expect(code).toBe(3)
  })

  test('have a fee command and an address check', async () => {
    expect((await call('payouts', 'fee', '100', 'usdttrc20')).data).toMatchObject({ currency: 'usdttrc20' })
    expect((await call('payouts', 'check', address(), 'usdttrc20')).data).toMatchObject({ valid: true })
    expect((await call('payouts', 'check', 'nonsense', 'usdttrc20')).error.code).toBe('INVALID_ADDRESS')
  })
})

test('conversions are created once, shown and listed', async () => {
  const order = ['conversions', 'create', '0.1', 'btc', 'eth', '--key', 'conv-1']
  const dry = await run([...order, '--dry-run', ...box], { home })
  expect([dry.code, dry.stderr]).toEqual([0, expect.stringMatching(/At the current rate it gives [\d.]+ eth/)])
  expect((await call('conversions', 'create', '1', 'btc', 'BTC')).error).toMatchObject({ remoteCode: null })
  const { data } = await call(...order)
  expect(data).toMatchObject({ status: 'finished', from_amount: 0.1 })
  expect((await call(...order)).data).toMatchObject({ id: data['id'], earlier: true })
  expect((await call('conversions', 'show', String(data['id']))).data).toMatchObject({ to_currency: 'eth' })
  expect((await call('conversions', 'list')).data).toMatchObject({ count: 1 })
})

test.each(['payments', 'payouts', 'conversions'])(
  'a list of %s rejects an invalid time before any request',
  async (topic) => {
    for (const flag of ['--from', '--to']) {
      const { code, error } = await call(topic, 'list', flag, 'tomorrowish')
      expect([code, error.code, error.message]).toEqual([2, 'INVALID_USAGE', expect.stringContaining('tomorrowish')])
    }
    expect((await call(topic, 'list', '--from', '2026-03-01', '--to', '2026-03-01')).code).toBe(0)
  },
)

test('sub-accounts are created, funded, emptied and paid into; subscriptions charge them', async () => {
  const make = async (name: string) => String((await call('subaccounts', 'create', name)).data['id'])
  const [amy, bob] = [await make('amy'), await make('bob')]
  expect((await call('subaccounts', 'create', 'amy')).error.code).toBe('CONFLICT')
  await call('subaccounts', 'deposit', amy, '50', 'usdttrc20')
  const moved = await call('subaccounts', 'transfer', amy, bob, '20', 'usdttrc20')
  await call('subaccounts', 'withdraw', bob, '5', 'usdttrc20')
  expect((await call('subaccounts', 'balance', bob)).data['balances']).toEqual([
    { currency: 'usdttrc20', amount: 15, pendingAmount: 0 },
  ])
  expect((await call('subaccounts', 'transfers', String(moved.data['id']))).data).toMatchObject({ count: 1 })
  expect((await call('subaccounts', 'transfers')).data).toMatchObject({ count: 3 })
  expect((await call('subaccounts', 'list')).data).toMatchObject({ count: 2 })
  const payment = await call('subaccounts', 'pay', amy, '50', 'usdttrc20')
  expect((await call('subaccounts', 'payments', amy)).data['payments']).toMatchObject([
    { payment_id: payment.data['payment_id'] },
  ])
  const plan = await call('subscriptions', 'plans', 'create', 'Gold table', '9.99', 'usd', '--days', '30')
  const planId = String(plan.data['id'])
  await call('subscriptions', 'plans', 'update', planId, '--amount', '10')
  expect((await call('subscriptions', 'plans', 'show', planId)).data).toMatchObject({ amount: 10, interval_day: '30' })
  expect((await call('subscriptions', 'plans', 'list')).data).toMatchObject({ count: 1 })
  const made = await call('subscriptions', 'create', planId, '--subaccount', amy)
  expect(made.data).toMatchObject({ status: 'active', subscriber: { sub_partner_id: amy } })
  const id = String(made.data['id'])
  expect((await call('subscriptions', 'cancel', id)).code).toBe(3)
  expect((await call('subscriptions', 'cancel', id, '--yes')).data).toMatchObject({ status: 'cancelled' })
  expect((await call('subscriptions', 'list', '--status', 'cancelled')).data).toMatchObject({ count: 1 })
  expect((await call('subscriptions', 'show', id)).data).toMatchObject({ is_active: false })
})

test('no secret is ever printed', async () => {
  const document = readFileSync(world.readyFile, 'utf8')
  const { production, sandbox } = JSON.parse(document).gateway
  const secrets = [production, sandbox].flatMap((section) => [section.apiKey, section.payoutApiKey, section.password])
  const shown = await run(['payments', 'list', '--verbose', ...box], { home })
  for (const secret of secrets) expect(shown.stdout + shown.stderr).not.toContain(secret)
})
