import { describe, expect, test } from 'vitest'
import { setLimits, setTableStatus } from '../../../../src/services/casino/admin/index.ts'
import { aTenant, refuses } from '../../../support/worlds/people.ts'
import { inFile, inMemory, onPostgres, testWorld } from '../../../support/worlds/world.ts'

async function aFloor(options: Parameters<typeof aTenant>[1] = {}, world = testWorld()) {
  const opened = await world
  const tenant = await aTenant(opened, options)
  const { tables, enableTable, disableTable } = tenant.client
  const enable = (tableId: string) => enableTable({ body: { tableId } })
  const disable = (tableId: string) => disableTable({ body: { tableId } })
  const enabled = async () => (await tables({})).tables.filter((table) => table.enabled).map((table) => table.tableId)
  return { world: opened, tenant, tables, enable, disable, enabled }
}

describe('the list of tables', () => {
  test('has every table of the platform with its variants, names and betting time', async () => {
    const { tables } = await aFloor()
    const list = (await tables({})).tables
    expect(list.map((table) => [table.tableId, table.game, table.variants])).toEqual([
      ['BAC-01', 'baccarat', ['classic', 'nocomm']],
      ['DT-01', 'dragontiger', ['standard']],
      ['DT-02', 'dragontiger', ['standard']],
      ['HE-01', 'holdem', ['casino']],
      ['HE-02', 'holdem', ['thbp']],
      ['HE-03', 'holdem', ['nlhe']],
      ['NN-01', 'niuniu', ['standard']],
      ['NN-02', 'niuniu', ['standard']],
    ])
    expect(list[0]).toEqual({
      tableId: 'BAC-01',
      game: 'baccarat',
      variants: ['classic', 'nocomm'],
      name: { ENG: 'Baccarat 1', CHT: '百家樂 1', CHS: '百家乐 1' },
      status: 'open',
      betSeconds: 20,
      enabled: false,
    })
  })

  test('shows maintenance, in one environment only', async () => {
    const { world, tenant } = await aFloor()
    await setTableStatus(world.casino, 'live', 'BAC-01', 'maintenance')
    const status = async (client: typeof tenant.client) => (await client.tables({})).tables[0]?.status
    expect(await status(tenant.client)).toBe('maintenance')
    expect(await status(tenant.sandbox.client)).toBe('open')
    await setTableStatus(world.casino, 'live', 'BAC-01', 'open')
    expect(await status(tenant.client)).toBe('open')
    await refuses('NOT_FOUND', setTableStatus(world.casino, 'live', 'NO-01', 'open'))
  })

  test("shows each tenant's own enabled tables", async () => {
    const { world, tenant, enable, enabled } = await aFloor()
    const other = await aFloor({}, Promise.resolve(world))
    await enable('BAC-01')
    expect(await enabled()).toEqual(['BAC-01'])
    expect(await other.enabled()).toEqual([])
    expect((await tenant.sandbox.client.tables({})).tables.some((table) => table.enabled)).toBe(false)
  })
})

describe('enabling', () => {
  test('returns the state after the call; a repeat is no error and counts once', async () => {
    const { enable, disable, enabled } = await aFloor()
    expect(await enable('BAC-01')).toEqual({ tableId: 'BAC-01', enabled: true, used: 1, quota: null })
    expect(await enable('BAC-01')).toEqual({ tableId: 'BAC-01', enabled: true, used: 1, quota: null })
    expect(await enable('HE-01')).toMatchObject({ used: 2 })
    expect(await disable('BAC-01')).toEqual({ tableId: 'BAC-01', enabled: false, used: 1, quota: null })
    expect(await disable('BAC-01')).toMatchObject({ enabled: false, used: 1 })
    expect(await enabled()).toEqual(['HE-01'])
  })

  test('of a table that does not exist is NOT_FOUND, disabling too', async () => {
    const { enable, disable } = await aFloor()
    for (const tableId of ['NO-01', 'bac-01', ' BAC-01', '%', "'"]) {
      await refuses('NOT_FOUND', enable(tableId))
      await refuses('NOT_FOUND', disable(tableId))
    }
  })

  test.each([undefined, null, '', 7, ['BAC-01'], 'BAC-01\u0000'])('of %j is INVALID_PARAMETER', async (tableId) => {
    const { enable, disable } = await aFloor()
    const refusal = await refuses('INVALID_PARAMETER', enable(tableId as never))
    expect(refusal.message).toContain('tableId')
    await refuses('INVALID_PARAMETER', disable(tableId as never))
  })

  test('on the free plan, and in a sandbox, ends at two tables', async () => {
    const { tenant } = await aFloor({ plan: 'free' })
    for (const { client } of [tenant, tenant.sandbox]) {
      const enable = (tableId: string) => client.enableTable({ body: { tableId } })
      expect(await enable('BAC-01')).toMatchObject({ used: 1, quota: 2 })
      expect(await enable('DT-01')).toMatchObject({ used: 2, quota: 2 })
      await refuses('QUOTA_EXCEEDED', enable('DT-02'))
      expect(await enable('DT-01')).toMatchObject({ used: 2 })
      expect(await client.disableTable({ body: { tableId: 'BAC-01' } })).toMatchObject({ used: 1, quota: 2 })
      expect(await enable('DT-02')).toMatchObject({ used: 2 })
      expect(await client.account({})).toMatchObject({ tablesUsed: 2, tablesQuota: 2 })
    }
  })

  test('beyond the plan’s quota works if the platform lifted it', async () => {
    const { world, tenant, enable } = await aFloor({ plan: 'free' })
    await setLimits(world.casino, tenant.code, { tables_quota: 3 })
    for (const tableId of ['BAC-01', 'DT-01', 'DT-02']) await enable(tableId)
    await refuses('QUOTA_EXCEEDED', enable('HE-01'))
  })

  test('on the paid plan has no quota', async () => {
    const { tables, enable } = await aFloor()
    for (const { tableId } of (await tables({})).tables) expect(await enable(tableId)).toMatchObject({ quota: null })
  })
})

describe.each([inMemory, inFile, onPostgres])('on $name', (on) => {
  test('many tables that are enabled at once do not exceed the quota', async () => {
    const { tenant, enable, enabled } = await aFloor({ plan: 'free' }, testWorld({ on }))
    const ids = ['BAC-01', 'DT-01', 'DT-02', 'HE-01', 'HE-02', 'HE-03', 'NN-01', 'NN-02']
    const results = await Promise.allSettled(ids.map((tableId) => enable(tableId)))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(2)
    expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))).toEqual(
      Array.from({ length: 6 }, () => 'QUOTA_EXCEEDED'),
    )
    expect(await enabled()).toHaveLength(2)
    expect(await tenant.client.account({})).toMatchObject({ tablesUsed: 2 })
  })

  test('one table that is enabled many times at once is enabled once', async () => {
    const { world, enable, disable } = await aFloor({}, testWorld({ on }))
    const results = await Promise.all(Array.from({ length: 12 }, () => enable('BAC-01')))
    expect(results.every((result) => result.used === 1)).toBe(true)
    const open = () =>
      world.store.read(({ q }) =>
        q.selectFrom('casino_table_spans').selectAll().where('disabled_at', 'is', null).execute(),
      )
    expect(await open()).toHaveLength(1)
    await Promise.all([disable('BAC-01'), enable('BAC-01'), disable('BAC-01'), enable('BAC-01')])
    expect((await open()).length).toBeLessThanOrEqual(1)
  })
})
