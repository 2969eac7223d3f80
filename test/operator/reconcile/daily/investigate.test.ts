import { expect, test } from 'vitest'
import {
  type BookedPlayer,
  byField,
  compare,
  type DayFigures,
  figuresOf,
  type Reason,
  type StatedPlayer,
} from '../../../../src/domain/reconcile/daily.ts'
import { versionOf } from '../../../../src/operator/bets/slip-versions.ts'
import { type BookDay, readBook } from '../../../../src/operator/reconcile/daily/book-side.ts'
import type { Platform } from '../../../../src/operator/reconcile/daily/compare-records.ts'
import { inquire } from '../../../../src/operator/reconcile/daily/investigate.ts'
import type { ComparedDay, DayOrder } from '../../../../src/operator/reconcile/daily/types.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aBook, aRecord, toRow, writeRows } from '../../book-rows.ts'
import { aFakePlatform, inWriteOrder } from '../../reconcile-fake.ts'

const span = { from: Date.UTC(2026, 2, 10), to: Date.UTC(2026, 2, 11) }
const order: DayOrder = {
  ...{ date: '2026-03-10', trace: true, tracePages: 5 },
  tenant: { companyCode: 'ACME', environment: 'live', timezone: 'UTC' },
}

interface Sides {
  /** Records of the platform; the book has the first `booked` of it, in write order, plus `extra`. */
  readonly records: readonly Partial<BetRecord>[]
  readonly booked?: number
  readonly extra?: readonly Partial<BetRecord>[]
  /** Changes the figures of the summary; without it they are those of all records. */
  readonly stated?: (username: string, figures: DayFigures) => DayFigures
  readonly over?: Partial<DayOrder>
  readonly platform?: Partial<Platform>
  readonly reasons?: readonly Reason[]
  readonly book?: Partial<BookDay>
  readonly signal?: AbortSignal
}

/** A day in UTC of which every slip has one revision. */
async function aDay({
  records,
  booked = records.length,
  extra = [],
  stated = (_, same) => same,
  over = {},
  ...more
}: Sides) {
  const written = inWriteOrder(records.map((record) => aRecord(record)))
  const known = written.slice(0, booked)
  const book = await aBook()
  const rows = [...known, ...extra.map((record) => aRecord(record))]
  await writeRows(
    book,
    rows.map((record, i) => toRow(record, i + 1)),
  )
  const last = known.at(-1)
  await book.store.write(async ({ q }) => {
    const row = { cursor: `202603.${last?.recSeq ?? 0}`, rows: rows.length, ahead_ms: null }
    await q
      .insertInto('book_position')
      .values({ id: 'bets', ...row, started_from: Date.UTC(2026, 0, 1), caught_up_at: Date.UTC(2026, 2, 12) })
      .execute()
  })
  const { platform, calls } = aFakePlatform(written, 'UTC')
  const ofDay = { ...(await readBook(book, span)), ...more.book }
  const { players } = await platform.summary({ query: { date: order.date } })
  const statedPlayers = players.map((item): StatedPlayer => {
    const own = written.filter(
      ({ username, settledAt }) => username === item.username && settledAt.startsWith(order.date),
    )
    const sums = own.map((record) => figuresOf(versionOf(record)))
    const sum = byField((field) => sums.reduce((total, each) => total + each[field], 0n))
    const figures = stated(item.username, sum)
    return { username: item.username, figures, texts: byField((field) => `${figures[field]}`) }
  })
  const lines = compare(statedPlayers, [...ofDay.players.values()] satisfies BookedPlayer[])
  const day: ComparedDay = {
    ...{ order: { ...order, ...over }, span, booked: ofDay, stated: statedPlayers, lines, now: span.to },
  }
  calls.length = 0
  const steps: string[] = []
  const work = {
    ...{
      platform: { ...platform, ...more.platform },
      book,
      now: () => span.to,
      onStep: (step: string) => steps.push(step),
    },
    ...(more.signal ? { signal: more.signal } : {}),
  }
  return { inquiry: await inquire(work, day, more.reasons ?? []), day, calls, steps }
}

/** One slip of each player, settled in the order of the list. */
const slips = (...usernames: readonly string[]): Partial<BetRecord>[] =>
  usernames.map((username, i) => ({
    ...{ slipId: `S-${username}`, roundId: `R${i}`, username },
    settledAt: new Date(span.from + 43_200_000 + i * 1000).toISOString(),
  }))

const more = (figures: DayFigures): DayFigures => ({ ...figures, winLoss: figures.winLoss + 1n })

test('the causes of every difference are searched, however many players differ', async () => {
  const names = Array.from({ length: 401 }, (_, i) => `p${i}`)
  const { inquiry, steps } = await aDay({
    ...{ records: slips(...names), stated: (_, figures) => more(figures), over: { trace: false } },
  })
  expect([...new Set(inquiry.explanations.map(({ player }) => player))]).toEqual([...names].sort())
  expect(steps).toEqual([
    'reading newer records',
    'searching for causes',
    'searching for causes: 200 of 401 players',
    'searching for causes: 400 of 401 players',
  ])
})
