import { describe, expect, test } from 'vitest'
import { formatUsd, parseUsd, sum } from '../../../../src/domain/money.ts'
import { readAccount } from '../../../../src/services/casino/account/read.ts'
import { setPlan, setTenantState, topUp } from '../../../../src/services/casino/admin/index.ts'
import { callerOf, refuses } from '../../../support/worlds/people.ts'
import { anAccount, checkBooks } from './accounts.ts'

/** One table for one day of March: USD 100 over 31 days, with the last digits of that day. */
const marchDay = '3.225806'

describe('the account', () => {
  test('of a new paid tenant', async () => {
    const { account } = await anAccount()
    expect(await account({})).toEqual({
      plan: 'paid',
      state: 'PAID',
      balanceUsd: '0',
      tablesUsed: 0,
      tablesQuota: null,
      streamGbMonth: '0.000',
      avgDailyUsd7d: '0',
      daysLeft: null,
      graceUntil: null,
    })
  })

  test('of a free tenant, and of any sandbox', async () => {
    const { tenant, account } = await anAccount({ plan: 'free', tables: ['BAC-01'] })
    expect(await account({})).toMatchObject({ plan: 'free', state: 'FREE', tablesUsed: 1, tablesQuota: 2 })
    expect(await tenant.sandbox.client.account({})).toMatchObject({ plan: 'free', state: 'FREE', balanceUsd: '0' })
  })

  test('shows credit with up to six decimals, also negative', async () => {
    const { account, goTo } = await anAccount({ credit: '5.123456', tables: ['BAC-01'] })
    expect(await account({})).toMatchObject({ balanceUsd: '5.123456' })
    await goTo('2026-03-12T00:00:00Z')
    expect((await account({})).balanceUsd).toMatch(/^-1[.]\d{6}$/)
  })

  test('shows the average cost of seven days and how long the credit lasts', async () => {
    const { account, goTo } = await anAccount({ credit: '100', tables: ['BAC-01'] })
    await goTo('2026-03-18T00:00:00Z')
    const { balanceUsd, avgDailyUsd7d, daysLeft } = await account({})
    expect(avgDailyUsd7d).toBe(marchDay)
    expect(daysLeft).toBe(Number(parseUsd(balanceUsd) / parseUsd(avgDailyUsd7d)))
  })

  test('has no days left without cost, and 0 without credit', async () => {
    const { account, enable, goTo } = await anAccount()
    await goTo('2026-03-12T00:00:00Z')
    expect(await account({})).toMatchObject({ daysLeft: null })
    await enable('BAC-01')
    await goTo('2026-03-14T00:00:00Z')
    expect(await account({})).toMatchObject({ daysLeft: 0, state: 'GRACE' })
  })
})

describe('usage', () => {
  test('has a table-day for every day on which a table was enabled, the first and the last included', async () => {
    const { days, enable, disable, goTo } = await anAccount({ credit: '1000' })
    await goTo('2026-03-11T23:59:59.999Z')
    await enable('BAC-01')
    await goTo('2026-03-13T00:00:00.000Z')
    await disable('BAC-01')
    await goTo('2026-03-15T00:00:00.000Z')
    expect((await days('2026-03-10', '2026-03-15')).map((day) => [day.day, day.tableDays])).toEqual([
      ['2026-03-10', 0],
      ['2026-03-11', 1],
      ['2026-03-12', 1],
      ['2026-03-13', 1],
      ['2026-03-14', 0],
      ['2026-03-15', 0],
    ])
  })

  test('counts a table once per day, with any number of enablings', async () => {
    const { world, days, enable, disable } = await anAccount({ credit: '1000' })
    for (let i = 0; i < 3; i++) {
      await enable('BAC-01')
      world.clock.add('1h')
      await disable('BAC-01')
    }
    await enable('DT-01')
    expect(await days('2026-03-10', '2026-03-10')).toEqual([
      {
        day: '2026-03-10',
        tableDays: 2,
        streamGb: '0.000',
        streamSource: 'estimate',
        tableFeeUsd: expect.any(String),
        streamFeeUsd: '0',
      },
    ])
  })

  test('of today is the running total, not charged yet', async () => {
    const { account, days, enable, goTo } = await anAccount({ credit: '1000' })
    await enable('BAC-01')
    const [today] = await days('2026-03-10', '2026-03-10')
    expect(today).toMatchObject({ tableDays: 1 })
    expect(await account({})).toMatchObject({ balanceUsd: '1000' })
    await goTo('2026-03-11T00:00:00.000Z')
    expect(await days('2026-03-10', '2026-03-10')).toEqual([today])
    expect(await account({})).toMatchObject({
      balanceUsd: formatUsd(parseUsd('1000') - parseUsd(today?.tableFeeUsd ?? '')),
    })
  })

  test('omits days before the account was opened, and future days', async () => {
    const { days } = await anAccount()
    expect((await days('2000-01-01', '2100-01-01')).map((day) => day.day)).toEqual(['2026-03-10'])
    expect(await days('2026-03-11', '2026-03-12')).toEqual([])
    expect(await days('2026-03-01', '2026-03-09')).toEqual([])
    expect(await days('0001-01-01', '9999-12-31')).toHaveLength(1)
  })

  test('costs nothing on the free plan and in the sandbox', async () => {
    const { tenant, days, goTo } = await anAccount({ plan: 'free', tables: ['BAC-01'] })
    await tenant.sandbox.client.enableTable({ body: { tableId: 'BAC-01' } })
    await goTo('2026-03-20T00:00:00Z')
    for (const each of [
      await days('2026-03-10', '2026-03-20'),
      (await tenant.sandbox.client.usage({ query: { from: '2026-03-10', to: '2026-03-20' } })).days,
    ])
      expect(each.every((day) => day.tableDays === 0 && day.tableFeeUsd === '0')).toBe(true)
  })

  test.each([
    ['2026-03-11', '2026-03-10'],
    ['2026-02-30', '2026-03-10'],
    ['2026-03-10', '2026-02-29'],
    ['2026-3-1', '2026-03-10'],
    ['', '2026-03-10'],
    ['2026-03-10', 'today'],
  ])('from %j to %j is INVALID_PARAMETER', async (from, to) => {
    const { usage } = await anAccount()
    await refuses('INVALID_PARAMETER', usage({ query: { from, to } }))
  })

  test.each(['from', 'to'])('without %s is INVALID_PARAMETER and names it', async (field) => {
    const { usage } = await anAccount()
    const query = { from: '2026-03-10', to: '2026-03-10', [field]: undefined }
    const refusal = await refuses('INVALID_PARAMETER', usage({ query: query as never }))
    expect(refusal.message).toContain(field)
  })
})

describe('a table', () => {
  test.each([
    ['2026-02', 28],
    ['2026-03', 31],
    ['2026-04', 30],
    ['2024-02', 29],
  ])('costs exactly 100 dollars in %s, which has %i days', async (month, length) => {
    const { days, goTo } = await anAccount({ at: `${month}-01T00:00:00Z`, credit: '1000', tables: ['BAC-01'] })
    await goTo(new Date(Date.parse(`${month}-01T00:00:00Z`) + length * 86_400_000).toISOString())
    const month1 = await days(`${month}-01`, `${month}-${length}`)
    expect(month1).toHaveLength(length)
    expect(formatUsd(sum(month1.map((day) => parseUsd(day.tableFeeUsd))))).toBe('100')
    const fees = month1.map((day) => parseUsd(day.tableFeeUsd))
    expect(fees.every((fee) => fee - (fees[0] ?? 0n) <= 1n && fee - (fees[0] ?? 0n) >= -1n)).toBe(true)
  })
})

describe('statements', () => {
  test('start when the first month is over: the first one is created on the 1st', async () => {
    const { statements, goTo } = await anAccount({ credit: '1000', tables: ['BAC-01'] })
    await goTo('2026-03-31T23:59:59.999Z')
    expect(await statements({})).toEqual({ statements: [] })
    await goTo('2026-04-01T00:00:00.000Z')
    const {
      statements: [march],
    } = await statements({})
    expect(march).toMatchObject({ period: '2026-03', openingUsd: '0', paymentsUsd: '1000' })
    expect(parseUsd(march?.chargesUsd ?? '')).toBeLessThan(0n)
    await goTo('2026-05-01T00:00:00.000Z')
    expect((await statements({})).statements.map(({ period, chargesUsd }) => [period, chargesUsd])).toEqual([
      ['2026-04', '-100'],
      ['2026-03', march?.chargesUsd],
    ])
  })

  test('of a month are created when its last day is charged, for past months only', async () => {
    const { world, statements, goTo } = await anAccount({ at: '2026-03-30T12:00:00Z', credit: '1000' })
    const periods = async () => (await statements({})).statements.map(({ period }) => period)
    await goTo('2026-03-31T12:00:00Z')
    world.clock.add('13h')
    expect(await periods()).toEqual([])
    await world.settle()
    expect(await periods()).toEqual(['2026-03'])
    await world.clock.set(Date.parse('2026-03-31T23:59:59.999Z'))
    expect(await periods()).toEqual([])
  })

  test('of a free tenant and of a sandbox are zero', async () => {
    const { tenant, statements, goTo } = await anAccount({ plan: 'free', tables: ['BAC-01'] })
    await goTo('2026-05-02T00:00:00Z')
    const empty = { openingUsd: '0', chargesUsd: '0', paymentsUsd: '0', closingUsd: '0' }
    const due = [
      { period: '2026-04', ...empty },
      { period: '2026-03', ...empty },
    ]
    expect((await statements({})).statements).toEqual(due)
    expect((await tenant.sandbox.client.statements({})).statements).toEqual(due)
  })
})

describe('used-up credit', () => {
  test('starts a grace period, during which everything works and is charged', async () => {
    const { account, enable, goTo, days } = await anAccount({
      credit: '10',
      tables: ['BAC-01', 'DT-01', 'DT-02', 'HE-01'],
    })
    await goTo('2026-03-11T00:00:00Z')
    expect(await account({})).toMatchObject({
      plan: 'paid',
      state: 'GRACE',
      graceUntil: '2026-03-18T00:00:00.000Z',
      tablesQuota: null,
      tablesUsed: 4,
    })
    await enable('HE-02')
    await goTo('2026-03-17T23:59:59.999Z')
    expect(await account({})).toMatchObject({ state: 'GRACE', tablesUsed: 5 })
    expect((await days('2026-03-12', '2026-03-12'))[0]).toMatchObject({ tableDays: 5 })
  })

  test('at exactly zero is used up, and a millionth above it is not', async () => {
    for (const [more, state] of [
      [0n, 'GRACE'],
      [1n, 'PAID'],
    ] as const) {
      const { world, tenant, account, days, enable, goTo } = await anAccount()
      await enable('BAC-01')
      const [today] = await days('2026-03-10', '2026-03-10')
      await topUp(world.casino, tenant.code, formatUsd(parseUsd(today?.tableFeeUsd ?? '') + more), 'one day')
      await goTo('2026-03-11T00:00:00Z')
      expect(await account({})).toMatchObject({ balanceUsd: formatUsd(more), state })
    }
  })

  test('that is not paid by the end of grace leads to the free plan: its quota, its limits, no more charges', async () => {
    const { account, enable, goTo, days, tenant } = await anAccount({
      credit: '10',
      tables: ['BAC-01', 'DT-01', 'DT-02', 'HE-01'],
    })
    await goTo('2026-03-18T00:00:00Z')
    const downgraded = await account({})
    expect(downgraded).toMatchObject({
      plan: 'free',
      state: 'DOWNGRADED',
      graceUntil: null,
      tablesQuota: 2,
      tablesUsed: 2,
    })
    const enabled = (await tenant.client.tables({})).tables.filter((table) => table.enabled)
    expect(enabled.map((table) => table.tableId)).toEqual(['BAC-01', 'DT-01'])
    await refuses('QUOTA_EXCEEDED', enable('NN-01'))
    await goTo('2026-04-18T00:00:00Z')
    expect(await account({})).toMatchObject({ balanceUsd: downgraded.balanceUsd })
    expect((await days('2026-03-20', '2026-04-18')).every((day) => day.tableDays === 0)).toBe(true)
  })

  test('is restored by a top-up during grace or after the downgrade, as soon as there is credit', async () => {
    for (const at of ['2026-03-12T00:00:00Z', '2026-03-20T00:00:00Z']) {
      const { world, tenant, account, enable, goTo } = await anAccount({
        credit: '10',
        tables: ['BAC-01', 'DT-01', 'DT-02', 'HE-01'],
      })
      await goTo(at)
      const { state, balanceUsd } = await account({})
      await topUp(world.casino, tenant.code, balanceUsd.slice(1), 'what is owed')
      expect(await account({})).toMatchObject({ state, balanceUsd: '0' })
      expect(await topUp(world.casino, tenant.code, '0.000001', 'and a little')).toMatchObject({ state: 'PAID' })
      expect(await account({})).toMatchObject({ plan: 'paid', state: 'PAID', graceUntil: null, tablesQuota: null })
      for (const tableId of ['DT-02', 'HE-01', 'HE-02']) await enable(tableId)
    }
  })

  test('does nothing to a free tenant', async () => {
    const { account, goTo } = await anAccount({ plan: 'free', tables: ['BAC-01'] })
    await goTo('2026-06-01T00:00:00Z')
    expect(await account({})).toMatchObject({ state: 'FREE', balanceUsd: '0' })
  })
})

describe('a top-up', () => {
  test('is credited once per reference', async () => {
    const { world, tenant, account } = await anAccount()
    expect(await topUp(world.casino, tenant.code, '50', 'r-1')).toMatchObject({ balanceUsd: '50', duplicate: false })
    expect(await topUp(world.casino, tenant.code, '50.00', 'r-1')).toMatchObject({ balanceUsd: '50', duplicate: true })
    await refuses('TXN_CONFLICT', topUp(world.casino, tenant.code, '51', 'r-1'))
    const many = await Promise.all(Array.from({ length: 10 }, () => topUp(world.casino, tenant.code, '7', 'r-2')))
    expect(many.filter((one) => !one.duplicate)).toHaveLength(1)
    expect(await account({})).toMatchObject({ balanceUsd: '57' })
  })

  test.each(['0', '-1', '1.0000001', 'much', '', '1e3', '1000000000000'])('of %j is INVALID_AMOUNT', async (amount) => {
    const { world, tenant } = await anAccount()
    await refuses('INVALID_AMOUNT', topUp(world.casino, tenant.code, amount, 'r'))
  })

  test('cannot raise the credit above its maximum', async () => {
    const { world, tenant, account } = await anAccount({ credit: '999999999999.999999' })
    await refuses('INVALID_AMOUNT', topUp(world.casino, tenant.code, '0.000001', 'r'))
    expect(await account({})).toMatchObject({ balanceUsd: '999999999999.999999' })
  })
})

describe('a suspended account', () => {
  test('is charged nothing, and is restored unchanged', async () => {
    const { world, tenant, account, goTo } = await anAccount({ credit: '100', tables: ['BAC-01'] })
    await setTenantState(world.casino, tenant.code, 'SUSPENDED')
    await goTo('2026-03-20T00:00:00Z')
    await setTenantState(world.casino, tenant.code, 'ENABLED')
    expect(await account({})).toMatchObject({ state: 'PAID', balanceUsd: '100', tablesUsed: 1 })
  })

  test('in grace stays in grace, which continues where it was; a payment during that time ends it', async () => {
    const { world, tenant, account, goTo } = await anAccount({ credit: '1', tables: ['BAC-01'] })
    await goTo('2026-03-11T00:00:00Z')
    await setTenantState(world.casino, tenant.code, 'SUSPENDED')
    await setTenantState(world.casino, tenant.code, 'CLOSED')
    await goTo('2026-03-16T00:00:00Z')
    await setTenantState(world.casino, tenant.code, 'ENABLED')
    expect(await account({})).toMatchObject({ state: 'GRACE', graceUntil: '2026-03-18T00:00:00.000Z' })
    await setTenantState(world.casino, tenant.code, 'SUSPENDED')
    expect(await topUp(world.casino, tenant.code, '100', 'r')).toMatchObject({ state: 'SUSPENDED' })
    await setTenantState(world.casino, tenant.code, 'ENABLED')
    expect(await account({})).toMatchObject({ state: 'PAID', graceUntil: null })
  })

  test('whose grace ended while it was suspended is downgraded when it is restored', async () => {
    const { world, tenant, account, goTo } = await anAccount({ credit: '1', tables: ['BAC-01'] })
    await goTo('2026-03-11T00:00:00Z')
    await setTenantState(world.casino, tenant.code, 'SUSPENDED')
    await goTo('2026-04-16T00:00:00Z')
    await setTenantState(world.casino, tenant.code, 'ENABLED')
    await world.settle()
    expect(await account({})).toMatchObject({ state: 'DOWNGRADED', plan: 'free' })
  })
})

test('the end of grace is in the account only during grace', async () => {
  const { world, tenant, goTo } = await anAccount({ credit: '1', tables: ['BAC-01'] })
  await goTo('2026-03-11T00:00:00Z')
  const caller = await callerOf(tenant)
  const shown = async () => {
    const { state, graceUntil } = await readAccount(world.casino, caller)
    return [state, graceUntil]
  }
  expect(await shown()).toEqual(['GRACE', '2026-03-18T00:00:00.000Z'])
  await setTenantState(world.casino, tenant.code, 'SUSPENDED')
  expect(await shown()).toEqual(['SUSPENDED', null])
})

describe('a plan', () => {
  test('can be changed: to the paid one, which lifts the quota, and back, which keeps two tables', async () => {
    const { world, tenant, account, enable } = await anAccount({ plan: 'free', tables: ['DT-02', 'BAC-01'] })
    await setPlan(world.casino, tenant.code, 'paid')
    expect(await account({})).toMatchObject({ plan: 'paid', state: 'PAID', tablesQuota: null })
    await enable('NN-01')
    await setPlan(world.casino, tenant.code, 'free')
    expect(await account({})).toMatchObject({ plan: 'free', state: 'FREE', tablesUsed: 2 })
    const enabled = (await tenant.client.tables({})).tables.filter((table) => table.enabled)
    expect(enabled.map((table) => table.tableId)).toEqual(['BAC-01', 'DT-02'])
    await refuses('CONFLICT', setPlan(world.casino, tenant.sandbox.code, 'paid'))
    await refuses('NOT_FOUND', setPlan(world.casino, 'NOBODY', 'paid'))
  })

  test('changed during a day is charged for that day, and not afterwards', async () => {
    const { world, tenant, account, days, goTo } = await anAccount({
      credit: '10',
      tables: ['BAC-01', 'DT-01', 'HE-01'],
    })
    await setPlan(world.casino, tenant.code, 'free')
    expect((await days('2026-03-10', '2026-03-10'))[0]).toMatchObject({ tableDays: 3 })
    await goTo('2026-03-13T00:00:00.000Z')
    const charged = await days('2026-03-10', '2026-03-12')
    expect(charged.map((day) => [day.tableDays, day.tableFeeUsd])).toEqual([
      [3, '9.677418'],
      [0, '0'],
      [0, '0'],
    ])
    expect(await account({})).toMatchObject({ balanceUsd: '0.322582', state: 'FREE' })
  })
})

describe('time', () => {
  test('that passed without requests is charged day by day at the next request', async () => {
    const { world, tenant, account, days } = await anAccount({ credit: '1000', tables: ['BAC-01'] })
    world.clock.add('30d')
    expect(await account({})).toMatchObject({ balanceUsd: '1000' })
    expect(await days('2026-03-10', '2026-04-09')).toHaveLength(31)
    await world.settle()
    await checkBooks(world, tenant, '2026-03-10')
    expect((await days('2026-03-10', '2026-04-08')).every((day) => day.tableDays === 1)).toBe(true)
  })
})
