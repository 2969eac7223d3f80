import { describe, expect, test } from 'vitest'
import type { LedgerTransfer } from '../../../src/domain/reconcile/transfers.ts'
import {
  checksOf,
  checksOfPlayers,
  checkText,
  journalBetween,
  journalOf,
  journalOfPlayers,
  journalSince,
  keepChecks,
} from '../../../src/operator/transfers/lookups.ts'
import type { TransferRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { aBook, reading, writeTransfers } from '../book-rows.ts'

const ledger = (over: Partial<LedgerTransfer> = {}): LedgerTransfer => ({
  ...{ txnId: 't-1', username: 'Amy', dir: 'in', amount: 1_000_000n, currency: 'usd', at: null, line: 2 },
  ...over,
})

const record = (over: Partial<TransferRecord> = {}): TransferRecord => ({
  ...{ txnId: 't-1', username: 'amy', dir: 'in', amount: '100', status: 'done', balance: '100' },
  at: '2026-03-10T12:00:00.000Z',
  ...over,
})

/** More than one statement takes. */
const many = Array.from({ length: 1001 }, (_, i) => `t-${i}`)

test('a look-up is the same in any spelling of its player, currency and amount', () => {
  expect(checkText(ledger())).toBe('["amy","in","100","USD"]')
  expect(checkText(ledger({ username: 'AMY', currency: 'USD' }))).toBe(checkText(ledger()))
})

test.each([
  ['player', { username: 'bob' }],
  ['direction', { dir: 'out' as const }],
  ['amount', { amount: 1_000_001n }],
  ['currency', { currency: 'EUR' }],
] as const)('a look-up with another %s is another one', (_, over) => {
  expect(checkText(ledger(over))).not.toBe(checkText(ledger()))
})

describe('stored look-ups', () => {
  test('are found by their txnIds, also beyond the limit of one statement', async () => {
    const book = await aBook()
    await book.store.write((tx) =>
      keepChecks(
        tx,
        many.map((txnId) => ({ ledger: ledger({ txnId }), result: 'missing' as const, record: null })),
      ),
    )
    expect([...(await reading(book, (reader) => checksOf(reader, many))).keys()].sort()).toEqual([...many].sort())
    expect([...(await reading(book, (reader) => checksOf(reader, ['t-7', 'unknown']))).keys()]).toEqual(['t-7'])
    expect(await reading(book, (reader) => checksOf(reader, []))).toEqual(new Map())
  })

  test('belong to the player that the platform names, and to that of the ledger if it has none', async () => {
    const book = await aBook()
    await book.store.write((tx) =>
      keepChecks(tx, [
        { ledger: ledger({ txnId: 'a' }), result: 'different', record: record({ txnId: 'a', username: 'Bob' }) },
        { ledger: ledger({ txnId: 'b' }), result: 'missing', record: null },
      ]),
    )
    const checks = await reading(book, (reader) => checksOf(reader, ['a', 'b']))
    expect([checks.get('a'), checks.get('b')]).toMatchObject([
      { player: 'bob', result: 'different', found: JSON.stringify(record({ txnId: 'a', username: 'Bob' })) },
      { player: 'amy', result: 'missing', found: null },
    ])
  })

  test('have the signed change of an adjustment, and no other change', async () => {
    const book = await aBook()
    await book.store.write((tx) =>
      keepChecks(tx, [
        { ledger: ledger({ txnId: 'a', dir: 'adjust', amount: -75_000n }), result: 'matched', record: record() },
        { ledger: ledger({ txnId: 'b' }), result: 'matched', record: record() },
      ]),
    )
    const checks = await reading(book, (reader) => checksOf(reader, ['a', 'b']))
    expect([checks.get('a')?.adjustment, checks.get('b')?.adjustment]).toEqual(['-7.5', null])
  })

  test('keep the time of the first one, and the result of the last one', async () => {
    let now = 1_000
    const book = await aBook(() => now)
    const keep = (result: 'missing' | 'matched') =>
      book.store.write((tx) => keepChecks(tx, [{ ledger: ledger(), result, record: null }]))
    await keep('missing')
    now = 5_000
    await keep('matched')
    const checks = await reading(book, (reader) => checksOf(reader, ['t-1']))
    expect(checks.get('t-1')).toMatchObject({ first_at: 1_000, checked_at: 5_000, result: 'matched' })
  })

  test('of players are those that the platform has, also for more players than one statement takes', async () => {
    const book = await aBook()
    const players = many.map((id) => `p${id}`)
    await book.store.write((tx) =>
      keepChecks(tx, [
        ...players.map((username, i) => ({
          ledger: ledger({ txnId: `t-${i}` }),
          result: 'matched' as const,
          record: record({ username }),
        })),
        { ledger: ledger({ txnId: 'none', username: players[0] ?? '' }), result: 'missing', record: null },
      ]),
    )
    const rows = await reading(book, (reader) => checksOfPlayers(reader, players))
    expect(rows.map(({ player }) => player).sort()).toEqual([...players].sort())
  })

  test('of players since a time are those looked up then or later', async () => {
    let now = 999
    const book = await aBook(() => now)
    for (const txnId of ['before', 'at', 'after']) {
      await book.store.write((tx) =>
        keepChecks(tx, [{ ledger: ledger({ txnId }), result: 'matched', record: record({ txnId }) }]),
      )
      now++
    }
    const since = async (...from: number[]) =>
      (await reading(book, (reader) => checksOfPlayers(reader, ['amy'], ...from))).map((row) => row.txn_id).sort()
    expect(await since(1_000)).toEqual(['after', 'at'])
    expect(await since()).toEqual(['after', 'at', 'before'])
  })
})

describe('our transfers', () => {
  test('are found by their txnIds, also beyond the limit of one statement', async () => {
    const book = await aBook()
    await writeTransfers(book, ...many.map((txn_id) => ({ txn_id })))
    expect([...(await reading(book, (reader) => journalOf(reader, many))).keys()].sort()).toEqual([...many].sort())
    const some = await reading(book, (reader) => journalOf(reader, ['unknown', 't-3']))
    expect(some.get('t-3')).toMatchObject({ txn_id: 't-3', amount: '100' })
    expect(some.size).toBe(1)
  })

  test('of a span are those stored from its first to its last millisecond, in order', async () => {
    const book = await aBook()
    await writeTransfers(
      book,
      { txn_id: 'after', made_at: 2_001 },
      { txn_id: 'last', made_at: 2_000 },
      { txn_id: 'b', made_at: 1_000 },
      { txn_id: 'a', made_at: 1_000 },
      { txn_id: 'before', made_at: 999 },
    )
    const rows = await reading(book, (reader) => journalBetween(reader, { from: 1_000, to: 2_000 }))
    expect(rows.map(({ txn_id }) => txn_id)).toEqual(['a', 'b', 'last'])
  })

  test('of a span are those that may have been processed', async () => {
    const book = await aBook()
    const states = ['new', 'unknown', 'done', 'refused'] as const
    await writeTransfers(book, ...states.map((state) => ({ txn_id: state, state })))
    const rows = await reading(book, (reader) => journalBetween(reader, { from: 0, to: 9_999 }))
    expect(rows.map(({ txn_id }) => txn_id)).toEqual(['done', 'unknown'])
  })

  test('of players are all of theirs, with any outcome, oldest first', async () => {
    const book = await aBook()
    await writeTransfers(
      book,
      { txn_id: 'late', made_at: 2_000, state: 'refused' },
      { txn_id: 'early', made_at: 1_000, username: 'AMY' },
      { txn_id: 'other', username: 'bob' },
    )
    const rows = await reading(book, (reader) => journalOfPlayers(reader, ['amy']))
    expect(rows.map(({ txn_id }) => txn_id)).toEqual(['early', 'late'])
    const all = await reading(book, (reader) => journalOfPlayers(reader, [...many, 'amy', 'bob']))
    expect(all.map(({ txn_id }) => txn_id).sort()).toEqual(['early', 'late', 'other'])
  })

  test('of players since a time are those done then or later, and the unknown ones of any time, oldest first', async () => {
    const book = await aBook()
    await writeTransfers(
      book,
      { txn_id: 'late', made_at: 3_000, changed_at: 3_000 },
      { txn_id: 'at', made_at: 900, changed_at: 1_000 },
      { txn_id: 'before', made_at: 999, changed_at: 999 },
      { txn_id: 'unknown', made_at: 500, changed_at: 500, state: 'unknown' },
      { txn_id: 'refused', made_at: 3_000, changed_at: 3_000, state: 'refused' },
      { txn_id: 'other', username: 'bob', made_at: 3_000, changed_at: 3_000 },
    )
    const rows = await reading(book, (reader) => journalSince(reader, ['amy'], 1_000))
    expect(rows.map(({ txn_id }) => txn_id)).toEqual(['unknown', 'at', 'late'])
  })
})
