import { describe, expect, test } from 'vitest'
import { depositTo, sanction, setCoin } from '../../../../src/services/gateway/admin/platform.ts'
import {
  acceptPayment,
  listFunds,
  listRefunds,
  releaseDeposit,
  returnDeposit,
} from '../../../../src/services/gateway/admin/staff-payments.ts'
import { chainTxsTo } from '../../../../src/services/gateway/queries/chain.ts'
import { confirmTx, contractNamed, dropPayout } from '../../../../src/services/gateway/simulator/chain-control.ts'
import { engines } from '../../../support/databases/engines.ts'
import { aMerchant, aPayment, type House, openHouse, refusal } from '../house.ts'

/** Part-paid payments that staff accept, and deposits that credit no payment. */

const minute = 60_000
const day = 24 * 60 * minute
const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

async function opened(options?: Parameters<typeof openHouse>[0]) {
  const house = await openHouse(options)
  const merchant = await aMerchant(house, {
    scopes: { scopes: ['read', 'payments', 'custody', 'payouts'], addresses: ['127.0.0.1'] },
  })
  return {
    house,
    merchant,
    payment: (id: number) => merchant.client.payment({ params: { payment_id: String(id) } }),
    accept: (id: number) => acceptPayment(house.app, id, { reason: 'The rest is the fee of an exchange', by: 'ann' }),
    funds: () => listFunds(house.app, merchant.id, 10),
    sentTo: async (address: string) =>
      (await house.app.store.read((reader) => chainTxsTo(reader, 'production', address))).map(({ units, contract }) => [
        units,
        contract,
      ]),
  }
}

type Merchant = Awaited<ReturnType<typeof aMerchant>>

async function deposited(house: House, merchant: Merchant, plan: Parameters<typeof depositTo>[2], isTainted = false) {
  const { payment_id: id } = await aPayment(merchant, { ipn_callback_url: 'https://shop.example/ipn' })
  const { id: txId, sender } = await depositTo(house.app, id, plan)
  if (isTainted) await sanction(house.app, sender)
  await house.settle()
  await confirmTx(house.app, txId)
  await house.settle()
  return { id, txId, sender }
}

describe.each(engines)('on $name', (engine) => {
  test('a part-paid payment is finished with its received amount, once, and is settled', async () => {
    const database = await engine.database()
    const { house, merchant, payment, accept } = await opened({ open: database.open })
    const { id } = await deposited(house, merchant, { amount: '60' })
    expect(await accept(id)).toMatchObject({ status: 'finished', before: 'partially_paid', received: '60', due: '100' })
    expect(await payment(id)).toMatchObject({ payment_status: 'finished', actually_paid: 60, outcome_amount: 59.7 })
    expect((await merchant.client.balance({}))['usdttrc20']).toEqual({ amount: 59.7, pendingAmount: 0 })
    expect(await house.callbackStatuses(merchant.id, id)).toEqual([
      'waiting',
      'confirming',
      'partially_paid',
      'confirming',
      'confirmed',
      'finished',
    ])
    await expect(accept(id)).rejects.toThrow(/already accepted by ann at .*: The rest is the fee of an exchange/)
    await house.proveLedger()
  })

  test('a frozen deposit is released as a separate payment, or returned, and never both', async () => {
    const database = await engine.database()
    const { house, merchant, payment, funds, sentTo } = await opened({ open: database.open })
    const first = await deposited(house, merchant, {}, true)
    const second = await deposited(house, merchant, {}, true)
    expect(await funds()).toMatchObject([
      { kind: 'frozen', state: 'held', amount: '100', currency: 'usdttrc20' },
      { kind: 'frozen', state: 'held' },
    ])
    const released = await releaseDeposit(house.app, first.txId, 'ann')
    expect(released).toMatchObject({ state: 'released', decidedBy: 'ann' })
    expect(await payment(first.id)).toMatchObject({ payment_status: 'failed' })
    expect(await payment(Number(released.result))).toMatchObject({
      payment_status: 'finished',
      parent_payment_id: first.id,
      outcome_amount: 99.5,
    })
    expect(await house.callbackStatuses(merchant.id, Number(released.result))).toEqual([
      'confirming',
      'confirmed',
      'finished',
    ])
    const to = { to: wallet, by: 'ann' }
    await expect(releaseDeposit(house.app, first.txId, 'ann')).rejects.toThrow(
      new RegExp(`already released by ann at 20\\S+ \\S+ UTC as payment ${released.result}$`),
    )
    expect(await refusal(returnDeposit(house.app, first.txId, to))).toBe('CONFLICT')
    // Its sender is on the sanctions list.
    expect(await refusal(returnDeposit(house.app, second.txId, { ...to, to: second.sender }))).toBe('POLICY_REJECTED')
    const ends = await Promise.allSettled([
      returnDeposit(house.app, second.txId, to),
      returnDeposit(house.app, second.txId, to),
      releaseDeposit(house.app, second.txId, 'beth'),
    ])
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await house.wait(5 * minute)
    const [latest] = (await funds()).filter(({ id }) => id === second.txId)
    expect(['released', 'returned']).toContain(latest?.state)
    expect(await sentTo(wallet)).toHaveLength(latest?.state === 'returned' ? 1 : 0)
    await house.proveLedger()
    expect(house.failures).toEqual([])
  })
})

describe('an acceptance', () => {
  test('of a payment that expired with a received part only changes its status', async () => {
    const { house, merchant, payment, accept } = await opened()
    const { id } = await deposited(house, merchant, { amount: '60' })
    await house.wait(8 * day)
    expect(await payment(id)).toMatchObject({ payment_status: 'expired', outcome_amount: 59.7 })
    expect(await accept(id)).toMatchObject({ status: 'finished', before: 'expired' })
    expect(await payment(id)).toMatchObject({ payment_status: 'finished', outcome_amount: 59.7 })
    await house.proveLedger()
  })

  test('settles to the registered wallet', async () => {
    const { house, merchant, accept, payment } = await opened()
    await setCoin(house.app, merchant.id, 'usdttrc20', { wallet })
    const { id } = await deposited(house, merchant, { amount: '60' })
    expect(await accept(id)).toMatchObject({ status: 'sending' })
    await house.wait(5 * minute)
    expect(await payment(id)).toMatchObject({ payment_status: 'finished', outcome_amount: 57.6 })
    await house.proveLedger()
  })

  test('is refused in every status that does not wait for it', async () => {
    const { house, merchant, accept } = await opened()
    const { payment_id: waiting } = await aPayment(merchant)
    expect(await refusal(accept(waiting))).toBe('CONFLICT')
    await house.wait(8 * day)
    expect(await refusal(accept(waiting))).toBe('CONFLICT')
    expect(await refusal(accept((await deposited(house, merchant, {})).id))).toBe('CONFLICT')
    await expect(accept((await deposited(house, merchant, {}, true)).id)).rejects.toThrow(/funds list/)
    expect(await refusal(accept(4_000_000_000))).toBe('NOT_FOUND')
  })
})

describe('a foreign deposit', () => {
  test('is never released, and is returned less the fee of its own coin', async () => {
    const { house, merchant, funds, sentTo, payment } = await opened()
    const { id, txId } = await deposited(house, merchant, { contract: null, amount: '100' })
    expect(await funds()).toMatchObject([{ id: txId, kind: 'foreign', state: 'held', currency: 'trx', amount: '100' }])
    await expect(releaseDeposit(house.app, txId, 'ann')).rejects.toThrow(/never credited/)
    expect(await refusal(returnDeposit(house.app, txId, { to: 'nowhere', by: 'ann' }))).toBe('INVALID_ADDRESS')
    const { result } = await returnDeposit(house.app, txId, { to: wallet, by: 'ann' })
    await house.settle()
    await dropPayout(house.app, result ?? '')
    await house.settle()
    expect(await funds()).toMatchObject([{ state: 'held', result: null }])
    await house.proveLedger()
    await returnDeposit(house.app, txId, { to: wallet, by: 'ann' })
    await house.wait(5 * minute)
    expect(await funds()).toMatchObject([{ state: 'returned' }])
    expect((await sentTo(wallet)).map(([, contract]) => contract)).toEqual([null, null])
    expect((await payment(id)).payment_status).toBe('waiting')
    expect((await listRefunds(house.app, { merchant: merchant.id, limit: 5 })).map(({ state }) => state)).toEqual([
      'done',
      'failed',
    ])
    await house.proveLedger()
  })

  test('has the amount in its own coin, whose decimals may be others than those of the payment', async () => {
    const { house, merchant, funds } = await opened()
    const { payment_id: id } = await aPayment(merchant, { pay_currency: 'eth', price_amount: 60 })
    const usdc = await contractNamed(house.app, id, 'usdc')
    await depositTo(house.app, id, { contract: usdc, amount: '80' })
    await depositTo(house.app, id, { contract: usdc })
    await house.settle()
    await house.wait(10 * minute)
    const { pay_amount: due } = await merchant.client.payment({ params: { payment_id: String(id) } })
    const amounts = (await funds()).map(({ currency, amount }) => [currency, Number(amount)])
    expect(amounts.toSorted(([, a], [, b]) => Number(b) - Number(a))).toEqual([
      ['usdc', 80],
      ['usdc', Math.floor(due * 1e6) / 1e6],
    ])
  })

  test('in a token that is no coin of the gateway is returned completely, in that token, without postings', async () => {
    const { house, merchant, funds, sentTo } = await opened()
    const { txId } = await deposited(house, merchant, { contract: 'TVj7RNVHy6thbM7BWdSe9G6gXwKhjhdNZS', amount: '7' })
    expect(await funds()).toMatchObject([{ amount: null, currency: null, units: '7000000' }])
    await returnDeposit(house.app, txId, { to: wallet, by: null })
    await expect(returnDeposit(house.app, txId, { to: wallet, by: null })).rejects.toThrow(
      /is already being returned, /,
    )
    await house.wait(5 * minute)
    expect(await funds()).toMatchObject([{ state: 'returned' }])
    expect(
      await house.app.store.read(({ q }) => q.selectFrom('gateway_refunds').select('fee_units').execute()),
    ).toEqual([{ fee_units: '0' }])
    await expect(returnDeposit(house.app, txId, { to: wallet, by: null })).rejects.toThrow(
      /already returned at 20\S+ \S+ UTC with payout \S+$/,
    )
    expect(await sentTo(wallet)).toEqual([['7000000', 'TVj7RNVHy6thbM7BWdSe9G6gXwKhjhdNZS']])
    await house.proveLedger()
  })

  test('of the network fee alone is not returned; a frozen one is, from the account of its merchant', async () => {
    const { house, merchant, funds, sentTo } = await opened()
    const { fee } = await merchant.client.payoutFee({ query: { currency: 'trx', amount: '10' } })
    const { txId } = await deposited(house, merchant, { contract: null, amount: String(fee) })
    expect(await refusal(returnDeposit(house.app, txId, { to: wallet, by: 'ann' }))).toBe('AMOUNT_TOO_SMALL')
    const frozen = await deposited(house, merchant, {}, true)
    await returnDeposit(house.app, frozen.txId, { to: wallet, by: 'ann' })
    await house.wait(5 * minute)
    expect((await funds()).find(({ id }) => id === frozen.txId)).toMatchObject({ state: 'returned' })
    expect(await sentTo(wallet)).toHaveLength(1)
    await house.proveLedger()
  })

  test('that is not confirmed yet, or unknown, is refused', async () => {
    const { house, merchant } = await opened()
    const { payment_id: id } = await aPayment(merchant)
    const { id: txId } = await depositTo(house.app, id, { contract: null })
    await house.settle()
    expect(await refusal(returnDeposit(house.app, txId, { to: wallet, by: null }))).toBe('CONFLICT')
    expect(await refusal(returnDeposit(house.app, 'none', { to: wallet, by: null }))).toBe('NOT_FOUND')
  })
})
