import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import NowPaymentsJs from 'nowpayments-js'
import { NowPayments, verifyIpnSignature } from 'nowpayments-node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { deliveriesAbout } from '../../../../src/outbox/queries.ts'
import { depositTo, fund, setMerchant, theMerchant } from '../../../../src/services/gateway/admin/platform.ts'
import { ipnHeaders } from '../../../../src/services/gateway/ipn/ipns.ts'
import { merchantOf } from '../../../../src/services/gateway/queries/merchants.ts'
import { aMerchant, openHouse } from '../house.ts'

/** Published clients of the compatible gateway, as npm installs them, against ours over a real socket. */

// The compiler would check its own types by our rules; the used parts are declared here.
const NowPaymentsApi: new (
  config: object,
) => Record<
  | 'status'
  | 'getCurrencies'
  | 'getEstimatePrice'
  | 'getMinimumPaymentAmount'
  | 'createPayment'
  | 'getPaymentStatus'
  | 'getListPayments'
  | 'createInvoice',
  (input?: object) => Promise<Record<string, unknown>>
> = createRequire(import.meta.url)('@nowpaymentsio/nowpayments-api-js')

async function served() {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  await house.app.store.write(async (tx) => {
    await fund(house.app, tx, await theMerchant(tx, merchant.id), 'btc', '1')
  })
  const { url } = await house.server.listen()
  return { house, merchant, url }
}

/** Parts of nowpayments-js that its types omit: the client below its managers. */
function innerOf(np: object) {
  return (np as { client: InnerClient }).client
}

interface InnerClient {
  readonly http: { defaults: { baseURL: string } }
  getMerchantCoins(): Promise<{ currencies: string[] }>
  getMinimumPaymentAmount(from: string, to: string, fiat: string): Promise<object>
  createSubPartner(input: object): Promise<{ result: object }>
}

function idOf(reply: unknown): string {
  return (reply as { result: { id: string } }).result.id
}

const input = {
  price_amount: 29.99,
  price_currency: 'usd',
  pay_currency: 'btc',
  order_id: 'order-1',
  ipn_callback_url: 'https://shop.example/ipn',
}

describe('nowpayments-node', () => {
  test.each(['', '/api'])('accepts a payment below %j, from its price to its list', async (prefix) => {
    const { house, merchant, url } = await served()
    const np = new NowPayments({ apiKey: merchant.apiKey, baseUrl: url + prefix, ipnSecret: merchant.ipnSecret })
    expect(await np.getStatus()).toEqual({ message: 'OK' })
    expect((await np.getCurrencies(true)).currencies).toContain('usdttrc20')
    expect((await np.getFullCurrencies()).currencies).toHaveLength(19)
    expect(await np.getMerchantCoins(true)).toMatchObject({ selectedCurrencies: expect.arrayContaining(['btc']) })
    expect(await np.getCurrency('btc')).toMatchObject({ code: 'btc', enable: true })
    const price = { amount: 29.99, currency_from: 'usd', currency_to: 'btc' }
    const { estimated_amount } = await np.getEstimatePrice(price)
    const { min_amount } = await np.getMinAmount({ currency_from: 'btc', currency_to: 'usdttrc20' })
    expect(Number(estimated_amount)).toBeGreaterThan(Number(min_amount))
    const payment = await np.createPayment({ ...input, fixed_rate: true })
    expect(payment.pay_amount).toBe(estimated_amount)
    await depositTo(house.app, Number(payment.payment_id))
    await house.wait(1_200_000)
    expect(await np.getPaymentStatus(payment.payment_id)).toMatchObject({ payment_status: 'finished' })
    expect(await np.getPayments({ limit: 5, page: 0, sortBy: 'created_at', orderBy: 'desc' })).toMatchObject({
      total: 1,
    })
    const open = await np.createPayment(input)
    expect(await np.updatePaymentEstimate(open.payment_id)).toMatchObject({ id: String(open.payment_id) })
    const invoice = await np.createInvoice({ price_amount: 20, price_currency: 'usd', order_id: 'i-1' })
    expect(await np.createInvoicePayment({ iid: invoice.id, pay_currency: 'eth' })).toMatchObject({
      pay_currency: 'eth',
    })
  })

  test('moves the balances in custody, with a token', async () => {
    const { merchant, url } = await served()
    const np = new NowPayments({ apiKey: merchant.apiKey, baseUrl: url })
    const { token } = await np.getAuthToken(merchant.email, merchant.password)
    expect(await np.getBalance(token)).toEqual({ btc: { amount: 1, pendingAmount: 0 } })
    const amy = (await np.createSubPartner('amy', token)).result.id
    const bob = (await np.createSubPartner('bob', token)).result.id
    await np.deposit({ currency: 'btc', amount: 0.5, sub_partner_id: amy }, token)
    const moved = await np.createTransfer({ currency: 'btc', amount: 0.2, from_id: amy, to_id: bob }, token)
    await np.writeOff({ currency: 'btc', amount: 0.1, sub_partner_id: bob }, token)
    expect(await np.getTransfer(idOf(moved), token)).toMatchObject({ result: { amount: '0.2' } })
    expect(await np.getTransfers({ limit: 2 }, token)).toMatchObject({ count: 3 })
    expect(await np.getSubPartners({}, token)).toMatchObject({ count: 2 })
    expect(await np.getSubPartnerBalance(bob)).toEqual({
      result: { subPartnerId: bob, balances: { btc: { amount: 0.1, pendingAmount: 0 } } },
    })
    const change = { amount: 0.5, from_currency: 'btc', to_currency: 'eth' }
    const conversion = await np.createConversion(change, token)
    expect(await np.getConversionStatus(idOf(conversion), token)).toMatchObject({ result: { to_amount: 12.5 } })
    expect(await np.getConversions({}, token)).toMatchObject({ count: 1 })
    const paid = await np.createSubPartnerPayment(
      { currency: 'trx', amount: 50, sub_partner_id: amy, is_fixed_rate: true },
      token,
    )
    expect(paid.result).toMatchObject({ is_fixed_rate: true })
    const address = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'
    expect(await np.validatePayoutAddress({ address, currency: 'btc' })).toBe('OK')
    await expect(np.validatePayoutAddress({ address: `${address}x`, currency: 'btc' })).rejects.toMatchObject({
      statusCode: 400,
      code: 'INVALID_ADDRESS',
    })
    await expect(np.getFiatPayouts({}, token)).rejects.toMatchObject({ statusCode: 501, code: 'NOT_SUPPORTED' })
  })

  test('returns our refusals like those of its own gateway', async () => {
    const { merchant, url } = await served()
    const np = new NowPayments({ apiKey: merchant.apiKey, baseUrl: url })
    await expect(np.createPayment({ ...input, price_amount: 0.01 })).rejects.toMatchObject({
      statusCode: 400,
      code: 'AMOUNT_TOO_SMALL',
      message: expect.stringMatching(/btc/),
    })
    const stranger = new NowPayments({ apiKey: 'wrong', baseUrl: url })
    await expect(stranger.getCurrencies()).rejects.toMatchObject({ statusCode: 403, code: 'INVALID_API_KEY' })
  })
})

describe('nowpayments-js', () => {
  test('creates a deposit and reads it back', async () => {
    const { house, merchant, url } = await served()
    const np = new NowPaymentsJs({ ...merchant, apiKey: merchant.apiKey, ipnCallbackUrl: input.ipn_callback_url })
    const inner = innerOf(np)
    // The only change, because its makers offer no setting for it.
    inner.http.defaults.baseURL = `${url}/v1`
    expect(await np.getStatus()).toEqual({ message: 'OK' })
    const deposit = await np.createUserDepositAddress({ userId: '7', payCurrency: 'BTC', priceAmount: 50 })
    expect(deposit).toMatchObject({ success: true, payAmount: 0.0005, status: 'waiting' })
    await depositTo(house.app, Number(deposit.paymentId))
    await house.wait(1_200_000)
    expect(await np.deposit.checkPaymentStatus(deposit.paymentId)).toMatchObject({ isCompleted: true })
    expect(await np.deposit.getUserPayments('7')).toHaveLength(1)
    expect((await inner.getMerchantCoins()).currencies).toContain('btc')
    expect(await inner.getMinimumPaymentAmount('btc', 'usdttrc20', 'usd')).toMatchObject({ currency_from: 'btc' })
    expect((await inner.createSubPartner({ name: 'amy' })).result).toMatchObject({ name: 'amy' })
  })
})

describe('@nowpaymentsio/nowpayments-api-js', () => {
  test('accepts payments and invoices, with its own host resolved to ours', async () => {
    const { merchant, url } = await served()
    // Its host is fixed in its code, so a proxy is in between, as a firewall's would be.
    const proxy = createServer(async (request, reply) => {
      const target = new URL(request.url ?? '', 'https://api.nowpayments.io')
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const answer = await fetch(`${url}${target.pathname}${target.search}`, {
        method: request.method ?? 'GET',
        headers: {
          'content-type': request.headers['content-type'] ?? 'application/json',
          'x-api-key': String(request.headers['x-api-key'] ?? ''),
        },
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      })
      reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    process.env['https_proxy'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    onTestFinished(() => {
      delete process.env['https_proxy']
      proxy.closeAllConnections()
      proxy.close()
    })
    const np = new NowPaymentsApi({ apiKey: merchant.apiKey })
    expect(await np.status()).toEqual({ message: 'OK' })
    expect(await np.getCurrencies()).toMatchObject({ currencies: expect.arrayContaining(['btc']) })
    const price = { amount: 100, currency_from: 'usd', currency_to: 'btc' }
    expect(await np.getEstimatePrice(price)).toMatchObject({ estimated_amount: 0.001 })
    expect(await np.getMinimumPaymentAmount({ currency_from: 'btc', currency_to: 'btc' })).toMatchObject({
      currency_to: 'btc',
    })
    const payment = await np.createPayment(input)
    expect(payment).toMatchObject({ payment_status: 'waiting', pay_currency: 'btc' })
    const id = String(payment['payment_id'])
    expect(await np.getPaymentStatus({ payment_id: id })).toMatchObject({ order_id: 'order-1' })
    expect(await np.getListPayments({ limit: 10, page: 0 })).toMatchObject({ total: 1 })
    expect(await np.createInvoice({ price_amount: 5, price_currency: 'usd' })).toMatchObject({ price_amount: '5' })
  })
})

describe('verifiers written for the compatible gateway accept our callbacks', () => {
  async function aCallback() {
    const { house, merchant, url } = await served()
    await setMerchant(house.app, merchant.id, { compat: true, compatHeader: 'x-nowpayments-sig' })
    const np = new NowPayments({ apiKey: merchant.apiKey, baseUrl: url })
    const payment = await np.createPayment({ ...input, price_amount: 9, order_description: 'Two tickets' })
    return house.app.store.read(async (reader) => {
      const row = await merchantOf(reader, merchant.id)
      const [ipn] = await deliveriesAbout(reader, merchant.id, String(payment.payment_id))
      if (!row || !ipn) throw new Error('no callback was sent')
      return { body: ipn.body, headers: ipnHeaders(row, ipn.body), secret: merchant.ipnSecret, merchant }
    })
  }

  test('nowpayments-node and nowpayments-js, also below a ten-thousandth', async () => {
    const { body, headers, secret, merchant } = await aCallback()
    expect(JSON.parse(body).pay_amount).toBe(0.00009)
    const signature = headers['x-nowpayments-sig'] ?? ''
    expect(signature).toBe(headers['x-gw-sig'])
    expect(verifyIpnSignature(body, signature, secret)).toBe(true)
    expect(verifyIpnSignature(JSON.parse(body), signature, secret)).toBe(true)
    expect(verifyIpnSignature(body.replace('waiting', 'finished'), signature, secret)).toBe(false)
    const np = new NowPaymentsJs({ apiKey: merchant.apiKey, ipnSecret: secret })
    expect(np.ipn.parseCallback(body, signature)).toMatchObject({ status: 'waiting', orderId: 'order-1' })
    expect(() => np.ipn.parseCallback(body, signature.replace(/^./, 'g'))).toThrow()
  })

  test('those that keep only top-level keys: the body is flat', async () => {
    const { body } = await aCallback()
    const parsed: Record<string, unknown> = JSON.parse(body)
    expect(JSON.stringify(parsed, Object.keys(parsed).sort())).toBe(body)
    for (const value of Object.values(parsed)) expect(typeof value === 'object' && value !== null).toBe(false)
    expect(body).not.toContain('/')
  })
})
