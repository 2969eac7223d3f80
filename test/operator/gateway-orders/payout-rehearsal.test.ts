import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/kit/problem.ts'
import { type RehearsalSource, rehearsePayouts } from '../../../src/operator/gateway-orders/payout-rehearsal.ts'

interface Answers {
  readonly fee?: number
  readonly minimum?: number
  readonly available?: number | string
  /** Addresses that are not valid. */
  readonly bad?: readonly string[]
  /** Error of the prices of a coin, or of the check of its addresses. */
  readonly prices?: Problem
  readonly checks?: Problem
}

/** A gateway with these answers for every coin. */
function aGateway({ fee = 0.1, minimum = 1, available = 100, bad = [], prices, checks }: Answers = {}) {
  const asked: string[] = []
  let running = 0
  let most = 0
  const source = {
    validateAddress: async ({ body: { address, currency } }: { body: { address: string; currency: string } }) => {
      asked.push(`${currency} ${address}`)
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      if (checks) throw checks
      if (bad.includes(address)) throw new Problem('INVALID_ADDRESS', `${address} is wrong`)
      return 'OK'
    },
    payoutFee: async ({ query }: { query: { currency: string; amount: string } }) => {
      asked.push(`fee ${query.currency} ${query.amount}`)
      if (prices) throw prices
      return { currency: query.currency, fee }
    },
    payoutMinimum: async () => ({ success: true, result: minimum }),
    balance: async () => ({ trx: { amount: available, pendingAmount: 0 } }),
  } as unknown as RehearsalSource
  return { source, asked, most: () => most }
}

const items = (...amounts: readonly string[]) =>
  amounts.map((amount, i) => ({ address: `T${i}`, currency: 'TRX', amount }))

describe('a batch of payouts, before it is created', () => {
  test('needs its amounts and one network fee each, exactly', async () => {
    const { source, asked } = aGateway({ fee: 1e-7, available: '0.3000002' })
    expect(await rehearsePayouts(source, items('0.1', '0.2'))).toMatchObject({
      needs: [
        {
          ...{ currency: 'trx', payouts: 2, amount: '0.3', fees: '0.0000002', total: '0.3000002' },
          ...{ available: '0.3000002', minimum: '1' },
        },
      ],
    })
    expect(asked).toEqual(['trx T0', 'trx T1', 'fee trx 0.1'])
  })

  test('has an error for each amount below the minimum, and none at it', async () => {
    const { source } = aGateway()
    expect((await rehearsePayouts(source, items('1', '0.999999', '2'))).faults).toEqual([
      { item: 1, code: 'AMOUNT_TOO_SMALL', message: 'The minimum payout is 1 trx' },
    ])
  })

  test('can need the whole balance, and no more; that error is last', async () => {
    const [whole, more] = [aGateway({ available: 2.1 }), aGateway({ available: 2.099, bad: ['T0'] })]
    expect((await rehearsePayouts(whole.source, items('2'))).faults).toEqual([])
    expect((await rehearsePayouts(more.source, items('2'))).faults).toEqual([
      { item: 0, code: 'INVALID_ADDRESS', message: 'T0 is wrong' },
      {
        ...{ item: null, code: 'INSUFFICIENT_BALANCE' },
        message: 'The batch needs 2.1 trx including network fees, but only 2.099 is available',
      },
    ])
  })

  test('has no balance of a coin that the gateway does not list', async () => {
    const rehearsal = await rehearsePayouts(aGateway().source, [{ address: 'b1', currency: 'btc', amount: '2' }])
    expect(rehearsal).toMatchObject({ needs: [{ currency: 'btc', available: '0' }], faults: [{ item: null }] })
  })

  test('has the errors of all coins in the order of its payouts', async () => {
    const { source } = aGateway({ bad: ['T0', 'b1'] })
    const batch = [...items('5'), { address: 'b1', currency: 'btc', amount: '0.5' }, ...items('0.5')]
    const { faults } = await rehearsePayouts(source, batch)
    expect(faults.map(({ item, code }) => [item, code])).toEqual([
      [0, 'INVALID_ADDRESS'],
      [1, 'INVALID_ADDRESS'],
      [1, 'AMOUNT_TOO_SMALL'],
      [2, 'INVALID_ADDRESS'],
      [2, 'AMOUNT_TOO_SMALL'],
      [null, 'INSUFFICIENT_BALANCE'],
    ])
  })

  test('has each address checked once per coin, four at a time', async () => {
    const { source, asked, most } = aGateway()
    const batch = Array.from({ length: 9 }, (_, i) => ({ address: `T${i}`, currency: 'trx', amount: '1' }))
    await rehearsePayouts(source, [...batch, ...batch, { address: 'T0', currency: 'btc', amount: '1' }])
    const checks = asked.filter((each) => !each.startsWith('fee'))
    expect(checks).toEqual([...batch.map(({ address }) => `trx ${address}`), 'btc T0'])
    expect(most()).toBe(4)
  })
})

describe('an error of the gateway', () => {
  test.each(['CURRENCY_UNAVAILABLE', 'INVALID_REQUEST_PARAMS', 'INVALID_AMOUNT', 'NOT_FOUND'])(
    'about the coin is that of all its payouts, once: %s',
    async (code) => {
      const problem = new Problem(code, 'no such coin')
      const { source } = aGateway({ prices: problem, checks: problem })
      expect(await rehearsePayouts(source, items('1', '2'))).toEqual({
        needs: [],
        faults: [0, 1].map((item) => ({ item, code, message: 'no such coin' })),
      })
    },
  )

  test('about anything else ends the check', async () => {
    const away = new Problem('REMOTE_UNREACHABLE', 'away')
    for (const answers of [{ prices: away }, { checks: away }])
      await expect(rehearsePayouts(aGateway(answers).source, items('1'))).rejects.toBe(away)
    const broken = new TypeError('no answer') as unknown as Problem
    for (const answers of [{ prices: broken }, { checks: broken }])
      await expect(rehearsePayouts(aGateway(answers).source, items('1'))).rejects.toBe(broken)
  })
})
