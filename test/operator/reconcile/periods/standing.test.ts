import { describe, expect, test } from 'vitest'
import { dayEnd } from '../../../../src/domain/time/day.ts'
import type { Book } from '../../../../src/operator/book/book.ts'
import { recordBreaks } from '../../../../src/operator/reconcile/breaks/store.ts'
import { recordReconciled } from '../../../../src/operator/reconcile/daily/closed-days.ts'
import { openDayLines } from '../../../../src/operator/reconcile/periods/open-days.ts'
import {
  approvePeriod,
  closePeriod,
  listPeriods,
  type PeriodWork,
  periodNamed,
  reopenPeriod,
  showPeriod,
} from '../../../../src/operator/reconcile/periods/periods.ts'
import { recordRestatedPeriods } from '../../../../src/operator/reconcile/periods/restated.ts'
import { standingOf } from '../../../../src/operator/reconcile/periods/standing.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aBook, aRecord, reading, toRow, writeRows } from '../../book-rows.ts'

const timezone = 'UTC'
const date = '2026-03-10'
const day = periodNamed(date, timezone)
const person = (name: string) => ({ name, osUser: name, host: 'here' })
const run = { id: 'R', who: 'a test' }
const workOf = (book: Book, now = Date.UTC(2026, 2, 12)): PeriodWork => {
  return { book, companyCode: 'ACME', environment: 'live', timezone, now, run }
}

interface Reconciled {
  readonly date: string
  readonly timezone?: string
  readonly verdict?: 'balanced' | 'differences'
}

async function aBookWith(days: readonly Reconciled[], ...records: readonly Partial<BetRecord>[]): Promise<Book> {
  const book = await aBook(() => Date.UTC(2026, 2, 12))
  await writeRows(
    book,
    records.map((record, i) => toRow(aRecord({ slipId: `S${i}`, ...record }), i + 1)),
  )
  await book.store.write(async (tx) => {
    for (const { verdict = 'balanced', ...one } of days)
      await recordReconciled(tx, { timezone, runId: 'R', place: records.length, verdict, ...one })
  })
  return book
}

/** Records breaks about a day or month, one for each player. */
const withBreaks = (book: Book, about: string, players: readonly string[]) =>
  book.store.write((tx) =>
    recordBreaks(tx, run, {
      detected: players.map((player) => ({
        ...{ kind: 'daily' as const, subject: `${about} ${player}`, date: about, player, currency: 'USD' },
        ...{ amount: '1', message: 'a difference', fingerprint: '1', detail: {} },
      })),
      looked: [],
    }),
  )
const standing = (book: Book, period = day, now = Date.UTC(2026, 2, 12)) =>
  reading(book, (reader) => standingOf(reader, period, { timezone, now }))

describe('a day', () => {
  test('is over with its last millisecond', async () => {
    const book = await aBookWith([{ date }])
    const end = dayEnd(date, timezone)
    const [before, after] = [await standing(book, day, end - 1), await standing(book, day, end)]
    expect(before.shown.days).toEqual([{ date, verdict: 'not-over', reasons: ['not over'] }])
    expect(after.shown.days).toEqual([{ date, verdict: 'balanced', reasons: [] }])
    expect([before.open.length, after.open]).toEqual([1, []])
  })

  test('counts as reconciled in the zone of the tenant only', async () => {
    const book = await aBookWith([{ date, timezone: 'Asia/Taipei' }])
    expect((await standing(book)).shown.days).toEqual([
      { date, verdict: 'not-reconciled', reasons: [`not reconciled: countroom reconcile daily ${date}`] },
    ])
  })

  test.each([
    [1, /^1 open break: daily-\w+$/],
    [2, /^2 open breaks: daily-\w+, daily-\w+$/],
    [3, /^3 open breaks: (daily-\w+, ){2}daily-\w+$/],
    [4, /^4 open breaks: (daily-\w+, ){2}daily-\w+ and 1 more$/],
    [5, /^5 open breaks: (daily-\w+, ){2}daily-\w+ and 2 more$/],
  ])('with %i open breaks names the first three', async (count, text) => {
    const book = await aBookWith([{ date, verdict: 'differences' }])
    await withBreaks(book, date, ['amy', 'bob', 'cho', 'dee', 'eve'].slice(0, count))
    const { shown, open, breaks } = await standing(book)
    expect(open).toMatchObject([{ date, reasons: [expect.stringMatching(text)] }])
    expect([shown.breaks, breaks.length]).toEqual([{ open: count, closed: 0, cleared: 0 }, count])
  })

  test('with differences but no break, or with a change after its reconciliation, stays open', async () => {
    const different = await standing(await aBookWith([{ date, verdict: 'differences' }]))
    expect(different.open).toEqual([
      { date, reasons: [`differences without a break: countroom reconcile daily ${date}`] },
    ])
    const book = await aBookWith([{ date }], {})
    await writeRows(book, [toRow(aRecord({ slipId: 'S0', rev: 2, payout: '5' }), 9)])
    expect((await standing(book)).open).toEqual([
      { date, reasons: [`changed after it was reconciled: countroom reconcile restated --day ${date}`] },
    ])
  })
})

test('a month stays open by a break about it as a whole', async () => {
  const month = periodNamed('2026-02', timezone)
  const book = await aBookWith(month.days.map((each) => ({ date: each })))
  await withBreaks(book, '2026-02', ['amy'])
  const { open, shown } = await standing(book, month)
  expect(open).toMatchObject([{ date: '2026-02', reasons: [expect.stringMatching(/^1 open break: /)] }])
  expect([shown.state, shown.breaks.open, shown.days.length]).toEqual(['open', 1, 28])
})

test('the months from the first reconciled day on are listed, newest first, 36 at most', async () => {
  const list = async (first: string) => {
    const names = (await listPeriods(workOf(await aBookWith([{ date: first }])))).map(({ period }) => period)
    return [names.length, names[0], names.at(-1)]
  }
  expect(await list('2026-03-31')).toEqual([1, '2026-03', '2026-03'])
  expect(await list('2025-10-01')).toEqual([6, '2026-03', '2025-10'])
  expect(await list('2023-04-30')).toEqual([36, '2026-03', '2023-04'])
  expect(await list('2023-03-31')).toEqual([36, '2026-03', '2023-04'])
  expect((await listPeriods(workOf(await aBookWith([])))).length).toBe(0)
  const around = await listPeriods(workOf(await aBookWith([{ date: '2025-11-30' }])))
  expect(around.map(({ period }) => period)).toEqual(['2026-03', '2026-02', '2026-01', '2025-12', '2025-11'])
})

test('what is no period is named with its first 40 characters', () => {
  const message = (text: string) => `"${text}" is not a period; expected a day YYYY-MM-DD or a month YYYY-MM`
  const named = (text: string) => () => periodNamed(text, timezone)
  expect(named('x')).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETER', message: message('x') }))
  expect(named(`y${'x'.repeat(40)}`)).toThrow(expect.objectContaining({ message: message(`y${'x'.repeat(39)}`) }))
})

describe('a count during which something changes', () => {
  /** A book in which something happens before each of the next write transactions. */
  const changing = (book: Book, times: number, change: (count: number) => Promise<unknown>): Book => {
    let count = 0
    const write: Book['store']['write'] = async (work) => {
      if (count < times) await change(++count)
      return book.store.write(work)
    }
    return { ...book, store: { ...book.store, read: book.store.read.bind(book.store), write } as Book['store'] }
  }
  const aLateBet = (book: Book) => (count: number) =>
    writeRows(book, [toRow(aRecord({ slipId: `L${count}`, settledAt: '2026-03-11T12:00:00.000Z' }), 10 + count)])
  const busy = { code: 'CONFLICT', message: expect.stringContaining('bets arrived during each of 5 counts') }

  test('is repeated four times to close a period', async () => {
    const book = await aBookWith([{ date }], {})
    const close = (times: number) =>
      closePeriod(workOf(changing(book, times, aLateBet(book))), day, person('amelia'), false)
    await expect(close(5)).rejects.toMatchObject(busy)
    const other = await aBookWith([{ date }], {})
    const work = workOf(changing(other, 4, aLateBet(other)))
    expect((await closePeriod(work, day, person('amelia'), false)).shown.state).toBe('closed')
  })

  test('is not stored if the day is open by then', async () => {
    const book = await aBookWith([{ date }], {})
    const breaking = workOf(changing(book, 1, () => withBreaks(book, date, ['amy'])))
    const { shown, open } = await closePeriod(breaking, day, person('amelia'), false)
    expect([shown.state, open.length]).toEqual(['open', 1])
  })

  test('is repeated for an approval too, which an open day prevents', async () => {
    const aClosed = async () => {
      const book = await aBookWith([{ date }], {})
      await closePeriod(workOf(book), day, person('amelia'), false)
      return book
    }
    // The comparison of the closed period is a write transaction of its own.
    const approve = (book: Book) => approvePeriod(workOf(book), day, person('bert'), false)
    const [often, four, open] = [await aClosed(), await aClosed(), await aClosed()]
    const onEverySecond = (book: Book) => (count: number) =>
      count % 2 === 0 ? aLateBet(book)(count) : Promise.resolve()
    await expect(approve(changing(often, 10, onEverySecond(often)))).rejects.toMatchObject(busy)
    expect((await approve(changing(four, 8, onEverySecond(four)))).shown.state).toBe('approved')
    await withBreaks(open, date, ['amy'])
    const kept = await approve(open)
    expect([kept.shown.state, kept.open.length]).toEqual(['closed', 1])
  })
})

describe('a closed day', () => {
  const settled = (over: Partial<BetRecord>, place = 9) => [toRow(aRecord({ slipId: 'S9', ...over }), place)]
  const aClosedDay = async () => {
    const book = await aBookWith([{ date }], {})
    expect((await closePeriod(workOf(book), day, person('amelia'), false)).open).toEqual([])
    return book
  }

  test.each([
    ['2026-03-09T23:59:59.999Z', []],
    ['2026-03-10T00:00:00.000Z', [date]],
    ['2026-03-10T23:59:59.999Z', [date]],
    ['2026-03-11T00:00:00.000Z', []],
  ])('is restated by a bet of %s that arrives late: %j', async (settledAt, periods) => {
    const book = await aClosedDay()
    await writeRows(book, settled({ settledAt, placedAt: settledAt }))
    const { place, found } = await recordRestatedPeriods(book, run)
    expect([place, found.map(({ period }) => period)]).toEqual([9, periods])
  })

  test('is restated by a correction of any later time, and names the person and the figures', async () => {
    const book = await aClosedDay()
    await writeRows(book, settled({ slipId: 'S0', rev: 2, payout: '5', settledAt: '2026-03-20T00:00:00.000Z' }))
    expect((await recordRestatedPeriods(book, run)).found).toMatchObject([{ period: date, breaks: [{ isNew: true }] }])
    const { details, lines } = await showPeriod(workOf(book), day)
    expect(details).toMatchObject({
      ...{
        state: 'restated',
        closedBy: 'amelia',
        restated: [{ player: 'amy', breakState: 'open', breakId: details.breakList[0]?.id }],
      },
      totals: [{ currency: 'USD', winLoss: '-10', ggr: '10' }],
      next: [expect.stringContaining('breaks list --kind period'), expect.stringContaining('periods reopen')],
    })
    expect(details.breakList[0]?.message).toBe(
      `amy: closed period ${date} changed by +5 USD: payout 0 at the close, 5 now; winLoss -10 at the close, -5 now`,
    )
    expect(lines).toMatchObject([{ date, winLoss: '-10' }])
  })

  test('is not compared again while no row arrives, and is when it is named', async () => {
    const book = await aClosedDay()
    expect(await recordRestatedPeriods(book, run)).toEqual({ place: 1, found: [] })
    expect(await recordRestatedPeriods(book, run, [date])).toEqual({ place: 1, found: [] })
    await reopenPeriod(workOf(book), day, person('carl'), 'again', false)
    await writeRows(book, settled({}))
    expect((await recordRestatedPeriods(book, run, [date])).found).toEqual([])
  })

  test('without a bet is restated by the first one that arrives', async () => {
    const book = await aBookWith([{ date }])
    await closePeriod(workOf(book), day, person('amelia'), false)
    await writeRows(book, settled({}, 1))
    expect((await recordRestatedPeriods(book, run)).found).toMatchObject([{ period: date }])
  })

  test('whose rows were changed in place is restated when it is named', async () => {
    const book = await aClosedDay()
    const { record } = toRow(aRecord({ slipId: 'S0', payout: '5' }), 1)
    await book.store.write(({ q }) => q.updateTable('book_revisions').set({ record }).execute())
    expect((await recordRestatedPeriods(book, run)).found).toEqual([])
    expect((await recordRestatedPeriods(book, run, [date])).found).toMatchObject([{ period: date }])
  })

  test('is compared alone when it is named, and names four figures that changed', async () => {
    const book = await aBookWith([{ date }, { date: '2026-03-11' }], {}, { settledAt: '2026-03-11T12:00:00.000Z' })
    for (const each of [date, '2026-03-11'])
      await closePeriod(workOf(book), periodNamed(each, timezone), person('amelia'), false)
    await writeRows(
      book,
      ['S0', 'S1'].map((slipId, i) =>
        toRow(
          aRecord({
            slipId,
            rev: 2,
            settledAt: '2026-03-12T00:00:00.000Z',
            stake: '20',
            validStake: '20',
            rolling: '5',
            payout: '5',
          }),
          8 + i,
        ),
      ),
    )
    expect((await recordRestatedPeriods(book, run, [date])).found.map(({ period }) => period)).toEqual([date])
    expect((await recordRestatedPeriods(book, run)).found.map(({ period }) => period)).toContain('2026-03-11')
    const { details } = await showPeriod(workOf(book), day)
    expect(details.breakList[0]?.message).toBe(
      `amy: closed period ${date} changed by -5 USD: stake 10 at the close, 20 now; validStake 10 at the close, 20 now; rolling 0 at the close, 5 now; payout 0 at the close, 5 now`,
    )
  })

  test('keeps its figures while another day is closed and reopened', async () => {
    const book = await aBookWith([{ date }, { date: '2026-03-11' }], {})
    const other = periodNamed('2026-03-11', timezone)
    const changes = async () => (await recordRestatedPeriods(book, run, [date])).found
    await closePeriod(workOf(book), day, person('amelia'), false)
    await closePeriod(workOf(book), other, person('amelia'), false)
    expect(await changes()).toEqual([])
    await reopenPeriod(workOf(book), other, person('carl'), 'again', false)
    expect(await changes()).toEqual([])
  })

  test('has a history of what was done by whom, in this order', async () => {
    const book = await aClosedDay()
    await approvePeriod(workOf(book), day, person('bert'), false)
    await reopenPeriod(workOf(book), day, person('carl'), 'again', false)
    await closePeriod(workOf(book), day, person('dana'), false)
    const { details } = await showPeriod(workOf(book), day)
    expect(details.history.map(({ seq, by, what }) => [seq, by, what])).toEqual([
      [1, 'amelia', 'closed'],
      [2, 'bert', 'approved'],
      [3, 'carl', 'reopened'],
      [4, 'dana', 'closed'],
    ])
    expect(details).toMatchObject({ state: 'closed', closedBy: 'dana', approvedBy: null })
  })
})

test('a period that could be closed reports it', async () => {
  const next = async (book: Book) => (await showPeriod(workOf(book), day)).details.next
  expect(await next(await aBookWith([{ date }]))).toEqual([`Close it: countroom reconcile periods close ${date}`])
  expect(await next(await aBookWith([]))).toEqual([
    `Settle the open days, then close it: countroom reconcile periods close ${date}`,
  ])
})

test('a report has another ID once its content is another', async () => {
  const book = await aBookWith([{ date }], {})
  const idOf = async () => (await showPeriod(workOf(book), day)).details.reportId
  const first = await idOf()
  expect(first).toMatch(/^[0-9A-F]{16}$/)
  expect(await idOf()).toBe(first)
  await closePeriod(workOf(book), day, person('amelia'), false)
  expect(await idOf()).not.toBe(first)
})

test('open days in a row with the same reason share a line, and a command for all of them', () => {
  const daily = (date: string, ...more: string[]) => ({
    date,
    reasons: [`not reconciled: countroom reconcile daily ${date}`, ...more],
  })
  const lines = openDayLines([
    daily('2026-02-27'),
    daily('2026-02-28'),
    daily('2026-03-01'),
    daily('2026-03-03'),
    daily('2026-03-04', '1 open break: daily-1'),
    ...['2026-03-05', '2026-03-06'].map((date) => ({
      date,
      reasons: [`changed after it was reconciled: countroom reconcile restated --day ${date}`],
    })),
  ])
  expect(lines).toEqual([
    '2026-02-27 to 2026-03-01 (3 days): not reconciled: countroom reconcile daily --from 2026-02-27 --to 2026-03-01',
    '2026-03-03: not reconciled: countroom reconcile daily 2026-03-03',
    '2026-03-04: not reconciled: countroom reconcile daily 2026-03-04; 1 open break: daily-1',
    '2026-03-05 to 2026-03-06 (2 days): changed after it was reconciled: countroom reconcile restated --since 2026-03-05',
  ])
})
