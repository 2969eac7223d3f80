import { type Kysely, sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Stores every deposit's own rate and every payment's current quote. Earlier deposits get the rate of their payment's
 * last quote, the only one that was stored.
 */
export const gatewayDeposits: Migration = {
  name: '0102-gateway-deposits',
  async up(q) {
    for (const column of ['whole_amount', 'paid_worth'])
      await q.schema
        .alterTable('gateway_payments')
        .addColumn(column, 'text', (is) => is.notNull().defaultTo('0'))
        .execute()
    await q.schema
      .alterTable('gateway_payments')
      .addColumn('is_amount_given', 'integer', (is) => is.notNull().defaultTo(0))
      .execute()
    await q.schema
      .alterTable('gateway_deposits')
      .addColumn('whole_amount', 'text', (is) => is.notNull().defaultTo('0'))
      .execute()
    await sql`update gateway_payments set whole_amount = pay_amount`.execute(q)
    // The amount of a further payment is its own deposit, not a price.
    await sql`update gateway_payments set is_amount_given = 1 where parent_id is not null`.execute(q)
    await sql`
      update gateway_deposits set whole_amount = (
        select pay_amount from gateway_payments where gateway_payments.id = gateway_deposits.payment_id
      )`.execute(q)
    await keepWorth(q as Kysely<unknown> as Kysely<Paid>)
  },
}

/** Columns read and written here, as they are at this migration. */
interface Paid {
  gateway_payments: {
    id: number
    pay_amount: string
    price_amount: string
    actually_paid: string
    paid_worth: string
  }
}

const paymentsAtOnce = 500
/** More decimals than any amount has. */
const scale = 18
/** Decimals of a stored value: those of most fiat currencies. */
const storedDecimals = 2

async function keepWorth(q: Kysely<Paid>): Promise<void> {
  for (let after = 0; ; ) {
    const payments = await q
      .selectFrom('gateway_payments')
      .select(['id', 'pay_amount', 'price_amount', 'actually_paid'])
      .where('id', '>', after)
      .where('actually_paid', '!=', '0')
      .orderBy('id')
      .limit(paymentsAtOnce)
      .execute()
    const last = payments.at(-1)
    if (!last) return
    after = last.id
    for (const { id, pay_amount, price_amount, actually_paid } of payments) {
      const due = unitsOf(pay_amount)
      if (due === 0n) continue
      const worth = (unitsOf(price_amount) * unitsOf(actually_paid)) / due / 10n ** BigInt(scale - storedDecimals)
      const digits = String(worth).padStart(storedDecimals + 1, '0')
      await q
        .updateTable('gateway_payments')
        .set({ paid_worth: `${digits.slice(0, -storedDecimals)}.${digits.slice(-storedDecimals)}` })
        .where('id', '=', id)
        .execute()
    }
  }
}

function unitsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0').slice(0, scale))
}
