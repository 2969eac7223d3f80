import { describe, expect, onTestFinished, test } from 'vitest'
import { keyInHeader } from '../../../src/http/client/signers.ts'
import { inProcess, signed, type Transport, type WireReply } from '../../../src/http/client/transport.ts'
import { Problem } from '../../../src/kit/problem.ts'
import { type Book, openBook } from '../../../src/operator/book/book.ts'
import { findOrderFor, listOrders } from '../../../src/operator/gateway-orders/journal.ts'
import { type OrderContext, placeOrder } from '../../../src/operator/gateway-orders/place.ts'
import { ageRates, resetRates } from '../../../src/services/gateway/rates/rates.ts'
import { aMerchant, type House, type Merchant, openHouse } from '../../services/gateway/house.ts'

/** An order to the gateway happens once, with any faults of its requests and responses. */

interface Operator {
  readonly house: House
  readonly merchant: Merchant
  readonly book: Book
  /** Outcomes of the next requests; later ones succeed. */
  readonly script: ('lose' | 'unreachable' | 'hide' | 'busy')[]
  /** Number of requests that reached the gateway. */
  arrived(): number
  clock: number
  place(key: string, price?: number): ReturnType<typeof placeOrder<'createPayment'>>
  payments(): Promise<number>
}

async function anOperator(): Promise<Operator> {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  const book = await openBook(':memory:', () => operator.clock)
  onTestFinished(() => book.close())
  const script: Operator['script'] = []
  let arrived = 0
  const bare = signed(inProcess(house.server), keyInHeader('x-api-key', merchant.apiKey))
  const transport: Transport = async (request) => {
    const what = script.shift()
    if (what === 'unreachable') throw new Problem('REMOTE_UNREACHABLE', 'No connection', { outcome: 'none' })
    // Lost before it arrived; the sender cannot know.
    if (what === 'hide') throw new Problem('REMOTE_TIMEOUT', 'No answer', { outcome: 'unknown' })
    if (what === 'busy') return { status: 503, headers: {}, body: '<html>edge</html>' }
    arrived++
    const reply = await bare(request)
    if (what === 'lose') throw new Problem('REMOTE_LOST', 'The connection broke', { outcome: 'unknown' })
    return reply
  }
  const operator: Operator = {
    house,
    merchant,
    book,
    script,
    arrived: () => arrived,
    clock: house.now(),
    place(key, price = 20) {
      const retryOptions = { sleep: async () => {}, now: () => operator.clock, random: () => 0, attempts: 3 }
      const through: OrderContext = { book, transport, retryOptions, platformNow: async () => operator.clock }
      const body = { price_amount: price, price_currency: 'usd', pay_currency: 'btc' }
      return placeOrder(through, 'createPayment', key, 'here', { body })
    },
    payments: async () => (await merchant.client.payments({ query: {} })).total,
  }
  return operator
}

describe('an order to the gateway', () => {
  test('is done once; a repeat is answered from the book, without a request', async () => {
    const operator = await anOperator()
    const first = await operator.place('k')
    expect(first).toMatchObject({ kind: 'done', isEarlier: false, reply: { payment_status: 'waiting' } })
    expect(await operator.place('k')).toMatchObject({
      kind: 'done',
      isEarlier: true,
      reply: 'reply' in first ? first.reply : {},
    })
    expect([operator.arrived(), await operator.payments()]).toEqual([1, 1])
  })

  test('is one payment although its response was lost twice', async () => {
    const operator = await anOperator()
    operator.script.push('lose', 'lose')
    expect(await operator.place('k')).toMatchObject({ kind: 'done' })
    expect([operator.arrived(), await operator.payments()]).toEqual([3, 1])
  })

  test('whose response stays lost is unknown, and a repeat finishes it without a second payment', async () => {
    const operator = await anOperator()
    operator.script.push('lose', 'hide', 'unreachable')
    expect(await operator.place('k')).toMatchObject({ kind: 'unknown', row: { state: 'unknown' } })
    expect(await operator.place('k')).toMatchObject({ kind: 'done', isEarlier: false, row: { attempts: 2 } })
    expect(await operator.payments()).toBe(1)
  })

  test('that was not sent is not done, and reports it', async () => {
    const operator = await anOperator()
    operator.script.push('unreachable', 'unreachable', 'unreachable')
    expect(await operator.place('k')).toMatchObject({ kind: 'unsent', row: { state: 'new', sent_at: null } })
    expect(await operator.payments()).toBe(0)
    expect(await operator.place('k')).toMatchObject({ kind: 'done' })
  })

  test('with a response of a proxy instead of the gateway is unknown', async () => {
    const operator = await anOperator()
    operator.script.push('busy', 'busy', 'busy')
    expect(await operator.place('k')).toMatchObject({ kind: 'unknown' })
  })

  test('without a current price is not done, reports it, and continues under its key later', async () => {
    const operator = await anOperator()
    await ageRates(operator.house.app, 3_600_000)
    expect(await operator.place('k-1')).toMatchObject({
      kind: 'unsent',
      problem: { code: 'RATE_UNAVAILABLE' },
      row: { state: 'new' },
    })
    await resetRates(operator.house.app)
    expect((await operator.place('k-1')).kind).toBe('done')
    expect(await operator.payments()).toBe(1)
  })

  test('that is rejected is closed, and the book has the code', async () => {
    const operator = await anOperator()
    expect(await operator.place('k', 0.01)).toMatchObject({ kind: 'refused', problem: { code: 'AMOUNT_TOO_SMALL' } })
    expect(await listOrders(operator.book, 10)).toMatchObject([
      { key: 'k', state: 'refused', refusal: 'AMOUNT_TOO_SMALL', reply: null },
    ])
  })

  test('under a key of another order is rejected before a request, at any age', async () => {
    const operator = await anOperator()
    await operator.place('k')
    operator.clock += 400 * 86_400_000
    await expect(operator.place('k', 21)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    const elsewhere = { key: 'k', endpoint: 'createPayment', target: 'there', input: {} }
    await expect(findOrderFor(operator.book, elsewhere)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    expect(operator.arrived()).toBe(1)
  })

  test('with an unknown outcome is not sent again after a day: the gateway may have deleted its key', async () => {
    const operator = await anOperator()
    operator.script.push('lose', 'hide', 'hide')
    await operator.place('k')
    operator.clock += 25 * 3_600_000
    expect(await operator.place('k')).toMatchObject({ kind: 'stale', problem: { code: 'MONEY_UNKNOWN' } })
    expect([operator.arrived(), await operator.payments()]).toEqual([1, 1])
  })

  test.each([
    ['23 hours', 23 * 3_600_000, 'done'],
    ['a millisecond more', 23 * 3_600_000 + 1, 'stale'],
    ['an hour set back', -3_600_000, 'done'],
    ['a millisecond more set back', -3_600_000 - 1, 'stale'],
  ])(
    'whose response was lost is sent again, depending on the age of its key at the gateway: %s',
    async (_, age, kind) => {
      const operator = await anOperator()
      operator.script.push('lose', 'hide', 'hide')
      await operator.place('k')
      operator.clock += age
      expect(await operator.place('k')).toMatchObject({ kind })
      expect(await operator.payments()).toBe(1)
    },
  )
})

describe('what the gateway or a proxy responds, once', () => {
  const [answered, html] = [
    (status: number, code: string) => ({
      ...{ status, headers: {} },
      body: JSON.stringify({ status: false, statusCode: status, code, message: 'no' }),
    }),
    (status: number) => ({ status, headers: {}, body: '<html>edge</html>' }),
  ]

  /** Places an order under a key whose first request was lost, or that is new. Returns its outcome. */
  async function outcomeOf(reply: WireReply | Problem, isLostBefore: boolean) {
    const book = await openBook(':memory:', () => 1_000)
    onTestFinished(() => book.close())
    let next: WireReply | Problem = new Problem('REMOTE_LOST', 'The connection broke', { outcome: 'unknown' })
    const through: OrderContext = {
      book,
      transport: async () => {
        if (next instanceof Problem) throw next
        return next
      },
      retryOptions: { sleep: async () => {}, now: () => 1_000, random: () => 0, attempts: 1 },
      platformNow: async () => {
        if (next instanceof Problem && next.code === 'AWAY') throw next
        return 1_000
      },
    }
    const place = () =>
      placeOrder(through, 'createPayment', 'k', 'here', {
        body: { price_amount: 1, price_currency: 'usd', pay_currency: 'btc' },
      })
    if (isLostBefore) expect((await place()).kind).toBe('unknown')
    next = reply
    return (await place()).kind
  }

  test.each<[what: string, reply: WireReply | Problem, isNew: string, isLost: string]>([
    ['the time is not known', new Problem('AWAY', 'no connection'), 'unsent', 'unknown'],
    ['a redirect', html(399), 'unknown', 'unknown'],
    ['an error about the request', answered(400, 'INVALID_REQUEST_PARAMS'), 'refused', 'unknown'],
    ['an error about the order', answered(400, 'AMOUNT_TOO_SMALL'), 'refused', 'refused'],
    ['a missing page', html(404), 'unsent', 'unknown'],
    ['too many requests', answered(429, 'RATE_LIMITED'), 'unsent', 'unknown'],
    ['the last status of an answer', answered(499, 'AMOUNT_TOO_SMALL'), 'refused', 'refused'],
    ['the last status of an answer about the request', answered(499, 'FORBIDDEN'), 'refused', 'unknown'],
    ['a failure of the gateway', answered(500, 'INTERNAL_ERROR'), 'unknown', 'unknown'],
    ['a failure that names the order', answered(500, 'AMOUNT_TOO_SMALL'), 'unknown', 'unknown'],
    ['a gateway without a price', answered(503, 'RATE_UNAVAILABLE'), 'unsent', 'unknown'],
    ['a proxy', html(500), 'unknown', 'unknown'],
  ])('%s: a new order and a lost one', async (_, reply, isNew, isLost) => {
    expect([await outcomeOf(reply, false), await outcomeOf(reply, true)]).toEqual([isNew, isLost])
  })
})
