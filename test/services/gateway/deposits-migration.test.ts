import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { world } from '../../../src/db/migrations/world/index.ts'
import { depositTo } from '../../../src/services/gateway/admin/platform.ts'
import { postgres, sqliteFile } from '../../support/databases/engines.ts'
import { aMerchant, aPayment, openHouse } from './house.ts'

test.each([sqliteFile, postgres])(
  'on $name a payment of an earlier version keeps its quote, its deposit and its worth',
  async (engine) => {
    const database = await engine.database()
    const house = await openHouse({ open: database.open })
    const merchant = await aMerchant(house)
    const { payment_id: id } = await aPayment(merchant, { pay_currency: 'btc', price_amount: 1000 })
    await depositTo(house.app, id, { amount: '0.00500001' })
    await house.wait(40 * 60_000)
    const step = world.steps.find(({ name }) => name.endsWith('-gateway-deposits'))
    if (!step) throw new Error('there is no such step')
    const kept = () =>
      house.app.store.read(async ({ q }) => ({
        payments: await q.selectFrom('gateway_payments').selectAll().execute(),
        deposits: await q.selectFrom('gateway_deposits').selectAll().execute(),
      }))
    const before = await kept()
    await house.app.store.write(async ({ q }) => {
      for (const [table, column] of [
        ['gateway_payments', 'whole_amount'],
        ['gateway_payments', 'paid_worth'],
        ['gateway_payments', 'is_amount_given'],
        ['gateway_deposits', 'whole_amount'],
      ] as const)
        await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(q)
      await step.up(q as unknown as Kysely<unknown>)
    })
    expect(before.payments).toMatchObject([{ paid_worth: '500', whole_amount: '0.01' }])
    expect(await kept()).toEqual({
      ...before,
      payments: before.payments.map((row) => ({ ...row, paid_worth: '500.00' })),
    })
  },
)
