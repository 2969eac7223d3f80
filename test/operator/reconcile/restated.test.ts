import { describe, expect, test } from 'vitest'
import type { BookReplacedRow } from '../../../src/db/schema/book.ts'
import type { Book } from '../../../src/operator/book/book.ts'
import { applyToBreaks } from '../../../src/operator/reconcile/breaks/actions.ts'
import { recordReconciled } from '../../../src/operator/reconcile/daily/closed-days.ts'
import { findRestated, readRestated, restatementViews, signed } from '../../../src/operator/reconcile/restated.ts'
import type { BetRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { aBook, allBreaks, aRecord, reading, toRow, writeRows } from '../book-rows.ts'

type Slip = Partial<BetRecord> & { readonly place: number }

/** A slip of 2026-03-10 that lost 10, and its correction of the next day, which returned the stake. */
const first = (over: Partial<Slip> = {}): Slip => ({ place: 1, ...over })
const corrected = (over: Partial<Slip> = {}): Slip => ({
  ...{ place: 5, rev: 2, status: 'recalculated', payout: '10', settledAt: '2026-03-11T08:00:00.000Z' },
  ...over,
})

interface Closed {
  readonly date: string
  readonly timezone?: string
  readonly place?: number
  readonly runId?: string
}

/** A book with slips and reconciled days, by default 2026-03-10 with the first row. */
async function aBookWith(slips: readonly Slip[], days: readonly Closed[] = [{ date: '2026-03-10' }]): Promise<Book> {
  const book = await aBook(() => Date.UTC(2026, 2, 12))
  await writeRows(
    book,
    slips.map(({ place, ...record }) => toRow(aRecord({ roundId: `R-${record.slipId ?? 'S1'}`, ...record }), place)),
  )
  await book.store.write(async (tx) => {
    for (const { date, timezone = 'UTC', place = 1, runId = 'R1' } of days)
      await recordReconciled(tx, { date, timezone, runId, verdict: 'balanced', place })
  })
  return book
}

const shown = (book: Book, filter: Parameters<typeof restatementViews>[1] = {}) =>
  reading(book, (reader) => restatementViews(reader, filter))
const find = (book: Book, filter: Parameters<typeof findRestated>[2] = {}) =>
  findRestated(book, { id: 'L', who: 'reconcile restated' }, filter)
const datesOf = (days: readonly { date: string }[]) => days.map(({ date }) => date)

describe('a slip that changed after its day was reconciled', () => {
  test('restates the day by the change of its figures', async () => {
    const book = await aBookWith([first(), corrected()])
    expect(await shown(book)).toEqual([
      {
        ...{ breakId: null, date: '2026-03-10', timezone: 'UTC', upTo: 5 },
        since: { runId: 'R1', at: '2026-03-12T00:00:00.000Z', verdict: 'balanced', place: 1 },
        players: [
          {
            ...{ player: 'amy', currency: 'USD', winLoss: '10' },
            fields: [
              { field: 'payout', before: '0', after: '10', change: '10' },
              { field: 'winLoss', before: '-10', after: '0', change: '10' },
            ],
            slips: [
              {
                ...{ slipId: 'S1', roundId: 'R-S1', tableId: 'BAC-01', game: 'baccarat', change: '10' },
                from: { rev: 1, status: 'settled', winLoss: '-10' },
                to: { rev: 2, status: 'recalculated', winLoss: '0' },
                writtenAt: '2026-03-11T08:00:00.000Z',
              },
            ],
          },
        ],
      },
    ])
  })

  test('by a revision that the book had already restates nothing', async () => {
    expect(
      await shown(await aBookWith([first(), corrected({ place: 2 })], [{ date: '2026-03-10', place: 2 }])),
    ).toEqual([])
  })

  test('without another figure restates nothing', async () => {
    expect(await shown(await aBookWith([first(), corrected({ payout: '0' })]))).toEqual([])
  })

  test('and arrived only after it is shown without an earlier revision', async () => {
    const book = await aBookWith([first({ place: 2 }), corrected({ place: 3 })])
    const [day] = await shown(book)
    expect(day?.players[0]?.slips).toMatchObject([{ from: null, to: { rev: 2, winLoss: '0' }, change: '0' }])
    expect(day?.players[0]?.fields.map(({ field, before, after }) => [field, before, after])).toEqual([
      ['slips', '0', '1'],
      ['stake', '0', '10'],
      ['validStake', '0', '10'],
      ['payout', '0', '10'],
    ])
  })

  test.each([
    ['2026-03-10T00:00:00.000Z', ['2026-03-10']],
    ['2026-03-09T23:59:59.999Z', []],
    ['2026-03-10T23:59:59.999Z', ['2026-03-10']],
    ['2026-03-11T00:00:00.000Z', []],
  ])('belongs to the day of its first settlement: %s', async (settledAt, dates) => {
    const book = await aBookWith([first({ settledAt }), corrected({ settledAt: '2026-03-11T08:00:00.000Z' })])
    expect(datesOf(await shown(book))).toEqual(dates)
  })

  test('belongs to the day in the zone of the reconciliation', async () => {
    const book = await aBookWith(
      [first({ settledAt: '2026-03-09T16:00:00.000Z' }), corrected()],
      [{ date: '2026-03-10', timezone: 'Asia/Taipei' }, { date: '2026-03-10' }],
    )
    expect((await shown(book)).map(({ timezone }) => timezone)).toEqual(['Asia/Taipei'])
  })

  test('is found although an earlier day was reconciled with a later row, and a later day with an earlier one', async () => {
    const slips = ['2026-03-08', '2026-03-10'].flatMap((date, i) => [
      first({ place: 1 + i, slipId: `S-${date}`, settledAt: `${date}T12:00:00.000Z` }),
      corrected({ place: 10 + i, slipId: `S-${date}`, settledAt: `${date}T13:00:00.000Z` }),
    ])
    const days = [
      { date: '2026-03-08', place: 2 },
      { date: '2026-03-09', place: 20 },
      { date: '2026-03-10', place: 10 },
    ]
    expect(datesOf(await shown(await aBookWith(slips, days)))).toEqual(['2026-03-08', '2026-03-10'])
  })

  test('is one of several: the day is restated up to the last row that changed it', async () => {
    const book = await aBookWith([
      ...[first(), first({ place: 2, slipId: 'S2', username: 'bob' })],
      ...[corrected({ place: 9 }), corrected({ place: 5, slipId: 'S2', username: 'bob' })],
    ])
    await book.store.write(({ q }) => q.updateTable('book_reconciled_days').set({ place: 2 }).execute())
    expect(await shown(book)).toMatchObject([{ upTo: 9, players: [{ player: 'amy' }, { player: 'bob' }] }])
  })

  test('is listed by its ID', async () => {
    const ids = ['S3', 'S1', 'S2']
    const book = await aBookWith(
      [
        ...ids.map((slipId, i) => first({ slipId, place: i + 1 })),
        ...ids.map((slipId, i) => corrected({ slipId, place: i + 10 })),
      ],
      [{ date: '2026-03-10', place: 3 }],
    )
    expect((await shown(book))[0]?.players[0]?.slips.map(({ slipId }) => slipId)).toEqual(['S1', 'S2', 'S3'])
  })
})

describe('a slip that was repaired after its day was reconciled at place 4', () => {
  const reconciledAt = Date.UTC(2026, 2, 12)
  /** The former row: the slip lost. By default it was in the book until place 5, at the time of the reconciliation. */
  const formerly = (over: Partial<Slip & BookReplacedRow> = {}) => {
    const { place = 1, until_place = 5, at = reconciledAt, kind = 'replaced', ...record } = over
    const row = toRow(aRecord({ roundId: 'R-S1', ...record }), place)
    return { ...row, repair_id: 'P1', kind, until_place, at } satisfies BookReplacedRow
  }
  const aRepairedBook = async (slips: readonly Slip[], ...former: readonly BookReplacedRow[]) => {
    const days = [
      { date: '2026-03-01', place: 3 },
      { date: '2026-03-10', place: 4 },
    ]
    const book = await aBookWith(slips, days)
    const repair = { id: 'P1', date: '2026-03-10', timezone: 'UTC', place: 5, at: reconciledAt, who: 'dana' }
    await book.store.write(async ({ q }) => {
      await q
        .insertInto('book_repairs')
        .values({ ...repair, added: 1, replaced: 0, removed: 0 })
        .execute()
      for (const row of former) await q.insertInto('book_replaced_revisions').values(row).execute()
    })
    return book
  }
  const changesOf = async (book: Book) =>
    (await shown(book)).flatMap(({ upTo, players }) =>
      players.flatMap(({ slips }) => slips.map(({ slipId, from, to }) => [slipId, from?.winLoss, to.winLoss, upTo])),
    )

  test.each([
    ['was in the book', {}, '-10'],
    ['arrived with the last row of the reconciliation', { place: 4 }, '-10'],
    ['arrived after it', { place: 5, until_place: 6 }, undefined],
    ['was replaced before it', { until_place: 4 }, undefined],
    ['was replaced earlier than it', { at: reconciledAt - 1 }, undefined],
  ])('is restated by its other content, from a revision that %s', async (_, over, from) => {
    const book = await aRepairedBook([first({ place: 6, payout: '30' })], formerly(over))
    expect(await changesOf(book)).toEqual([['S1', from, '20', 6]])
  })

  test('belongs to the day of its first settlement as it is now', async () => {
    const settledAt = '2026-03-09T23:59:59.999Z'
    const other = first({ place: 7, slipId: 'S2', settledAt, payout: '30' })
    const book = await aRepairedBook([first({ place: 6, payout: '30' }), other], formerly({ settledAt }))
    expect(await changesOf(book)).toEqual([['S1', '-10', '20', 6]])
  })

  test('and is not at the platform is restated up to the repair that removed it', async () => {
    const kind = 'removed' as const
    const [day] = await shown(await aRepairedBook([], formerly({ kind })))
    expect(day).toMatchObject({ upTo: 5, players: [{ player: 'amy', winLoss: '10', slips: [{ slipId: 'S1' }] }] })
    for (const former of [formerly({ kind, until_place: 4 }), formerly({ kind, at: reconciledAt - 1 })])
      expect(await shown(await aRepairedBook([], former))).toEqual([])
  })
})

describe('the days that are checked', () => {
  const days = ['2026-03-08', '2026-03-09', '2026-03-10'].map((date) => ({ date }))
  const slips = days.flatMap(({ date }, i) => [
    first({ place: 0 - i, slipId: `S${i}`, settledAt: `${date}T12:00:00.000Z` }),
    corrected({ place: 10 + i, slipId: `S${i}` }),
  ])

  test.each([
    [{}, ['2026-03-08', '2026-03-09', '2026-03-10']],
    [{ since: '2026-03-09' }, ['2026-03-09', '2026-03-10']],
    [{ dates: ['2026-03-08', '2026-03-10'] }, ['2026-03-08', '2026-03-10']],
    [{ since: '2026-03-09', dates: ['2026-03-08', '2026-03-10'] }, ['2026-03-10']],
    [{ since: '2026-03-11' }, []],
  ])('are the requested ones: %j', async (filter, dates) => {
    const book = await aBookWith(slips, days)
    expect(datesOf(await shown(book, filter))).toEqual(dates)
    const { days: checked, restated } = await find(book, filter)
    expect([checked, datesOf(restated)]).toEqual([dates.length, dates])
  })

  test('are counted also if none is restated', async () => {
    expect(await find(await aBookWith([first()], days))).toEqual({ days: 3, unreconciled: [], restated: [] })
  })

  test('names each requested date once that was never reconciled', async () => {
    const book = await aBookWith([first()], [{ date: '2026-03-10' }])
    const dates = ['2026-03-09', '2026-03-10', '2026-03-09', '2026-03-11']
    const end = { days: 1, unreconciled: ['2026-03-09', '2026-03-11'], restated: [] }
    expect(await find(book, { dates })).toEqual(end)
    expect(await readRestated(book, { dates })).toEqual(end)
  })
})

describe('the break of a restated day', () => {
  test('is about the one player that it concerns', async () => {
    const book = await aBookWith([first({ username: 'Amy' }), corrected({ username: 'Amy' })])
    const { restated } = await find(book)
    const [row] = await allBreaks(book)
    expect(restated).toEqual([{ ...(await shown(book))[0], breakId: row?.id }])
    expect(row).toMatchObject({
      ...{ kind: 'restated', subject: '2026-03-10 UTC', date: '2026-03-10', player: 'amy', currency: 'USD' },
      ...{ amount: '10', fingerprint: '5', state: 'open' },
      message: '1 slip of 2026-03-10 changed after reconciliation; win/loss: Amy +10 USD',
    })
    expect(JSON.parse(row?.detail ?? '')).toEqual({
      ...{ date: '2026-03-10', timezone: 'UTC', place: 1, upTo: 5, players: restated[0]?.players },
    })
  })

  /** The break if each of these players has a corrected slip. */
  const breakOf = async (...players: readonly string[]) => {
    const book = await aBookWith(
      players.flatMap((username, i) => [
        first({ place: i + 1, slipId: `S${i}`, username }),
        corrected({ place: i + 11, slipId: `S${i}`, username }),
      ]),
      [{ date: '2026-03-10', place: 10 }],
    )
    await find(book)
    return (await allBreaks(book))[0]
  }

  test('is about the day if it concerns several', async () => {
    expect(await breakOf('amy', 'bob')).toMatchObject({ player: null, currency: null, amount: null })
  })

  test.each([
    [['amy', 'amy'], '2 slips of 2026-03-10 changed after reconciliation; win/loss: amy +20 USD'],
    [
      ['amy', 'bob', 'cho'],
      '3 slips of 2026-03-10 changed after reconciliation; win/loss: amy +10 USD, bob +10 USD, cho +10 USD',
    ],
    [
      ['amy', 'bob', 'cho', 'dee'],
      '4 slips of 2026-03-10 changed after reconciliation; win/loss: amy +10 USD, bob +10 USD, cho +10 USD and 1 more',
    ],
    [
      ['amy', 'bob', 'cho', 'dee', 'eve'],
      '5 slips of 2026-03-10 changed after reconciliation; win/loss: amy +10 USD, bob +10 USD, cho +10 USD and 2 more',
    ],
  ])('of %j says "%s"', async (players, message) => {
    expect(await breakOf(...players)).toMatchObject({ message })
  })

  test('is not returned once a person accepted the change, and is again after a further one', async () => {
    const book = await aBookWith([first(), corrected()])
    const id = (await find(book)).restated[0]?.breakId ?? ''
    await applyToBreaks(book, [id], 'dana', { what: 'closed', reason: 'late-correction', note: null })
    expect(await find(book)).toEqual({ days: 1, unreconciled: [], restated: [] })
    await writeRows(book, [toRow(aRecord({ rev: 3, payout: '5', settledAt: '2026-03-11T09:00:00.000Z' }), 6)])
    expect((await find(book)).restated).toMatchObject([{ breakId: id, upTo: 6 }])
  })

  test('is not returned if it was closed with the change still there', async () => {
    const book = await aBookWith([first(), corrected()])
    const id = (await find(book)).restated[0]?.breakId ?? ''
    await book.store.write(({ q }) =>
      q.updateTable('book_breaks').set({ state: 'closed' }).where('id', '=', id).execute(),
    )
    expect((await find(book)).restated).toEqual([])
    expect(await shown(book)).toHaveLength(1)
  })

  test('is cleared when the day has its earlier figures again, if that day was checked', async () => {
    const book = await aBookWith([first(), corrected()], [{ date: '2026-03-10' }, { date: '2026-03-11' }])
    await find(book)
    await writeRows(book, [toRow(aRecord({ rev: 3, settledAt: '2026-03-11T09:00:00.000Z' }), 6)])
    await find(book, { dates: ['2026-03-11'] })
    expect(await allBreaks(book)).toMatchObject([{ state: 'open' }])
    await find(book)
    expect(await allBreaks(book)).toMatchObject([{ state: 'cleared' }])
  })
})

test.each([
  ['12', '+12'],
  ['-12', '-12'],
  ['0', '0'],
  ['0.5', '+0.5'],
])('a change of %s is written %s', (text, written) => {
  expect(signed(text)).toBe(written)
})
