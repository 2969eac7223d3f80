import { describe, expect, test } from 'vitest'
import { payoutLedgerFromCsv } from '../../../../src/operator/reconcile/payouts/ledger-csv.ts'

const read = (...lines: readonly string[]) => payoutLedgerFromCsv(lines.join('\n'))
const unit = 10n ** 18n
const head = 'payout_id,external_id,address,currency,amount,status,time'

describe('a ledger of payouts', () => {
  test('is parsed with its lines, and with any other columns', async () => {
    const rows = await read(
      `no,${head}`,
      '1,7,p-1,T1,TRX,1.5,Paid,2026-03-01T08:00:00Z',
      '2,8,,,btc,+2,,',
      '3,,p-3,,btc,0.000000000000000001,PENDING,2026-03-02',
    )
    expect(rows).toEqual([
      {
        ...{ payoutId: '7', externalId: 'p-1', address: 'T1', currency: 'trx', amount: (3n * unit) / 2n },
        ...{ status: 'paid', at: Date.UTC(2026, 2, 1, 8), line: 2 },
      },
      {
        ...{ payoutId: '8', externalId: null, address: null, currency: 'btc', amount: 2n * unit },
        ...{ status: null, at: null, line: 3 },
      },
      {
        ...{ payoutId: null, externalId: 'p-3', address: null, currency: 'btc', amount: 1n },
        ...{ status: 'pending', at: Date.UTC(2026, 2, 2), line: 4 },
      },
    ])
  })

  test('can name its columns like the payouts of the gateway, and be of one row without an optional cell', async () => {
    expect(await read('id,currency,amount,unique_external_id', '7,trx,1')).toMatchObject([
      { payoutId: '7', externalId: null, currency: 'trx', amount: unit, status: null, at: null },
    ])
    expect(await read('unique_external_id,currency,amount', 'p-1,trx,1')).toMatchObject([{ externalId: 'p-1' }])
    expect(await read('payout_id,currency,amount')).toEqual([])
  })

  test.each([
    ['failed', 'failed'],
    ['REJECTED', 'failed'],
    ['finished', 'paid'],
    ['sending', 'pending'],
  ])('can use the statuses of the gateway: %s means %s', async (word, status) => {
    expect(await read('payout_id,currency,amount,status', `7,trx,1,${word}`)).toMatchObject([{ status }])
  })

  test.each([
    ['2026-03-01 08:00Z', Date.UTC(2026, 2, 1, 8)],
    ['2026-03-01T08:00:00,5+01:00', Date.UTC(2026, 2, 1, 7, 0, 0, 500)],
    ['2026-03-01T08:00:00.123456789Z', Date.UTC(2026, 2, 1, 8, 0, 0, 123)],
    ['2026-02-28', Date.UTC(2026, 1, 28)],
  ])('can have the time %s', async (time, at) => {
    expect(await read('payout_id,currency,amount,time', `7,trx,1,"${time}"`)).toMatchObject([{ at }])
  })
})

describe('the columns', () => {
  const needs = 'required: payout_id or external_id, currency, amount; optional: address, status, time'
  test.each([
    ['payout_id,currency', ['amount'], []],
    ['external_id,amount', ['currency'], []],
    ['no', ['payout_id or external_id', 'currency', 'amount'], []],
    ['payout_id,currency,amount,id', [], ['payout_id']],
    ['payout_id,currency,amount,time,status,time,status', [], ['status', 'time']],
    ['currency,amount,amount', ['payout_id or external_id'], ['amount']],
    [
      `${head},time,status,amount,currency,address,external_id,payout_id`,
      [],
      ['payout_id', 'external_id', 'address', 'currency', 'amount', 'status', 'time'],
    ],
  ])('%s are refused', async (columns, lacking, doubled) => {
    const missing = lacking.length > 0 ? [`The ledger has no column ${lacking.join(', ')}; ${needs}`] : []
    await expect(read(columns)).rejects.toMatchObject({
      ...{ code: 'INVALID_FILE', detail: { lacking, doubled } },
      message: [...missing, ...doubled.map((name) => `the column ${name} appears twice`)].join('; '),
    })
  })

  test('of others can appear twice', async () => {
    expect(await read('payout_id,currency,amount,note,note', '7,trx,1,a,b')).toHaveLength(1)
  })
})

describe('a row', () => {
  const long = 'x'.repeat(65)
  test.each([
    [',,T1,trx,1,,', 'both payout_id and external_id are missing'],
    ['7 8,,T1,trx,1,,', '"7 8" is not a payout ID'],
    [`${long},,T1,trx,1,,`, `"${'x'.repeat(40)}…" is not a payout ID`],
    ['7,,T1,trx,0,,', '"0" must be an amount above 0'],
    ['7,,T1,trx,-1,,', '"-1" must be an amount above 0'],
    ['7,,T1,trx,++1,,', '"++1" must be an amount above 0'],
    ['7,,T1,trx,0.0000000000000000001,,', '"0.0000000000000000001" must be an amount above 0'],
    ['7,,T1,t,1,,', '"t" is not a currency'],
    [`7,,T1,${'t'.repeat(21)},1,,`, `"${'t'.repeat(21)}" is not a currency`],
    ['7,,T1,t$x,1,,', '"t$x" is not a currency'],
    ['7,,T1,trx,1,sent,', '"sent" must be paid, pending, failed, or a status of the gateway'],
    ['7,,T1,trx,1,toString,', '"toString" must be paid, pending, failed, or a status of the gateway'],
    [
      '7,,T1,trx,1,,2026-03-01T08:00:00',
      '"2026-03-01T08:00:00" must be a time with its zone, such as 2026-03-01T08:00:00Z',
    ],
    ['7,,T1,trx,1,,2026-02-30', '"2026-02-30" must be a time with its zone, such as 2026-03-01T08:00:00Z'],
    [
      '7,,T1,trx,1,,2026-02-30T08:00Z',
      '"2026-02-30T08:00Z" must be a time with its zone, such as 2026-03-01T08:00:00Z',
    ],
    [
      '7,,T1,trx,1,,2026-03-01T25:00Z',
      '"2026-03-01T25:00Z" must be a time with its zone, such as 2026-03-01T08:00:00Z',
    ],
    ['7,,T1,trx,1,,,5', 'more cells than columns; does an amount contain a comma?'],
  ])('is refused with its line: %s', async (row, message) => {
    await expect(read(head, row)).rejects.toMatchObject({
      ...{ code: 'INVALID_FILE', message: `Line 2: ${message}`, detail: { problems: [{ line: 2, message }] } },
    })
  })

  test('can have an ID and a currency of the greatest and of the least length', async () => {
    const rows = [`${'x'.repeat(64)},,,${'t'.repeat(20)},1,,`, '8,,,tx,1,,']
    expect(await read(head, ...rows)).toMatchObject([{ payoutId: 'x'.repeat(64) }, { currency: 'tx' }])
  })

  test('shows the first 40 characters of a wrong cell', async () => {
    const message = (text: string) => `Line 2: ${JSON.stringify(text)} must be an amount above 0`
    const of = (amount: string) => read('payout_id,currency,amount', `7,trx,${amount}`)
    await expect(of('a'.repeat(40))).rejects.toMatchObject({ message: message('a'.repeat(40)) })
    await expect(of('a'.repeat(41))).rejects.toMatchObject({ message: message(`${'a'.repeat(40)}…`) })
  })

  test('with several errors has all of them, those of its cells first', async () => {
    await expect(read(head, '7,,,trx,1,,', '7,,,t,0,,,', '8,,,trx,x,,')).rejects.toMatchObject({
      message: [
        'Line 3: more cells than columns; does an amount contain a comma?',
        'Line 3: "0" must be an amount above 0',
        'Line 3: "t" is not a currency',
        'Line 3: the payout is already in line 2',
        'Line 4: "x" must be an amount above 0',
      ].join('; '),
    })
  })

  test('is a duplicate by its ID, or without one by the reference', async () => {
    expect(await read(head, '7,p,,trx,1,,', '8,p,,trx,1,,', ',p,,trx,1,,')).toHaveLength(3)
    await expect(read(head, ',p,,trx,1,,', ',q,,trx,1,,', ',p,,trx,2,,')).rejects.toMatchObject({
      message: 'Line 4: the payout is already in line 2',
    })
  })
})
