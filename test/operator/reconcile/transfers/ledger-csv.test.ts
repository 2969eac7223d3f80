import { describe, expect, test } from 'vitest'
import { isProblem } from '../../../../src/kit/problem.ts'
import { ledgerFromCsv } from '../../../../src/operator/reconcile/transfers/ledger-csv.ts'

const head = 'txnId,username,dir,amount,currency'

/** The problem that a ledger with these rows is refused with. */
async function problemOf(...lines: readonly string[]) {
  const error: unknown = await ledgerFromCsv(lines.join('\n')).catch((fault) => fault)
  if (!isProblem(error, 'INVALID_FILE')) throw error
  return error
}

describe('the columns', () => {
  const lacking = (names: string) =>
    `The ledger has no column ${names}; required: txnId, username, dir, amount, currency; optional: time`

  test('that are missing are listed, one or several', async () => {
    expect((await problemOf('username,dir,amount,currency')).message).toBe(lacking('"txnId"'))
    expect((await problemOf('amount')).message).toBe(lacking('"txnId", "username", "dir", "currency"'))
  })

  test('that are duplicates are listed after the missing ones', async () => {
    const { message } = await problemOf('txnId,username,dir,amount,amount,time,time')
    expect(message).toBe(`${lacking('"currency"')}; the column amount appears twice; the column time appears twice`)
  })

  test('are as many as the cells of each row', async () => {
    const { message } = await problemOf(head, 'a,amy,in,5', 'b,amy,in,5,USD', 'c,amy,in,1,000,USD')
    expect(message).toMatch(/^Line 2: 4 cells for 5 columns; Line 2: "" is not a valid currency; /)
    expect(message).toContain('Line 4: 6 cells for 5 columns; does an amount contain a comma?; Line 4: ')
  })
})

describe('the amounts', () => {
  test('are exact, up to 21 characters', async () => {
    const amounts = ['0.0001', '+0.0001', '-999999999999999.9999', `00${'9'.repeat(14)}.9999`]
    const rows = amounts.map((amount, i) => `t${i},amy,adjust,${amount},USD`)
    const read = await ledgerFromCsv([head, ...rows].join('\n'))
    expect(read.map(({ amount }) => amount)).toEqual([1n, 1n, -9_999_999_999_999_999_999n, 999_999_999_999_999_999n])
    const { message } = await problemOf(head, `a,amy,in,0${'9'.repeat(16)}.9999,USD`)
    expect(message).toMatch(/^Line 2: "09{16}\.9999" must be an amount above 0/)
  })

  test.each([
    ['in', '0.0001', true],
    ['in', '0', false],
    ['in', '-0.0001', false],
    ['out', '0.0001', true],
    ['adjust', '-0.0001', true],
    ['adjust', '0', false],
  ])('of %s: %s is accepted: %s', async (dir, amount, isAccepted) => {
    const row = [head, `a,amy,${dir},${amount},USD`]
    if (isAccepted) expect(await ledgerFromCsv(row.join('\n'))).toHaveLength(1)
    else expect((await problemOf(...row)).message).toContain(`"${amount}" must be an amount`)
  })

  test('may not be missing', async () => {
    expect((await problemOf(head, 'a,amy,in,,USD')).message).toBe('Line 2: the amount is missing')
  })
})

describe('the errors', () => {
  const wrong = (count: number) => Array.from({ length: count }, (_, i) => `t${i},amy,in,5,$`)

  test.each([
    [50, /^(Line \d+: "\$" is not a valid currency(; |$)){50}$/],
    [51, /^(Line \d+: "\$" is not a valid currency; ){50}and 1 more$/],
  ])('are listed up to 50, with the number of the others: %i', async (count, message) => {
    expect((await problemOf(head, ...wrong(count))).message).toMatch(message)
  })

  test('are in the details up to 1,000, with their number', async () => {
    const { detail } = await problemOf(head, ...wrong(1001))
    expect(detail).toMatchObject({ count: 1001 })
    const lines = (detail['problems'] as { line: number }[]).map(({ line }) => line)
    expect(lines).toEqual(Array.from({ length: 1000 }, (_, i) => i + 2))
  })

  test('quote 40 characters of a longer value', async () => {
    const long = 'abcdefghij'.repeat(4)
    const { message } = await problemOf(head, `a,amy,${long},5,USD`, `b,amy,${long}k,5,USD`)
    expect(message).toBe(`Line 2: "${long}" must be in, out or adjust; Line 3: "${long}…" must be in, out or adjust`)
  })
})
