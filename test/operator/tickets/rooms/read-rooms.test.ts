import { expect, test } from 'vitest'
import { latestMessages, readRooms } from '../../../../src/operator/tickets/rooms/read-rooms.ts'

const room = (number: number) => ({ roomId: `r${number}` })
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** Serves these rooms by page; a later page repeats the last room of the one before, as when a room moves down. */
function pagesOf(total: number) {
  const requests: { page: number; pageSize: number }[] = []
  const readPage = async (page: { page: number; pageSize: number }) => {
    requests.push(page)
    const start = (page.page - 1) * page.pageSize
    const items = numbers(Math.max(1, start), Math.min(total, start + page.pageSize)).map(room)
    return { items, total, hasMore: start + page.pageSize < total }
  }
  return { requests, readPage }
}

test('reads up to the limit, and returns a room that moved between pages once', async () => {
  const { requests, readPage } = pagesOf(250)
  const taken: number[] = []
  const result = await readRooms(readPage, 150, async (fresh) => taken.push(fresh.length) > 0)
  expect(result.rooms).toEqual(numbers(1, 150).map(room))
  expect(result.total).toBe(250)
  expect(taken).toEqual([100, 50])
  expect(requests).toEqual([
    { page: 1, pageSize: 100 },
    { page: 2, pageSize: 100 },
  ])
})

test('requests at most the limit, and stops at the last page or when the consumer stops', async () => {
  const few = pagesOf(250)
  expect((await readRooms(few.readPage, 7, async () => true)).rooms).toHaveLength(7)
  expect(few.requests).toEqual([{ page: 1, pageSize: 7 }])
  expect((await readRooms(pagesOf(120).readPage, 1000, async () => true)).rooms).toHaveLength(120)
  expect((await readRooms(pagesOf(250).readPage, 1000, async () => false)).rooms).toHaveLength(100)
})

test.each([
  { lastSeq: 0, count: 20, pages: [1] },
  { lastSeq: 100, count: 100, pages: [1] },
  { lastSeq: 101, count: 1, pages: [2] },
  { lastSeq: 101, count: 2, pages: [1, 2] },
  { lastSeq: 350, count: 60, pages: [3, 4] },
])('the newest $count of $lastSeq messages are on the pages $pages', async ({ lastSeq, count, pages }) => {
  const requests: number[] = []
  const messages = await latestMessages(
    async (page) => {
      requests.push(page)
      return { items: numbers((page - 1) * 100 + 1, Math.min(page * 100, lastSeq)) }
    },
    lastSeq,
    count,
  )
  expect(requests).toEqual(pages)
  expect(messages).toEqual(lastSeq === 0 ? [] : numbers(Math.max(1, lastSeq - count + 1), lastSeq))
})
