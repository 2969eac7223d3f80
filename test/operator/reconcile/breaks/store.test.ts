import { describe, expect, test } from 'vitest'
import type { BookBreakRow } from '../../../../src/db/schema/book.ts'
import { breakId, type DetectedBreak } from '../../../../src/domain/reconcile/breaks.ts'
import { isProblem } from '../../../../src/kit/problem.ts'
import type { Book } from '../../../../src/operator/book/book.ts'
import { applyToBreaks, type BreakAction } from '../../../../src/operator/reconcile/breaks/actions.ts'
import {
  breakNamed,
  breaksAbout,
  type Findings,
  listBreaks,
  openOfKind,
  recordBreaks,
} from '../../../../src/operator/reconcile/breaks/store.ts'
import { reconciledDay, recordReconciled } from '../../../../src/operator/reconcile/daily/closed-days.ts'
import { aBook, allBreaks, reading } from '../../book-rows.ts'

const finding = (over: Partial<DetectedBreak> = {}): DetectedBreak => ({
  ...{ kind: 'daily', subject: 'amy', date: '2026-03-10', player: 'amy', currency: 'USD', amount: '1' },
  ...{ message: 'first', fingerprint: 'x', detail: { a: 1 } },
  ...over,
})
const amy = breakId({ kind: 'daily', subject: 'amy' })

/** A book whose clock the test advances. */
async function aClockedBook() {
  const clock = { now: 1_000 }
  const book = await aBook(() => clock.now)
  return { book, clock }
}

let runs = 0
function note(book: Book, breaks: readonly DetectedBreak[], looked: Findings['looked'] = []) {
  runs += 1
  return book.store.write((tx) =>
    recordBreaks(tx, { id: `run-${runs}`, who: 'reconcile daily' }, { detected: breaks, looked }),
  )
}

const all = { kind: 'daily' as const, covers: () => true }
const order = (book: Book, what: BreakAction, ids = [amy]) => applyToBreaks(book, ids, 'dana', what)
const close = (book: Book, note: string | null = null) => order(book, { what: 'closed', reason: 'timing', note })
const eventsOf = async (book: Book, id = amy) =>
  (await breakNamed(book, id)).events.map(({ what, text }) => [what, text])

/** Breaks with IDs of the test. */
function put(book: Book, ...rows: readonly (Partial<BookBreakRow> & { id: string })[]) {
  return book.store.write(async ({ q }) => {
    for (const row of rows) await q.insertInto('book_breaks').values(aBreakRow(row)).execute()
  })
}

const aBreakRow = (over: Partial<BookBreakRow> & { id: string }): BookBreakRow => ({
  ...{ kind: 'daily', date: null, player: null, currency: null, amount: null, message: '', detail: '{}' },
  ...{ fingerprint: '', state: 'open', owner: null, reason: null, snoozed_until: null, times: 1, run_id: 'r' },
  ...{ subject: over.id, found_at: 1, opened_at: 1, seen_at: 1, changed_at: 1 },
  ...over,
})

async function problemOf(promise: Promise<unknown>) {
  try {
    await promise
  } catch (error) {
    if (isProblem(error)) return { code: error.code, message: error.message, detail: error.detail }
    throw error
  }
  return 'no problem'
}

describe('a finding', () => {
  test('opens a break with all its findings', async () => {
    const book = await aBook(() => 5_000)
    const { breaks, cleared } = await note(book, [finding()])
    expect([breaks, cleared]).toEqual([[{ id: amy, state: 'open', isNew: true }], []])
    expect(await allBreaks(book)).toEqual([
      {
        ...{ id: amy, kind: 'daily', subject: 'amy', date: '2026-03-10', player: 'amy', currency: 'USD', amount: '1' },
        ...{ message: 'first', detail: '{"a":1}', fingerprint: 'x', state: 'open', owner: null, reason: null },
        ...{
          snoozed_until: null,
          found_at: 5_000,
          opened_at: 5_000,
          seen_at: 5_000,
          changed_at: 5_000,
          times: 1,
          run_id: `run-${runs}`,
        },
      },
    ])
    const { events } = await breakNamed(book, amy)
    expect(events).toEqual([
      {
        ...{ break_id: amy, seq: 1, at: 5_000, who: 'reconcile daily', what: 'found', text: 'first' },
        run_id: `run-${runs}`,
      },
    ])
  })

  test('of one subject counts once in a run, the first one', async () => {
    const book = await aBook()
    const bob = finding({ subject: 'bob' })
    const { breaks } = await note(book, [finding(), finding({ message: 'second' }), bob])
    expect(breaks.map(({ id }) => id)).toEqual([amy, breakId(bob)])
    expect((await allBreaks(book)).find(({ id }) => id === amy)).toMatchObject({ message: 'first', times: 1 })
  })

  test('that is unchanged is counted, without an event or a new age', async () => {
    const { book, clock } = await aClockedBook()
    await note(book, [finding()])
    clock.now = 2_000
    expect((await note(book, [finding({ message: 'same' })])).breaks).toMatchObject([{ state: 'open', isNew: false }])
    expect(await allBreaks(book)).toMatchObject([{ times: 2, opened_at: 1_000, seen_at: 2_000, message: 'same' }])
    expect(await eventsOf(book)).toEqual([['found', 'first']])
  })

  test('that changed keeps the age of an open break', async () => {
    const { book, clock } = await aClockedBook()
    await note(book, [finding()])
    clock.now = 2_000
    await note(book, [finding({ fingerprint: 'y', amount: '2', message: 'more' })])
    expect(await allBreaks(book)).toMatchObject([
      { amount: '2', fingerprint: 'y', found_at: 1_000, opened_at: 1_000, changed_at: 2_000, state: 'open' },
    ])
    expect(await eventsOf(book)).toEqual([
      ['found', 'first'],
      ['changed', 'more'],
    ])
  })

  test('that is unchanged leaves a closed break closed, with its reason', async () => {
    const { book, clock } = await aClockedBook()
    await note(book, [finding()])
    await close(book)
    clock.now = 2_000
    expect((await note(book, [finding()])).breaks).toMatchObject([{ state: 'closed', isNew: false }])
    expect(await allBreaks(book)).toMatchObject([{ state: 'closed', reason: 'timing', opened_at: 1_000, times: 2 }])
  })

  test('that changed opens a closed break from then on, without its reason', async () => {
    const { book, clock } = await aClockedBook()
    await note(book, [finding()])
    await close(book)
    clock.now = 2_000
    expect((await note(book, [finding({ fingerprint: 'y' })])).breaks).toMatchObject([{ state: 'open', isNew: false }])
    expect(await allBreaks(book)).toMatchObject([{ state: 'open', reason: null, found_at: 1_000, opened_at: 2_000 }])
    expect((await eventsOf(book)).at(-1)).toEqual(['found-again', 'first'])
  })

  test('that had disappeared opens its break from then on', async () => {
    const { book, clock } = await aClockedBook()
    await note(book, [finding()])
    await note(book, [], [all])
    clock.now = 2_000
    await note(book, [finding()])
    expect(await allBreaks(book)).toMatchObject([{ state: 'open', opened_at: 2_000, times: 2 }])
  })
})

describe('a completed run', () => {
  test('clears the open breaks of its kind that it covers and did not find', async () => {
    const { book, clock } = await aClockedBook()
    const others = ['bob', 'cho'].map((subject) => finding({ subject }))
    await note(book, [finding(), ...others, finding({ kind: 'wallet' })])
    clock.now = 2_000
    const { cleared } = await note(book, others.slice(0, 1), [
      { kind: 'daily', covers: ({ subject }) => subject !== 'cho' },
    ])
    expect(cleared).toEqual([amy])
    const states = (await allBreaks(book)).map(({ kind, subject, state }) => `${kind} ${subject} ${state}`)
    expect(states.sort()).toEqual(['daily amy cleared', 'daily bob open', 'daily cho open', 'wallet amy open'])
    const { events, row } = await breakNamed(book, amy)
    expect(events.at(-1)).toEqual({
      ...{ break_id: amy, seq: 2, at: 2_000, who: 'reconcile daily', what: 'cleared', text: null },
      run_id: `run-${runs}`,
    })
    expect(row).toMatchObject({ changed_at: 2_000, seen_at: 1_000 })
  })

  test('leaves a closed break closed', async () => {
    const book = await aBook()
    await note(book, [finding()])
    await close(book)
    expect((await note(book, [], [all])).cleared).toEqual([])
    expect(await allBreaks(book)).toMatchObject([{ state: 'closed' }])
  })
})

describe('the list of breaks', () => {
  const list = async (query: Partial<Parameters<typeof listBreaks>[1]>) => {
    const book = await aBook()
    await put(
      book,
      { id: 'daily-3', opened_at: 30, owner: 'dana', player: 'amy' },
      { id: 'daily-1', opened_at: 10, state: 'closed', date: '2026-03-10' },
      { id: 'daily-2', opened_at: 10, state: 'cleared' },
      { id: 'wallet-1', opened_at: 20, kind: 'wallet' },
    )
    const { rows, count } = await listBreaks(book, { limit: 10, ...query })
    return { ids: rows.map(({ id }) => id), count }
  }

  test('has the longest open first, and counts also those beyond the limit', async () => {
    expect(await list({})).toEqual({ ids: ['daily-1', 'daily-2', 'wallet-1', 'daily-3'], count: 4 })
    expect(await list({ limit: 1 })).toEqual({ ids: ['daily-1'], count: 4 })
  })

  test.each([
    ['states', { states: ['open' as const, 'closed' as const] }, ['daily-1', 'wallet-1', 'daily-3']],
    ['kinds', { kinds: ['wallet' as const] }, ['wallet-1']],
    ['player', { player: 'amy' }, ['daily-3']],
    ['owner', { owner: 'dana' }, ['daily-3']],
    ['no owner', { owner: null }, ['daily-1', 'daily-2', 'wallet-1']],
    ['date', { date: '2026-03-10' }, ['daily-1']],
    ['latest time of opening', { openedBy: 20 }, ['daily-1', 'daily-2', 'wallet-1']],
    ['time of opening a millisecond earlier', { openedBy: 19 }, ['daily-1', 'daily-2']],
  ])('is filtered by %s', async (_, query, ids) => {
    expect(await list(query)).toEqual({ ids, count: ids.length })
  })
})

describe('the name of a break', () => {
  const book = async () => {
    const made = await aBook()
    await put(made, ...['daily-a', 'daily-ab', 'daily-ac', 'daily-ad', 'wallet-1'].map((id) => ({ id })))
    return made
  }
  const named = async (...names: readonly string[]) =>
    (await applyToBreaks(await book(), names, 'dana', { what: 'noted', note: 'x' })).map(({ id }) => id)

  test('is its ID, also where others begin with it, or the beginning of one ID', async () => {
    expect(await named('daily-a')).toEqual(['daily-a'])
    expect(await named('wal', 'daily-ab', 'wallet-1')).toEqual(['wallet-1', 'daily-ab'])
  })

  test('that fits several IDs is refused with three of them', async () => {
    expect(await problemOf(named('daily-'))).toEqual({
      code: 'BREAK_NOT_FOUND',
      message:
        'Daily- matches several IDs: daily-a, daily-ab, daily-ac. To list breaks: countroom reconcile breaks list --state all',
      detail: { names: ['daily-'], remoteCode: null },
    })
  })

  test('that is not an ID is refused together with all other invalid ones', async () => {
    expect(await problemOf(named('wallet-1', 'x', 'daily'))).toMatchObject({
      message:
        'Break x not found; daily matches several IDs: daily-a, daily-ab, daily-ac. To list breaks: countroom reconcile breaks list --state all',
    })
  })

  test('is needed for its history', async () => {
    expect(await problemOf(breakNamed(await book(), 'payments-'))).toMatchObject({ code: 'BREAK_NOT_FOUND' })
    expect((await breakNamed(await book(), 'wallet')).row.id).toBe('wallet-1')
  })
})

test('breaks are found by their IDs, also by more than one statement takes', async () => {
  const book = await aBook()
  const ids = Array.from({ length: 501 }, (_, i) => `daily-${1000 + i}`)
  await put(book, ...ids.map((id) => ({ id })))
  const rows = await reading(book, (reader) => breaksAbout(reader, ['unknown', ...ids.toReversed()]))
  expect(rows.map(({ id }) => id).sort()).toEqual(ids)
})

test('the open breaks of a kind are listed by ID', async () => {
  const book = await aBook()
  await put(
    book,
    ...[{ id: 'b' }, { id: 'a' }, { id: 'c', state: 'closed' as const }, { id: 'd', kind: 'wallet' as const }],
  )
  expect((await reading(book, (reader) => openOfKind(reader, 'daily'))).map(({ id }) => id)).toEqual(['a', 'b'])
})

describe('a person', () => {
  const opened = async () => {
    const { book, clock } = await aClockedBook()
    await note(book, [finding()])
    clock.now = 2_000
    return { book, clock }
  }

  test.each([
    [{ what: 'assigned', owner: 'eve', note: null }, { owner: 'eve', state: 'open' }, 'eve'],
    [{ what: 'assigned', owner: 'eve', note: 'please' }, { owner: 'eve' }, 'eve: please'],
    [{ what: 'noted', note: 'seen' }, { owner: null, state: 'open', opened_at: 1_000 }, 'seen'],
    [
      { what: 'closed', reason: 'timing', note: null },
      { state: 'closed', reason: 'timing', opened_at: 1_000 },
      'timing',
    ],
    [{ what: 'closed', reason: 'other', note: 'why' }, { state: 'closed', reason: 'other' }, 'other: why'],
  ] as const)('with %j changes the break and its history', async (what, expected, text) => {
    const { book } = await opened()
    const rows = await order(book, what)
    expect(rows).toMatchObject([{ ...expected, changed_at: 2_000 }])
    expect(await allBreaks(book)).toEqual(rows)
    const { events } = await breakNamed(book, amy)
    expect(events.at(-1)).toEqual({
      ...{ break_id: amy, seq: 2, at: 2_000, who: 'dana', what: what.what, text, run_id: null },
    })
  })

  test('removes an assignee', async () => {
    const { book } = await opened()
    await order(book, { what: 'assigned', owner: 'eve', note: null })
    expect(await order(book, { what: 'assigned', owner: null, note: null })).toMatchObject([{ owner: null }])
    expect((await eventsOf(book)).at(-1)).toEqual(['assigned', 'nobody'])
  })

  test.each([
    [null, null],
    ['not yet', 'not yet'],
  ])('opens a closed break again, with the note %j', async (note, text) => {
    const { book, clock } = await opened()
    await close(book)
    clock.now = 3_000
    expect(await order(book, { what: 'reopened', note })).toMatchObject([
      { state: 'open', reason: null, opened_at: 3_000, changed_at: 3_000 },
    ])
    expect((await eventsOf(book)).at(-1)).toEqual(['reopened', text])
  })

  test('leaves a break unchanged that has the requested values already, but stores the note', async () => {
    const { book, clock } = await opened()
    const assign = (note: string | null) => order(book, { what: 'assigned', owner: 'eve', note })
    await assign(null)
    clock.now = 3_000
    expect(await assign(null)).toMatchObject([{ changed_at: 2_000 }])
    expect(await eventsOf(book)).toHaveLength(2)
    await assign('again')
    expect((await eventsOf(book)).slice(2)).toEqual([['noted', 'again']])
    expect(await allBreaks(book)).toMatchObject([{ changed_at: 2_000 }])
  })

  test('cannot close a closed break again, which has its reason', async () => {
    const { book } = await opened()
    await close(book)
    expect(await problemOf(close(book, 'again'))).toMatchObject({
      code: 'CONFLICT',
      message: `${amy} is already closed; to change the reason, reopen it`,
    })
    expect(await eventsOf(book)).toHaveLength(2)
  })

  test('snoozes an open break until other figures, a close or the end of the snooze', async () => {
    const { book } = await opened()
    const snooze = () => order(book, { what: 'snoozed', until: 9_000, day: '2026-03-12', note: 'asked' })
    const listed = async (at: number, only?: boolean) =>
      (await listBreaks(book, { snoozed: { at, ...(only ? { only } : {}) }, limit: 10 })).rows.map(({ id }) => id)
    expect(await snooze()).toMatchObject([{ state: 'open', snoozed_until: 9_000, opened_at: 1_000 }])
    expect((await eventsOf(book)).at(-1)).toEqual(['snoozed', 'until 2026-03-12: asked'])
    expect([await listed(8_999), await listed(8_999, true)]).toEqual([[], [amy]])
    expect([await listed(9_000), await listed(9_000, true)]).toEqual([[amy], []])
    await note(book, [finding()])
    expect(await listed(8_999)).toEqual([])
    await order(book, { what: 'snooze-ended', note: null })
    expect((await eventsOf(book)).at(-1)).toEqual(['snooze-ended', null])
    expect(await listed(8_999)).toEqual([amy])
    await snooze()
    await note(book, [finding({ fingerprint: 'y' })])
    expect(await listed(8_999)).toEqual([amy])
    await snooze()
    expect(await close(book)).toMatchObject([{ snoozed_until: null }])
    expect(await problemOf(snooze())).toMatchObject({ code: 'CONFLICT' })
  })

  test('does not open an open break again: its age stays', async () => {
    const { book } = await opened()
    expect(await order(book, { what: 'reopened', note: null })).toMatchObject([{ opened_at: 1_000, changed_at: 1_000 }])
    expect(await eventsOf(book)).toHaveLength(1)
  })

  test('changes nothing in a dry run, and returns the result', async () => {
    const { book } = await opened()
    const before = await allBreaks(book)
    const closing = { what: 'closed', reason: 'timing', note: null } as const
    const rows = await applyToBreaks(book, [amy], 'dana', closing, { isDryRun: true })
    expect(rows).toMatchObject([{ state: 'closed', reason: 'timing', changed_at: 2_000 }])
    expect(await allBreaks(book)).toEqual(before)
    expect(await eventsOf(book)).toHaveLength(1)
  })

  test.each([
    [1, 'is already cleared: a later run no longer found it'],
    [2, 'are already cleared: a later run no longer found them'],
  ])('cannot close %i cleared breaks, and none of the others with them', async (count, text) => {
    const book = await aBook()
    const cleared = ['daily-1', 'daily-2'].slice(0, count)
    await put(book, ...cleared.map((id) => ({ id, state: 'cleared' as const })), { id: 'daily-open' })
    const closing = { what: 'closed', reason: 'timing', note: null } as const
    expect(await problemOf(order(book, closing, ['daily-open', ...cleared]))).toEqual({
      ...{ code: 'CONFLICT', message: `${cleared.join(', ')} ${text}`, detail: { breaks: cleared, remoteCode: null } },
    })
    expect((await allBreaks(book)).find(({ id }) => id === 'daily-open')).toMatchObject({ state: 'open' })
  })

  test('may assign a cleared break', async () => {
    const book = await aBook()
    await put(book, { id: 'daily-1', state: 'cleared' })
    expect(await order(book, { what: 'assigned', owner: 'eve', note: null }, ['daily-1'])).toMatchObject([
      { state: 'cleared', owner: 'eve' },
    ])
  })
})

describe('a restated day', () => {
  const placeOf = async (kind: 'restated' | 'daily', ...orders: readonly BreakAction[]) => {
    const book = await aBook()
    const day = { date: '2026-03-10', timezone: 'UTC' }
    await book.store.write((tx) => recordReconciled(tx, { ...day, runId: 'r', verdict: 'balanced', place: 7 }))
    await put(book, { id: 'x', kind, detail: JSON.stringify({ ...day, place: 7, upTo: 9 }) })
    for (const each of orders) await order(book, each, ['x'])
    return (await reading(book, (reader) => reconciledDay(reader, day)))?.place
  }
  const closing: BreakAction = { what: 'closed', reason: 'late-correction', note: null }

  test('is accepted up to its last change when its break is closed', async () => {
    expect(await placeOf('restated', closing)).toBe(9)
  })

  test('is no longer accepted when the break is opened again', async () => {
    expect(await placeOf('restated', closing, { what: 'reopened', note: null })).toBe(7)
  })

  test.each([
    { what: 'noted', note: 'x' },
    { what: 'assigned', owner: 'eve', note: null },
  ] as const)('is not accepted by %j', async (each) => {
    expect(await placeOf('restated', each)).toBe(7)
  })

  test('is not accepted by closing a break of another kind', async () => {
    expect(await placeOf('daily', closing)).toBe(7)
  })
})
