import { expect, test } from 'vitest'
import { deliveriesBy } from '../../../../src/outbox/queries.ts'
import { topUp } from '../../../../src/services/casino/admin/index.ts'
import { enableWebhook, setWebhook } from '../../../../src/services/casino/admin/webhook-settings.ts'
import { casinoJobs } from '../../../../src/services/casino/server/periodic.ts'
import { aTenant } from '../../../support/worlds/people.ts'
import { aClock, testWorld } from '../../../support/worlds/world.ts'

/** The warning of a low balance (1-tenant-api, Events: account.low_balance), without sending it. */

async function aWarnedTenant({ credit, tables = ['BAC-01'] }: { credit: string | undefined; tables?: string[] }) {
  const world = await testWorld({ time: aClock('2026-03-10T12:00:00.000Z') })
  const tenant = await aTenant(world, { tables })
  if (credit !== undefined) await topUp(world.casino, tenant.code, credit, 'first')
  const settings = { events: ['account.low_balance'] as const, billingContact: 'billing@example.com', alertDays: 7 }
  await setWebhook(world.casino, tenant.code, { url: 'https://tenant.example/hook', ...settings })
  await enableWebhook(world.casino, tenant.code)
  const run = async (name: string, limit: number) => {
    const job = casinoJobs(world.casino).find((each) => each.name === `casino: ${name}`)
    return job?.run(limit)
  }
  const warnings = async () => {
    const rows = await world.store.read((reader) => deliveriesBy(reader, { owner: tenant.code, limit: 100 }))
    return rows.map(({ event, body }) => ({ event, ...JSON.parse(body) }))
  }
  return { world, warnings, chargeOneDay: () => run('charge days', 1), warn: () => run('warn of low balances', 100) }
}

// A table costs 3.225806 for a day of March, so after one day a seventh of it is the average: 0.460829.
test.each([
  ['at the threshold, nothing is sent', '6.451609', []],
  ['below it, a warning is sent', '6.451608', [{ event: 'account.low_balance', daysLeft: 6 }]],
  ['without credit, a warning is sent', undefined, [{ event: 'account.low_balance', daysLeft: 0 }]],
])('%s', async (_, credit, expected) => {
  const { world, warnings, chargeOneDay, warn } = await aWarnedTenant({ credit })
  world.clock.add('12h')
  expect(await chargeOneDay()).toBe(1)
  expect(await warn()).toBe(1)
  expect(await warnings()).toMatchObject(expected)
  expect(await warn()).toBe(0)
})

test('without any cost no number of days is left to fall below the threshold', async () => {
  const { world, warnings, chargeOneDay, warn } = await aWarnedTenant({ credit: undefined, tables: [] })
  world.clock.add('12h')
  await chargeOneDay()
  await warn()
  expect(await warnings()).toEqual([])
})

test('a warning is sent at most once a day, with any number of days charged on it', async () => {
  const { world, warnings, chargeOneDay, warn } = await aWarnedTenant({ credit: '4' })
  world.clock.add('60h')
  for (let days = 1; days <= 2; days++) {
    expect(await chargeOneDay()).toBe(1)
    await warn()
    expect(await warnings()).toHaveLength(1)
  }
  world.clock.add('24h')
  await chargeOneDay()
  await warn()
  expect(await warnings()).toHaveLength(2)
})
