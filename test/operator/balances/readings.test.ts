import { expect, test } from 'vitest'
import { knownPlayers, walletRows } from '../../../src/operator/balances/readings.ts'
import { journalFor, transfersOfPlayers } from '../../../src/operator/balances/transfers.ts'
import { keepChecks } from '../../../src/operator/transfers/lookups.ts'
import type { TransferRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { aBook, aRecord, reading, toRow, writeRows, writeSlips, writeTransfers } from '../book-rows.ts'

test('the players of a book are those with bets, completed transfers, or readings, in their latest spelling', async () => {
  const book = await aBook()
  await writeSlips(
    book,
    { slipId: 'a', username: 'Amy' },
    { slipId: 'b', username: 'zoe' },
    { slipId: 'c', username: 'AMY' },
  )
  await writeTransfers(
    book,
    { txn_id: 't-1', username: 'bob' },
    { txn_id: 't-2', username: 'dee', state: 'refused' },
    { txn_id: 't-3', username: 'zoe' },
    { txn_id: 't-4', username: 'Bob', changed_at: 2_000 },
  )
  expect(await reading(book, knownPlayers)).toEqual(['AMY', 'Bob', 'zoe'])
  expect(await reading(await aBook(), knownPlayers)).toEqual([])
})

test('the revisions of players between two positions are read once each and in order, for any number of rows', async () => {
  const book = await aBook()
  // More than a batch of the one in the middle, and of all.
  const names = ['amy', 'bob', 'bob', 'bob', 'bob', 'cho']
  const rows = Array.from({ length: 15_000 }, (_, i) => {
    const username = names[i % names.length] ?? ''
    return toRow(aRecord({ slipId: `S${i}`, username, ...(i === 6 ? { onsite: true } : {}) }), i + 1)
  })
  await writeRows(book, rows)
  const read = (players: readonly string[], after: number, upTo: number) =>
    reading(book, async (reader) => {
      const places = new Map<string, number[]>()
      for await (const some of walletRows(reader, { after, upTo, players }))
        for (const { name_key, place } of some) places.set(name_key, [...(places.get(name_key) ?? []), place])
      return places
    })
  const expected = (player: string, after: number, upTo: number) =>
    rows
      .filter((row) => row.name_key === player && row.place > after && row.place <= upTo && row.place !== 7)
      .map(({ place }) => place)
  const all = await read(['cho', 'nobody', 'bob', 'amy'], 0, 15_000)
  for (const player of ['amy', 'bob', 'cho']) expect(all.get(player)).toEqual(expected(player, 0, 15_000))
  expect(all.size).toBe(3)
  expect([...(await read(['amy'], 7, 31))]).toEqual([['amy', expected('amy', 7, 31)]])
})

const hour = 3_600_000
const first = 100 * hour

test('transfers are read from an hour before the first reading, and those with an unknown outcome from any time', async () => {
  const book = await aBook()
  await writeTransfers(
    book,
    { txn_id: 'old', made_at: 1, changed_at: first - hour - 1 },
    { txn_id: 'near', made_at: 3, changed_at: first - hour },
    { txn_id: 'open', made_at: 2, changed_at: 2, state: 'unknown', attempts: 1 },
    { txn_id: 'refused', made_at: 4, changed_at: first + 1, state: 'refused' },
    { txn_id: 'other', username: 'bob', made_at: 5, changed_at: 5 },
  )
  const ids = async (players: Parameters<typeof journalFor>[1]) =>
    (await reading(book, (reader) => journalFor(reader, players))).map(({ txn_id }) => txn_id)
  expect(await ids([{ player: 'amy', firstReadAt: first }])).toEqual(['open', 'near'])
  expect(await ids([{ player: 'amy', firstReadAt: null }])).toEqual(['old', 'open', 'near', 'refused'])
  // A batch is read from the earliest of its times.
  const both = [
    { player: 'amy', firstReadAt: first + 9 * hour },
    { player: 'bob', firstReadAt: hour },
  ]
  expect(await ids(both)).toEqual(['old', 'open', 'near', 'other'])
})

test('a transfer completed late counts at the time of its lookup, at any age of the lookup', async () => {
  let now = hour
  const book = await aBook(() => now)
  const record = {
    txnId: 't-1',
    username: 'amy',
    dir: 'in',
    amount: '100',
    balance: '100',
    at: '1970-01-01T00:30:00.000Z',
  }
  const ledger = {
    ...({ txnId: 't-1', username: 'amy', dir: 'in', amount: 1_000_000n, currency: 'USD' } as const),
    at: null,
    line: null,
  }
  await book.store.write((tx) => keepChecks(tx, [{ ledger, result: 'matched', record: record as TransferRecord }]))
  // The journal recorded its outcome only after the reading.
  await writeTransfers(book, { txn_id: 't-1', made_at: 1, changed_at: first + hour, attempts: 2 })
  now = first + 2 * hour
  const work = { book, here: () => now } as never
  const transfers = await transfersOfPlayers(work, [{ player: 'amy', firstReadAt: first }])
  expect(transfers.get('amy')).toMatchObject([{ txnId: 't-1', at: hour / 2, ours: null }])
})
