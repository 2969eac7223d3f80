import { describe, expect, test } from 'vitest'
import { readLedger, type StatedEntry } from '../../../../src/services/gateway/admin/ledger-statement.ts'
import { depositTo, fund, theMerchant } from '../../../../src/services/gateway/admin/platform.ts'
import { confirmTx } from '../../../../src/services/gateway/simulator/chain-control.ts'
import { keepingEngines } from '../../../support/databases/engines.ts'
import { aMerchant, aPayment, openHouse } from '../house.ts'

/** The ledger of one merchant among others, proven from its entries. */

describe.each(keepingEngines)('on $name', (engine) => {
  test('has every posting of the merchant with both sides, and the balances of any range', async () => {
    const database = await engine.database()
    const house = await openHouse({ open: database.open })
    const merchant = await aMerchant(house)
    const other = await aMerchant(house, { email: 'other@shop.example' })
    await house.app.store.write(async (tx) => {
      for (const { id } of [merchant, other]) await fund(house.app, tx, await theMerchant(tx, id), 'usdttrc20', '500')
    })
    await house.sleep(60_000)
    const { payment_id: id } = await aPayment(merchant, { order_id: 'o-1' })
    const { id: txId } = await depositTo(house.app, id)
    await confirmTx(house.app, txId)
    await house.settle()
    const paidAt = house.now()
    await house.sleep(60_000)
    await house.app.store.write(async (tx) => {
      await fund(house.app, tx, await theMerchant(tx, merchant.id), 'btc', '1')
    })
    const read = async (from?: number, to?: number) => {
      const entries: StatedEntry[] = []
      const { tally } = await readLedger(
        house.app,
        merchant.id,
        { from, to },
        async (part) => void entries.push(...part),
      )
      const balances = tally
        .sorted()
        .map(({ account: { kind, currency }, opening, closing }) => [kind, currency, opening, closing])
      return { entries, balances, tally }
    }
    const all = await read()
    expect(all.tally.faults).toEqual([])
    expect(all.balances).toEqual([
      ['available', 'btc', 0n, 100_000_000n],
      ['chain', 'btc', 0n, -100_000_000n],
      ['available', 'usdttrc20', 0n, 599_500_000n],
      ['pending', 'usdttrc20', 0n, 0n],
      ['chain', 'usdttrc20', 0n, -600_000_000n],
      ['fees', 'usdttrc20', 0n, 500_000n],
    ])
    expect(all.entries.map(({ ref }) => ref).filter((ref) => ref === `fund/${other.id}`)).toEqual([])
    const paid = await read(paidAt, paidAt)
    expect(paid.balances).toContainEqual(['available', 'usdttrc20', 500_000_000n, 599_500_000n])
    expect(paid.balances).toContainEqual(['available', 'btc', 0n, 0n])
    expect(paid.entries.map(({ orderId, ref }) => [orderId, ref])).toEqual(
      Array.from({ length: 6 }, () => ['o-1', `payment/${id}`]),
    )
    expect(paid.tally.faults).toEqual([])

    // A person changes an entry, and a balance.
    await house.app.store.write(async ({ q }) => {
      const [entry] = paid.entries
      await q
        .updateTable('gateway_entries')
        .set({ units: '1' })
        .where('posting', '=', entry?.posting ?? '')
        .where('position', '=', 1)
        .execute()
    })
    const kinds = (await read()).tally.faults.map(({ kind, currency }) => `${kind} ${currency}`)
    expect(kinds).toEqual(expect.arrayContaining(['posting usdttrc20', 'balance usdttrc20', 'closing usdttrc20']))
    // A range before the change is also proven by the whole ledger.
    expect((await read(undefined, paidAt - 1)).tally.faults.map(({ kind }) => kind)).toContain('posting')
  })
})
