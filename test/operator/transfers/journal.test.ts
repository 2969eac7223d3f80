import { expect, onTestFinished, test } from 'vitest'
import { generatedTxnId } from '../../../src/domain/wallet/batch.ts'
import { isProblem } from '../../../src/kit/problem.ts'
import { openBook } from '../../../src/operator/book/book.ts'
import { beginTransferBatch } from '../../../src/operator/transfers/batch-decisions.ts'
import { storeBatch, transferBatch } from '../../../src/operator/transfers/batches.ts'
import {
  beginTransfer,
  findTransferFor,
  listTransfers,
  settleTransfer,
  type TransferInput,
} from '../../../src/operator/transfers/journal.ts'

const hundred = { txnId: 't-1', username: 'amy', dir: 'in', amount: '100', currency: 'USD' } as const

async function aBook() {
  const book = await openBook(':memory:', () => 1_000)
  onTestFinished(() => book.close())
  return book
}

/** A batch with one transfer of amy, which may be sent for it. */
async function aBatch(book: Awaited<ReturnType<typeof aBook>>, planId: string): Promise<TransferInput> {
  const order = { username: 'amy', dir: 'in', amount: '100', currency: 'USD' } as const
  const txnId = generatedTxnId(planId, 1)
  await storeBatch(
    book,
    {
      ...{ planId, companyCode: 'DEMO', environment: 'live', target: 'here', source: 'payday.csv' },
      ...{ sourceSha256: planId, note: null, creates: false, by: { name: 'ann', osUser: 'root', host: 'here' } },
      rows: [{ place: 1, line: 2, txnId, note: null, ...order }],
    },
    { again: true },
  )
  await beginTransferBatch(book, await transferBatch(book, planId))
  return { txnId, ...order }
}

const planId = '01JPLAN0000000000000000001'

/** The message and detail of a refusal with TXN_CONFLICT. */
async function conflictOf(promise: Promise<unknown>) {
  try {
    await promise
  } catch (error) {
    if (isProblem(error, 'TXN_CONFLICT')) return { message: error.message, detail: error.detail }
    throw error
  }
  return 'not refused'
}

test('an id of a batch is found for that batch alone, before and after it is sent', async () => {
  const book = await aBook()
  const order = await aBatch(book, planId)
  expect(await findTransferFor(book, hundred)).toBeUndefined()
  expect(await findTransferFor(book, { ...order, planId })).toBeUndefined()
  for (const request of [order, { ...order, planId: 'another' }])
    expect(await conflictOf(findTransferFor(book, request))).toMatchObject({
      message: expect.stringContaining(`wallet apply ${planId}`),
      detail: { txnId: order.txnId, planId },
    })
  await beginTransfer(book, { ...order, planId })
  expect(await findTransferFor(book, { ...order, planId })).toMatchObject({ plan_id: planId })
})

test('an id is sent for the batch it belongs to, and for none if it belongs to none', async () => {
  const book = await aBook()
  const order = await aBatch(book, planId)
  expect(await conflictOf(beginTransfer(book, order))).toMatchObject({
    message: expect.stringContaining(`wallet apply ${planId}`),
  })
  expect(await conflictOf(beginTransfer(book, { ...hundred, planId }))).toMatchObject({
    message: expect.stringMatching(/^t-1 [^"]*\. Nothing was sent$/),
    detail: { txnId: 't-1', planId: null },
  })
})

test.each([
  ['in', 'a deposit of 100 USD'],
  ['out', 'a withdrawal of 100 USD'],
] as const)('a transfer of the direction %s is named as %s if another has its id', async (dir, named) => {
  const book = await aBook()
  await beginTransfer(book, { ...hundred, dir })
  expect(await conflictOf(findTransferFor(book, { ...hundred, dir, amount: '101' }))).toMatchObject({
    message: expect.stringContaining(named),
  })
})

test('attempts are counted when they are made: one when it begins, and those that are reported with its end', async () => {
  const book = await aBook()
  const { row } = await beginTransfer(book, hundred)
  expect(row.attempts).toBe(1)
  expect(await settleTransfer(book, row, { state: 'unknown' })).toMatchObject({ attempts: 1, state: 'unknown' })
  const again = await beginTransfer(book, hundred)
  expect(again).toMatchObject({ before: 'unknown', row: { attempts: 2 } })
  const done = await settleTransfer(book, again.row, { state: 'done', balance: '100' }, 3)
  expect(done).toMatchObject({ attempts: 5, state: 'done', balance: '100' })
})

test('transfers of a batch are listed alone, and those of one time by their IDs in descending order', async () => {
  const book = await aBook()
  const order = await aBatch(book, planId)
  await beginTransfer(book, { ...order, planId })
  for (const txnId of ['t-2', 't-3', 't-1']) await beginTransfer(book, { ...hundred, txnId })
  const ids = async (over: { planId?: string }) =>
    (await listTransfers(book, { limit: 10, ...over })).map(({ txn_id }) => txn_id)
  expect(await ids({ planId })).toEqual([order.txnId])
  expect((await ids({})).filter((id) => id !== order.txnId)).toEqual(['t-3', 't-2', 't-1'])
})
