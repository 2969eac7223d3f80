import { describe, expect, test } from 'vitest'
import type {
  ChainTransferRow,
  DepositRow,
  InvoiceRow,
  MerchantRow,
  PaymentRow,
  RefundRow,
} from '../../../../src/db/schema/gateway.ts'
import {
  countPayments,
  depositOf,
  depositsOf,
  insertDeposit,
  insertInvoice,
  insertPayment,
  insertSanction,
  insertTransfer,
  invoiceByToken,
  invoiceOf,
  invoicesOf,
  isSanctioned,
  isSentOff,
  lapsedPayments,
  liveDeposits,
  nextAddressIndex,
  nextId,
  nextLapse,
  orderIdsOf,
  type PaymentFilter,
  paymentAt,
  paymentByToken,
  paymentIds,
  paymentKeys,
  paymentOf,
  paymentsOf,
  paymentsWith,
  queuedTransfers,
  receivedFor,
  saveDeposit,
  savePayment,
  saveTransfer,
  transferOf,
} from '../../../../src/services/gateway/queries/payments.ts'
import { insertRefund } from '../../../../src/services/gateway/queries/refunds.ts'
import { queryEngines, queryStore } from '../../../support/databases/query-store.ts'

/** Queries of payments, invoices and deposits against rows that were written directly: each condition and order of them. */

const now = 1_000
const side = { environment: 'production' } as const

describe.each(queryEngines)('on $name', (engine) => {
  const aStore = () => queryStore(engine, now)

  const aPayment = (id: number, over: Partial<PaymentRow> = {}): PaymentRow => ({
    ...{ id, ...side, merchant: 'M', status: 'waiting', parent_id: null, invoice_id: null, price_amount: '1' },
    ...{ price_currency: 'usd', pay_amount: '1', whole_amount: '1', is_amount_given: 0, pay_currency: 'btc' },
    ...{ network: 'btc', address: `a${id}`, actually_paid: `${id}`, paid_worth: '0', outcome_amount: '0' },
    ...{ outcome_currency: 'btc', order_id: null, order_description: null, ipn_callback_url: null },
    ...{ customer_email: null, page_token: `t${id}`, is_fixed_rate: 0, is_fee_paid_by_user: 0, subaccount: null },
    ...{ created_at: 10, updated_at: 10, quote_until: now, valid_until: now },
    ...over,
  })

  async function withPayments(...rows: readonly PaymentRow[]) {
    const { read, write } = await aStore()
    await write(async (tx) => {
      for (const row of rows) await insertPayment(tx, row)
    })
    return { read, write }
  }

  const idsOf = (rows: readonly { readonly id: number | string }[]) => rows.map(({ id }) => id)

  test('ids have ten digits, and addresses are counted by environment and network', async () => {
    const { write } = await aStore()
    expect([await write(nextId), await write(nextId)]).toEqual([5_000_000_001, 5_000_000_002])
    const index = (environment: 'production' | 'sandbox', network: 'btc' | 'trx') =>
      write((tx) => nextAddressIndex(tx, environment, network))
    expect([
      ...[await index('production', 'btc'), await index('production', 'btc')],
      ...[await index('sandbox', 'btc'), await index('production', 'trx')],
    ]).toEqual([1, 2, 1, 1])
  })

  test('a payment is found by its id, its address without children, and its token', async () => {
    const { read, write } = await withPayments(
      ...[aPayment(2, { address: 'x', parent_id: 1 }), aPayment(1, { address: 'x' }), aPayment(3)],
      aPayment(4, { environment: 'sandbox', address: 'y', page_token: 'z' }),
    )
    await write((tx) => savePayment(tx, 1, { order_id: 'o' }))
    const orderOf = async (id: number) => (await read((reader) => paymentOf(reader, id)))?.order_id
    expect([await orderOf(1), await orderOf(2), await orderOf(9)]).toEqual(['o', null, undefined])
    const at = async (environment: 'production' | 'sandbox', address: string) =>
      (await read((reader) => paymentAt(reader, environment, address)))?.id
    expect([await at('production', 'x'), await at('production', 'y'), await at('sandbox', 'y')]).toEqual([
      ...[1, undefined, 4],
    ])
    const by = async (environment: 'production' | 'sandbox', token: string) =>
      (await read((reader) => paymentByToken(reader, environment, token)))?.id
    expect([await by('production', 't3'), await by('production', 'z'), await by('sandbox', 'z')]).toEqual([
      ...[3, undefined, 4],
    ])
  })

  test('payments are listed and counted by every filter, oldest first', async () => {
    const { read } = await withPayments(
      ...[aPayment(2), aPayment(1), aPayment(3, { created_at: 9 }), aPayment(4, { created_at: 11, updated_at: 3 })],
      ...[aPayment(5, { merchant: 'N' }), aPayment(6, { invoice_id: 'I', status: 'failed' })],
      ...[aPayment(7, { order_id: 'O', pay_currency: 'trx' }), aPayment(8, { subaccount: 'S' })],
      aPayment(9, { subaccount: 'T' }),
    )
    const list = (filter: Partial<PaymentFilter>) =>
      read(async (reader) => {
        const rows = idsOf(await paymentsOf(reader, { merchant: 'M', ...filter })).join('')
        return [rows, await countPayments(reader, { merchant: 'M', ...filter })]
      })
    expect([await list({}), await list({ merchant: 'N' })]).toEqual([...[['31267894', 8]], ['5', 1]])
    expect([await list({ from: 10 }), await list({ to: 10 })]).toEqual([...[['1267894', 7]], ['3126789', 7]])
    expect([await list({ invoiceId: 'I' }), await list({ orderId: 'O' })]).toEqual([...[['6', 1]], ['7', 1]])
    expect([await list({ isIntoSubaccount: true }), await list({ subaccount: 'S' })]).toEqual([
      ...[['89', 2]],
      ['8', 1],
    ])
    expect([await list({ ids: [1, 5] }), await list({ statuses: ['failed'] })]).toEqual([...[['1', 1]], ['6', 1]])
    expect(await list({ payCurrencies: ['trx'] })).toEqual(['7', 1])
    const page = async (column: 'id' | 'created_at' | 'updated_at', isDescending: boolean, offset = 0, limit = 9) =>
      (await read((reader) => paymentIds(reader, { merchant: 'M' }, { column, isDescending, limit, offset }))).join('')
    expect([await page('id', false), await page('id', true)]).toEqual(['12346789', '98764321'])
    expect([await page('created_at', false), await page('created_at', true)]).toEqual(['31267894', '49876213'])
    expect([await page('updated_at', false), await page('id', false, 1, 2)]).toEqual(['41236789', '23'])
  })

  test('payments are read by their ids, and their texts and orders by themselves', async () => {
    const { read } = await withPayments(aPayment(2, { order_id: 'O' }), aPayment(1), aPayment(3, { merchant: 'N' }))
    const keys = await read((reader) => paymentKeys(reader, { merchant: 'M' }, 'order_id'))
    expect(keys).toEqual([
      { id: 1, key: null },
      { id: 2, key: 'O' },
    ])
    const withIds = async (...ids: readonly number[]) => idsOf(await read((reader) => paymentsWith(reader, ids)))
    expect([await withIds(3, 9, 1), await withIds(1), await withIds()]).toEqual([[3, 1], [1], []])
    const orders = async (...ids: readonly number[]) => [...(await read((reader) => orderIdsOf(reader, ids)))]
    expect([await orders(1, 2, 3), await orders(2), await orders(1), await orders()]).toEqual([
      ...[[[2, 'O']], [[2, 'O']]],
      ...[[], []],
    ])
  })

  test('a sub-account has received what is not credited yet, without refunds under way', async () => {
    const into = (id: number, over: Partial<PaymentRow> = {}) =>
      aPayment(id, { subaccount: 'S', status: 'confirmed', ...over })
    const { read, write } = await withPayments(
      ...[into(1), into(2, { status: 'confirming' }), into(3, { status: 'partially_paid' })],
      ...[into(4, { status: 'waiting' }), into(5, { status: 'finished' }), into(6, { subaccount: 'T' })],
      ...[into(7), into(8), into(9), into(10), into(11)],
    )
    const aRefund = (payment_id: number, over: Partial<RefundRow> = {}): RefundRow => ({
      ...{
        id: `r${payment_id}`,
        ...side,
        merchant: 'M',
        payment_id,
        deposit: null,
        part: 'p',
        coin: 'btc',
        units: '1',
      },
      ...{ fee_units: '0', address: 'T', source: 'available', payout: null, state: 'approved', token: null },
      ...{ asked_by: null, approved_by: null, asked_at: 10, sent_at: null },
      ...over,
    })
    await write(async (tx) => {
      for (const row of [aRefund(7), aRefund(8, { state: 'sent' }), aRefund(9, { state: 'done' })])
        await insertRefund(tx, row)
      for (const row of [aRefund(10, { state: 'requested' }), aRefund(11, { deposit: 'd' })])
        await insertRefund(tx, row)
    })
    const received = async (subaccount: string) =>
      (await read((reader) => receivedFor(reader, subaccount)))
        .map((row) => Number(row.actually_paid))
        .sort((a, b) => a - b)
    expect([await received('S'), await received('T')]).toEqual([[1, 2, 3, 10, 11], [6]])
  })

  test('payments lapse up to now while they are due, longest first', async () => {
    const { read } = await withPayments(
      ...[
        aPayment(1),
        aPayment(2, { valid_until: 9, status: 'partially_paid' }),
        aPayment(3, { valid_until: now + 1 }),
      ],
      ...[aPayment(4, { valid_until: 1, status: 'confirming' }), aPayment(5, { valid_until: 12 })],
    )
    const lapsed = async (limit: number) => idsOf(await read((reader) => lapsedPayments(reader, limit)))
    expect([await lapsed(9), await lapsed(2), await read(nextLapse)]).toEqual([[2, 5, 1], [2, 5], 9])
    expect(await (await aStore()).read(nextLapse)).toBeUndefined()
  })

  test('invoices are found by id and token, and listed by every filter', async () => {
    const { read, write } = await aStore()
    const anInvoice = (id: string, over: Partial<InvoiceRow> = {}): InvoiceRow => ({
      ...{ id, ...side, merchant: 'M', page_token: `t${id}`, price_amount: '1', price_currency: 'usd' },
      ...{ pay_currency: null, payout_currency: null, order_id: null, order_description: null },
      ...{ ipn_callback_url: null, success_url: null, cancel_url: null, partially_paid_url: null },
      ...{ customer_email: null, is_fixed_rate: 0, is_fee_paid_by_user: 0, created_at: 10, updated_at: 10 },
      ...over,
    })
    await write(async (tx) => {
      for (const row of [
        ...[anInvoice('b'), anInvoice('a'), anInvoice('c', { created_at: 9 }), anInvoice('d', { created_at: 11 })],
        ...[anInvoice('e', { merchant: 'N' }), anInvoice('f', { order_id: 'O', environment: 'sandbox' })],
      ])
        await insertInvoice(tx, row)
    })
    const one = async (id: string) => (await read((reader) => invoiceOf(reader, id)))?.id
    expect([await one('a'), await one('b'), await one('z')]).toEqual(['a', 'b', undefined])
    const by = async (environment: 'production' | 'sandbox', token: string) =>
      (await read((reader) => invoiceByToken(reader, environment, token)))?.id
    expect([await by('production', 'ta'), await by('production', 'tf'), await by('sandbox', 'tf')]).toEqual([
      ...['a', undefined, 'f'],
    ])
    const list = async (filter: object) => {
      const part = { offset: 0, limit: 9, isDescending: false }
      const { rows, count } = await read((reader) => invoicesOf(reader, { merchant: 'M', ...filter }, part))
      return [idsOf(rows).join(''), count]
    }
    expect([await list({}), await list({ orderId: 'O' })]).toEqual([...[['cabfd', 5]], ['f', 1]])
    expect([await list({ from: 10 }), await list({ to: 10 })]).toEqual([...[['abfd', 4]], ['cabf', 4]])
  })

  test('deposits are in the order of time, and count until they are removed', async () => {
    const { read, write } = await aStore()
    const aDeposit = (tx_id: string, over: Partial<DepositRow> = {}): DepositRow => ({
      ...{ tx_id, payment_id: 1, sender: 's', units: '5', whole_amount: '0.00000007', state: 'seen', seen_at: 10 },
      ...over,
    })
    await write(async (tx) => {
      for (const row of [
        ...[aDeposit('b'), aDeposit('a'), aDeposit('c', { seen_at: 9, state: 'confirmed' })],
        ...[aDeposit('d', { state: 'frozen' }), aDeposit('e', { state: 'removed' }), aDeposit('f', { state: 'stray' })],
        aDeposit('g', { payment_id: 2 }),
      ])
        await insertDeposit(tx, row)
      await saveDeposit(tx, 'a', { sender: 'x' })
    })
    const senderOf = async (id: string) => (await read((reader) => depositOf(reader, id)))?.sender
    expect([await senderOf('a'), await senderOf('b'), await senderOf('z')]).toEqual(['x', 's', undefined])
    const of = async (id: number) => (await read((reader) => depositsOf(reader, id))).map(({ tx_id }) => tx_id).join('')
    expect([await of(1), await of(2)]).toEqual(['cabdef', 'g'])
    const live = await read((reader) => liveDeposits(reader, { id: 1, pay_currency: 'btc' }))
    expect(live.map(({ id, units, whole, state }) => [id, units, whole, state])).toEqual([
      ['c', 5n, 7n, 'confirmed'],
      ...['a', 'b'].map((id) => [id, 5n, 7n, 'seen']),
      ['d', 5n, 7n, 'tainted'],
    ])
  })

  test('sanctioned addresses are found in any spelling', async () => {
    const { read, write } = await aStore()
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'
    for (const each of [address, address, 'other']) await write((tx) => insertSanction(tx, each))
    const is = (text: string) => read((reader) => isSanctioned(reader, text))
    expect([await is(address), await is(address.toLowerCase()), await is('0x1'), await is('other')]).toEqual([
      ...[true, true, false, true],
    ])
  })

  test('transfers are sent in order unless their merchant must not move money, and are awaited until done', async () => {
    const { read, write } = await aStore()
    const aTransfer = (id: string, over: Partial<ChainTransferRow> = {}): ChainTransferRow => ({
      ...{ id, ...side, merchant: 'M', kind: 'settlement', payment_id: 1, coin: 'btc', address: 'T', units: '1' },
      ...{ fee_units: '0', hash: null, state: 'queued', created_at: 10, contract: null },
      ...over,
    })
    const aMerchant = (id: string, over: Partial<MerchantRow> = {}): MerchantRow => ({
      ...{ id, ...side, name: id, ipn_secret: 's', ipn_url: null, ipn_attempts: null, compat: 0, compat_header: 'x' },
      ...{ tolerance_bps: 0, frozen: 0, verified: 1, totp_sealed: null, totp_step: null, approval_usd: null },
      ...{ payout_limit_usd: null, payout_day_limit_usd: null, created_at: 0 },
      ...over,
    })
    await write(async (tx) => {
      for (const row of [aMerchant('M'), aMerchant('F', { frozen: 1 })])
        await tx.q.insertInto('gateway_merchants').values(row).execute()
      for (const row of [
        ...[aTransfer('b'), aTransfer('a'), aTransfer('c', { merchant: 'F' })],
        ...[aTransfer('d', { state: 'sent', payment_id: 2 }), aTransfer('e', { state: 'done', payment_id: 3 })],
      ])
        await insertTransfer(tx, row)
      await saveTransfer(tx, 'a', { hash: 'h' })
    })
    const hashOf = async (id: string) => (await read((reader) => transferOf(reader, id)))?.hash
    expect([await hashOf('a'), await hashOf('b'), await hashOf('z')]).toEqual(['h', null, undefined])
    const queued = async (limit: number) => idsOf(await read((reader) => queuedTransfers(reader, limit))).join('')
    expect([await queued(9), await queued(1)]).toEqual(['ab', 'a'])
    const done = (id: number) => read((reader) => isSentOff(reader, id))
    expect([await done(1), await done(2), await done(3), await done(9)]).toEqual([false, false, true, true])
  })
})
