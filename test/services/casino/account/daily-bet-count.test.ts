import { expect, onTestFinished, test } from 'vitest'
import { world } from '../../../../src/db/migrations/world/index.ts'
import type { TenantRow } from '../../../../src/db/schema/casino.ts'
import { openStore } from '../../../../src/db/store.ts'
import { countDayBets, isDayOver } from '../../../../src/services/casino/account/daily-bet-count.ts'
import { dayBets } from '../../../../src/services/casino/queries/day-bets.ts'

/** A demo tenant's bets of a day against its limit, in a store without a casino. */

const tenant: TenantRow = {
  ...{ code: 'A', environment: 'live', live_code: 'A', plan: 'free', state: 'FREE', disabled: 0, timezone: 'UTC' },
  ...{ currency: 'USD', currencies: '["USD"]', languages: '["en"]', site_url: null, rate_per_second: null },
  ...{ rate_burst: null, tables_quota: null, players_limit: null, online_limit: null, day_bets_limited: null },
  ...{ side_bets: null, paid_day: null, idle_days: null, viewers_limit: null, view_minutes: null, active_at: null },
  ...{
    check_minutes: null,
    state_before: null,
    credit_usd: '0',
    grace_until: null,
    charged_through: null,
    created_at: 0,
  },
}

async function aDay() {
  const time = { now: Date.UTC(2026, 2, 10, 12) }
  const store = await openStore({ url: ':memory:', migrations: world, now: () => time.now })
  onTestFinished(() => store.close())
  return {
    time,
    bet: (currency: string, stake: string, of = tenant) =>
      store.write((tx) => countDayBets(tx, of, [{ currency, stake }])),
    isOver: (of = tenant) => store.read((reader) => isDayOver(reader, of)),
    totals: () =>
      store.read(async (reader) =>
        (await dayBets(reader, 'A', '2026-03-10')).map(({ currency, total }) => `${currency} ${total}`).sort(),
      ),
  }
}

test('a day is over at the limit of one currency, and not just below it', async () => {
  const { bet, isOver, totals } = await aDay()
  await bet('USD', '900')
  await bet('USD', '99.999')
  expect([await isOver(), await totals()]).toEqual([false, ['USD 999.999']])
  await bet('USD', '0.001')
  expect([await isOver(), await totals()]).toEqual([true, ['USD 1000']])
})

test('the shares of all currencies add up', async () => {
  const { bet, isOver, totals } = await aDay()
  await bet('USD', '500')
  expect(await isOver()).toBe(false)
  await bet('TWD', '15000')
  expect([await isOver(), await totals()]).toEqual([true, ['TWD 15000', 'USD 500']])
})

test('bets are counted by the day, and only for tenants with a limit', async () => {
  const { bet, isOver, totals, time } = await aDay()
  const paid = { ...tenant, plan: 'paid', state: 'PAID' } as const
  await bet('USD', '1000', paid)
  expect([await totals(), await isOver()]).toEqual([[], false])
  await bet('USD', '1000')
  expect([await isOver(), await isOver(paid), await isOver({ ...tenant, day_bets_limited: 0 })]).toEqual([
    ...[true, false, false],
  ])
  time.now += 86_400_000
  expect(await isOver()).toBe(false)
})
