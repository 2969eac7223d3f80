import { expect, test } from 'vitest'
import { fileRows } from '../../../../src/operator/bets/repair/sorted-months.ts'
import type { Book } from '../../../../src/operator/book/book.ts'
import { aBook, aRecord, toRow, writeRows } from '../../book-rows.ts'

/** A book whose rows have these numbers of the write order, in places from 1 on, and a repair of March at a place. */
async function aBookOf(numbers: readonly number[], sortedTo?: number): Promise<Book> {
  const book = await aBook()
  const rows = numbers.map((recSeq, i) => toRow(aRecord({ slipId: `S${i}`, recSeq }), i + 1))
  // A row of another month among those of March.
  const other = toRow(aRecord({ slipId: 'F', recSeq: 0, settledAt: '2026-02-01T00:00:00.000Z' }), numbers.length + 1)
  await writeRows(book, [...rows, other])
  if (sortedTo !== undefined)
    await book.store.write(({ q }) =>
      q.insertInto('book_sorted_months').values({ month: '202603', place: sortedTo }).execute(),
    )
  return book
}

/** The places of each read, and the place up to which the file is then complete. */
async function readsOf(book: Book, rows: number, after = 0) {
  const month = { month: '202603', rows, first_place: 1, last_place: rows + 1 }
  const reads: (readonly [readonly number[], number])[] = []
  for await (const read of fileRows(book, month, after)) {
    expect(read.rows.every(({ record }) => record.startsWith('{'))).toBe(true)
    reads.push([read.rows.map(({ place }) => place), read.lastPlace])
  }
  return reads
}

test('a month without a repair is in the order of arrival, after a place', async () => {
  const book = await aBookOf([3, 1, 2])
  expect(await readsOf(book, 3)).toEqual([[[1, 2, 3], 3]])
  expect(await readsOf(book, 3, 2)).toEqual([[[3], 3]])
  expect(await readsOf(book, 3, 3)).toEqual([])
})

test('a repaired month begins with its rows up to the repair, in the order of writing', async () => {
  const book = await aBookOf([3, 1, 2, 2, 9, 8], 4)
  const sorted = [[2, 3, 4, 1], 4]
  expect(await readsOf(book, 6)).toEqual([sorted, [[5, 6], 6]])
  expect(await readsOf(book, 6, 3)).toEqual([sorted, [[5, 6], 6]])
  expect(await readsOf(book, 6, 4)).toEqual([[[5, 6], 6]])
  expect(await readsOf(book, 6, 5)).toEqual([[[6], 6]])
})

test('a file is complete only after the last of its sorted rows', async () => {
  const numbers = Array.from({ length: 501 }, (_, i) => 501 - i)
  const reads = await readsOf(await aBookOf(numbers, 501), 501)
  expect(reads.flatMap(([places]) => places)).toEqual(numbers)
  expect(reads.map(([, lastPlace]) => lastPlace)).toEqual([...Array(reads.length - 1).fill(0), 501])
  expect(reads.length).toBeGreaterThan(1)
})
