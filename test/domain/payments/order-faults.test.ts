import { describe, expect, test } from 'vitest'
import { coinAmountFault, tickerFault } from '../../../src/domain/payments/order-faults.ts'

describe('an amount of a coin', () => {
  test.each(['1', '0.1', '0.000000000000000001', '007', `${'9'.repeat(30)}.${'9'.repeat(30)}`, `0.${'0'.repeat(29)}1`])(
    'of %s has no fault',
    (amount) => {
      expect(coinAmountFault(amount)).toBeUndefined()
    },
  )

  const faulty = ['', '0', '0.0', '-1', '+1', '1.', '.1', '1,5', '1e3', ' 1', '1\n', '0x1', '1.2.3', '９', 'NaN']
  test.each([...faulty, '9'.repeat(31), `1.${'1'.repeat(31)}`, '0'.repeat(30)])(
    'of %j is refused by name',
    (amount) => {
      expect(coinAmountFault(amount)).toEqual({
        field: 'amount',
        code: 'INVALID_AMOUNT',
        message: `The amount ${JSON.stringify(amount)} must be a decimal above zero, with digits and one point`,
      })
    },
  )

  test('is quoted up to 70 characters, under the name of its field', () => {
    const { field, message } = coinAmountFault('x'.repeat(71), 'fee') ?? {}
    expect(field).toBe('fee')
    expect(message).toBe(`The amount "${'x'.repeat(70)}" must be a decimal above zero, with digits and one point`)
  })
})

describe('a currency code', () => {
  test.each(['btc', 'USDTTRC20', 'sol', 'eu', 'a'.repeat(20)])('%s has no fault', (ticker) => {
    expect(tickerFault(ticker)).toBeUndefined()
  })

  test.each(['', 'b', 'a'.repeat(21), 'us d', 'usd\n', 'usdt-trc20', 'bìt'])('%j is refused by name', (ticker) => {
    expect(tickerFault(ticker, 'to')).toEqual({
      field: 'to',
      code: 'CURRENCY_UNAVAILABLE',
      message: `The currency ${JSON.stringify(ticker)} must be a code such as usdttrc20, btc or usd`,
    })
  })

  test('is quoted up to 70 characters', () => {
    const { field, message } = tickerFault('-'.repeat(71)) ?? {}
    expect(field).toBe('currency')
    expect(message).toBe(`The currency "${'-'.repeat(70)}" must be a code such as usdttrc20, btc or usd`)
  })
})
