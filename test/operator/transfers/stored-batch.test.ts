import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { formatUnits, parseAmount, playerScale } from '../../../src/domain/money.ts'
import { type BatchItem, generatedTxnId } from '../../../src/domain/wallet/batch.ts'
import { realAmbient } from '../../../src/kit/ambient.ts'
import { type Book, openBook } from '../../../src/operator/book/book.ts'
import { transfersCheck } from '../../../src/operator/doctor.ts'
import { type BatchRun, isUnjudged, runTransferBatch } from '../../../src/operator/transfers/apply-batch.ts'
import {
  approveTransferBatch,
  beginTransferBatch,
  cancelTransferBatch,
} from '../../../src/operator/transfers/batch-decisions.ts'
import {
  type BatchDraft,
  findDuplicate,
  listTransferBatches,
  storeBatch,
  talliesOf,
  transferBatch,
  usedTxnIds,
} from '../../../src/operator/transfers/batches.ts'
import { transferOf } from '../../../src/operator/transfers/journal.ts'
import { transfer } from '../../../src/operator/transfers/transfer.ts'
import { postgres, sqliteFile } from '../../support/databases/engines.ts'
import { anOperator, type Fault, faults } from '../../support/worlds/transfers.ts'

const { id } = realAmbient()
const ann = { name: 'ann', osUser: 'root', host: 'here' }
const beth = { name: 'beth', osUser: 'root', host: 'here' }
type Wanted = readonly [username: string, dir: 'in' | 'out', amount: string]

function aDraft(transfers: readonly Wanted[], more: Partial<BatchDraft> = {}): BatchDraft {
  const planId = id()
  const rows = transfers.map(([username, dir, amount], i): BatchItem => {
    const place = i + 1
    return {
      place,
      line: place + 1,
      txnId: generatedTxnId(planId, place),
      username,
      dir,
      amount,
      currency: 'USD',
      note: null,
    }
  })
  return {
    ...{ planId, companyCode: 'DEMO', environment: 'live', target: 'here', source: 'payday.csv' },
    ...{ sourceSha256: planId, note: null, creates: false, by: ann, rows },
    ...more,
  }
}

async function aPlan(book: Book, transfers: readonly Wanted[]) {
  const { planId } = aDraft([])
  const draft = aDraft(transfers)
  await storeBatch(book, draft, { again: true })
  await beginTransferBatch(book, await transferBatch(book, draft.planId))
  return { ...draft, unused: planId }
}

type Operator = Awaited<ReturnType<typeof anOperator>>

/** Applies the plan as far as possible, as a new process would: from its state in the book. */
async function carry(operator: Operator, planId: string, more: Partial<BatchRun> = {}) {
  const { rows, transfers } = await transferBatch(operator.book, planId)
  const run = { planId, rows, transfers, concurrency: 4, stopOnRefusal: false, retryRefused: false }
  const end = await runTransferBatch(operator.operator, {
    ...run,
    halt: new AbortController().signal,
    onRow: () => {},
    ...more,
  })
  return { ...end, outcomes: end.results.map(({ outcome }) => outcome) }
}

const posts = (operator: Operator) =>
  operator.sent.flatMap(({ path, body }) =>
    /deposit|withdraw/.test(path) ? [JSON.parse(body ?? '{}').txnId as string] : [],
  )
const code = (expected: string) => expect.objectContaining({ code: expected })

describe.each([sqliteFile, postgres])('a batch in a book on $name', (engine) => {
  const aBook = async () => {
    const database = await engine.database()
    const book = await openBook(database.url)
    onTestFinished(() => book.close())
    return book
  }

  test('is stored completely, is approved and started unchanged, and is rejected once a row was changed', async () => {
    const book = await aBook()
    // More rows than one statement takes.
    const many = Array.from({ length: 1201 }, (_, i): Wanted => [`p${i}`, i % 3 === 0 ? 'out' : 'in', `${i + 1}.5`])
    const draft = aDraft(many)
    await storeBatch(book, draft, { again: false })
    const kept = await transferBatch(book, draft.planId)
    expect(kept.rows).toEqual(draft.rows)
    expect(kept.head).toMatchObject({ rows: 1201, players: 1201, made_by: 'ann', begun_at: null })
    await approveTransferBatch(book, kept, beth)
    await approveTransferBatch(book, kept, { ...beth, name: ' BETH' })
    const { approvals } = await transferBatch(book, draft.planId)
    expect(approvals.map(({ name_key, digest }) => [name_key, digest])).toEqual([['beth', kept.head.digest]])
    await book.store.write(({ q }) =>
      q
        .updateTable('book_wallet_plan_rows')
        .set({ amount: '9' })
        .where('plan_id', '=', draft.planId)
        .where('place', '=', 7)
        .execute(),
    )
    await expect(transferBatch(book, draft.planId)).rejects.toEqual(code('PLAN_CHANGED'))
    await expect(transferBatch(book, id())).rejects.toEqual(code('PLAN_NOT_FOUND'))
  })

  test('moves its money once: the same bytes or the same movements are rejected, unless allowed or canceled', async () => {
    const book = await aBook()
    const first = aDraft([
      ['amy', 'in', '1'],
      ['bob', 'in', '2'],
    ])
    await storeBatch(book, first, { again: false })
    const resaved = aDraft([
      ['BOB', 'in', '2'],
      ['amy', 'in', '1'],
    ])
    const sameBytes = aDraft([['cho', 'in', '1']], { sourceSha256: first.sourceSha256 })
    for (const twin of [resaved, sameBytes]) {
      expect((await findDuplicate(book, twin))?.id).toBe(first.planId)
      await expect(storeBatch(book, twin, { again: false })).rejects.toEqual(code('PLAN_EXISTS'))
    }
    expect(await listTransferBatches(book, 10)).toHaveLength(1)
    await storeBatch(book, resaved, { again: true })
    for (const { planId } of [first, resaved]) await cancelTransferBatch(book, await transferBatch(book, planId), beth)
    expect(await findDuplicate(book, sameBytes)).toBeUndefined()
    await storeBatch(book, sameBytes, { again: false })
  })

  test('protects moved money also if the rest of it was canceled', async () => {
    const book = await aBook()
    const { operator } = await anOperator()
    const draft = aDraft([
      ['amy', 'in', '1'],
      ['bob', 'in', '2'],
    ])
    await storeBatch(book, draft, { again: false })
    const [row] = draft.rows
    if (!row) throw new Error('the plan has rows')
    const { txnId, username, dir, amount, currency } = row
    await transfer({ ...operator, book }, { txnId, username, dir, amount, currency, planId: draft.planId })
    await cancelTransferBatch(book, await transferBatch(book, draft.planId), beth)
    const twin = { ...draft, planId: id(), rows: draft.rows.map((each) => ({ ...each, txnId: id() })) }
    await expect(storeBatch(book, twin, { again: false })).rejects.toMatchObject({
      code: 'PLAN_EXISTS',
      message: expect.stringContaining('was canceled after some were sent'),
    })
    await storeBatch(book, twin, { again: true })
  })

  test('reserves its txnIds: no other batch and no single transfer can use them, until it is canceled', async () => {
    const book = await aBook()
    const operator = await anOperator()
    const onBook = { ...operator.operator, book }
    const order = { txnId: 'mine', username: 'amy', dir: 'in', amount: '1', currency: 'USD' } as const
    const withId = (txnId: string): BatchDraft => {
      const draft = aDraft([['amy', 'in', '1']])
      return { ...draft, rows: draft.rows.map((row) => ({ ...row, txnId })) }
    }
    const plan = withId('mine')
    await storeBatch(book, plan, { again: true })
    expect(await usedTxnIds(book, ['mine', 'yours'])).toMatchObject([
      { txnId: 'mine', planId: plan.planId, transfer: null },
    ])
    await expect(storeBatch(book, withId('mine'), { again: true })).rejects.toEqual(code('TXN_CONFLICT'))
    await expect(transfer(onBook, order)).rejects.toEqual(code('TXN_CONFLICT'))
    await expect(transfer(onBook, { ...order, txnId: 'other', planId: plan.planId })).rejects.toEqual(
      code('TXN_CONFLICT'),
    )
    expect(operator.sent).toEqual([])
    await cancelTransferBatch(book, await transferBatch(book, plan.planId), beth)
    await expect(transfer(onBook, { ...order, planId: plan.planId })).rejects.toEqual(code('TXN_CONFLICT'))
    await expect(beginTransferBatch(book, { ...(await transferBatch(book, plan.planId)) })).rejects.toEqual(
      code('CONFLICT'),
    )
    expect(await transfer(onBook, order)).toMatchObject({ kind: 'done' })
    await expect(storeBatch(book, withId('mine'), { again: true })).rejects.toEqual(code('TXN_CONFLICT'))
  })

  test('is applied through all failures: every row once, and the balances match the batch', async () => {
    const book = await aBook()
    const bare = await anOperator()
    const operator = { ...bare, book, operator: { ...bare.operator, book } }
    let now = new Map(
      await Promise.all(
        ['amy', 'bob', 'cho', 'dee'].map(async (name) => [name, parseAmount(await operator.balanceOf(name))] as const),
      ),
    )
    const aRow = fc.tuple(
      fc.constantFrom('amy', 'BOB', 'cho', 'Dee'),
      fc.constantFrom('in' as const, 'out' as const),
      fc.integer({ min: 1, max: 30_000 }).map((units) => formatUnits(BigInt(units), playerScale)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(aRow, { minLength: 1, maxLength: 12 }),
        fc.array(fc.array(fc.constantFrom(...faults), { maxLength: 25 }), { minLength: 1, maxLength: 3 }),
        async (transfers, scripts) => {
          const { planId, rows } = await aPlan(book, transfers)
          for (const script of scripts) {
            operator.disturb(...script)
            const { results } = await carry(operator, planId)
            expect(results.map(({ row }) => row.place)).toEqual(rows.map(({ place }) => place))
          }
          operator.disturb()
          // The last run has no faults; rows that a proxy's page "refused" before are sent once more.
          const last = await carry(operator, planId, { retryRefused: true })
          expect(last.outcomes.filter((outcome) => outcome !== 'done' && outcome !== 'already')).toEqual([])
          const after = new Map(now)
          for (const { username, dir, amount } of rows) {
            const key = username.toLowerCase()
            after.set(key, (after.get(key) ?? 0n) + (dir === 'in' ? parseAmount(amount) : -parseAmount(amount)))
          }
          for (const [name, units] of after)
            expect(await operator.balanceOf(name)).toBe(formatUnits(units, playerScale))
          now = after
          const tally = (await talliesOf(book, [planId], isUnjudged)).get(planId)
          expect(tally).toEqual({ done: rows.length, refused: 0, unknown: 0 })
        },
      ),
      { numRuns: engine.isPostgres ? 10 : 30 },
    )
  })
})

test('the rows of one player are sent in order, those of others concurrently', async () => {
  const operator = await anOperator()
  const transfers = Array.from({ length: 24 }, (_, i): Wanted => [['amy', 'bob', 'cho'][i % 3] ?? '', 'in', `${i + 1}`])
  const { planId, rows } = await aPlan(operator.book, transfers)
  let inside = 0
  let most = 0
  operator.beforeSending(async () => {
    inside += 1
    most = Math.max(most, inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside -= 1
  })
  await carry(operator, planId)
  for (const name of ['amy', 'bob', 'cho']) {
    const theirs = rows.filter(({ username }) => username === name).map(({ txnId }) => txnId)
    expect(posts(operator).filter((txnId) => theirs.includes(txnId))).toEqual(theirs)
  }
  expect(most).toBe(3)
})

test('after a row with an unknown outcome no more rows of that player are sent, and the next run looks it up first', async () => {
  const operator = await anOperator()
  const { planId } = await aPlan(operator.book, [
    ['amy', 'in', '5'],
    ['amy', 'out', '10001'],
    ['bob', 'in', '1'],
  ])
  operator.disturb('lost-after', ...Array<Fault>(4 + 3).fill('unreachable'))
  const first = await carry(operator, planId, { concurrency: 1 })
  expect(first.outcomes).toEqual(['unknown', 'left', 'done'])
  expect(first.results[1]).toMatchObject({ code: 'EARLIER_ROW_OPEN' })
  expect(await operator.balanceOf('amy')).toBe('10005')
  operator.sent.length = 0
  expect((await carry(operator, planId, { concurrency: 1 })).outcomes).toEqual(['done', 'done', 'already'])
  expect(operator.sent.map(({ path }) => path.split('/').at(-1))).toEqual(['transfer', 'withdraw'])
  expect(await operator.balanceOf('amy')).toBe('4')
})

test('a rejected row is alone; the others continue, or no more start with --stop-on-refusal', async () => {
  const operator = await anOperator()
  const transfers: Wanted[] = [
    ['amy', 'in', '1'],
    ['bob', 'out', '20000'],
    ['cho', 'in', '1'],
    ['dee', 'in', '1'],
  ]
  const { planId } = await aPlan(operator.book, transfers)
  const stopped = await carry(operator, planId, { concurrency: 1, stopOnRefusal: true })
  expect(stopped.outcomes).toEqual(['done', 'refused', 'left', 'left'])
  expect(stopped.stoppedOn).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  const on = await carry(operator, planId)
  expect(on.outcomes).toEqual(['already', 'refused', 'done', 'done'])
  const sent = operator.sent.length
  expect((await carry(operator, planId)).outcomes).toEqual(['already', 'refused', 'already', 'already'])
  expect(operator.sent).toHaveLength(sent)
  await operator.casino.deposit({ body: { username: 'bob', txnId: 'x', amount: '10000', currency: 'USD' } })
  expect((await carry(operator, planId, { retryRefused: true })).outcomes).toEqual([
    'already',
    'done',
    'already',
    'already',
  ])
  expect(await operator.balanceOf('bob')).toBe('0')
})

test('a rejection of all requests ends the run at once, and counts no row as rejected', async () => {
  const operator = await anOperator()
  const transfers = Array.from({ length: 4 }, (_, i): Wanted => [['amy', 'bob', 'cho', 'dee'][i] ?? '', 'in', '1'])
  const { planId } = await aPlan(operator.book, transfers)
  operator.disturb('unauthorized')
  const end = await carry(operator, planId, { concurrency: 1 })
  expect([end.outcomes, end.stoppedOn?.code]).toEqual([['unsent', 'left', 'left', 'left'], 'UNAUTHORIZED'])
  expect((await talliesOf(operator.book, [planId], isUnjudged)).get(planId)).toEqual({
    done: 0,
    refused: 0,
    unknown: 0,
  })
  expect((await carry(operator, planId)).outcomes).toEqual(['done', 'done', 'done', 'done'])
})

test('an unreachable platform does not get a request for every row', async () => {
  const operator = await anOperator()
  const { planId } = await aPlan(
    operator.book,
    Array.from(
      { length: 9 },
      (_, i): Wanted =>
        ['amy', 'bob', 'cho'].map((name) => [name, 'in', `${i + 1}`] as Wanted)[i % 3] ?? ['amy', 'in', '1'],
    ),
  )
  operator.disturb(...Array<Fault>(200).fill('unreachable'))
  const end = await carry(operator, planId, { concurrency: 1 })
  expect(end.outcomes.filter((outcome) => outcome === 'unsent')).toHaveLength(3)
  expect([end.stoppedOn?.code, posts(operator).length]).toEqual(['REMOTE_UNREACHABLE', 15])
  expect(await operator.balanceOf('amy')).toBe('10000')
})

test('after a halt no row starts, and the one in progress is finished', async () => {
  const operator = await anOperator()
  const halting = new AbortController()
  const { planId } = await aPlan(operator.book, [
    ['amy', 'in', '1'],
    ['amy', 'in', '2'],
    ['bob', 'in', '1'],
  ])
  operator.beforeSending(() => halting.abort('SIGINT'))
  expect((await carry(operator, planId, { concurrency: 1, halt: halting.signal })).outcomes).toEqual([
    'done',
    'left',
    'left',
  ])
  expect(await transferOf(operator.book, generatedTxnId(planId, 2))).toBeUndefined()
  // The book's operator gets a list of the rest.
  expect(await transfersCheck(operator.book)).toMatchObject({
    status: 'warn',
    message: expect.stringContaining(planId),
  })
  await carry(operator, planId)
  expect(await transfersCheck(operator.book)).toMatchObject({ status: 'pass' })
})

test('a book that cannot be written ends the run before a request is sent', async () => {
  const operator = await anOperator()
  const { planId } = await aPlan(operator.book, [
    ['amy', 'in', '1'],
    ['bob', 'in', '1'],
  ])
  const { rows, transfers } = await transferBatch(operator.book, planId)
  await operator.book.close()
  const run = { planId, rows, transfers, concurrency: 1, stopOnRefusal: false, retryRefused: false, onRow: () => {} }
  const end = await runTransferBatch(operator.operator, { ...run, halt: new AbortController().signal })
  expect(end.results.map(({ outcome }) => outcome)).toEqual(['unsent', 'left'])
  expect([end.stoppedOn?.code, operator.sent]).toEqual(['STORE_UNAVAILABLE', []])
})
