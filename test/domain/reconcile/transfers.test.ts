import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  changeOf,
  differencesOf,
  journalDifference,
  type LedgerTransfer,
  ledgerDirs,
  resultOfMissing,
  transfersVerdict,
} from '../../../src/domain/reconcile/transfers.ts'
import { transferBreaks } from '../../../src/operator/reconcile/transfers/breaks.ts'
import { ledgerFromCsv } from '../../../src/operator/reconcile/transfers/ledger-csv.ts'
import type { ComparedTransfer } from '../../../src/operator/reconcile/transfers/reconcile.ts'

const ledger: LedgerTransfer = {
  txnId: 't1',
  username: 'Amy',
  dir: 'in',
  amount: 50_000n,
  currency: 'usd',
  at: null,
  line: 2,
}

test('a transfer is matched if the platform reports the same, in any case, and different in each field that differs', () => {
  const same = { username: 'amy', dir: 'in', amount: 50_000n, currency: 'USD' } as const
  expect(differencesOf(ledger, same)).toEqual([])
  expect(differencesOf(ledger, { ...same, currency: null })).toEqual([])
  expect(differencesOf(ledger, { username: 'bob', dir: 'out', amount: 50_001n, currency: 'EUR' })).toEqual([
    { field: 'player', ledger: 'Amy', other: 'bob' },
    { field: 'dir', ledger: 'in', other: 'out' },
    { field: 'amount', ledger: '5', other: '5.0001' },
    { field: 'currency', ledger: 'usd', other: 'EUR' },
  ])
})

test('any unit between the two is a difference, and the sign of an adjustment is only in the ledger', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 19n - 1n })
  fc.assert(
    fc.property(amount, amount, fc.constantFrom(...ledgerDirs), fc.boolean(), (mine, theirs, dir, isTaken) => {
      const signed = dir === 'adjust' && isTaken ? -mine : mine
      const differences = differencesOf(
        { ...ledger, dir, amount: signed },
        { username: 'amy', dir, amount: theirs, currency: 'USD' },
      )
      expect(differences.length === 0).toBe(mine === theirs)
      expect(changeOf({ dir, amount: theirs }, dir === 'adjust' ? signed : null)).toBe(
        dir === 'out' || (dir === 'adjust' && isTaken) ? -theirs : theirs,
      )
    }),
  )
  expect(changeOf({ dir: 'adjust', amount: 5n }, null)).toBeNull()
})

test('our own journal contradicts with another transfer or a refusal, and is no evidence if it is open or equal', () => {
  const ours = { username: 'amy', dir: 'in', amount: 50_000n, currency: 'USD', state: 'done' } as const
  expect(journalDifference(ledger, undefined)).toBeUndefined()
  expect(journalDifference(ledger, ours)).toBeUndefined()
  expect(journalDifference(ledger, { ...ours, state: 'unknown' })).toBeUndefined()
  expect(journalDifference(ledger, { ...ours, state: 'refused' })?.other).toBe('deposit of 5 USD of amy, refused')
  expect(journalDifference(ledger, { ...ours, amount: 60_000n })?.field).toBe('journal')
})

test('a missing transfer may be in progress while it is recent, counted from its creation or its first look-up', () => {
  const at = { now: 1_000_000, freshMs: 900 }
  expect(resultOfMissing({ madeAt: 999_101, firstLookupAt: 0 }, at)).toBe('undecided')
  expect(resultOfMissing({ madeAt: 999_100, firstLookupAt: 1_000_000 }, at)).toBe('missing-at-platform')
  expect(resultOfMissing({ madeAt: null, firstLookupAt: 1_000_000 }, at)).toBe('undecided')
  expect(resultOfMissing({ madeAt: null, firstLookupAt: 0 }, at)).toBe('missing-at-platform')
  // A ledger whose clock is ahead proves nothing against the platform.
  expect(resultOfMissing({ madeAt: 2_000_000, firstLookupAt: 0 }, at)).toBe('undecided')
})

test('a difference comes first, and an undecided row prevents a balanced verdict', () => {
  expect(transfersVerdict([], 0)).toBe('balanced')
  expect(transfersVerdict(['matched'], 0)).toBe('balanced')
  expect(transfersVerdict(['matched'], 1)).toBe('cannot-conclude')
  expect(transfersVerdict(['undecided', 'matched'], 0)).toBe('cannot-conclude')
  expect(transfersVerdict(['undecided', 'missing-in-ledger'], 1)).toBe('differences')
})

test('a ledger is parsed with any other columns; every error is reported with its line, all at once', async () => {
  const good =
    '\uFEFFid,txnId,username,dir,amount,currency,time\r\n1,a,amy,Deposit,5.50,usd,2026-03-01T08:00:00+01:00\r\n2,b,"amy",adjust,-0.0001,USD,\r\n'
  expect(await ledgerFromCsv(good)).toEqual([
    { txnId: 'a', username: 'amy', dir: 'in', amount: 55_000n, currency: 'usd', at: Date.UTC(2026, 2, 1, 7), line: 2 },
    { txnId: 'b', username: 'amy', dir: 'adjust', amount: -1n, currency: 'USD', at: null, line: 3 },
  ])
  expect(await ledgerFromCsv('txnId,username,dir,amount,currency\n')).toEqual([])
  const saved = `sep=;\r\n${good.slice(1).replaceAll(',', ';')}`
  expect(await ledgerFromCsv(`${saved}\r\n;;;;;;\r\n\r\n`)).toMatchObject([{ line: 3 }, { txnId: 'b', line: 4 }])
  await expect(ledgerFromCsv(Buffer.from('txnId,us\xe9rname', 'latin1'))).rejects.toThrow(/is not UTF-8/)
  // An empty ledger must have the right header too.
  await expect(ledgerFromCsv('id,txnId,who,amount\n')).rejects.toMatchObject({
    code: 'INVALID_FILE',
    message: expect.stringMatching(/"username", "dir", "currency"/),
  })
  await expect(
    ledgerFromCsv('txnId,amount,username,dir,amount,currency,x,x\na,5,amy,in,6,USD,,\n'),
  ).rejects.toMatchObject({ code: 'INVALID_FILE', message: 'the column amount appears twice' })
  await expect(ledgerFromCsv('')).rejects.toThrow(/empty/)
  await expect(ledgerFromCsv('txnId,username\na,b\n')).rejects.toThrow(/"dir", "amount", "currency"/)
  const bad = [
    'txnId,username,dir,amount,currency,time',
    'a b,amy,in,5,USD,',
    'c,amy,sideways,-5,USD,2026-03-01',
    'd,a/b,in,0,DOLLARS,yesterday',
    'd,amy,in,1.00001,USD,2026-03-01T08:00:00',
    'e,amy,in,1,USD,2026-02-31T08:00:00Z',
    'f,amy,adjust,-0,USD,',
    'g,amy,in,"1.234,56",USD,',
    'h,amy,adjust,+1e3,USD,',
    'i,amy,in,1,234.56,USD,',
    'j,amy',
  ].join('\n')
  const fault = await ledgerFromCsv(bad).catch((error) => error)
  expect(fault.code).toBe('INVALID_FILE')
  for (const part of [
    /Line 2: "a b" is not a valid txnId/,
    /Line 3: "sideways"/,
    /Line 3: "-5" must be an amount/,
    /Line 3: "2026-03-01" must be a time/,
    /Line 4: "a\/b" is not a valid username/,
    /Line 4: "DOLLARS"/,
    /Line 5: "1.00001"/,
    /Line 5: the txnId is already in line 4/,
    /Line 6: "2026-02-31T08:00:00Z" must be a time/,
    /Line 7: "-0" must be an amount other than 0 .*: it is zero;/,
    /Line 8: "1.234,56" must be an amount above 0 .*write 1234.56/,
    /Line 9: "\+1e3" must be an amount .*scientific notation/,
    /Line 10: 7 cells for 6 columns; does an amount contain a comma/,
    /Line 11: 2 cells for 6 columns/,
  ])
    expect(fault.message).toMatch(part)
})

test("the break of a transfer is of the tenant's day", () => {
  const compared: ComparedTransfer = {
    txnId: 't1',
    result: 'missing-at-platform',
    line: 2,
    player: 'amy',
    dir: 'in',
    amount: '5',
    currency: 'USD',
    at: '2026-03-01T20:00:00.000Z',
    platform: null,
    differences: [],
    message: '',
  }
  const dateIn = (zone: string) => transferBreaks([compared], zone)[0]?.date
  expect([dateIn('UTC'), dateIn('Asia/Taipei')]).toEqual(['2026-03-01', '2026-03-02'])
})
