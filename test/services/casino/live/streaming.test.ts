import { describe, expect, test } from 'vitest'
import { countedStream, type StreamSource, streamFee } from '../../../../src/domain/account/billing.ts'
import { formatUsd, parseUsd } from '../../../../src/domain/money.ts'
import { setTenantState, topUp } from '../../../../src/services/casino/admin/index.ts'
import { measureStream } from '../../../../src/services/casino/simulator/streaming.ts'
import { aTenant, refuses } from '../../../support/worlds/people.ts'
import { aClock, testWorld } from '../../../support/worlds/world.ts'

async function streaming(options: Parameters<typeof aTenant>[1] = {}) {
  const world = await testWorld({ time: aClock('2026-03-10T12:00:00.000Z') })
  const tenant = await aTenant(world, options)
  await topUp(world.casino, tenant.code, '1000', 'first')
  const measure = (gb: string, source: StreamSource, day?: string) =>
    measureStream(world.casino, tenant.code, { gb, source, day })
  const usageOf = async (day: string) => (await tenant.client.usage({ query: { from: day, to: day } })).days[0]
  const goTo = (moment: string) => world.clock.advance(Date.parse(moment))
  return { world, tenant, measure, usageOf, goTo }
}

describe('streaming', () => {
  test('is in the usage at once, from the most trusted source, with the latest value of each', async () => {
    const { measure, usageOf } = await streaming()
    expect(await usageOf('2026-03-10')).toMatchObject({
      streamGb: '0.000',
      streamSource: 'estimate',
      streamFeeUsd: '0',
    })
    await measure('7', 'estimate')
    expect(await usageOf('2026-03-10')).toMatchObject({ streamGb: '7.000', streamSource: 'estimate' })
    await measure('9.125', 'client')
    await measure('8', 'estimate')
    expect(await usageOf('2026-03-10')).toMatchObject({ streamGb: '9.125', streamSource: 'client' })
    await measure('1', 'cdn')
    await measure('12.5', 'cdn')
    expect(await usageOf('2026-03-10')).toMatchObject({
      streamGb: '12.500',
      streamSource: 'cdn',
      streamFeeUsd: '0.625',
    })
  })

  test('is charged with the day, in addition to the tables, and both are in the month’s charges', async () => {
    const { tenant, measure, usageOf, goTo } = await streaming({ tables: ['BAC-01'] })
    await measure('100.001', 'cdn')
    const before = await usageOf('2026-03-10')
    await goTo('2026-03-11T00:00:00Z')
    expect(await usageOf('2026-03-10')).toEqual(before)
    const fee = parseUsd(before?.tableFeeUsd ?? '') + parseUsd(before?.streamFeeUsd ?? '')
    expect(await tenant.client.account({})).toMatchObject({
      balanceUsd: formatUsd(parseUsd('1000') - fee),
      avgDailyUsd7d: formatUsd(fee / 7n),
    })
    await goTo('2026-04-01T00:00:00Z')
    const { statements } = await tenant.client.statements({})
    const { days } = await tenant.client.usage({ query: { from: '2026-03-01', to: '2026-03-31' } })
    const charged = days.reduce((sum, day) => sum + parseUsd(day.tableFeeUsd) + parseUsd(day.streamFeeUsd), 0n)
    expect(statements[0]?.chargesUsd).toBe(formatUsd(-charged))
    expect(days.some((day) => day.streamFeeUsd === '5.00005')).toBe(true)
  })

  test('of the month is in the account, today’s included, and starts again with the month', async () => {
    const { tenant, measure, goTo } = await streaming()
    await measure('1.5', 'client')
    await goTo('2026-03-11T08:00:00Z')
    await measure('0.001', 'cdn')
    expect(await tenant.client.account({})).toMatchObject({ streamGbMonth: '1.501' })
    await goTo('2026-04-01T00:00:00Z')
    expect(await tenant.client.account({})).toMatchObject({ streamGbMonth: '0.000' })
  })

  test('of a day that is charged already counts once when the clock is set back to it, and not as an earlier day', async () => {
    const { world, tenant, measure, goTo } = await streaming()
    await measure('1.5', 'cdn')
    expect(await tenant.client.account({})).toMatchObject({ streamGbMonth: '1.500' })
    await goTo('2026-03-12T00:00:00Z')
    await world.clock.set(Date.parse('2026-03-10T13:00:00Z'))
    expect(await tenant.client.account({})).toMatchObject({
      streamGbMonth: '1.500',
      avgDailyUsd7d: '0',
      daysLeft: null,
    })
  })

  test('is charged on the free plan too, and in a sandbox it is counted and costs nothing', async () => {
    const { world, tenant, measure, usageOf, goTo } = await streaming({ plan: 'free' })
    await measure('10', 'cdn')
    await measureStream(world.casino, tenant.sandbox.code, { gb: '10', source: 'cdn' })
    await goTo('2026-03-11T00:00:00Z')
    expect(await usageOf('2026-03-10')).toMatchObject({ tableFeeUsd: '0', streamFeeUsd: '0.5' })
    expect(await tenant.client.account({})).toMatchObject({ state: 'FREE', balanceUsd: '999.5' })
    const { days } = await tenant.sandbox.client.usage({ query: { from: '2026-03-10', to: '2026-03-10' } })
    expect(days).toMatchObject([{ streamGb: '10.000', streamFeeUsd: '0' }])
  })

  test('that uses the credit up starts the grace of a paid account, and changes nothing on a free one', async () => {
    for (const [plan, state] of [
      ['paid', 'GRACE'],
      ['free', 'FREE'],
    ] as const) {
      const { tenant, measure, goTo } = await streaming({ plan })
      await measure('20000', 'cdn')
      await goTo('2026-03-11T00:00:00Z')
      expect(await tenant.client.account({})).toMatchObject({ state, balanceUsd: '0' })
    }
  })

  test('of a day that was charged, or is in the future, is refused', async () => {
    const { world, tenant, measure, goTo } = await streaming()
    await goTo('2026-03-12T06:00:00Z')
    await refuses('CONFLICT', measure('1', 'cdn', '2026-03-11'))
    await refuses('INVALID_PARAMETER', measure('1', 'cdn', '2026-03-13'))
    for (const gb of ['-1', '1.2345', 'much', '']) await refuses('INVALID_AMOUNT', measure(gb, 'cdn'))
    expect(await measure('1', 'cdn', '2026-03-12')).toMatchObject({ day: '2026-03-12', gb: '1.000' })
    await setTenantState(world.casino, tenant.code, 'SUSPENDED')
    expect(await measure('2', 'client', '2026-03-12')).toMatchObject({ gb: '2.000' })
  })
})

test('gigabytes cost by the thousandth, and without a measurement none count', () => {
  expect([streamFee(0n), streamFee(1n), streamFee(1000n)]).toEqual([0n, 50n, parseUsd('0.05')])
  expect(countedStream([])).toBeUndefined()
})
