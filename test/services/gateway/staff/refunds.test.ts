import { describe, expect, test } from 'vitest'
import { type Coin, coinOf } from '../../../../src/domain/chains/coins.ts'
import { approvalLimits } from '../../../../src/domain/wallet/approval.ts'
import { deliveriesAbout } from '../../../../src/outbox/queries.ts'
import {
  depositTo,
  fund,
  refundPayment,
  sanction,
  setMerchant,
  theMerchant,
} from '../../../../src/services/gateway/admin/platform.ts'
import { findRefund, listRefunds, requestRefund } from '../../../../src/services/gateway/admin/staff-payments.ts'
import { partFrom, type RefundInput } from '../../../../src/services/gateway/payments/refunds.ts'
import { chainTxsTo } from '../../../../src/services/gateway/queries/chain.ts'
import { confirmTx, dropPayout } from '../../../../src/services/gateway/simulator/chain-control.ts'
import { engines } from '../../../support/databases/engines.ts'
import { aMerchant, aPayment, type House, openHouse, refusal } from '../house.ts'

/** Refunds by staff. A transfer on TRON costs 2.1 usdttrc20, and the service keeps 0.5% of the paid amount. */

const minute = 60_000
const payer = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const other = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

async function opened(open?: Parameters<typeof openHouse>[0]) {
  const house = await openHouse(open)
  const merchant = await aMerchant(house, {
    scopes: { scopes: ['read', 'payments', 'custody', 'payouts'], addresses: ['127.0.0.1'] },
  })
  await house.app.store.write(async (tx) => {
    await fund(house.app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '500')
  })
  const refund = (id: number, part: RefundInput['part'], more: Partial<RefundInput> = {}) =>
    requestRefund(house.app, id, { part, address: payer, by: 'ann', ...more })
  const payment = (id: number) => merchant.client.payment({ params: { payment_id: String(id) } })
  const balance = async () => (await merchant.client.balance({}))['usdttrc20']?.amount
  const sentTo = async (address: string) =>
    (await house.app.store.read((reader) => chainTxsTo(reader, 'production', address))).map(({ units }) => units)
  return { house, merchant, refund, payment, balance, sentTo }
}

/** A payment of 100 usdttrc20 that received an amount. */
async function paid(house: House, merchant: Awaited<ReturnType<typeof aMerchant>>, amount?: string): Promise<number> {
  const { payment_id: id } = await aPayment(merchant, { ipn_callback_url: 'https://shop.example/ipn' })
  const { id: txId } = await depositTo(house.app, id, amount === undefined ? {} : { amount })
  await house.settle()
  await confirmTx(house.app, txId)
  await house.settle()
  return id
}

describe.each(engines)('on $name', (engine) => {
  test('parts are refunded once each, up to the received amount, and the last one ends the payment', async () => {
    const database = await engine.database()
    const { house, merchant, refund, payment, balance, sentTo } = await opened({ open: database.open })
    const id = await paid(house, merchant)
    expect(await balance()).toBe(599.5)
    const first = await refund(id, { amount: '40.00' })
    expect(first).toMatchObject({ state: 'sent', part: 'amount 40', amount: '40', fee: '2.1', sends: '37.9' })
    expect(await balance()).toBe(559.5)
    expect(await refusal(refund(id, { amount: '40' }))).toBe('CONFLICT')
    expect(await refusal(refund(id, { amount: '61' }))).toBe('CONFLICT')
    expect(await refusal(refund(id, { amount: '101' }))).toBe('AMOUNT_TOO_LARGE')
    await refund(id, { percent: '25' })
    expect(await refusal(refund(id, { percent: '25.0' }))).toBe('CONFLICT')
    await refund(id, { percent: '25' }, { key: 'second-parcel' })
    await house.wait(5 * minute)
    expect((await payment(id)).payment_status).toBe('finished')
    await refund(id, {})
    expect(await refusal(refund(id, {}))).toBe('CONFLICT')
    await house.wait(5 * minute)
    expect((await payment(id)).payment_status).toBe('refunded')
    expect((await sentTo(payer)).toSorted()).toEqual(['22900000', '22900000', '37900000', '7900000'])
    expect(await balance()).toBe(499.5)
    const refunds = await listRefunds(house.app, { paymentId: id })
    expect(refunds.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done'])
    const { payouts } = await merchant.client.payouts({ query: {} })
    expect(payouts.map(({ status, payout_description }) => [status, payout_description])).toEqual(
      refunds.map(() => ['finished', `Refund of payment ${id}`]),
    )
    await house.proveLedger()
    expect(house.failures).toEqual([])
  })

  test('of many concurrent requests for the same part, one is sent', async () => {
    const database = await engine.database()
    const { house, merchant, refund, sentTo } = await opened({ open: database.open })
    const id = await paid(house, merchant)
    const ends = await Promise.allSettled(Array.from({ length: 6 }, () => refund(id, { percent: '50' })))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await house.wait(5 * minute)
    expect(await sentTo(payer)).toEqual(['47900000'])
    await house.proveLedger()
  })

  test('a process that dies after it sent the payout to its chain sends it once', async () => {
    const database = await engine.database()
    const { house, merchant, refund, payment, sentTo } = await opened({ open: database.open })
    const id = await paid(house, merchant)
    await refund(id, {})
    const { send } = house.app.chains
    const dying = Object.assign(house.app.chains, {
      send: async (input: Parameters<typeof send>[0]) => {
        await send(input)
        throw new Error('killed')
      },
    })
    await expect(house.settle()).rejects.toThrow('killed')
    Object.assign(dying, { send })
    await house.wait(5 * minute)
    expect(await sentTo(payer)).toEqual(['97900000'])
    expect((await payment(id)).payment_status).toBe('refunded')
    await house.proveLedger()
  })
})

describe('the overpaid part', () => {
  test('is returned separately, once, and the payment stays finished', async () => {
    const { house, merchant, refund, payment, sentTo } = await opened()
    const id = await paid(house, merchant, '130')
    expect(await refund(id, { overpaid: true })).toMatchObject({ amount: '30', sends: '27.9' })
    expect(await refusal(refund(id, { overpaid: true }))).toBe('CONFLICT')
    expect(await refusal(refund(id, { overpaid: true }, { key: 'again' }))).toBe('CONFLICT')
    await house.wait(5 * minute)
    expect((await payment(id)).payment_status).toBe('finished')
    expect(await sentTo(payer)).toEqual(['27900000'])
    const exact = await paid(house, merchant)
    expect(await refusal(refund(exact, { overpaid: true }))).toBe('CONFLICT')
  })
})

describe('a refund whose commit was lost', () => {
  const limits = approvalLimits('50:USD') ?? undefined
  const find = (house: House, id: number, by: string, since: number, more: Partial<RefundInput> = {}) =>
    findRefund(house.app, id, { part: { amount: '60' }, address: payer, by, ...more }, since)

  test('is found by the person who requested it, and by the one who approved it', async () => {
    const { house, merchant, refund } = await opened()
    const id = await paid(house, merchant)
    const start = house.now()
    await refund(id, { amount: '60' }, { limits })
    expect(await find(house, id, 'ann', start)).toMatchObject({ state: 'requested' })
    // The request of another person is not an approval.
    expect(await find(house, id, 'ben', start)).toBeUndefined()
    await refund(id, { amount: '60' }, { limits, by: 'ben' })
    expect(await find(house, id, 'ben', start)).toMatchObject({ state: 'sent', approvedBy: 'ben' })
    expect(await find(house, id, 'ben', start, { address: other })).toBeUndefined()
    expect(await find(house, id, 'ben', start, { key: 'parcel-2' })).toBeUndefined()
  })

  test('is not an earlier refund of the same part', async () => {
    const { house, merchant, refund } = await opened()
    const id = await paid(house, merchant)
    await refund(id, {})
    await house.wait(minute)
    const rest = { part: {} }
    expect(await find(house, id, 'ann', house.now(), rest)).toBeUndefined()
    expect(await find(house, id, 'ann', house.now() - minute, rest)).toMatchObject({ state: 'done' })
  })
})

describe('a part-paid payment', () => {
  test('is returned completely only, and is due again if its payout fails', async () => {
    const { house, merchant, refund, payment, balance } = await opened()
    const id = await paid(house, merchant, '60')
    expect(await refusal(refund(id, { amount: '10' }))).toBe('CONFLICT')
    const { payout } = await refund(id, {})
    expect((await payment(id)).pay_amount).toBe(60)
    await house.settle()
    await dropPayout(house.app, payout ?? '')
    await house.settle()
    expect(await payment(id)).toMatchObject({ payment_status: 'partially_paid', pay_amount: 100, actually_paid: 60 })
    expect(await balance()).toBe(500)
    await house.proveLedger()
    await refund(id, {})
    await house.wait(5 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'refunded', outcome_amount: 0 })
    await house.proveLedger()
  })

  test('that expired while its payout failed leaves its money in custody', async () => {
    const { house, merchant, refund, payment, balance } = await opened()
    const id = await paid(house, merchant, '60')
    await setMerchant(house.app, merchant.id, { frozen: true })
    expect(await refusal(refund(id, {}))).toBe('FROZEN')
    await setMerchant(house.app, merchant.id, { frozen: false })
    const { payout } = await refund(id, {})
    await setMerchant(house.app, merchant.id, { frozen: true })
    await house.wait(8 * 24 * 60 * minute)
    expect((await payment(id)).payment_status).toBe('expired')
    await sanction(house.app, payer)
    await setMerchant(house.app, merchant.id, { frozen: false })
    await house.settle()
    const [failed] = await listRefunds(house.app, { paymentId: id })
    expect(failed).toMatchObject({ state: 'failed', payout })
    expect(await balance()).toBe(560)
    await house.proveLedger()
    expect(await refusal(refund(id, {}))).toBe('POLICY_REJECTED')
    expect(await refund(id, {}, { address: other })).toMatchObject({ state: 'sent' })
    await house.wait(5 * minute)
    expect((await payment(id)).payment_status).toBe('refunded')
    await house.proveLedger()
  })
})

describe('a second person', () => {
  const limits = approvalLimits('50:USD,0.001:btc') ?? undefined

  test('approves exactly the request of another one; the same person twice is refused', async () => {
    const { house, merchant, refund, payment, sentTo } = await opened()
    const id = await paid(house, merchant)
    const requested = await refund(id, { amount: '60' }, { limits })
    expect(requested).toMatchObject({ state: 'requested', payout: null, requestedBy: 'ann' })
    expect(await refusal(refund(id, { amount: '60' }, { limits, by: ' ANN' }))).toBe('CONFLICT')
    // Another address is another request.
    expect(await refund(id, { amount: '60' }, { limits, by: 'beth', address: other })).toMatchObject({
      state: 'requested',
    })
    const sent = await refund(id, { amount: '60' }, { limits, by: 'beth' })
    expect(sent).toMatchObject({ id: requested.id, state: 'sent', requestedBy: 'ann', approvedBy: 'beth' })
    expect(await refusal(refund(id, { amount: '60' }, { limits, by: 'carl' }))).toBe('CONFLICT')
    await house.wait(5 * minute)
    expect(await sentTo(payer)).toEqual(['57900000'])
    expect(await sentTo(other)).toEqual([])
    // A request that waits is no part of what was sent back.
    expect((await payment(id)).payment_status).toBe('finished')
  })

  test('is needed for the parts together, and for a coin without a price or a limit', async () => {
    const { house, merchant, refund } = await opened()
    const id = await paid(house, merchant)
    expect(await refund(id, { amount: '30' }, { limits })).toMatchObject({ state: 'sent' })
    expect(await refund(id, { amount: '20' }, { limits })).toMatchObject({ state: 'sent' })
    expect(await refund(id, { amount: '10' }, { limits })).toMatchObject({ state: 'requested' })
    const onlyBtc = approvalLimits('0.001:btc') ?? undefined
    expect(await refund(id, { amount: '11' }, { limits: onlyBtc })).toMatchObject({ state: 'requested' })
    const ofCoin = approvalLimits('1:USD,100:usdttrc20') ?? undefined
    expect(await refund(id, { amount: '12' }, { limits: ofCoin })).toMatchObject({ state: 'sent' })
  })

  test('is too late after the days of an approval', async () => {
    const { house, merchant, refund } = await opened()
    const id = await paid(house, merchant)
    await refund(id, {}, { limits, approvalDays: 2 })
    await house.wait(2 * 24 * 60 * minute)
    expect(await refund(id, {}, { limits, approvalDays: 2, by: 'beth' })).toMatchObject({
      state: 'requested',
      requestedBy: 'beth',
    })
    // Seven days by default.
    await house.wait(6.5 * 24 * 60 * minute)
    const inTime = await refund(id, {}, { limits, by: 'carl' })
    expect(inTime).toMatchObject({ state: 'sent', requestedBy: 'beth' })
    const later = await paid(house, merchant)
    await refund(later, {}, { limits })
    await house.wait(7.5 * 24 * 60 * minute)
    expect(await refund(later, {}, { limits, by: 'beth' })).toMatchObject({ state: 'requested', requestedBy: 'beth' })
  })
})

describe('a refusal', () => {
  const made = (amount: string, by: string) =>
    new RegExp(`Refund \\S+ of ${amount} usdttrc20 was already made${by} at 20\\S+ \\S+ UTC with payout \\S+`)

  test('names the refund that was made, by whom, and what is left', async () => {
    const { house, merchant, refund } = await opened()
    const id = await paid(house, merchant)
    await refund(id, { amount: '60' })
    await expect(refund(id, { amount: '60' })).rejects.toThrow(
      new RegExp(`^${made('60', ' by ann').source}[.] For a further refund of the same part, add --key KEY$`),
    )
    await expect(refund(id, { amount: '41' })).rejects.toThrow('Only 40 usdttrc20 of the 100 usdttrc20')
    await expect(refund(id, {}, { address: 'nowhere' })).rejects.toThrow('The address is not valid for usdttrc20')
    // The simulator needs no approval.
    const rest = await refund(id, { percent: '40' }, { by: null, limits: approvalLimits('1:USD') ?? undefined })
    expect(rest).toMatchObject({ state: 'sent', requestedBy: null })
    await expect(refund(id, { percent: '40' })).rejects.toThrow(made('40', ''))
    const all = refund(id, { amount: '1' })
    await expect(all).rejects.toThrow(/^Everything that payment \d+ received is refunded, or approved to be[.] Refund /)
    await expect(all).rejects.toThrow(rest.id)
  })

  test('says that an expired payment received nothing, and that an overpaid part is returned once', async () => {
    const { house, merchant, refund } = await opened()
    const { payment_id: empty } = await aPayment(merchant)
    const id = await paid(house, merchant, '120')
    await refund(id, { overpaid: true })
    await expect(refund(id, { overpaid: true })).rejects.toThrow(
      /was already made by ann at \S+ \S+ UTC with payout \S+$/,
    )
    await house.wait(8 * 24 * 60 * minute)
    await expect(refund(empty, {})).rejects.toThrow('A expired payment has nothing to refund')
  })
})

test('a payment of a sub-account is refunded from its balance', async () => {
  const { house, merchant, refund } = await opened()
  const client = await merchant.loggedIn()
  const amy = (await client.createSubaccount({ body: { name: 'amy' } })).result.id
  const body = { currency: 'trx', amount: 50, sub_partner_id: amy, fixed_rate: false }
  const id = Number((await client.createSubPayment({ body })).result.payment_id)
  await depositTo(house.app, id)
  await house.wait(2 * minute)
  await refund(id, { amount: '20' })
  expect((await client.subBalance({ params: { id: amy } })).result.balances).toMatchObject({ trx: { amount: 29.75 } })
  await house.wait(5 * minute)
  await house.proveLedger()
})

test('without an amount due everything is overpaid', async () => {
  const { house, merchant, refund } = await opened()
  const id = await paid(house, merchant)
  await house.app.store.write(({ q }) =>
    q.updateTable('gateway_payments').set({ pay_amount: '0' }).where('id', '=', id).execute(),
  )
  expect(await refund(id, { overpaid: true })).toMatchObject({ amount: '100' })
  // Its payout needs no code of the account, and no approval of another one.
  const batches = await house.app.store.read(({ q }) => q.selectFrom('gateway_batches').selectAll().execute())
  expect(batches).toMatchObject([{ wrong_codes: 0, needs_approval: 0 }])
})

test('a share of a coin is cut to the decimals of its amounts', async () => {
  const { house, merchant, refund } = await opened()
  const { payment_id: id } = await aPayment(merchant, { pay_currency: 'eth' })
  await depositTo(house.app, id)
  await house.wait(60 * minute)
  const address = '0x52908400098527886E0F7030069857D2E4169EE7'
  expect((await refund(id, { percent: '33.333333' }, { address })).amount).toMatch(/^0[.][0-9]{1,8}$/)
})

test('a percentage is above 0 and at most 100', () => {
  const coin = coinOf('usdttrc20') as Coin
  const shares = ['0.000001', '99.5', '100'].map((percent) => partFrom({ percent }, coin))
  expect(shares).toMatchObject([
    { text: '0.000001', share: { numerator: 1n, denominator: 100_000_000n } },
    { text: '99.5' },
    { text: '100' },
  ])
  for (const percent of ['0', '0.000000', '100.000001'])
    expect(() => partFrom({ percent }, coin)).toThrow('must be above 0 and at most 100')
})

test('a refund has callbacks of its payout, and needs no whitelisted address and no room in the limits of payouts', async () => {
  const { house, merchant, refund } = await opened()
  const id = await paid(house, merchant)
  await setMerchant(house.app, merchant.id, { payoutLimitUsd: '20', payoutDayLimitUsd: '25' })
  const { payout } = await refund(id, { amount: '30' })
  await house.wait(5 * minute)
  const rows = await house.app.store.read((reader) => deliveriesAbout(reader, merchant.id, payout ?? ''))
  expect(rows.map(({ event }) => event)).toEqual(['waiting', 'processing', 'sending', 'finished'])
})

test('an impossible refund is refused with its reason and changes nothing', async () => {
  const { house, merchant, refund } = await opened()
  const { payment_id: waiting } = await aPayment(merchant)
  expect(await refusal(refund(waiting, {}))).toBe('CONFLICT')
  const id = await paid(house, merchant)
  expect(await refusal(refund(id, {}, { address: 'nowhere' }))).toBe('INVALID_ADDRESS')
  expect(await refusal(refund(id, { amount: '2.1' }))).toBe('AMOUNT_TOO_SMALL')
  for (const percent of ['0', '100.1', '-5', '5%', '1e1', ''])
    expect(await refusal(refund(id, { percent })), percent).toBe('INVALID_AMOUNT')
  expect(await refusal(refund(4_000_000_000, {}))).toBe('NOT_FOUND')
  expect(await refundPayment(house.app, id)).toMatchObject({ refunded: '97.9' })
  expect(await listRefunds(house.app, { merchant: merchant.id, limit: 10 })).toHaveLength(1)
})
