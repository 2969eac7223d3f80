import { describe, expect, test } from 'vitest'
import type { BookTransferRow } from '../../../src/db/schema/book.ts'
import { type BatchItem, generatedTxnId } from '../../../src/domain/wallet/batch.ts'
import { Problem } from '../../../src/kit/problem.ts'
import type { Book } from '../../../src/operator/book/book.ts'
import {
  type BatchRun,
  isUnjudged,
  runTransferBatch,
  standingOf,
  unfinishedBatches,
} from '../../../src/operator/transfers/apply-batch.ts'
import { beginTransferBatch, cancelTransferBatch } from '../../../src/operator/transfers/batch-decisions.ts'
import { storeBatch, transferBatch } from '../../../src/operator/transfers/batches.ts'
import { transferOf } from '../../../src/operator/transfers/journal.ts'
import { anOperator, type Fault } from '../../support/worlds/transfers.ts'
import { aBook, aTransfer, writeTransfers } from '../book-rows.ts'

const ann = { name: 'ann', osUser: 'root', host: 'here' }

/** A started batch with these transfers: deposits of 1 USD unless they have other values. */
async function aBatch(book: Book, ...overrides: readonly Partial<BatchItem>[]): Promise<readonly BatchItem[]> {
  const planId = 'P'
  const rows = overrides.map(
    (row, i): BatchItem => ({
      ...{ place: i + 1, line: i + 2, txnId: generatedTxnId(planId, i + 1), username: 'amy', dir: 'in', amount: '1' },
      ...{ currency: 'USD', note: null },
      ...row,
    }),
  )
  await storeBatch(
    book,
    {
      ...{ planId, companyCode: 'DEMO', environment: 'live', target: 'here', source: 'payday.csv' },
      ...{ sourceSha256: planId, note: null, creates: false, by: ann, rows },
    },
    { again: true },
  )
  await beginTransferBatch(book, await transferBatch(book, planId))
  return rows
}

type Operator = Awaited<ReturnType<typeof anOperator>>

/** Applies the batch from its rows in the book, one player at a time. */
async function apply({ operator, book }: Pick<Operator, 'operator' | 'book'>, more: Partial<BatchRun> = {}) {
  const { rows, transfers } = await transferBatch(book, 'P')
  const end = await runTransferBatch(operator, {
    ...{ planId: 'P', rows, transfers, concurrency: 1, stopOnRefusal: false, retryRefused: false },
    ...{ halt: new AbortController().signal, onRow: () => {} },
    ...more,
  })
  return { ...end, outcomes: end.results.map(({ outcome }) => outcome) }
}

const pathsOf = ({ sent }: Operator) => sent.map(({ path }) => path.split('/').at(-1))
/** Five attempts are made of each transfer. */
const five = (fault: Fault) => Array<Fault>(5).fill(fault)
const players = ['amy', 'bob', 'cho', 'dee', 'eve'] as const

/** A started batch whose first row has an unknown outcome from an earlier run; its transfer was not processed. */
async function withUnknown(operator: Operator, over: Partial<BookTransferRow> = {}) {
  const [row] = await aBatch(operator.book, {})
  await writeTransfers(operator.book, {
    ...{ txn_id: 'P-0001', plan_id: 'P', amount: '1', state: 'unknown', balance: null, attempts: 7 },
    ...over,
  })
  return row
}

/** A book whose nth write fails. */
function failing(book: Book, nth: number, errorOf: () => unknown): Book {
  let writes = 0
  const store = Object.create(book.store) as Book['store']
  store.write = (async (work: Parameters<Book['store']['write']>[0]) => {
    writes += 1
    if (writes === nth) throw errorOf()
    return book.store.write(work)
  }) as Book['store']['write']
  return { ...book, store }
}

test.each([
  [null, false],
  ['INSUFFICIENT_BALANCE', false],
  ['PLAYER_NOT_FOUND', false],
  ['UNAUTHORIZED', true],
  ['RATE_LIMITED', true],
  ['INTERNAL_ERROR', true],
])('a transfer rejected with %s is sent again: %s', (refusal, isAgain) => {
  expect(isUnjudged(refusal)).toBe(isAgain)
})

test.each([
  [undefined, 'left'],
  [{ state: 'new' as const }, 'left'],
  [{ state: 'unknown' as const }, 'unknown'],
  [{ state: 'done' as const }, 'done'],
  [{ state: 'refused' as const, refusal: 'INSUFFICIENT_BALANCE' }, 'refused'],
  [{ state: 'refused' as const, refusal: 'UNAUTHORIZED' }, 'left'],
  [{ state: 'done' as const, refusal: 'UNAUTHORIZED' }, 'done'],
])('a row whose transfer in the book is %j is %s', (known, standing) => {
  expect(standingOf(known && aTransfer(known))).toBe(standing)
})

describe('a started batch of two rows', () => {
  const done = { txn_id: 'a', plan_id: 'P', state: 'done' } as const
  const refused = { txn_id: 'b', plan_id: 'P', state: 'refused', refusal: 'INSUFFICIENT_BALANCE' } as const
  const unfinished = async (...transfers: readonly Partial<BookTransferRow>[]) => {
    const book = await aBook()
    await aBatch(book, {}, {})
    await writeTransfers(book, ...transfers)
    return (await unfinishedBatches(book)).map(({ id }) => id)
  }

  test.each([
    ['nothing sent', []],
    ['one done', [done]],
    ['one done and one unknown', [done, { ...done, txn_id: 'b', state: 'unknown' as const }]],
    ['one done and one that was rejected for the request', [done, { ...refused, refusal: 'UNAUTHORIZED' }]],
  ])('with %s is unfinished', async (_, transfers) => {
    expect(await unfinished(...transfers)).toEqual(['P'])
  })

  test.each([
    ['two done', [done, { ...done, txn_id: 'b' }]],
    ['one done and one refused', [done, refused]],
    ['two refused', [refused, { ...refused, txn_id: 'a' }]],
  ])('with %s is finished', async (_, transfers) => {
    expect(await unfinished(...transfers)).toEqual([])
  })

  test('is not unfinished once it is canceled', async () => {
    const book = await aBook()
    await aBatch(book, {}, {})
    await cancelTransferBatch(book, await transferBatch(book, 'P'), ann)
    expect(await unfinishedBatches(book)).toEqual([])
  })
})

describe('a row', () => {
  test('that was not sent before is sent once, and its result has the balance after it', async () => {
    const operator = await anOperator()
    const [row] = await aBatch(operator.book, {})
    const seen: unknown[] = []
    const end = await apply(operator, { onRow: (result) => seen.push(result) })
    const result = { row, outcome: 'done', code: null, message: null, balance: '10001', attempts: 1 }
    expect(end.results).toEqual([result])
    expect(seen).toEqual([result])
    expect([end.stoppedOn, end.unrecorded, pathsOf(operator)]).toEqual([undefined, 0, ['deposit']])
  })

  test('that an earlier run completed is not sent again', async () => {
    const operator = await anOperator()
    await withUnknown(operator, { state: 'done', balance: '10001' })
    expect((await apply(operator)).results).toMatchObject([
      { outcome: 'already', code: null, message: null, balance: '10001', attempts: 7 },
    ])
    expect(operator.sent).toEqual([])
  })

  test('that the platform has from an earlier attempt is done already', async () => {
    const operator = await anOperator()
    await aBatch(operator.book, {})
    await operator.casino.deposit({ body: { username: 'amy', txnId: 'P-0001', amount: '1', currency: 'USD' } })
    expect((await apply(operator)).results).toMatchObject([{ outcome: 'already', balance: '10001' }])
    expect(await operator.balanceOf('amy')).toBe('10001')
  })

  test('that an earlier run was refused stays refused, with the reason', async () => {
    const operator = await anOperator()
    await withUnknown(operator, { state: 'refused', refusal: 'INSUFFICIENT_BALANCE' })
    expect((await apply(operator)).results).toMatchObject([
      { outcome: 'refused', code: 'INSUFFICIENT_BALANCE', message: 'Rejected in an earlier run', attempts: 7 },
    ])
    expect(operator.sent).toEqual([])
    expect((await apply(operator, { retryRefused: true })).outcomes).toEqual(['done'])
  })

  test('that was refused because of the request is sent again automatically', async () => {
    const operator = await anOperator()
    await withUnknown(operator, { state: 'refused', refusal: 'UNAUTHORIZED' })
    expect((await apply(operator)).outcomes).toEqual(['done'])
    expect(pathsOf(operator)).toEqual(['deposit'])
  })

  test('whose ID is in another batch is refused, and nothing is sent', async () => {
    const operator = await anOperator()
    const rows = await aBatch(operator.book, {})
    const other = rows.map((row) => ({ ...row, txnId: 'foreign' }))
    const end = await apply(operator, { rows: other, transfers: new Map() })
    expect(end.results).toMatchObject([{ outcome: 'refused', code: 'TXN_CONFLICT', balance: null, attempts: 0 }])
    expect([operator.sent, end.stoppedOn]).toEqual([[], undefined])
    const stopped = await apply(operator, { rows: other, transfers: new Map(), stopOnRefusal: true })
    expect(stopped.stoppedOn?.code).toBe('TXN_CONFLICT')
  })
})

describe('a row with unknown outcome', () => {
  test('is looked up, and done if the platform has it', async () => {
    const operator = await anOperator()
    const row = await withUnknown(operator)
    await operator.casino.deposit({ body: { username: 'amy', txnId: 'P-0001', amount: '1', currency: 'USD' } })
    expect((await apply(operator)).results).toEqual([
      { row, outcome: 'done', code: null, message: null, balance: '10001', attempts: 7 },
    ])
    expect(pathsOf(operator)).toEqual(['transfer'])
  })

  test('is refused if the platform has another transfer of that ID', async () => {
    const operator = await anOperator()
    const row = await withUnknown(operator)
    await operator.casino.deposit({ body: { username: 'amy', txnId: 'P-0001', amount: '2', currency: 'USD' } })
    expect((await apply(operator)).results).toEqual([
      {
        ...{ row, outcome: 'refused', code: 'TXN_CONFLICT', balance: null, attempts: 7 },
        message: 'The platform has a different transfer with this txnId',
      },
    ])
    expect(pathsOf(operator)).toEqual(['transfer'])
  })

  test('is sent again if the platform does not have it', async () => {
    const operator = await anOperator()
    await withUnknown(operator)
    expect((await apply(operator)).results).toMatchObject([{ outcome: 'done', balance: '10001', attempts: 8 }])
    expect(pathsOf(operator)).toEqual(['transfer', 'deposit'])
  })

  test('is sent again if it could not be looked up', async () => {
    const operator = await anOperator()
    await withUnknown(operator)
    operator.disturb(...five('unreachable'))
    expect((await apply(operator)).outcomes).toEqual(['done'])
    expect(pathsOf(operator)).toEqual([...Array(5).fill('transfer'), 'deposit'])
  })

  test('that another run completed in the book, unlike the platform, stops the run as a difference', async () => {
    const operator = await anOperator()
    await withUnknown(operator)
    await operator.casino.deposit({ body: { username: 'amy', txnId: 'P-0001', amount: '2', currency: 'USD' } })
    const { transfers } = await transferBatch(operator.book, 'P')
    await operator.book.store.write(({ q }) => q.updateTable('book_transfers').set({ state: 'done' }).execute())
    const end = await apply(operator, { transfers })
    expect(end.results).toMatchObject([{ outcome: 'unknown', code: 'DIFFERENCES', balance: null, attempts: 7 }])
    expect(end.stoppedOn?.code).toBe('DIFFERENCES')
    expect(await operator.balanceOf('amy')).toBe('10002')
  })

  test('stays unknown and stops the run if the book cannot store the result', async () => {
    const operator = await anOperator()
    await withUnknown(operator)
    await operator.casino.deposit({ body: { username: 'amy', txnId: 'P-0001', amount: '1', currency: 'USD' } })
    const book = failing(operator.book, 1, () => new Problem('STORE_UNAVAILABLE', 'no'))
    const end = await apply({ book, operator: { ...operator.operator, book } })
    expect(end.results).toMatchObject([{ outcome: 'unknown', code: 'STORE_UNAVAILABLE', attempts: 7 }])
    expect([end.stoppedOn?.code, pathsOf(operator)]).toEqual(['STORE_UNAVAILABLE', ['transfer']])
  })

  test('stays unknown if the run was stopped before', async () => {
    const operator = await anOperator()
    await withUnknown(operator)
    expect((await apply(operator, { halt: AbortSignal.abort() })).results).toMatchObject([
      { outcome: 'unknown', code: null, message: null, balance: null, attempts: 7 },
    ])
    expect(operator.sent).toEqual([])
  })
})

describe('after a row with an open outcome', () => {
  test('the rows of that player wait, and name it', async () => {
    const operator = await anOperator()
    await aBatch(operator.book, {}, { username: 'AMY' }, {}, { username: 'bob' })
    operator.disturb(...five('lost-before'))
    expect((await apply(operator)).results).toMatchObject([
      { outcome: 'unknown', code: 'REMOTE_LOST' },
      { outcome: 'left', code: 'EARLIER_ROW_OPEN', message: 'Waits for row 1 of the same player', attempts: 0 },
      { outcome: 'left', code: 'EARLIER_ROW_OPEN', message: 'Waits for row 1 of the same player', attempts: 0 },
      { outcome: 'done' },
    ])
  })

  test('a row completed by an earlier run is still done already', async () => {
    const operator = await anOperator()
    await aBatch(operator.book, {}, {})
    await writeTransfers(operator.book, { txn_id: 'P-0002', plan_id: 'P', amount: '1' })
    operator.disturb(...five('unreachable'))
    expect((await apply(operator)).outcomes).toEqual(['unsent', 'already'])
  })

  test('a waiting row has the attempts of earlier runs', async () => {
    const operator = await anOperator()
    await aBatch(operator.book, {}, {})
    await writeTransfers(operator.book, { txn_id: 'P-0002', plan_id: 'P', state: 'new', attempts: 3 })
    operator.disturb(...five('unreachable'))
    expect((await apply(operator)).results[1]).toMatchObject({ outcome: 'left', attempts: 3 })
  })
})

describe('a run', () => {
  /** A row of each player, with these faults: a transfer takes up to five attempts, and one more to look it up. */
  const through = async (...faults: readonly (readonly Fault[])[]) => {
    const operator = await anOperator()
    for (const username of players)
      await operator.casino.deposit({ body: { username, txnId: `fund-${username}`, amount: '1', currency: 'USD' } })
    await aBatch(operator.book, ...faults.map((_, i) => ({ username: players[i] ?? '' })))
    operator.disturb(...faults.flat())
    return apply(operator)
  }
  const away = five('unreachable')
  const silent = [...five('lost-before'), 'none'] as const
  const fine = ['none'] as const

  test('stops after three rows in a row without a response', async () => {
    const end = await through(away, away, away, fine)
    expect([end.outcomes, end.stoppedOn?.code]).toEqual([['unsent', 'unsent', 'unsent', 'left'], 'REMOTE_UNREACHABLE'])
  })

  test('stops after three rows in a row with an unknown outcome', async () => {
    const end = await through(silent, silent, silent, fine)
    expect([end.outcomes, end.stoppedOn?.code]).toEqual([['unknown', 'unknown', 'unknown', 'left'], 'REMOTE_LOST'])
  })

  test('continues after two rows without a response, and counts from zero after one that is done', async () => {
    const end = await through(away, away, fine, silent, away)
    expect([end.outcomes, end.stoppedOn]).toEqual([['unsent', 'unsent', 'done', 'unknown', 'unsent'], undefined])
  })

  test('counts from zero after a row that was done already', async () => {
    const operator = await anOperator()
    await aBatch(operator.book, ...players.map((username) => ({ username })))
    for (const username of players)
      await operator.casino.deposit({ body: { username, txnId: `fund-${username}`, amount: '1', currency: 'USD' } })
    await operator.casino.deposit({ body: { username: 'cho', txnId: 'P-0003', amount: '1', currency: 'USD' } })
    operator.disturb(...away, ...away, ...fine, ...away, ...away)
    const end = await apply(operator)
    expect([end.outcomes, end.stoppedOn]).toEqual([['unsent', 'unsent', 'already', 'unsent', 'unsent'], undefined])
  })

  test('counts from zero after a refusal', async () => {
    const operator = await anOperator()
    const transfers = players.map((username) => ({
      username,
      dir: username === 'cho' ? ('out' as const) : ('in' as const),
    }))
    await aBatch(operator.book, ...transfers.map((row) => ({ ...row, amount: row.dir === 'out' ? '99999' : '1' })))
    operator.disturb(...away, ...away, ...fine, ...away, ...away)
    const end = await apply(operator)
    expect([end.outcomes, end.stoppedOn]).toEqual([['unsent', 'unsent', 'refused', 'unsent', 'unsent'], undefined])
  })

  test('stops at the first refusal on request', async () => {
    const operator = await anOperator()
    await aBatch(operator.book, { dir: 'out', amount: '99999' }, { username: 'bob' })
    const end = await apply(operator, { stopOnRefusal: true })
    expect([end.outcomes, end.stoppedOn?.code]).toEqual([['refused', 'left'], 'INSUFFICIENT_BALANCE'])
    expect(end.stoppedOn?.message).toBe(end.results[0]?.message)
  })

  test('stops at once if the platform rejects the key', async () => {
    const end = await through(['unauthorized'], fine)
    expect([end.outcomes, end.stoppedOn?.code]).toEqual([['unsent', 'left'], 'UNAUTHORIZED'])
  })

  test.each([
    ['rate-limited', 'unsent', 'RATE_LIMITED'],
    ['error-500-before', 'unknown', 'INTERNAL_ERROR'],
  ] as const)('continues after a row that was answered with %s', async (fault, outcome, code) => {
    const end = await through([...five(fault), ...(outcome === 'unknown' ? fine : [])], fine)
    expect([end.outcomes, end.results[0]?.code, end.stoppedOn]).toEqual([[outcome, 'done'], code, undefined])
  })

  test('counts a done transfer that the book could not store', async () => {
    const operator = await anOperator()
    await aBatch(operator.book, {})
    const book = failing(operator.book, 2, () => new Problem('STORE_UNAVAILABLE', 'no'))
    const end = await apply({ book, operator: { ...operator.operator, book } })
    expect([end.outcomes, end.unrecorded]).toEqual([['done'], 1])
    expect(await transferOf(operator.book, 'P-0001')).toMatchObject({ state: 'unknown' })
  })

  test('stops on an unexpected error, and sends nothing', async () => {
    const operator = await anOperator()
    await aBatch(operator.book, {}, { username: 'bob' })
    const book = failing(operator.book, 1, () => new TypeError('boom'))
    const end = await apply({ book, operator: { ...operator.operator, book } })
    expect(end.results).toMatchObject([
      { outcome: 'unsent', code: 'UNEXPECTED', message: 'TypeError: boom', attempts: 0 },
      { outcome: 'left', code: null },
    ])
    expect([end.stoppedOn?.code, operator.sent]).toEqual(['UNEXPECTED', []])
  })

  test('that was canceled during a write reports it', async () => {
    const operator = await anOperator()
    await aBatch(operator.book, {})
    const halting = new AbortController()
    const book = failing(operator.book, 1, () => {
      halting.abort()
      return halting.signal.reason
    })
    const end = await apply({ book, operator: { ...operator.operator, book } }, { halt: halting.signal })
    expect(end.results).toMatchObject([
      { outcome: 'unsent', code: 'INTERRUPTED', message: 'Canceled before the outcome was known' },
    ])
  })

  test('that is canceled while a row waits to be sent leaves the row, with its attempts', async () => {
    const operator = await anOperator()
    await aBatch(operator.book, {})
    operator.disturb('unreachable')
    const sleep = async () => {
      throw new Error('canceled')
    }
    const end = await apply({
      book: operator.book,
      operator: { ...operator.operator, retryOptions: { ...operator.operator.retryOptions, sleep } },
    })
    expect(end.results).toMatchObject([{ outcome: 'left', code: null, message: null, attempts: 1 }])
    expect(end.stoppedOn).toBeUndefined()
  })

  test('that is canceled after a request was lost does not know its outcome', async () => {
    const operator = await anOperator()
    await aBatch(operator.book, {})
    operator.disturb('lost-after', 'unreachable')
    const sleep = async () => {
      throw new Error('canceled')
    }
    const end = await apply({
      book: operator.book,
      operator: { ...operator.operator, retryOptions: { ...operator.operator.retryOptions, sleep } },
    })
    expect(end.results).toMatchObject([{ outcome: 'unknown', code: 'INTERRUPTED', message: 'Canceled: canceled' }])
  })

  test('has the results in the order of the batch, for any order of players', async () => {
    const operator = await anOperator()
    const rows = await aBatch(operator.book, { username: 'amy' }, { username: 'bob' }, { username: 'AMY' })
    const seen: number[] = []
    const { results } = await apply(operator, { onRow: ({ row }) => seen.push(row.place) })
    expect(results.map(({ row }) => row)).toEqual(rows)
    expect(seen).toEqual([1, 3, 2])
  })
})
