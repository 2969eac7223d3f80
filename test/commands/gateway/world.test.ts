import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aHomeFor, type Home, run, runJson } from '../../support/program/cli.ts'
import { type Served, served, workbench } from '../../support/program/processes.ts'
import { clearOfMidnight } from '../../support/worlds/days.ts'

/** The merchants' console and the simulated chains, next to a served world. */

const { folder, env, done } = workbench('gateway-world')
const home: Home = aHomeFor(folder, env)
let world: Served
const call = (...args: string[]) => runJson(args, { home })
const box = ['--profile', 'box']

beforeAll(async () => {
  world = await served(folder, { ...env, ...home.env })
  await run(['profiles', 'add', 'box', '--environment', 'sandbox', '--from', world.readyFile], { home })
})
afterAll(async () => {
  await world.stop()
  done()
})

async function aPayment(price = '20', coin = 'usdttrc20'): Promise<string> {
  const { data } = await call('payments', 'create', price, 'usd', coin, ...box)
  return String(data['payment_id'])
}
const deposit = (id: string, ...flags: string[]) => call('sim', 'chain', 'deposit', id, ...flags)
const statuses = (data: Record<string, unknown>) =>
  (data['payments'] as { payment_status: string }[]).map(({ payment_status }) => payment_status)
const states = (data: Record<string, unknown>) => (data['deposits'] as { state: string }[]).map(({ state }) => state)

test('sim rates changes the quotes of a served gateway at once', async () => {
  const rates = (...args: string[]) => call('sim', 'rates', ...args)
  const pays = async () => Number((await call('payments', 'create', '100', 'usd', 'sol', ...box)).data['pay_amount'])
  expect(await pays()).toBe(0.5)
  expect((await rates('set', 'sol', '100', '--dry-run')).code).toBe(0)
  expect(await pays()).toBe(0.5)
  expect((await rates('set', 'sol', '100')).data['prices']).toContainEqual({
    asset: 'sol',
    usd: '100',
    setByHand: true,
  })
  expect(await pays()).toBe(1)
  expect((await rates('age', '1h')).data).toMatchObject({ tradable: false, maxAgeSeconds: 600 })
  // One attempt: waiting would not make the prices newer.
  const env = { COUNTROOM_ATTEMPTS: '1' }
  const refused = await runJson(['payments', 'create', '100', 'usd', 'sol', ...box], { home, env })
  expect([refused.code, refused.error.code]).toEqual([7, 'RATE_UNAVAILABLE'])
  expect((await rates('show')).data).toMatchObject({ tradable: false })
  expect((await rates('age', 'old')).code).toBe(2)
  expect((await rates('set', 'doge', '1')).code).toBe(2)
  expect((await rates('reset')).data).toMatchObject({ tradable: true, maxAgeSeconds: null })
  expect(await pays()).toBe(0.5)
})

describe('sim chain', () => {
  test('pays a payment, and the served gateway finishes it', async () => {
    const id = await aPayment()
    expect(statuses((await deposit(id, '--confirm')).data)).toEqual(['finished'])
    expect((await call('payments', 'show', id, ...box)).data).toMatchObject({
      payment_status: 'finished',
      actually_paid: 20,
    })
  })

  test('pays a part, then the rest; each counts after enough confirmations', async () => {
    const id = await aPayment()
    const part = await deposit(id, '--amount', '8')
    expect([statuses(part.data), states(part.data)]).toEqual([['confirming'], ['seen']])
    expect(statuses((await call('sim', 'chain', 'confirm', id)).data)).toEqual(['partially_paid'])
    expect(statuses((await deposit(id, '--amount', '12', '--confirm')).data)).toEqual(['finished'])
  })

  test('adds blocks, and a reorganization removes a deposit with few confirmations', async () => {
    const id = await aPayment()
    await deposit(id)
    const block = await call('sim', 'chain', 'block', 'trx', '--blocks', '5', '--environment', 'sandbox')
    expect(block.data).toMatchObject({ blocks: 5, network: 'trx' })
    const reorg = await call('sim', 'chain', 'reorg', id)
    expect([statuses(reorg.data), states(reorg.data)]).toEqual([['waiting'], ['removed']])
    expect((await call('sim', 'chain', 'reorg', id)).error.code).toBe('CONFLICT')
    await deposit(id)
    await call('sim', 'chain', 'block', 'trx', '--blocks', '19', '--environment', 'sandbox')
    expect(statuses((await call('sim', 'chain', 'show', id)).data)).toEqual(['finished'])
  })

  test('never credits another token, and freezes funds of a sanctioned address', async () => {
    const stray = await aPayment()
    const wrong = await deposit(stray, '--contract', 'native', '--confirm')
    expect([statuses(wrong.data), states(wrong.data)]).toEqual([['waiting'], ['stray']])
    expect((await deposit(stray, '--contract', 'usdc')).code).toBe(2)
    const tainted = await deposit(await aPayment(), '--sanctioned', '--confirm')
    expect([statuses(tainted.data), states(tainted.data)]).toEqual([['failed'], ['frozen']])
    const slip = await call('sim', 'chain', 'sanction', 'TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSb')
    expect([slip.code, slip.error.code]).toEqual([2, 'INVALID_ADDRESS'])
  })

  test('creates a separate payment for money after its expiry, and refunds received money', async () => {
    const id = await aPayment()
    await deposit(id, '--confirm')
    const second = await deposit(id, '--confirm')
    expect(statuses(second.data)).toEqual(['finished', 'finished'])
    expect((second.data['payments'] as { parent_payment_id: number | null }[])[1]).toMatchObject({
      parent_payment_id: Number(id),
    })
    const back = await call('sim', 'chain', 'refund', id)
    expect(back.data).toMatchObject({ currency: 'usdttrc20' })
    await call('sim', 'chain', 'block', 'trx', '--blocks', '19', '--environment', 'sandbox')
    expect(statuses((await call('sim', 'chain', 'show', id)).data)[0]).toBe('refunded')
    expect((await call('sim', 'chain', 'refund', id)).error.code).toBe('CONFLICT')
  })

  test('changes nothing in a dry run, and rejects an unknown payment', async () => {
    const id = await aPayment()
    expect((await deposit(id, '--confirm', '--dry-run')).code).toBe(0)
    expect((await call('payments', 'show', id, ...box)).data).toMatchObject({ payment_status: 'waiting' })
    expect((await deposit('5999999999')).code).toBe(5)
    expect((await deposit('five')).code).toBe(2)
  })
})

test('an Idempotency-Key creates one payment, with any number of processes that send it at once', async () => {
  // Each has its own book, so that only the gateway can know the key; and each opens the world itself.
  const ends = await Promise.all(
    ['a', 'b', 'c', 'd'].map((book) =>
      runJson(['payments', 'create', '33', 'usd', 'btc', '--key', 'race', '--book', `${folder}/race-${book}.db`], {
        home,
      }),
    ),
  )
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(new Set(ends.map(({ data }) => data['payment_id'])).size).toBe(1)
  const { data } = await call('payments', 'list')
  const made = (data['payments'] as { price_amount: number }[]).filter(({ price_amount }) => price_amount === 33)
  expect(made).toHaveLength(1)
})

describe('console merchants', () => {
  const sandbox = ['--environment', 'sandbox']

  // Payouts are limited per UTC day.
  beforeEach(() => clearOfMidnight('UTC'))

  test('creates a merchant whose document is a profile', async () => {
    // An address of another form creates no merchant without keys: the same email address can be used again.
    const order = ['console', 'merchants', 'create', 'Acme', '--email', 'pay@acme.example', '--allow', '010.1.1.1']
    expect((await runJson([...order, ...sandbox], { home })).code).toBe(2)
    const made = await run(
      ['console', 'merchants', 'create', 'Acme', '--email', 'pay@acme.example', ...sandbox, '--json'],
      { home },
    )
    const file = home.write('acme.json', made.stdout)
    const added = await run(['profiles', 'add', 'acme', '--environment', 'sandbox', '--from', file], { home })
    expect(added.code, added.stderr).toBe(0)
    const acme = ['--profile', 'acme']
    expect((await call('coins', 'balance', ...acme)).data).toEqual({ balances: [] })
    const id = JSON.parse(readFileSync(file, 'utf8')).data.gateway.sandbox.merchantId
    const which = ['--merchant', id]
    expect((await call('console', 'merchants', 'fund', 'usdttrc20', '500', ...which)).data).toMatchObject({
      available: '500',
    })
    const to = 'TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa'
    const refused = await call('payouts', 'create', to, '20', 'usdttrc20', ...acme)
    expect(refused.error.code).toBe('ADDRESS_NOT_WHITELISTED')
    await call('console', 'merchants', 'whitelist', 'usdttrc20', to, ...which)
    const batch = await call('payouts', 'create', to, '20', 'usdttrc20', ...acme)
    expect((await call('payouts', 'verify', String(batch.data['id']), ...acme)).code).toBe(0)
    await call('console', 'merchants', 'whitelist', 'usdttrc20', to, '--remove', ...which)
    expect((await call('console', 'merchants', 'show', ...which)).data).toMatchObject({ whitelist: [], name: 'Acme' })
    const names = (await call('console', 'merchants', 'list')).data['merchants'] as { name: string }[]
    expect(names.map(({ name }) => name)).toEqual(['Demo Casino', 'Demo Casino', 'Acme'])
  })

  test('limits payouts per payout and per day, and requires approval for batches', async () => {
    const set = (...flags: string[]) => call('console', 'merchants', 'set', ...sandbox, ...flags)
    const { gateway } = JSON.parse(readFileSync(world.readyFile, 'utf8'))
    const pay = (amount: string) =>
      call('payouts', 'create', gateway.sandbox.whitelisted.usdttrc20, amount, 'usdttrc20', ...box)
    await set('--payout-limit', '100', '--payout-day-limit', '150')
    expect((await pay('101')).error).toMatchObject({ code: 'LIMIT_EXCEEDED', category: 'conflict' })
    expect((await pay('100')).code).toBe(0)
    expect((await pay('60')).error.code).toBe('LIMIT_EXCEEDED')
    expect((await pay('50')).code).toBe(0)
    await set('--payout-limit', 'none', '--payout-day-limit', 'none', '--approval', '10')
    const batch = String((await pay('200')).data['id'])
    await call('payouts', 'verify', batch, ...box)
    expect((await call('payouts', 'show', batch, ...box)).data).toMatchObject({ withdrawals: [{ status: 'waiting' }] })
    expect((await call('console', 'merchants', 'approve', batch, '--reject')).code).toBe(0)
    expect((await call('payouts', 'show', batch, ...box)).data).toMatchObject({ withdrawals: [{ status: 'rejected' }] })
    await set('--approval', 'none', '--freeze')
    expect((await pay('20')).error.code).toBe('FROZEN')
    await set('--unfreeze')
    expect((await set()).code).toBe(2)
  })

  test('creates keys with scopes, lists them without secrets, and revokes one at once', async () => {
    const { data } = await call('console', 'merchants', 'keys', 'create', '--scopes', 'read', ...sandbox)
    const ask = async () =>
      (
        await fetch(`${world.baseUrl}/sandbox/api/v1/currencies`, {
          headers: { 'x-api-key': String(data['apiKey']) },
        })
      ).status
    expect(await ask()).toBe(200)
    const listed = await run(['console', 'merchants', 'keys', 'list', ...sandbox, '--json'], { home })
    expect(listed.stdout).not.toContain(String(data['apiKey']))
    const keys = JSON.parse(listed.stdout).data.keys as { id: string; prefix: string; scopes: string[] }[]
    const mine = keys.find(({ scopes }) => scopes.join() === 'read')
    expect(mine?.prefix).toBe(String(data['apiKey']).slice(0, 9))
    await call('console', 'merchants', 'keys', 'revoke', mine?.id ?? '', ...sandbox)
    expect(await ask()).toBe(403)
    const open = await call('console', 'merchants', 'keys', 'create', '--scopes', 'read,payouts', ...sandbox)
    expect(open.code).toBe(2)
  })

  test('keeps an account unverified, and freezes an environment', async () => {
    const made = await call('console', 'merchants', 'create', 'Later', '--email', 'l@shop.example', '--unverified')
    const { production } = made.data['gateway'] as { production: { merchantId: string } }
    const it = ['--merchant', production.merchantId]
    expect((await call('console', 'merchants', 'show', ...it)).data).toMatchObject({ verified: false })
    expect((await call('console', 'merchants', 'verify', ...it)).data).toMatchObject({ verified: true })
    const platform = (...args: string[]) => call('console', 'merchants', 'platform', ...args, ...sandbox)
    expect((await platform('--freeze')).data).toEqual({ environment: 'sandbox', frozen: true })
    const refused = await call('payments', 'create', '20', 'usd', 'sol', ...box)
    expect([refused.code, refused.error.code]).toEqual([6, 'FROZEN'])
    expect((await platform()).data).toMatchObject({ frozen: true })
    expect((await platform('--unfreeze')).data).toMatchObject({ frozen: false })
    await aPayment()
  })

  test('a dry run prints no key', async () => {
    const dry = (...args: string[]) => call('console', ...args, '--dry-run')
    const made = await dry('merchants', 'create', 'Ghost', '--email', 'ghost@shop.example', ...sandbox)
    expect(made.data['gateway']).toMatchObject({
      sandbox: { apiKey: '***', payoutApiKey: '***', ipnSecret: '***', password: '***', totpSecret: '***' },
    })
    expect((await dry('merchants', 'keys', 'create', ...sandbox)).data).toMatchObject({ apiKey: '***' })
    expect((await dry('merchants', 'ipn', 'secret', ...sandbox)).data).toMatchObject({ ipnSecret: '***' })
    expect((await dry('merchants', 'mfa', ...sandbox)).data).toMatchObject({ totpSecret: '***' })
    const user = await dry('merchants', 'users', 'add', 'ghost@shop.example', ...sandbox)
    expect(user.data).toMatchObject({ password: '***' })
    expect((await dry('chat', 'keys', 'create', 'DEMO')).data).toEqual({ keyId: '***', apiKey: '***' })
    expect((await dry('chat', 'agents', 'create', 'DEMO', 'Ghost')).data).toMatchObject({ agentToken: '***' })
    expect((await dry('chat', 'tenants', 'create', 'GHOST')).data).toMatchObject({
      apiKey: '***',
      tenantKey: '***',
      agentToken: '***',
      identitySecret: '***',
    })
  })

  test('switches compatibility for both environments, and renews secrets that are shown once', async () => {
    expect((await call('sim', 'chain', 'drop', '1')).code).toBe(5)
    const users = (...args: string[]) => call('console', 'merchants', 'users', ...args, ...sandbox)
    const added = await users('add', 'Desk@shop.example', '--permissions', 'custody')
    expect(added.data).toMatchObject({ email: 'desk@shop.example', password: expect.stringMatching(/^\w{20}$/) })
    expect((await users('add', 'x@shop.example', '--permissions', 'all')).code).toBe(2)
    expect((await users('list')).data['users']).toContainEqual({ email: 'desk@shop.example', permissions: ['custody'] })
    expect((await users('remove', 'desk@shop.example')).code).toBe(0)
    expect((await users('remove', 'desk@shop.example')).code).toBe(5)
    const on = await call('console', 'merchants', 'compat', 'on', '--header', 'X-Nowpayments-Sig')
    expect(on.data['merchants']).toMatchObject([
      { environment: 'production', compat: true, compatHeader: 'x-nowpayments-sig' },
      { environment: 'sandbox', compat: true },
    ])
    expect((await call('console', 'merchants', 'compat', 'off', ...sandbox)).data['merchants']).toHaveLength(1)
    expect((await call('console', 'merchants', 'ipn', 'secret', ...sandbox)).code).toBe(3)
    const renewed = await call('console', 'merchants', 'ipn', 'secret', '--yes', ...sandbox)
    expect(String(renewed.data['ipnSecret'])).toHaveLength(48)
    const url = await call('console', 'merchants', 'ipn', 'url', 'https://shop.example/ipn', ...sandbox)
    expect(url.data).toMatchObject({ ipnUrl: 'https://shop.example/ipn' })
    expect((await call('console', 'merchants', 'ipn', 'url', 'http://10.0.0.1/', ...sandbox)).code).toBe(2)
    expect((await call('console', 'merchants', 'mfa', '--yes', '--merchant', '1')).code).toBe(5)
    const off = await call('console', 'merchants', 'coin', 'trx', 'off', ...sandbox)
    expect(off.data).toMatchObject({ coin: 'trx', enabled: false })
    expect((await call('payments', 'create', '20', 'usd', 'trx', ...box)).error.code).toBe('CURRENCY_UNAVAILABLE')
  })
})

test('console logins lists the delays after wrong passwords in a served gateway, and unlocks at once', async () => {
  const { gateway } = JSON.parse(readFileSync(world.readyFile, 'utf8'))
  const { apiKey, email, password } = gateway.sandbox
  const logIn = async (text: string) => {
    const reply = await fetch(`${world.baseUrl}/sandbox/api/v1/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ email, password: text }),
    })
    return reply.status
  }
  // At most six passwords are compared; the delay after them rejects the others.
  const statuses = await Promise.all(Array.from({ length: 12 }, () => logIn('wrong')))
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  const listed = await call('console', 'logins', 'list', '--user', email)
  const [pair] = (listed.data['logins'] as Record<string, unknown>[]).filter(({ countedBy }) => countedBy === 'pair')
  expect(pair).toMatchObject({ credential: 'password', user: email, address: '127.0.0.1' })
  expect(Number(pair?.['failures']) + Number(pair?.['refused'])).toBe(12)
  expect((await call('console', 'logins', 'unlock')).code).toBe(2)
  const counted = (listed.data['logins'] as unknown[]).length
  const rehearsed = await call('console', 'logins', 'unlock', '--user', email, '--dry-run')
  expect((rehearsed.data['unlocked'] as unknown[]).length).toBe(counted)
  expect((await call('console', 'logins', 'unlock', '--user', email)).code).toBe(0)
  expect(await logIn(password)).toBe(200)
  expect((await call('console', 'logins', 'unlock', '--user', email)).code).toBe(5)
})
