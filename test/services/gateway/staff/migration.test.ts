import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { world } from '../../../../src/db/migrations/world/index.ts'
import { moved } from '../../../../src/domain/payments/ledger.ts'
import { depositTo, refundPayment, sanction } from '../../../../src/services/gateway/admin/platform.ts'
import { listFunds, listRefunds, releaseDeposit } from '../../../../src/services/gateway/admin/staff-payments.ts'
import { accountOf, postOrThrow } from '../../../../src/services/gateway/ledger.ts'
import { insertTransfer } from '../../../../src/services/gateway/queries/payments.ts'
import { confirmTx } from '../../../../src/services/gateway/simulator/chain-control.ts'
import { postgres, sqliteFile } from '../../../support/databases/engines.ts'
import { aMerchant, aPayment, openHouse, refusal } from '../house.ts'

const payer = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

test.each([sqliteFile, postgres])(
  'on $name a refund in progress of an earlier version is finished once, and old frozen and foreign deposits are listed',
  async (engine) => {
    const database = await engine.database()
    const house = await openHouse({ open: database.open })
    const { app } = house
    const merchant = await aMerchant(house)
    const pay = async (plan: Parameters<typeof depositTo>[2], isTainted = false) => {
      const { payment_id: id } = await aPayment(merchant)
      const { id: txId, sender } = await depositTo(app, id, plan)
      if (isTainted) await sanction(app, sender)
      await house.settle()
      await confirmTx(app, txId)
      await house.settle()
      return { id, txId }
    }
    const { id } = await pay({ amount: '60' })
    const frozen = await pay({}, true)
    const foreign = await pay({ contract: null, amount: '9' })
    const before = await listFunds(app, merchant.id, 10)

    // The earlier state: a transfer of the full amount, and no tables for it.
    await app.store.write(async (tx) => {
      const [pending, held] = [
        accountOf('pending', merchant.id, 'usdttrc20'),
        accountOf('held', merchant.id, 'usdttrc20'),
      ]
      await postOrThrow(app, tx, moved(pending, held, 60_000_000n), `payment/${id}`)
      await insertTransfer(tx, {
        id: 'old-refund',
        environment: 'production',
        merchant: merchant.id,
        kind: 'refund',
        payment_id: id,
        coin: 'usdttrc20',
        address: payer,
        units: '60000000',
        fee_units: '2100000',
        hash: null,
        state: 'queued',
        created_at: tx.now,
        contract: null,
      })
      const { schema } = tx.q
      for (const table of ['gateway_refunds', 'gateway_acceptances', 'gateway_funds'])
        await schema.dropTable(table).execute()
      await schema.alterTable('gateway_payouts').dropColumn('purpose').execute()
      await schema.alterTable('gateway_transfers').dropColumn('contract').execute()
      await schema.dropIndex('gateway_entries_by_account_at').execute()
      await sql`create index gateway_entries_by_account on gateway_entries (account)`.execute(tx.q)
      for (const step of world.steps.filter(({ name }) => /^011[567]-gateway-/.test(name)))
        await step.up(tx.q as unknown as Kysely<unknown>)
    })
    expect(await listFunds(app, merchant.id, 10)).toEqual(before)
    expect(before.map(({ id: tx, kind }) => [tx, kind])).toEqual(
      expect.arrayContaining([
        [frozen.txId, 'frozen'],
        [foreign.txId, 'foreign'],
      ]),
    )
    expect(await listRefunds(app, { paymentId: id })).toMatchObject([{ state: 'sent', amount: '60', part: 'rest' }])
    expect(await refusal(refundPayment(app, id, payer))).toBe('CONFLICT')
    await house.wait(300_000)
    expect(await listRefunds(app, { paymentId: id })).toMatchObject([{ state: 'done' }])
    const payment = await merchant.client.payment({ params: { payment_id: String(id) } })
    expect(payment).toMatchObject({ payment_status: 'refunded', outcome_amount: 0 })
    expect(await releaseDeposit(app, frozen.txId, null)).toMatchObject({ state: 'released' })
    await house.proveLedger()
  },
)
