import { expect, test } from 'vitest'
import type { BookTransferRow } from '../../../src/db/schema/book.ts'
import { Problem } from '../../../src/kit/problem.ts'
import { lookUpRows } from '../../../src/operator/balances/transfers.ts'
import { checksOf } from '../../../src/operator/transfers/lookups.ts'
import type { TransferRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { aBook, aTransfer, reading } from '../book-rows.ts'

const many = 450
const rows = Array.from({ length: many }, (_, i) => aTransfer({ txn_id: `t-${i}` }))

/** A platform that has every transfer of amy, and calls `onCall` with the number of the call. */
async function aRoom(onCall: (count: number) => void = () => {}) {
  const book = await aBook()
  let count = 0
  const transfer = async ({ query: { txnId = '' } }: { query: { txnId?: string } }): Promise<TransferRecord> => {
    onCall(++count)
    if (txnId === 'lost') throw new Problem('TXN_NOT_FOUND', 'no such transfer')
    const username = txnId === 'foreign' ? 'bob' : 'Amy'
    return {
      txnId,
      username,
      dir: 'in',
      amount: '100',
      balance: '100',
      at: '2026-03-10T08:00:00.000Z',
    } as TransferRecord
  }
  const lookUp = (some: readonly BookTransferRow[], signal?: AbortSignal) =>
    lookUpRows({ book, platform: { transfer } as never, ...(signal ? { signal } : {}) }, some)
  const stored = async () => {
    const ids = rows.map(({ txn_id: id }) => id)
    return (await reading(book, (reader) => checksOf(reader, ids))).size
  }
  return { book, lookUp, stored }
}

test('every transfer is looked up, for any number of them, and stored', async () => {
  const { lookUp, stored } = await aRoom()
  expect((await lookUp(rows)).size).toBe(many)
  expect(await stored()).toBe(many)
})

test('a lookup that is stopped keeps its results for the next run', async () => {
  const stop = new AbortController()
  const { lookUp, stored } = await aRoom((count) => {
    if (count === 200) stop.abort()
  })
  await expect(lookUp(rows, stop.signal)).rejects.toThrow(/abort/i)
  expect(await stored()).toBe(200)
})

test('transfers that the platform does not have, or has for another player, are skipped', async () => {
  const { lookUp } = await aRoom()
  const some = ['lost', 't-1', 'foreign'].map((txn_id) => aTransfer({ txn_id }))
  expect([...(await lookUp(some)).keys()]).toEqual(['t-1'])
})
