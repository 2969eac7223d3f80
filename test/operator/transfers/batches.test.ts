import { describe, expect, test } from 'vitest'
import { type BatchItem, batchDigest, generatedTxnId } from '../../../src/domain/wallet/batch.ts'
import { isProblem } from '../../../src/kit/problem.ts'
import type { Book } from '../../../src/operator/book/book.ts'
import {
  approvalsOf,
  approveTransferBatch,
  beginTransferBatch,
  cancelTransferBatch,
} from '../../../src/operator/transfers/batch-decisions.ts'
import {
  type BatchDraft,
  batchExists,
  batchRowOf,
  begunBatches,
  findDuplicate,
  listTransferBatches,
  refuseUsedId,
  storeBatch,
  talliesOf,
  transferBatch,
  usedText,
  usedTxnIds,
} from '../../../src/operator/transfers/batches.ts'
import { aBook, aTransfer, reading, writeTransfers } from '../book-rows.ts'

const ann = { name: 'ann', osUser: 'root', host: 'here' }

function rowsOf(planId: string, ...overrides: readonly Partial<BatchItem>[]): BatchItem[] {
  return overrides.map((row, i) => ({
    ...{ place: i + 1, line: i + 2, txnId: generatedTxnId(planId, i + 1), username: 'amy', dir: 'in', amount: '100' },
    ...{ currency: 'USD', note: null },
    ...row,
  }))
}

/** A batch that deposits 100 USD to amy. */
function aDraft(planId: string, over: Partial<BatchDraft> = {}): BatchDraft {
  return {
    ...{ planId, companyCode: 'DEMO', environment: 'live', target: 'here', source: 'payday.csv' },
    ...{ sourceSha256: planId, note: null, creates: false, by: ann, rows: rowsOf(planId, {}) },
    ...over,
  }
}

const keep = (book: Book, draft: BatchDraft) => storeBatch(book, draft, { again: true })
const open = async (book: Book, planId: string) => beginTransferBatch(book, await transferBatch(book, planId))
const cancel = async (book: Book, planId: string) => cancelTransferBatch(book, await transferBatch(book, planId), ann)

async function problemOf(promise: Promise<unknown>) {
  try {
    await promise
  } catch (error) {
    if (isProblem(error)) return { code: error.code, message: error.message, detail: error.detail }
    throw error
  }
  return 'no problem'
}

describe('the row of a batch', () => {
  test('has the number of rows, of players in any spelling, and the totals by currency and direction', () => {
    const rows = rowsOf('P', { username: 'amy' }, { username: 'AMY', dir: 'out', amount: '1.5' }, { username: 'bob' })
    expect(batchRowOf(aDraft('P', { rows }), 7_000)).toMatchObject({
      rows: 3,
      players: 2,
      totals:
        '[{"currency":"USD","dir":"in","rows":2,"amount":"200"},{"currency":"USD","dir":"out","rows":1,"amount":"1.5"}]',
      made_at: 7_000,
      begun_at: null,
      cancelled_at: null,
      cancelled_by: null,
    })
  })

  test.each([
    [true, 1],
    [false, 0],
  ])('has the digest of the approved content; deposits that create players (%s) are %i', (creates, stored) => {
    const draft = aDraft('P', { creates, note: 'for May' })
    const row = batchRowOf(draft, 0)
    const { planId, companyCode, environment, sourceSha256, note, rows } = draft
    expect(row.creates).toBe(stored)
    expect(row.digest).toBe(
      batchDigest({ planId, companyCode, environment, sourceSha256, note, madeBy: 'ann', creates, rows }),
    )
  })
})

describe('a batch', () => {
  test('is stored with all its rows in order, and the time of the book', async () => {
    const book = await aBook(() => 5_000)
    // More rows than one statement takes.
    const rows = rowsOf('P', ...Array.from({ length: 501 }, (_, i) => ({ username: `p${i}`, note: `n${i}` })))
    await keep(book, aDraft('P', { rows }))
    const kept = await transferBatch(book, 'P')
    expect(kept.rows).toEqual(rows)
    expect(kept.head.made_at).toBe(5_000)
  })

  test('has its approvals in the order in which they were given, and its transfers by txnId', async () => {
    let now = 1_000
    const book = await aBook(() => now)
    await keep(book, aDraft('P'))
    const kept = await transferBatch(book, 'P')
    for (const [at, name] of [
      [3_000, 'zoe'],
      [2_000, 'cho'],
      [2_000, 'bob'],
    ] as const) {
      now = at
      await approveTransferBatch(book, kept, { ...ann, name })
    }
    await writeTransfers(book, { txn_id: 'P-0001', plan_id: 'P' }, { txn_id: 'other', plan_id: null })
    const { approvals, transfers } = await transferBatch(book, 'P')
    expect(approvals.map(({ name }) => name)).toEqual(['bob', 'cho', 'zoe'])
    expect([...transfers]).toEqual([['P-0001', aTransfer({ txn_id: 'P-0001', plan_id: 'P' })]])
  })

  test('has the approvals of the named batches, and keeps the last one of each person', async () => {
    let now = 1_000
    const book = await aBook(() => now)
    for (const id of ['P', 'Q']) {
      await keep(book, aDraft(id))
      await approveTransferBatch(book, await transferBatch(book, id), ann)
    }
    now = 2_000
    await approveTransferBatch(book, await transferBatch(book, 'P'), { ...ann, name: 'ANN' })
    const approvals = async (...ids: readonly string[]) =>
      (await approvalsOf(book, ids)).map((each) => [each.plan_id, each.name, each.approved_at])
    expect(await approvals('P', 'Q')).toEqual([
      ['Q', 'ann', 1_000],
      ['P', 'ANN', 2_000],
    ])
    expect([await approvals('P'), await approvals()]).toEqual([[['P', 'ANN', 2_000]], []])
  })

  test('that is canceled or changed is not changed again, and keeps what was sent', async () => {
    const book = await aBook()
    for (const id of ['P', 'Q']) await keep(book, aDraft(id, { rows: rowsOf(id, {}, {}) }))
    const [kept, other] = [await transferBatch(book, 'P'), await transferBatch(book, 'Q')]
    await writeTransfers(
      book,
      ...[
        { txn_id: 'P-0001', plan_id: 'P', state: 'new' as const },
        { txn_id: 'P-0002', plan_id: 'P', state: 'done' as const },
        { txn_id: 'Q-0001', plan_id: 'Q', state: 'new' as const },
      ],
    )
    await cancel(book, 'P')
    const left = await reading(book, ({ q }) =>
      q.selectFrom('book_transfers').select('txn_id').orderBy('txn_id').execute(),
    )
    expect(left.map(({ txn_id }) => txn_id)).toEqual(['P-0002', 'Q-0001'])
    expect(await problemOf(beginTransferBatch(book, kept))).toMatchObject({ code: 'CONFLICT', detail: { planId: 'P' } })
    const changed = { ...other, head: { ...other.head, digest: 'x' } }
    expect(await problemOf(beginTransferBatch(book, changed))).toMatchObject({ code: 'CONFLICT' })
  })

  test('that the book does not have is not found', async () => {
    const book = await aBook()
    expect(await problemOf(transferBatch(book, 'P'))).toMatchObject({ code: 'PLAN_NOT_FOUND', detail: { planId: 'P' } })
  })

  test.each([
    [
      'row',
      (book: Book) =>
        book.store.write(({ q }) => q.updateTable('book_wallet_plan_rows').set({ username: 'bob' }).execute()),
    ],
    [
      'note',
      (book: Book) => book.store.write(({ q }) => q.updateTable('book_wallet_plans').set({ note: 'x' }).execute()),
    ],
    [
      'digest',
      (book: Book) => book.store.write(({ q }) => q.updateTable('book_wallet_plans').set({ digest: 'x' }).execute()),
    ],
    [
      'totals',
      (book: Book) => book.store.write(({ q }) => q.updateTable('book_wallet_plans').set({ totals: '[]' }).execute()),
    ],
    [
      'permission to create players',
      (book: Book) => book.store.write(({ q }) => q.updateTable('book_wallet_plans').set({ creates: 1 }).execute()),
    ],
  ])('whose %s was changed in the book is not used', async (_, change) => {
    const book = await aBook()
    await keep(book, aDraft('P'))
    await change(book)
    expect(await problemOf(transferBatch(book, 'P'))).toMatchObject({ code: 'PLAN_CHANGED' })
  })

  test('whose deposits may create players is read unchanged', async () => {
    const book = await aBook()
    await keep(book, aDraft('P', { creates: true }))
    expect((await transferBatch(book, 'P')).head.creates).toBe(1)
  })

  test('needs an ID of its own, also if that of another one was canceled', async () => {
    const book = await aBook(() => Date.UTC(2026, 2, 10))
    await keep(book, aDraft('P'))
    await cancel(book, 'P')
    const expected = {
      code: 'PLAN_EXISTS',
      message: expect.stringContaining('Batch P already exists, created 2026-03-10 00:00 UTC by ann'),
      detail: { planId: 'P', madeAt: '2026-03-10T00:00:00.000Z', madeBy: 'ann' },
    }
    const rows = rowsOf('Q', {})
    expect(await problemOf(keep(book, aDraft('P', { rows })))).toMatchObject(expected)
    expect(await problemOf(refuseUsedId(book, 'P'))).toMatchObject(expected)
    expect(await problemOf(refuseUsedId(book, 'Q'))).toBe('no problem')
  })
})

describe('a used txnId', () => {
  test('is one in a batch that is not canceled, or of a transfer; each is found, also beyond the limit of one statement', async () => {
    const book = await aBook()
    const many = Array.from({ length: 501 }, (_, i) => `u-${i}`)
    await keep(book, aDraft('P', { rows: rowsOf('P', ...many.map((txnId) => ({ txnId }))) }))
    await keep(book, aDraft('Q'))
    await cancel(book, 'Q')
    await writeTransfers(book, { txn_id: 'sent', dir: 'out' }, { txn_id: 'u-0', plan_id: 'P' })
    const used = await usedTxnIds(book, ['free', 'Q-0001', 'sent', ...many])
    expect(used.map(({ txnId, planId }) => [txnId, planId])).toEqual([
      ['sent', null],
      ...many.map((txnId) => [txnId, 'P']),
    ])
    expect(used.slice(0, 3).map(({ transfer }) => transfer?.dir ?? null)).toEqual(['out', 'in', null])
  })

  test('prevents the creation of another batch', async () => {
    const book = await aBook()
    await keep(book, aDraft('P'))
    const rows = rowsOf('Q', { txnId: 'free' }, { txnId: 'P-0001' })
    expect(await problemOf(keep(book, aDraft('Q', { rows })))).toMatchObject({
      code: 'TXN_CONFLICT',
      message: 'P-0001 is already in batch P. No batch was created',
      detail: { txnId: 'P-0001', planId: 'P' },
    })
    expect(await listTransferBatches(book, 10)).toHaveLength(1)
  })

  test.each([
    ['in', 'a deposit'],
    ['out', 'a withdrawal'],
  ] as const)('of a transfer %s is described as %s', (dir, named) => {
    expect(usedText({ txnId: 't-1', planId: 'P', transfer: aTransfer({ dir }) })).toBe(
      `is already in the book as ${named} of 100 USD, player amy; a txnId belongs to one transfer`,
    )
  })
})

describe('a batch with the same transfers', () => {
  test('is the latest one with the same file or the same movements', async () => {
    let now = 1_000
    const book = await aBook(() => now)
    await keep(book, aDraft('A', { rows: rowsOf('A', {}) }))
    now = 2_000
    await keep(book, aDraft('B', { rows: rowsOf('B', { username: 'AMY', note: 'again' }) }))
    now = 3_000
    await keep(book, aDraft('C', { rows: rowsOf('C', { username: 'bob' }) }))
    expect((await findDuplicate(book, { sourceSha256: 'new', rows: rowsOf('X', {}) }))?.id).toBe('B')
    expect((await findDuplicate(book, { sourceSha256: 'A', rows: rowsOf('X', { amount: '7' }) }))?.id).toBe('A')
    expect(await findDuplicate(book, { sourceSha256: 'new', rows: rowsOf('X', { amount: '7' }) })).toBeUndefined()
  })

  test.each([
    ['new', false],
    ['refused', false],
    ['unknown', true],
    ['done', true],
  ] as const)('that was canceled with a transfer that is %s counts: %s', async (state, counts) => {
    const book = await aBook()
    await keep(book, aDraft('A'))
    await cancel(book, 'A')
    await writeTransfers(book, { txn_id: 'A-0001', plan_id: 'A', state })
    const again = storeBatch(book, aDraft('B'), { again: false })
    expect(await problemOf(again)).toEqual(counts ? expect.objectContaining({ code: 'PLAN_EXISTS' }) : 'no problem')
  })

  test('is created on request', async () => {
    const book = await aBook()
    await keep(book, aDraft('A'))
    expect(await storeBatch(book, aDraft('B'), { again: true })).toMatchObject({ id: 'B' })
  })

  test.each([
    [{}, '', false],
    [{ begun_at: 5 }, ' and is started', true],
    [{ begun_at: 5, cancelled_at: 6 }, ' and was canceled after some were sent', true],
  ])('with %j is described with "%s"', (over, standing, begun) => {
    const twin = { ...batchRowOf(aDraft('A'), Date.UTC(2026, 2, 10)), ...over }
    const { message, detail } = batchExists(twin)
    expect(message).toBe(
      `Batch A of 2026-03-10 00:00 UTC (payday.csv, by ann) has the same transfers${standing}. To move the money again, pass --again. No batch was created`,
    )
    expect(detail).toEqual({
      ...{ planId: 'A', madeAt: '2026-03-10T00:00:00.000Z', madeBy: 'ann', source: 'payday.csv', begun },
    })
  })
})

test('batches are listed newest first, up to the requested number', async () => {
  let now = 1_000
  const book = await aBook(() => now)
  for (const [at, id] of [
    [1_000, 'old'],
    [2_000, 'a'],
    [2_000, 'b'],
  ] as const) {
    now = at
    await keep(book, aDraft(id))
  }
  expect((await listTransferBatches(book, 2)).map(({ id }) => id)).toEqual(['b', 'a'])
  expect((await listTransferBatches(book, 9)).map(({ id }) => id)).toEqual(['b', 'a', 'old'])
})

test('started batches are those not canceled, earliest start first', async () => {
  let now = 1_000
  const book = await aBook(() => now)
  for (const id of ['waiting', 'late', 'early', 'canceled']) await keep(book, aDraft(id))
  for (const id of ['early', 'canceled', 'late']) {
    now += 1
    await open(book, id)
  }
  await cancel(book, 'canceled')
  expect((await begunBatches(book)).map(({ id }) => id)).toEqual(['early', 'late'])
})

describe('the progress of a batch', () => {
  const progress = (book: Book, ids: readonly string[], isRetried = (refusal: string | null) => refusal === 'LATER') =>
    talliesOf(book, ids, isRetried)

  test('counts done, refused and unknown rows, and none that is still to be sent', async () => {
    const book = await aBook()
    await writeTransfers(
      book,
      ...['a', 'b', 'c'].map((txn_id) => ({ txn_id, plan_id: 'P' })),
      ...['d', 'e'].map((txn_id) => ({ txn_id, plan_id: 'P', state: 'unknown' as const })),
      { txn_id: 'f', plan_id: 'P', state: 'new' },
      { txn_id: 'g', plan_id: 'Q' },
    )
    expect([...(await progress(book, ['P', 'R']))]).toEqual([
      ['P', { done: 3, refused: 0, unknown: 2 }],
      ['R', { done: 0, refused: 0, unknown: 0 }],
    ])
  })

  test('adds up refusals of all reasons, without those that are sent again', async () => {
    const book = await aBook()
    const refusals = ['INSUFFICIENT_BALANCE', 'INSUFFICIENT_BALANCE', 'PLAYER_NOT_FOUND', 'LATER']
    await writeTransfers(
      book,
      ...refusals.map((refusal, i) => ({ txn_id: `r-${i}`, plan_id: 'P', state: 'refused' as const, refusal })),
    )
    expect((await progress(book, ['P'])).get('P')).toEqual({ done: 0, refused: 3, unknown: 0 })
  })

  test('of no batch is empty', async () => {
    expect(await progress(await aBook(), [])).toEqual(new Map())
  })
})

test('the rows of a batch are in the book in their order', async () => {
  const book = await aBook()
  await keep(book, aDraft('P', { rows: rowsOf('P', { note: 'x' }, { line: 9 }) }))
  const stored = await reading(book, ({ q }) => q.selectFrom('book_wallet_plan_rows').selectAll().execute())
  expect(stored).toEqual([
    ...[
      {
        plan_id: 'P',
        txn_id: 'P-0001',
        place: 1,
        line: 2,
        username: 'amy',
        dir: 'in',
        amount: '100',
        currency: 'USD',
        note: 'x',
      },
    ],
    ...[
      {
        plan_id: 'P',
        txn_id: 'P-0002',
        place: 2,
        line: 9,
        username: 'amy',
        dir: 'in',
        amount: '100',
        currency: 'USD',
        note: null,
      },
    ],
  ])
})
