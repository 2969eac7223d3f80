import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { world } from '../../../src/db/migrations/world/index.ts'
import { postgres, sqliteFile } from '../../support/databases/engines.ts'
import { aMerchant, openHouse } from './house.ts'

test.each([sqliteFile, postgres])(
  'on $name an open bill of an earlier version keeps the interval of its plan',
  async (engine) => {
    const database = await engine.database()
    const house = await openHouse({ open: database.open })
    const merchant = await aMerchant(house)
    const client = await merchant.loggedIn()
    const plan = async (interval_day: number) =>
      (await client.createPlan({ body: { title: 'Gold', interval_day, amount: 20, currency: 'usd' } })).result.id
    const subscribe = async (plan: string, email: string) =>
      (await client.createSubscription({ body: { subscription_plan_id: plan, email } })).result.id
    const ids = [
      await subscribe(await plan(30), 'ann@mail.example'),
      await subscribe(await plan(2), 'bob@mail.example'),
    ]
    const over = await subscribe(await plan(7), 'cid@mail.example')
    await client.cancelSubscription({ params: { id: over } })
    const kept = () =>
      house.app.store.read(({ q }) => q.selectFrom('gateway_subscriptions').selectAll().orderBy('id').execute())
    const before = await kept()
    expect(before).toMatchObject([
      { id: ids[0], invoice_days: 30 },
      { id: ids[1], invoice_days: 2 },
      { id: over, invoice: null, invoice_days: null },
    ])
    const step = world.steps.find(({ name }) => name.endsWith('-gateway-bill-days'))
    await house.app.store.write(async ({ q }) => {
      await q.schema.alterTable('gateway_subscriptions').dropColumn('invoice_days').execute()
      await step?.up(q as unknown as Kysely<unknown>)
    })
    expect(await kept()).toEqual(before)
  },
)
