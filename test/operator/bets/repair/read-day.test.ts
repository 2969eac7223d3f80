import { describe, expect, test } from 'vitest'
import { cursorOf } from '../../../../src/domain/bets/cursor.ts'
import { type DayReading, readDay } from '../../../../src/operator/bets/repair/read-day.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aRecord } from '../../book-rows.ts'

const hour = 3_600_000
const day = { from: Date.UTC(2026, 2, 10), to: Date.UTC(2026, 2, 11) }

interface Page {
  readonly items: readonly Partial<BetRecord>[]
  readonly next: string
}

/** A platform with these pages, the last of which ends the bets unless it has more. */
function aPlatform(pages: readonly Page[], { hasMore = false } = {}) {
  const requests: string[] = []
  const counts: (readonly number[])[] = []
  const reading = (over: Partial<DayReading> = {}): DayReading => ({
    ...{ now: () => 0, signal: new AbortController().signal, cursor: cursorOf('203001.1') as never, maxPages: 9 },
    onPage: (number, records) => counts.push([number, records]),
    transport: async ({ path }) => {
      const { items, next } = pages[requests.length] ?? { items: [], next: '203001.1' }
      requests.push(decodeURIComponent(path.slice(path.indexOf('?'))))
      const data = { items: items.map(aRecord), nextCursor: next, hasMore: hasMore || requests.length < pages.length }
      return { status: 200, headers: {}, body: JSON.stringify({ ok: true, data }) }
    },
    ...over,
  })
  return { requests, counts, reading }
}

const at = (time: number) => new Date(time).toISOString()

describe('a day that is read again', () => {
  test('is read from its minute, page after page, to the end of the bets', async () => {
    const { requests, counts, reading } = aPlatform([
      { items: [{ recSeq: 1 }, { recSeq: 2, slipId: 'S2' }], next: '202603.2' },
      { items: [{ recSeq: 3, slipId: 'S3' }], next: '202603.3' },
    ])
    const read = await readDay(reading(), { ...day, from: day.from + 59_999 })
    expect(read).toMatchObject({ readTo: Number.POSITIVE_INFINITY, newer: 0, pages: 2 })
    expect(read.records).toMatchObject([
      { slip_id: 'S1', rev: 1, month: '202603', rec_seq: 1, name_key: 'amy' },
      { slip_id: 'S2', month: '202603', rec_seq: 2 },
      { slip_id: 'S3', month: '202603', rec_seq: 3 },
    ])
    expect(requests).toEqual(['?from=2026-03-10T00:00:00.000Z&limit=1000', '?cursor=202603.2&limit=1000'])
    expect(counts).toEqual([
      [1, 2],
      [2, 3],
    ])
  })

  test.each([
    ['48 hours after its end', 48 * hour, 1],
    ['a millisecond before them', 48 * hour - 1, 2],
  ])('is read up to a record of %s', async (_, after, pages) => {
    const items = [{ settledAt: at(day.to + after) }, { recSeq: 2, slipId: 'S2' }]
    const { reading } = aPlatform(
      [
        { items, next: '202603.2' },
        { items: [{ recSeq: 3, settledAt: at(day.to + 50 * hour) }], next: '202603.3' },
      ],
      { hasMore: true },
    )
    expect((await readDay(reading(), day)).pages).toBe(pages)
  })

  test('has the time of its latest record as the end of what was read', async () => {
    const items = [{ settledAt: at(day.to + 49 * hour) }, { recSeq: 2, slipId: 'S2' }]
    const { reading } = aPlatform([{ items, next: '202603.2' }], { hasMore: true })
    expect((await readDay(reading(), day)).readTo).toBe(day.to + 49 * hour)
  })

  test('leaves records after the cursor of the book to the next sync, and counts them', async () => {
    const items = [1, 2, 3, 4].map((recSeq) => ({ recSeq, slipId: `S${recSeq}` }))
    const { reading } = aPlatform([{ items, next: '202603.4' }])
    const read = await readDay(reading({ cursor: cursorOf('202603.2') as never }), day)
    expect([read.records.map(({ rec_seq }) => rec_seq), read.newer]).toEqual([[1, 2], 2])
  })

  test('has the month of the cursor with each record, also over the pages', async () => {
    const items = (...numbers: number[]) => numbers.map((recSeq) => ({ recSeq, slipId: `S${recSeq}` }))
    const { reading } = aPlatform([
      { items: items(8, 9), next: '202603.9' },
      {
        items: [
          { ...items(1)[0], slipId: 'S11' },
          { ...items(2)[0], slipId: 'S12' },
        ],
        next: '202604.2',
      },
      { items: items(3), next: '202604.3' },
    ])
    const read = await readDay(reading({ cursor: cursorOf('202604.1') as never }), day)
    expect(read.records.map(({ month, rec_seq }) => `${month}.${rec_seq}`)).toEqual([
      ...['202603.8', '202603.9', '202604.1'],
    ])
    expect(read.newer).toBe(2)
  })

  test('is not read if its pages are too many, or after an interruption', async () => {
    const pages = [1, 2].map((recSeq) => ({ items: [{ recSeq }], next: `202603.${recSeq}` }))
    const { requests, reading } = aPlatform(pages)
    expect((await readDay(reading({ maxPages: 2 }), day)).pages).toBe(2)
    const other = aPlatform(pages)
    await expect(readDay(other.reading({ maxPages: 1 }), day)).rejects.toMatchObject({
      code: 'DAY_NOT_READ',
      message: 'The day has more than 1 page of records; nothing was changed. Pass a larger --max-pages',
      detail: { category: 'inconclusive' },
    })
    expect([requests.length, other.requests.length]).toEqual([2, 1])
    const stopped = aPlatform(pages)
    await expect(readDay(stopped.reading({ signal: AbortSignal.abort() }), day)).rejects.toThrow('aborted')
    expect(stopped.requests).toEqual([])
  })
})
