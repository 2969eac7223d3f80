import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAmount } from '../../../src/domain/money.ts'
import { adjust } from '../../../src/services/casino/admin/index.ts'
import { parseReply, prefix, sendRaw } from '../../support/http/raw.ts'
import { auditBalances } from '../../support/program/audit.ts'
import { anOpenRound, aPlayer, aRound, aTenant, balanceOf, refuses } from '../../support/worlds/people.ts'
import { aClock, inFile, inMemory, onPostgres, testWorld } from '../../support/worlds/world.ts'

async function aWallet(options: Parameters<typeof testWorld>[0] = {}) {
  const world = await testWorld(options)
  const tenant = await aTenant(world)
  const input = (txnId: string, amount: string, more: object = {}) => ({
    body: { username: 'amy', txnId, amount, currency: 'USD', ...more },
  })
  const balance = async (username = 'amy') => (await tenant.client.balance({ query: { username } })).balance
  const { deposit, withdraw, transfer, player } = tenant.client
  return { world, tenant, order: input, balance, deposit, withdraw, transfer, player }
}

describe.each([inMemory, inFile, onPostgres])('on $name', (on) => {
  test('deposits and withdrawals return the balance right after them', async () => {
    const { order: input, deposit, withdraw, balance } = await aWallet({ on })
    expect(await deposit(input('t-1', '100'))).toEqual({
      txnId: 't-1',
      status: 'done',
      balance: '100',
      duplicate: false,
    })
    expect(await deposit(input('t-2', '0.5'))).toMatchObject({ balance: '100.5' })
    expect(await withdraw(input('t-3', '100.4999'))).toEqual({
      txnId: 't-3',
      status: 'done',
      balance: '0.0001',
      duplicate: false,
    })
    expect(await balance()).toBe('0.0001')
  })

  test('the largest amount is deposited and withdrawn exactly', async () => {
    const { order: input, deposit, withdraw, balance, transfer } = await aWallet({ on })
    const largest = '999999999999999.9999'
    expect(await deposit(input('t-1', largest))).toMatchObject({ balance: largest })
    expect(await transfer({ query: { txnId: 't-1' } })).toMatchObject({ amount: largest, balance: largest })
    await refuses('INVALID_AMOUNT', deposit(input('t-2', '0.0001')))
    expect(await balance()).toBe(largest)
    expect(await withdraw(input('t-3', '0.0001'))).toMatchObject({ balance: '999999999999999.9998' })
    expect(await withdraw(input('t-4', '999999999999999.9998'))).toMatchObject({ balance: '0' })
    await refuses('INSUFFICIENT_BALANCE', withdraw(input('t-5', '0.0001')))
  })

  test('many concurrent deposits of one txnId: one is no duplicate, and the balance moves once', async () => {
    const { world, order: input, deposit, balance } = await aWallet({ on })
    const results = await Promise.all(Array.from({ length: 30 }, () => deposit(input('t-1', '10'))))
    expect(results.filter((result) => !result.duplicate)).toHaveLength(1)
    expect(results.every((result) => result.balance === '10')).toBe(true)
    expect(await balance()).toBe('10')
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('many concurrent deposits for an unknown player create one player, and all arrive', async () => {
    const { world, order: input, deposit, balance } = await aWallet({ on })
    await Promise.all(Array.from({ length: 30 }, (_, i) => deposit(input(`t-${i}`, '1.0001'))))
    expect(await balance()).toBe('30.003')
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('of 200 concurrent withdrawals, as many are done as the balance covers, and it ends at exactly zero', async () => {
    const { world, order: input, deposit, withdraw, balance } = await aWallet({ on })
    await deposit(input('first', '150'))
    const results = await Promise.allSettled(Array.from({ length: 200 }, (_, i) => withdraw(input(`t-${i}`, '1'))))
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    expect(new Set(done.map((result) => result.balance)).size).toBe(150)
    expect(refused).toEqual(Array.from({ length: 50 }, () => 'INSUFFICIENT_BALANCE'))
    expect(await balance()).toBe('0')
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('concurrent deposits, withdrawals and repeats of both leave the accounts balanced', async () => {
    const { world, tenant, deposit, withdraw } = await aWallet({ on })
    const names = ['amy', 'bob', 'cho']
    for (const username of names) await aPlayer(tenant, { username, balance: '50' })
    const moves = Array.from({ length: 150 }, (_, i) => {
      const body = { username: names[i % 3] ?? '', txnId: `t-${Math.floor(i / 2)}`, amount: '7.25', currency: 'USD' }
      return i % 4 < 2 ? deposit({ body }) : withdraw({ body })
    })
    await Promise.allSettled(moves)
    expect(await auditBalances(world.store)).toEqual([])
  })
})

describe('the same txnId', () => {
  test('with the same content returns the original result, after any number of repeats and later changes', async () => {
    const { order: input, deposit, withdraw, balance } = await aWallet()
    await deposit(input('t-1', '10'))
    await deposit(input('t-2', '5'))
    await withdraw(input('t-3', '12'))
    for (let i = 0; i < 3; i++) {
      expect(await deposit(input('t-1', '10'))).toEqual({
        txnId: 't-1',
        status: 'done',
        balance: '10',
        duplicate: true,
      })
      expect(await withdraw(input('t-3', '12'))).toMatchObject({ balance: '3', duplicate: true })
    }
    expect(await balance()).toBe('3')
  })

  test('has the same content if the amount is written differently, or the name and currency in another case', async () => {
    const { order: input, deposit } = await aWallet()
    await deposit(input('t-1', '10.5'))
    for (const again of [
      input('t-1', '10.50'),
      input('t-1', '010.5000'),
      input('t-1', '10.5', { username: 'AMY', currency: 'usd' }),
    ])
      expect(await deposit(again)).toMatchObject({ duplicate: true })
  })

  test('with another amount or direction is always TXN_CONFLICT, and changes nothing', async () => {
    const { world, order: input, deposit, withdraw, balance } = await aWallet()
    await deposit(input('t-1', '10'))
    for (const wait of ['0s', '61d', '400d']) {
      world.clock.add(wait)
      await refuses('TXN_CONFLICT', deposit(input('t-1', '10.0001')))
      await refuses('TXN_CONFLICT', withdraw(input('t-1', '10')))
      await refuses('TXN_CONFLICT', withdraw(input('t-1', '3')))
      expect(await deposit(input('t-1', '10'))).toMatchObject({ duplicate: true })
    }
    expect(await balance()).toBe('10')
  })

  test('for another player is TXN_CONFLICT within two months, and free after that', async () => {
    const {
      world,
      tenant,
      order: input,
      deposit,
      withdraw,
      balance,
      player,
    } = await aWallet({
      time: aClock('2026-03-31T10:00:00Z'),
    })
    await deposit(input('t-1', '10'))
    await aPlayer(tenant, { username: 'bob', balance: '50' })
    const bobs = input('t-1', '10', { username: 'bob' })
    const news = input('t-1', '10', { username: 'new' })
    await refuses('TXN_CONFLICT', deposit(bobs))
    await refuses('TXN_CONFLICT', withdraw(bobs))
    await refuses('TXN_CONFLICT', deposit(news))
    await refuses('PLAYER_NOT_FOUND', player({ query: { username: 'new' } }))
    await world.clock.set(Date.parse('2026-05-31T09:59:59.999Z'))
    await refuses('TXN_CONFLICT', deposit(bobs))
    await world.clock.set(Date.parse('2026-05-31T10:00:00Z'))
    expect(await withdraw(bobs)).toEqual({ txnId: 't-1', status: 'done', balance: '40', duplicate: false })
    expect(await withdraw(bobs)).toMatchObject({ duplicate: true })
    await refuses('TXN_CONFLICT', deposit(bobs))
    await refuses('TXN_CONFLICT', deposit(news))
    expect(await deposit(input('t-1', '10'))).toMatchObject({ balance: '10', duplicate: true })
    expect(await balance('bob')).toBe('40')
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('is case-sensitive', async () => {
    const { order: input, deposit, balance } = await aWallet()
    await deposit(input('txn', '1'))
    expect(await deposit(input('TXN', '2'))).toMatchObject({ duplicate: false, balance: '3' })
    expect(await balance()).toBe('3')
  })

  test('in the sandbox, or of another tenant, is another', async () => {
    const { world, tenant, order: input, deposit } = await aWallet()
    await deposit(input('t-1', '1'))
    expect(await tenant.sandbox.client.deposit(input('t-1', '2'))).toMatchObject({ duplicate: false })
    const other = await aTenant(world)
    expect(await other.client.deposit(input('t-1', '3', { username: 'bob' }))).toMatchObject({ duplicate: false })
  })

  test('of a refused transfer is free', async () => {
    const { order: input, deposit, withdraw } = await aWallet()
    await deposit(input('t-0', '5'))
    await refuses('INSUFFICIENT_BALANCE', withdraw(input('t-1', '6')))
    expect(await withdraw(input('t-1', '5'))).toMatchObject({ duplicate: false })
  })

  test('of an adjustment is used up', async () => {
    const { world, tenant, order: input, deposit, withdraw } = await aWallet()
    await deposit(input('t-0', '5'))
    await adjust(world.casino, tenant.code, 'amy', '5', 't-1')
    await refuses('TXN_CONFLICT', deposit(input('t-1', '5')))
    await refuses('TXN_CONFLICT', withdraw(input('t-1', '5')))
  })
})

describe('a transfer', () => {
  test("must be in the player's currency, in any case", async () => {
    const { tenant, deposit, withdraw, balance } = await aWallet()
    await aPlayer(tenant, { username: 'amy', balance: '5', currency: 'TWD' })
    for (const currency of ['USD', 'EUR', 'JPY', 'nonsense', '']) {
      const body = { username: 'amy', txnId: 't', amount: '1', currency }
      await refuses('CURRENCY_MISMATCH', deposit({ body }))
      await refuses('CURRENCY_MISMATCH', withdraw({ body }))
    }
    await deposit({ body: { username: 'amy', txnId: 't', amount: '1', currency: 'tWd' } })
    expect(await balance()).toBe('6')
  })

  test('out needs an existing player', async () => {
    const { order: input, withdraw, player } = await aWallet()
    await refuses('PLAYER_NOT_FOUND', withdraw(input('t', '1')))
    await refuses('PLAYER_NOT_FOUND', player({ query: { username: 'amy' } }))
  })

  test('out takes at most the balance, from which stakes of unsettled bets are already deducted', async () => {
    const { world, tenant, order: input, withdraw, balance } = await aWallet()
    await tenant.client.enableTable({ body: { tableId: 'BAC-01' } })
    await aPlayer(tenant, { username: 'amy', balance: '100' })
    await anOpenRound(tenant, 'BAC-01', [{ username: 'amy', bets: { B: '30.5' } }])
    expect(await balance()).toBe('69.5')
    await refuses('INSUFFICIENT_BALANCE', withdraw(input('t-1', '69.5001')))
    expect(await withdraw(input('t-2', '69.5'))).toMatchObject({ balance: '0' })
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('out of winnings: a win can be withdrawn at once', async () => {
    const { tenant, order: input, withdraw } = await aWallet()
    await tenant.client.enableTable({ body: { tableId: 'BAC-01' } })
    await aPlayer(tenant, { username: 'amy', balance: '100' })
    await aRound(tenant, { slips: [{ username: 'amy', bets: { B: '100' } }] })
    expect(await withdraw(input('t', '195'))).toMatchObject({ balance: '0' })
  })

  const bad = [
    '0',
    '0.0',
    '000',
    '-1',
    '+1',
    '1.',
    '.5',
    '1.00001',
    '1e3',
    '1,5',
    ' 1',
    '1 ',
    '',
    'NaN',
    'Infinity',
    '0x10',
    '１',
    '1000000000000000',
    '0.00001',
    '1\n',
  ]
  test.each(bad)('of the amount %j is INVALID_AMOUNT', async (amount) => {
    const { order: input, deposit, withdraw, balance } = await aWallet()
    await deposit(input('t-0', '5'))
    await refuses('INVALID_AMOUNT', deposit(input('t-1', amount)))
    await refuses('INVALID_AMOUNT', withdraw(input('t-1', amount)))
    expect(await balance()).toBe('5')
  })

  test('of an amount that is no text is INVALID_AMOUNT: never a floating-point number', async () => {
    const { order: input, deposit } = await aWallet()
    for (const amount of [5, 0.1, null, true, ['5'], { value: '5' }])
      await refuses('INVALID_AMOUNT', deposit(input('t', '1', { amount })))
  })

  test.each(['', 'a b', 'a/b', 'ä', 'a'.repeat(65), 'a\n', 7, null])(
    'with the txnId %j is INVALID_PARAMETER',
    async (txnId) => {
      const { order: input, deposit, withdraw, player } = await aWallet()
      await refuses('INVALID_PARAMETER', deposit(input('t', '1', { txnId })))
      await refuses('INVALID_PARAMETER', withdraw(input('t', '1', { txnId })))
      await refuses('PLAYER_NOT_FOUND', player({ query: { username: 'amy' } }))
    },
  )

  test('takes a txnId of 1 to 64 characters', async () => {
    const { order: input, deposit } = await aWallet()
    for (const txnId of ['a', 'A.b_c:d-9', 'x'.repeat(64)]) await deposit(input(txnId, '1'))
  })

  test.each(['username', 'txnId', 'amount', 'currency'])(
    'without %s is INVALID_PARAMETER and names the field',
    async (field) => {
      const { order: input, deposit, withdraw } = await aWallet()
      const refusal = await refuses('INVALID_PARAMETER', deposit(input('t', '1', { [field]: undefined })))
      expect(refusal.message).toContain(field)
      await refuses('INVALID_PARAMETER', withdraw(input('t', '1', { [field]: undefined })))
    },
  )

  test('with several faults reports the first field of the document', async () => {
    const { deposit } = await aWallet()
    const body = { username: 'a b', txnId: 'a b', amount: '0', currency: 7 } as never
    await refuses('INVALID_USERNAME', deposit({ body }))
  })

  test('never leaves a remainder of another scale: balances are sums, to the last unit', async () => {
    const { deposit, withdraw, balance } = await aWallet()
    const units = fc.bigInt({ min: 1n, max: 10n ** 14n })
    const text = (n: bigint) => `${n / 10_000n}.${String(n % 10_000n).padStart(4, '0')}`
    let due = 0n
    let i = 0
    await fc.assert(
      fc.asyncProperty(units, fc.boolean(), async (amount, isDeposit) => {
        const body = { username: 'amy', txnId: `t-${i++}`, amount: text(amount), currency: 'USD' }
        if (isDeposit || i === 1) {
          await deposit({ body })
          due += amount
        } else if (amount <= due) {
          await withdraw({ body })
          due -= amount
        } else await refuses('INSUFFICIENT_BALANCE', withdraw({ body }))
        const actual = await balance()
        expect(actual).not.toMatch(/[.]\d*0$|[.]$/)
        expect(parseAmount(actual)).toBe(due)
      }),
      { numRuns: 60 },
    )
  })
})

describe('the look-up of a transfer', () => {
  test('returns its record', async () => {
    const { world, order: input, deposit, withdraw, transfer } = await aWallet()
    await deposit(input('t-1', '10.50', { username: 'Amy' }))
    const at = new Date(world.casino.machineNow()).toISOString()
    world.clock.add('1h')
    await withdraw(input('t-2', '4'))
    expect(await transfer({ query: { txnId: 't-1' } })).toEqual({
      txnId: 't-1',
      username: 'Amy',
      dir: 'in',
      amount: '10.5',
      status: 'done',
      balance: '10.5',
      at,
    })
    expect(await transfer({ query: { txnId: 't-2', username: 'AMY' } })).toMatchObject({
      dir: 'out',
      amount: '4',
      balance: '6.5',
    })
  })

  test('is not found for a rejected transfer, an unknown player or another tenant', async () => {
    const { world, order: input, withdraw, deposit, transfer } = await aWallet()
    await deposit(input('t-1', '1'))
    await refuses('INSUFFICIENT_BALANCE', withdraw(input('t-2', '5')))
    await refuses('TXN_NOT_FOUND', transfer({ query: { txnId: 't-2' } }))
    await refuses('TXN_NOT_FOUND', transfer({ query: { txnId: 'T-1' } }))
    const other = await aTenant(world)
    await aPlayer(other, { username: 'amy' })
    await refuses('TXN_NOT_FOUND', other.client.transfer({ query: { txnId: 't-1' } }))
  })

  test.each([{}, { txnId: '' }, { txnId: 'a b' }, { txnId: 't', username: 'a b' }, { txnId: 't', username: '' }])(
    'of %j is INVALID_PARAMETER',
    async (query) => {
      const { transfer } = await aWallet()
      await refuses('INVALID_PARAMETER', transfer({ query: query as never }))
    },
  )

  test('with a name finds any completed transfer; without one it searches this and three more UTC months', async () => {
    const { world, order: input, deposit, transfer } = await aWallet({ time: aClock('2026-01-31T23:59:59.999Z') })
    await deposit(input('t-1', '10'))
    await world.clock.set(Date.parse('2026-04-30T23:59:59.999Z'))
    await transfer({ query: { txnId: 't-1' } })
    await world.clock.set(Date.parse('2026-05-01T00:00:00.000Z'))
    await refuses('TXN_NOT_FOUND', transfer({ query: { txnId: 't-1' } }))
    expect(await transfer({ query: { txnId: 't-1', username: 'amy' } })).toMatchObject({ amount: '10' })
    await world.clock.set(Date.parse('2030-01-01T00:00:00.000Z'))
    expect(await transfer({ query: { txnId: 't-1', username: 'amy' } })).toMatchObject({ amount: '10' })
  })

  // 1-tenant-api: "with username, any transfer that succeeded is found"; the ledger search covers the current and previous 3 UTC months.
  test("with another player's name finds the tenant's transfer, and names that player", async () => {
    const {
      world,
      tenant,
      order: input,
      deposit,
      transfer,
    } = await aWallet({ time: aClock('2026-01-01T00:00:00.000Z') })
    await aPlayer(tenant, { username: 'bob' })
    await deposit(input('t-1', '10'))
    const request = { query: { txnId: 't-1', username: 'bob' } }
    expect(await transfer(request)).toMatchObject({ username: 'amy', dir: 'in', amount: '10' })
    expect(await transfer({ query: { txnId: 't-1', username: 'nobody' } })).toMatchObject({ username: 'amy' })
    await world.clock.set(Date.parse('2026-04-30T23:59:59.999Z'))
    expect(await transfer(request)).toMatchObject({ username: 'amy' })
    await world.clock.set(Date.parse('2026-05-01T00:00:00.000Z'))
    await refuses('TXN_NOT_FOUND', transfer(request))
    expect(await transfer({ query: { txnId: 't-1', username: 'amy' } })).toMatchObject({ username: 'amy' })
  })

  test("with a name finds the player's own transfer, also if another player's is later", async () => {
    const { world, order: input, deposit, transfer } = await aWallet({ time: aClock('2026-01-10T00:00:00.000Z') })
    await deposit(input('t-1', '10'))
    await world.clock.set(Date.parse('2026-03-20T00:00:00.000Z'))
    await deposit(input('t-1', '20', { username: 'bob' }))
    expect(await transfer({ query: { txnId: 't-1', username: 'amy' } })).toMatchObject({ amount: '10' })
    expect(await transfer({ query: { txnId: 't-1', username: 'bob' } })).toMatchObject({ amount: '20' })
    expect(await transfer({ query: { txnId: 't-1', username: 'cho' } })).toMatchObject({ username: 'bob' })
  })

  test('of a txnId that two players used months apart: the later one, or that of the given name', async () => {
    const { world, order: input, deposit, transfer } = await aWallet()
    await deposit(input('t-1', '10'))
    world.clock.add('70d')
    await deposit(input('t-1', '20', { username: 'bob' }))
    expect(await transfer({ query: { txnId: 't-1' } })).toMatchObject({ username: 'bob', amount: '20' })
    expect(await transfer({ query: { txnId: 't-1', username: 'amy' } })).toMatchObject({
      username: 'amy',
      amount: '10',
    })
  })

  test('never returns INVALID_USERNAME, which its list does not have', async () => {
    const { world, tenant } = await aWallet()
    const reply = await sendRaw(world, tenant.key, { url: `${prefix}/wallet/transfer?txnId=t&username=%00` })
    expect(parseReply(reply)).toMatchObject({ status: 400, code: 'INVALID_PARAMETER' })
  })
})

describe('an adjustment', () => {
  test('moves a balance up and down, and is looked up with a positive amount', async () => {
    const { world, tenant, transfer } = await aWallet()
    const player = await aPlayer(tenant, { username: 'amy', balance: '10' })
    expect(await adjust(world.casino, tenant.code, 'AMY', '2.5', 'a-1')).toEqual({
      txnId: 'a-1',
      username: 'amy',
      balance: '12.5',
      duplicate: false,
    })
    expect(await adjust(world.casino, tenant.code, 'amy', '-12.50', 'a-2')).toMatchObject({ balance: '0' })
    expect(await transfer({ query: { txnId: 'a-1' } })).toMatchObject({ dir: 'adjust', amount: '2.5', balance: '12.5' })
    expect(await transfer({ query: { txnId: 'a-2' } })).toMatchObject({ dir: 'adjust', amount: '12.5', balance: '0' })
    expect(await balanceOf(player)).toBe('0')
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('is done once: a repeat is a duplicate, and the opposite sign a conflict', async () => {
    const { world, tenant } = await aWallet()
    const player = await aPlayer(tenant, { username: 'amy', balance: '10' })
    await adjust(world.casino, tenant.code, 'amy', '3', 'a-1')
    expect(await adjust(world.casino, tenant.code, 'amy', '3.0', 'a-1')).toMatchObject({
      duplicate: true,
      balance: '13',
    })
    await refuses('TXN_CONFLICT', adjust(world.casino, tenant.code, 'amy', '-3', 'a-1'))
    expect(await balanceOf(player)).toBe('13')
  })

  test('never takes a balance below zero or beyond 15 digits', async () => {
    const { world, tenant } = await aWallet()
    await aPlayer(tenant, { username: 'amy', balance: '10' })
    await refuses('INSUFFICIENT_BALANCE', adjust(world.casino, tenant.code, 'amy', '-10.0001', 'a-1'))
    await refuses('INVALID_AMOUNT', adjust(world.casino, tenant.code, 'amy', '999999999999999.9999', 'a-2'))
  })

  test.each([
    ['0', 'a', 'INVALID_AMOUNT'],
    ['-0.0', 'a', 'INVALID_AMOUNT'],
    ['1.00001', 'a', 'INVALID_AMOUNT'],
    ['--1', 'a', 'INVALID_AMOUNT'],
    ['1', 'a b', 'INVALID_PARAMETER'],
    ['1', '', 'INVALID_PARAMETER'],
  ])('of %s under %j is %s', async (amount, txnId, code) => {
    const { world, tenant } = await aWallet()
    await aPlayer(tenant, { username: 'amy' })
    await refuses(code, adjust(world.casino, tenant.code, 'amy', amount, txnId))
  })

  test('needs a tenant and a player', async () => {
    const { world, tenant } = await aWallet()
    await refuses('NOT_FOUND', adjust(world.casino, 'NOBODY', 'amy', '1', 'a'))
    await refuses('PLAYER_NOT_FOUND', adjust(world.casino, tenant.code, 'nobody', '1', 'a'))
  })
})
