import { describe, expect, test } from 'vitest'
import { payoutsFromCsv, totalsOf, totalsText } from '../../../src/operator/gateway-orders/payout-file.ts'

const read = (...lines: string[]) => payoutsFromCsv(Buffer.from(`${lines.join('\n')}\n`))

describe('a file of payouts', () => {
  test('gives one payout per row, with its line, lower-case currency and only the fields that have a value', async () => {
    const rows = await read(
      'address,currency,amount,external_id,description,execute_at',
      'T1,USDTTRC20,10.5,a,,',
      'b1,btc,0.1,,rent,2026-03-10T12:00:00Z',
    )
    expect(rows).toEqual([
      { line: 2, item: { address: 'T1', currency: 'usdttrc20', amount: '10.5', unique_external_id: 'a' } },
      {
        line: 3,
        item: {
          ...{ address: 'b1', currency: 'btc', amount: '0.1', payout_description: 'rent' },
          execute_at: '2026-03-10T12:00:00Z',
        },
      },
    ])
  })

  test('is refused completely, with every error and its line', async () => {
    const head = 'address,currency,amount,external_id'
    const error = await read(head, ',btc,1,a', 'b1,b,0,a', 'b1,btc,1,5,b').catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'INVALID_FILE' })
    for (const part of [
      'the address is missing',
      'must be a code',
      'above zero',
      'external_id a appears twice',
      'more cells',
    ])
      expect(JSON.stringify([error.message, error.details])).toContain(part)
  })

  test.each([
    [
      ['address,currency,amount,memo', 'a,btc,1,x'],
      'unknown column "memo"; valid columns: address, currency, amount, description, external_id, execute_at',
    ],
    [['address,currency,amount,amount', 'a,btc,1,1'], 'column "amount" twice'],
    [['address,currency,amount'], 'no payouts'],
  ])('with the lines %j is refused: %s', async (lines, message) => {
    await expect(read(...lines)).rejects.toMatchObject({
      code: 'INVALID_FILE',
      message: expect.stringContaining(message),
    })
  })
})

test('totals are exact and named by currency', () => {
  const totals = totalsOf([
    { currency: 'BTC', amount: '0.1' },
    { currency: 'btc', amount: '0.2' },
    { currency: 'trx', amount: '123456789012345678901234567890.000000000000000001' },
  ])
  expect(totals).toEqual([
    { currency: 'btc', amount: '0.3' },
    { currency: 'trx', amount: '123456789012345678901234567890.000000000000000001' },
  ])
  expect(totalsText(totals)).toBe('0.3 btc and 123456789012345678901234567890.000000000000000001 trx')
})
