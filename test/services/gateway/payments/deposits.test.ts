import { describe, expect, test } from 'vitest'
import { depositTo, readDeposits, removeDeposit, sanction } from '../../../../src/services/gateway/admin/platform.ts'
import type { PaymentView } from '../../../../src/services/gateway/hosted-pages/view-model.ts'
import { allEntries } from '../../../../src/services/gateway/queries/ledger.ts'
import { paymentOf } from '../../../../src/services/gateway/queries/payments.ts'
import { ageRates, setRate } from '../../../../src/services/gateway/rates/rates.ts'
import { addBlocks, confirmTx } from '../../../../src/services/gateway/simulator/chain-control.ts'
import { payIn } from '../../../../src/services/gateway/simulator/chains.ts'
import { aMerchant, aPayment, type House, openHouse } from '../house.ts'

/** Effects of a single deposit on its payment: the edge cases of "The money of a payment" in docs/gateway.md. */

const minute = 60_000
const day = 24 * 60 * minute

async function opened() {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  return {
    house,
    merchant,
    payment: (id: number) => merchant.client.payment({ params: { payment_id: String(id) } }),
    child: async (id: number) =>
      (await merchant.client.payments({ query: { limit: 100 } })).data.find(
        ({ parent_payment_id }) => parent_payment_id === id,
      ),
  }
}

/** Pays and confirms the deposit at once, without advancing the clock. */
async function payNow(house: House, id: number, amount?: string) {
  const { id: txId } = await depositTo(house.app, id, amount === undefined ? {} : { amount })
  await house.settle()
  await confirmTx(house.app, txId)
  await house.settle()
}

describe('a transfer on a chain', () => {
  const transfer = { environment: 'production', network: 'eth', sender: 'somebody', contract: null } as const

  test('counts only on the network of the payment, although the address exists on others too', async () => {
    const { house, merchant, payment } = await opened()
    const { payment_id: id, pay_address: recipient } = await aPayment(merchant, { pay_currency: 'eth' })
    const units = 25n * 10n ** 15n
    await house.app.store.write((tx) => payIn(tx, { ...transfer, id: 'on-another', network: 'bsc', recipient, units }))
    await house.wait(30 * minute)
    expect(await readDeposits(house.app, id)).toEqual([])
    expect((await payment(id)).payment_status).toBe('waiting')
    await house.app.store.write((tx) => payIn(tx, { ...transfer, id: 'on-its-own', recipient, units }))
    await house.wait(30 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'finished', actually_paid: 0.025 })
    await house.proveLedger()
  })

  test('of amount 0 is no deposit, and one to an unknown address is ignored', async () => {
    const { house, merchant, payment } = await opened()
    const { payment_id: id, pay_address: recipient } = await aPayment(merchant, { pay_currency: 'eth' })
    await house.app.store.write(async (tx) => {
      await payIn(tx, { ...transfer, id: 'nothing', recipient, units: 0n })
      await payIn(tx, { ...transfer, id: 'unknown', recipient: `0x${'12'.repeat(20)}`, units: 1n })
    })
    await house.wait(30 * minute)
    expect(house.failures).toEqual([])
    expect(await readDeposits(house.app, id)).toEqual([])
    expect((await payment(id)).payment_status).toBe('waiting')
    expect(await house.callbackStatuses(merchant.id, id)).toEqual(['waiting'])
  })

  test('with more but not enough confirmations changes nothing, and the expected outcome stays', async () => {
    const { house, merchant, payment } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    await depositTo(house.app, id)
    await house.settle()
    const seen = await payment(id)
    expect(seen).toMatchObject({ payment_status: 'confirming', actually_paid: 0, outcome_amount: 99.5 })
    await house.sleep(1000)
    await addBlocks(house.app, 'production', 'trx', 1)
    await house.settle()
    expect(await payment(id)).toEqual(seen)
    expect(await house.callbackStatuses(merchant.id, id)).toEqual(['waiting', 'confirming'])
  })
})

describe('a deposit above the price, once the chain removes the deposit that covered it', () => {
  /** Pays 1000 dollars in full, then again at another price, and lets the chain remove the first. */
  async function replaced(quoteAge: number, change: (house: House) => Promise<unknown>) {
    const { house, merchant, payment } = await opened()
    const { payment_id: id } = await aPayment(merchant, { pay_currency: 'btc', price_amount: 1000 })
    await house.wait(19 * minute)
    const { id: first } = await depositTo(house.app, id, { amount: '0.01' })
    await house.settle()
    await house.sleep(quoteAge - 19 * minute)
    await change(house)
    await depositTo(house.app, id, { amount: '0.01' })
    await house.settle()
    await removeDeposit(house.app, first)
    await house.settle()
    await house.wait(60 * minute)
    await house.proveLedger()
    return payment(id)
  }
  const halved = (house: House) => setRate(house.app, 'btc', '50000')
  const finished = { payment_status: 'finished', actually_paid: 0.01, actually_paid_at_fiat: 1000 }

  test('counts at the quote that was valid when it was detected', async () => {
    expect(await replaced(20 * minute - 1, halved)).toMatchObject(finished)
  })

  test('counts at a new price from the end of the quote', async () => {
    expect(await replaced(20 * minute, halved)).toMatchObject({
      payment_status: 'partially_paid',
      pay_amount: 0.02,
      actually_paid: 0.01,
      actually_paid_at_fiat: 500,
    })
  })

  test('counts at the old quote if the prices are too old', async () => {
    const aged = async (house: House) => {
      await halved(house)
      await ageRates(house.app, 11 * minute)
    }
    expect(await replaced(20 * minute, aged)).toMatchObject(finished)
  })

  test('counts at the old quote if there is no price', async () => {
    expect(await replaced(20 * minute, (house) => setRate(house.app, 'btc', null))).toMatchObject(finished)
  })
})

describe('a further payment', () => {
  test('has the value of its deposit, without an additional fee, next to a payment whose customer pays the fee', async () => {
    const { house, merchant, payment, child } = await opened()
    const { payment_id: id } = await aPayment(merchant, { is_fee_paid_by_user: true })
    await payNow(house, id)
    // 100 dollars are left of 100.50 after half a percent.
    expect(await payment(id)).toMatchObject({ payment_status: 'finished', actually_paid_at_fiat: 100.5 })
    await payNow(house, id, '20')
    expect(await child(id)).toMatchObject({
      price_amount: 20,
      actually_paid: 20,
      actually_paid_at_fiat: 20,
      outcome_amount: 19.9,
    })
    await house.proveLedger()
  })

  test('has price 0 if its currency has no price, and its money is credited', async () => {
    const { house, merchant, child } = await opened()
    const { payment_id: id } = await aPayment(merchant, { price_currency: 'eur' })
    await payNow(house, id)
    await setRate(house.app, 'eur', null)
    await payNow(house, id, '20')
    expect(await child(id)).toMatchObject({ payment_status: 'finished', price_amount: 0, outcome_amount: 19.9 })
    // 100 euros are 110 dollars.
    expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 129.35, pendingAmount: 0 } })
  })

  test('has its own page, with a quote of 20 minutes and a window of 7 days', async () => {
    const { house, merchant, child } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    await payNow(house, id)
    await depositTo(house.app, id, { amount: '20' })
    await house.settle()
    const { payment_id: childId = 0 } = (await child(id)) ?? {}
    const token = (await house.app.store.read((reader) => paymentOf(reader, childId)))?.page_token
    expect(token).toMatch(/^[A-Za-z0-9]{24}$/)
    const { url } = await house.server.listen()
    const sight = (await (await fetch(`${url}/pay/${token}/state`)).json()) as PaymentView
    expect(sight).toMatchObject({ until: house.now() + 20 * minute, open: house.now() + 7 * day })
  })
})

test.each([
  ['somebody', 'finished', 19.9],
  ['sanctioned', 'failed', 0],
])(
  'a deposit that an older version left in progress with a finished payment, from %s, becomes a separate payment that is %s',
  async (sender, status, outcome) => {
    const { house, merchant, payment, child } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    await payNow(house, id)
    await sanction(house.app, 'sanctioned')
    const { id: txId } = await depositTo(house.app, id, { amount: '20', sender })
    await house.settle()
    const { payment_id: own = 0 } = (await child(id)) ?? {}
    // In the format before deposits were separate payments: in the list of the finished payment.
    await house.app.store.write(async ({ q }) => {
      await q.updateTable('gateway_deposits').set({ payment_id: id }).where('tx_id', '=', txId).execute()
      await q.deleteFrom('gateway_payments').where('id', '=', own).execute()
    })
    const before = await payment(id)
    await confirmTx(house.app, txId)
    await house.settle()
    expect(await payment(id)).toEqual(before)
    expect(await child(id)).toMatchObject({ payment_status: status, actually_paid: 20, outcome_amount: outcome })
    expect(await readDeposits(house.app, id)).toMatchObject([{ state: 'confirmed' }])
    const { usdttrc20 } = await merchant.client.balance({})
    expect(usdttrc20).toEqual({ amount: 99.5 + outcome, pendingAmount: 0 })
    await house.proveLedger()
  },
)

test('a partial payment credits nothing while its payout currency has no price', async () => {
  const { house, merchant, payment } = await opened()
  const { payment_id: id } = await aPayment(merchant, { payout_currency: 'btc' })
  await setRate(house.app, 'btc', null)
  await payNow(house, id, '60')
  expect(await payment(id)).toMatchObject({
    payment_status: 'partially_paid',
    outcome_amount: 0,
    outcome_currency: 'btc',
  })
})

describe('at the end of its window', () => {
  test('a payment without deposits posts nothing and keeps its payout currency, with or without a price', async () => {
    const { house, merchant, payment } = await opened()
    const { payment_id: id } = await aPayment(merchant, { payout_currency: 'btc' })
    await setRate(house.app, 'btc', null)
    await house.wait(7 * day)
    expect(await payment(id)).toMatchObject({
      payment_status: 'expired',
      outcome_amount: 0,
      outcome_currency: 'btc',
    })
    expect(await house.app.store.read(allEntries)).toEqual([])
  })

  test('the smallest unit is credited like any part', async () => {
    const { house, merchant, payment } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    await payNow(house, id, '0.000001')
    expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 0, pendingAmount: 0.000001 } })
    await house.wait(7 * day)
    expect(await payment(id)).toMatchObject({ payment_status: 'expired', outcome_amount: 0.000001 })
    expect(await merchant.client.balance({})).toEqual({ usdttrc20: { amount: 0.000001, pendingAmount: 0 } })
    await house.proveLedger()
  })
})
