import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { isProblem } from '../../../src/kit/problem.ts'
import { openBook } from '../../../src/operator/book/book.ts'
import { beginTransfer, listTransfers, settleTransfer, transferOf } from '../../../src/operator/transfers/journal.ts'
import { resolveTransfer, transfer } from '../../../src/operator/transfers/transfer.ts'
import { anOperator, type Fault, faults, leavesOpen } from '../../support/worlds/transfers.ts'
import { aClock } from '../../support/worlds/world.ts'

const hundred = { txnId: 't-1', username: 'amy', dir: 'in', amount: '100', currency: 'USD' } as const
const posts = (sent: readonly { path: string }[]) => sent.filter(({ path }) => /deposit|withdraw/.test(path))
const refusedWith = (code: string) => expect.objectContaining({ code })

test('a transfer is in the book before the first byte is sent', async () => {
  const { operator, book, beforeSending, balanceOf } = await anOperator()
  const seen: (string | undefined)[] = []
  beforeSending(async () => void seen.push((await transferOf(book, 't-1'))?.state))
  const done = await transfer(operator, hundred)
  expect(seen).toEqual(['unknown'])
  expect(done).toMatchObject({ kind: 'done', balance: '10100', duplicate: false, knownBy: 'reply' })
  expect(await transferOf(book, 't-1')).toMatchObject({ state: 'done', balance: '10100', attempts: 1, refusal: null })
  expect(await balanceOf('amy')).toBe('10100')
})

test('without a write to the book nothing is sent', async () => {
  const { operator, book, sent, balanceOf } = await anOperator()
  await book.close()
  await expect(transfer(operator, hundred)).rejects.toEqual(refusedWith('STORE_UNAVAILABLE'))
  expect(sent).toEqual([])
  expect(await balanceOf('amy')).toBe('10000')
})

test('a lost response is requested again: the same id and content, its own nonce, one movement', async () => {
  const { operator, sent, waits, disturb, balanceOf } = await anOperator()
  disturb('lost-after', 'html-502-after', 'timeout-before')
  const done = await transfer(operator, hundred)
  expect(done).toMatchObject({ kind: 'done', balance: '10100', duplicate: true, row: { attempts: 4 } })
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
  expect(new Set(sent.map(({ nonce }) => nonce)).size).toBe(4)
  expect(waits).toEqual([500, 1000, 2000])
  expect(await balanceOf('amy')).toBe('10100')
})

test('when every response was lost the transfer is looked up, with the player', async () => {
  const { operator, book, sent, disturb, balanceOf } = await anOperator()
  disturb('lost-before', 'lost-before', 'lost-after', 'lost-before', 'lost-before')
  const done = await transfer(operator, hundred)
  expect(done).toMatchObject({
    kind: 'done',
    balance: '10100',
    knownBy: 'look-up',
    row: { state: 'done', attempts: 5 },
  })
  expect(sent.at(-1)?.path).toBe('/api/tenant/v1/wallet/transfer')
  expect(await transferOf(book, 't-1')).toMatchObject({ state: 'done' })
  expect(await balanceOf('amy')).toBe('10100')
})

test('a transfer unknown to the platform may still be in progress: the outcome is unknown, and the same call finishes it', async () => {
  const { operator, book, disturb, balanceOf } = await anOperator()
  disturb('html-502-before', 'html-502-before', 'html-502-before', 'html-502-before', 'html-502-before')
  expect(await transfer(operator, hundred)).toMatchObject({ kind: 'unknown', problem: { code: 'REMOTE_UNAVAILABLE' } })
  expect(await transferOf(book, 't-1')).toMatchObject({ state: 'unknown', attempts: 5 })
  expect(await balanceOf('amy')).toBe('10000')
  expect(await transfer(operator, hundred)).toMatchObject({ kind: 'done', balance: '10100', row: { attempts: 6 } })
  expect(await balanceOf('amy')).toBe('10100')
})

test('when the look-up fails too the outcome is unknown', async () => {
  const { operator, disturb, balanceOf } = await anOperator()
  disturb('lost-after', ...Array<Fault>(4).fill('unreachable'), ...Array<Fault>(3).fill('unreachable'))
  expect(await transfer(operator, hundred)).toMatchObject({ kind: 'unknown', row: { state: 'unknown' } })
  expect(await balanceOf('amy')).toBe('10100')
  expect(await transfer(operator, hundred)).toMatchObject({ kind: 'done', duplicate: true })
  expect(await balanceOf('amy')).toBe('10100')
})

test('a request that reached no server is reported as not sent', async () => {
  const { operator, book, sent, disturb } = await anOperator()
  disturb('unreachable', 'rate-limited', 'unreachable', 'rate-limited', 'unreachable')
  expect(await transfer(operator, hundred)).toMatchObject({ kind: 'unsent', problem: { code: 'REMOTE_UNREACHABLE' } })
  expect(posts(sent)).toHaveLength(5)
  expect(sent).toHaveLength(5)
  expect(await transferOf(book, 't-1')).toMatchObject({ state: 'new', attempts: 5 })
})

test('a refusal is final, and is not retried', async () => {
  const { operator, book, sent, balanceOf } = await anOperator()
  const tooMuch = { ...hundred, dir: 'out', amount: '10000.0001' } as const
  expect(await transfer(operator, tooMuch)).toMatchObject({
    kind: 'refused',
    problem: { code: 'INSUFFICIENT_BALANCE' },
  })
  expect(sent).toHaveLength(1)
  expect(await transferOf(book, 't-1')).toMatchObject({ state: 'refused', refusal: 'INSUFFICIENT_BALANCE' })
  expect(await balanceOf('amy')).toBe('10000')
})

test('a refused transfer may be sent again under its id, if its reason allows it', async () => {
  const { operator, casino, balanceOf } = await anOperator()
  const order = { ...hundred, dir: 'out', amount: '10050' } as const
  expect(await transfer(operator, order)).toMatchObject({ kind: 'refused' })
  await casino.deposit({ body: { username: 'amy', txnId: 'x', amount: '100', currency: 'USD' } })
  expect(await transfer(operator, order)).toMatchObject({ kind: 'done', balance: '50', duplicate: false })
  expect(await balanceOf('amy')).toBe('50')
})

test('a refusal of the request does not decide an earlier attempt: that one is looked up', async () => {
  const { operator, disturb, balanceOf } = await anOperator()
  disturb('lost-after', 'unauthorized')
  expect(await transfer(operator, hundred)).toMatchObject({ kind: 'done', knownBy: 'look-up', balance: '10100' })
  expect(await balanceOf('amy')).toBe('10100')
  disturb('lost-before', 'unauthorized')
  const second = { ...hundred, txnId: 't-2' }
  expect(await transfer(operator, second)).toMatchObject({ kind: 'unknown', problem: { code: 'UNAUTHORIZED' } })
  disturb('unauthorized')
  expect(await transfer(operator, { ...hundred, txnId: 't-3' })).toMatchObject({ kind: 'refused' })
  // The second one is still open from before: a rejected key does not close it.
  disturb('unauthorized')
  expect(await transfer(operator, second)).toMatchObject({ kind: 'unknown', row: { state: 'unknown' } })
})

test('a refusal of the transfer itself is final also after a lost attempt, unless that one was processed', async () => {
  const { operator, disturb, balanceOf } = await anOperator()
  disturb('lost-before')
  const tooMuch = { ...hundred, dir: 'out', amount: '20000' } as const
  expect(await transfer(operator, tooMuch)).toMatchObject({
    kind: 'refused',
    problem: { code: 'INSUFFICIENT_BALANCE' },
  })
  expect(await balanceOf('amy')).toBe('10000')
})

test('a txnId of another transfer of ours is always refused, and nothing is sent', async () => {
  const { operator, sent, disturb } = await anOperator()
  await transfer(operator, hundred)
  disturb('unreachable', 'unreachable', 'unreachable', 'unreachable', 'unreachable')
  await transfer(operator, { ...hundred, txnId: 't-2' })
  const before = sent.length
  for (const txnId of ['t-1', 't-2']) {
    for (const other of [{ username: 'bob' }, { amount: '100.0001' }, { dir: 'out' as const }, { currency: 'TWD' }]) {
      const order = { ...hundred, txnId, ...other }
      await expect(transfer(operator, order), JSON.stringify(other)).rejects.toEqual(refusedWith('TXN_CONFLICT'))
    }
  }
  expect(sent).toHaveLength(before)
})

test('the same transfer may be typed in another way', async () => {
  const { operator, sent, balanceOf } = await anOperator()
  const first = await transfer(operator, { ...hundred, username: 'AMY', amount: '0100.5000', currency: 'usd' })
  const second = await transfer(operator, { ...hundred, amount: '100.5' })
  expect([first.kind, second.kind]).toEqual(['done', 'done'])
  expect(second).toMatchObject({ duplicate: true, balance: '10100.5' })
  expect(JSON.parse(posts(sent)[0] ? (sent[0]?.body ?? '') : '')).toMatchObject({ amount: '100.5', currency: 'USD' })
  expect(await balanceOf('amy')).toBe('10100.5')
})

test('a transfer that the book has as done is looked up and never sent again, even if the platform has lost it', async () => {
  const first = await anOperator()
  const done = await transfer(first.operator, hundred)
  expect(done.kind).toBe('done')
  const again = await transfer(first.operator, hundred)
  expect(again).toMatchObject({ kind: 'done', duplicate: true, balance: '10100', knownBy: 'look-up' })
  expect(posts(first.sent)).toHaveLength(1)
  const elsewhere = await anOperator()
  await expect(transfer({ ...elsewhere.operator, book: first.book }, hundred)).rejects.toEqual(
    refusedWith('DIFFERENCES'),
  )
  expect(posts(elsewhere.sent)).toHaveLength(0)
  expect(await elsewhere.balanceOf('amy')).toBe('10000')
})

test("an ID used by another system for the same player's transfer is rejected, with the existing transfer", async () => {
  const { operator, casino, disturb, book } = await anOperator()
  await casino.deposit({ body: { username: 'amy', txnId: 't-1', amount: '7', currency: 'USD' } })
  expect(await transfer(operator, hundred)).toMatchObject({ kind: 'refused', problem: { code: 'TXN_CONFLICT' } })
  await casino.deposit({ body: { username: 'amy', txnId: 't-2', amount: '7', currency: 'USD' } })
  disturb(...Array<Fault>(5).fill('lost-before'))
  const lost = await transfer(operator, { ...hundred, txnId: 't-2' })
  expect(lost).toMatchObject({ kind: 'refused', problem: { code: 'TXN_CONFLICT', detail: { found: { amount: '7' } } } })
  expect(await transferOf(book, 't-2')).toMatchObject({ state: 'refused', refusal: 'TXN_CONFLICT' })
})

test("another player's transfer under the id is a conflict within two months, and never our own success", async () => {
  const time = aClock('2026-01-15T10:00:00.000Z')
  const { operator, casino, disturb, book, balanceOf } = await anOperator({ time })
  await casino.deposit({ body: { username: 'bob', txnId: 't-1', amount: '100', currency: 'USD' } })
  const operatorAt = (now: number) => ({ ...operator, platformNow: () => now })
  const free = Date.parse('2026-03-15T10:00:00.000Z')
  disturb(...Array<Fault>(5).fill('lost-before'))
  expect((await transfer(operatorAt(free), hundred)).kind).toBe('unknown')
  await expect(resolveTransfer(operatorAt(free), { txnId: 't-1' })).rejects.toEqual(refusedWith('TXN_NOT_FOUND'))
  expect(await transferOf(book, 't-1')).toMatchObject({ state: 'unknown' })
  disturb(...Array<Fault>(5).fill('lost-before'))
  expect(await transfer(operatorAt(free - 1), hundred)).toMatchObject({
    kind: 'refused',
    problem: { code: 'TXN_CONFLICT', detail: { found: { username: 'bob' } } },
  })
  expect(await transferOf(book, 't-1')).toMatchObject({ state: 'refused', refusal: 'TXN_CONFLICT' })
  expect(await balanceOf('amy')).toBe('10000')
})

test("a look-up that finds another player's transfer under our id closes ours as refused", async () => {
  const { operator, casino, disturb, book } = await anOperator()
  disturb(...Array<Fault>(7).fill('unreachable'))
  await transfer(operator, hundred)
  await casino.deposit({ body: { username: 'bob', txnId: 't-1', amount: '100', currency: 'USD' } })
  const { isOurs, record, row } = await resolveTransfer(operator, { txnId: 't-1' })
  expect([isOurs, record.username, row?.state, row?.refusal]).toEqual([false, 'bob', 'refused', 'TXN_CONFLICT'])
  expect(await transferOf(book, 't-1')).toMatchObject({ state: 'refused' })
})

test('a signal ends the waiting, not the request in progress; an open transfer is looked up once', async () => {
  const { operator, sent, disturb, balanceOf } = await anOperator()
  const stopping = new AbortController()
  disturb('lost-after')
  const retryOptions = {
    ...operator.retryOptions,
    sleep: async (_ms: number, signal?: AbortSignal) => {
      stopping.abort('SIGINT')
      signal?.throwIfAborted()
    },
  }
  const done = await transfer({ ...operator, retryOptions, stop: stopping.signal }, hundred)
  expect(done).toMatchObject({ kind: 'done', knownBy: 'look-up' })
  expect(sent.map(({ path }) => path.split('/').at(-1))).toEqual(['deposit', 'transfer'])
  expect(await balanceOf('amy')).toBe('10100')
})

test('moved money is reported as moved, also if the book cannot be written', async () => {
  const { operator, book, beforeSending, balanceOf } = await anOperator()
  beforeSending((path) => (path.includes('deposit') ? book.close() : undefined))
  const done = await transfer(operator, hundred)
  expect(done).toMatchObject({ kind: 'done', balance: '10100', unrecorded: { code: 'STORE_UNAVAILABLE' } })
  expect(await balanceOf('amy')).toBe('10100')
})

test('after a crash at any step the same command finishes exactly once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-book-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { operator, casino, balanceOf } = await anOperator()
  const crashes: Record<string, (file: string) => Promise<void>> = {
    'after it was known not to have arrived': async (file) => {
      const book = await openBook(file)
      const { row } = await beginTransfer(book, hundred)
      await settleTransfer(book, row, { state: 'new' })
      await book.close()
    },
    'after it was written down': async (file) => {
      const book = await openBook(file)
      await beginTransfer(book, hundred)
      await book.close()
    },
    'after it was carried out': async (file) => {
      const book = await openBook(file)
      await beginTransfer(book, hundred)
      await casino.deposit({ body: { username: 'amy', txnId: 't-1', amount: '100', currency: 'USD' } })
      await book.close()
    },
  }
  for (const [when, crash] of Object.entries(crashes)) {
    const file = join(folder, `${when.replaceAll(' ', '-')}.db`)
    await crash(file)
    const book = await openBook(file)
    onTestFinished(() => book.close())
    expect(await transfer({ ...operator, book }, hundred), when).toMatchObject({ kind: 'done' })
    expect(await balanceOf('amy'), when).toBe('10100')
    expect(await transferOf(book, 't-1'), when).toMatchObject({ state: 'done', balance: '10100' })
  }
})

test('a look-up closes an open transfer of the book, and uses its player', async () => {
  const { operator, book, sent, disturb } = await anOperator()
  disturb('lost-after', ...Array<Fault>(7).fill('unreachable'))
  expect((await transfer(operator, hundred)).kind).toBe('unknown')
  const { record, row, isOurs } = await resolveTransfer(operator, { txnId: 't-1' })
  expect([record.amount, row?.state, isOurs]).toEqual(['100', 'done', true])
  expect(sent.at(-1)?.path).toBe('/api/tenant/v1/wallet/transfer')
  expect(await transferOf(book, 't-1')).toMatchObject({ state: 'done', balance: '10100' })
  expect(posts(sent)).toHaveLength(5)
})

test('a look-up of a transfer that was not processed changes nothing: it may be in progress', async () => {
  const { operator, book, disturb } = await anOperator()
  disturb(...Array<Fault>(5).fill('lost-before'))
  expect((await transfer(operator, hundred)).kind).toBe('unknown')
  await expect(resolveTransfer(operator, { txnId: 't-1' })).rejects.toEqual(refusedWith('TXN_NOT_FOUND'))
  expect(await transferOf(book, 't-1')).toMatchObject({ state: 'unknown' })
})

test("a lookup reports another system's transfer under our ID", async () => {
  const { operator, book, casino, disturb } = await anOperator()
  disturb(...Array<Fault>(5).fill('unreachable'))
  await transfer(operator, hundred)
  await casino.deposit({ body: { username: 'bob', txnId: 't-1', amount: '100', currency: 'USD' } })
  const { isOurs, row } = await resolveTransfer(operator, { txnId: 't-1', username: 'bob' })
  expect([isOurs, row?.state]).toEqual([false, 'new'])
  expect(await transferOf(book, 't-1')).toMatchObject({ state: 'new' })
})

test('a look-up works without a book and for transfers of others', async () => {
  const { operator, casino } = await anOperator()
  await casino.deposit({ body: { username: 'bob', txnId: 'theirs', amount: '5', currency: 'USD' } })
  const { record, row, isOurs } = await resolveTransfer({ ...operator, book: undefined }, { txnId: 'theirs' })
  expect([record.username, row, isOurs]).toEqual(['bob', undefined, false])
})

test('of two runs of one transfer the one that did not get through does not decide for the other', async () => {
  const { book } = await anOperator()
  const { row: mine } = await beginTransfer(book, hundred)
  await beginTransfer(book, hundred)
  expect(await settleTransfer(book, mine, { state: 'new' })).toMatchObject({ state: 'unknown', attempts: 2 })
  expect(await settleTransfer(book, mine, { state: 'refused', refusal: 'X' })).toMatchObject({ state: 'unknown' })
  expect(await settleTransfer(book, mine, { state: 'done', balance: '1' })).toMatchObject({ state: 'done' })
  expect(await settleTransfer(book, mine, { state: 'unknown' })).toMatchObject({ state: 'done', balance: '1' })
})

test('two runs of one transfer at once move the money once', async () => {
  const { operator, balanceOf } = await anOperator()
  const ends = await Promise.all(Array.from({ length: 8 }, () => transfer(operator, hundred)))
  expect(ends.map(({ kind }) => kind)).toEqual(Array(8).fill('done'))
  expect(ends.filter((end) => end.kind === 'done' && !end.duplicate)).toHaveLength(1)
  expect(await balanceOf('amy')).toBe('10100')
})

test('the book lists transfers, the latest first, by state and by player', async () => {
  const { operator, book, disturb } = await anOperator()
  await transfer(operator, hundred)
  await transfer(operator, { ...hundred, txnId: 't-2', username: 'Bob' })
  disturb(...Array<Fault>(5).fill('unreachable'))
  await transfer(operator, { ...hundred, txnId: 't-3', username: 'BOB' })
  const ids = async (query: Omit<Parameters<typeof listTransfers>[1], 'limit'>, limit = 10) =>
    (await listTransfers(book, { ...query, limit })).map((row) => row.txn_id)
  expect(await ids({})).toEqual(['t-3', 't-2', 't-1'])
  expect(await ids({}, 2)).toEqual(['t-3', 't-2'])
  expect(await ids({ username: 'bob' })).toEqual(['t-3', 't-2'])
  expect(await ids({ states: ['done'] })).toEqual(['t-2', 't-1'])
  expect(await ids({ states: ['new', 'unknown'], username: 'amy' })).toEqual([])
})

test('with any faults, any number of times, the reported outcome is true and the money moves at most once', async () => {
  const aFault = fc.constantFrom(...faults)
  const { operator, balanceOf, disturb } = await anOperator()
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(aFault, { maxLength: 12 }),
      fc.boolean(),
      fc.array(aFault, { maxLength: 9 }),
      async (script, isIn, more) => {
        count += 1
        const order = { ...hundred, txnId: `p-${count}`, dir: isIn ? 'in' : 'out', amount: '1' } as const
        const before = Number(await balanceOf('amy'))
        const moved = async () => Math.abs(Number(await balanceOf('amy')) - before)
        const outcomes: string[] = []
        // Interrupted and run again, with other faults, until it finishes.
        for (const faultsOfRun of [script, more, [], []]) {
          disturb(...faultsOfRun)
          try {
            const end = await transfer(operator, order)
            outcomes.push(end.kind)
            if (end.kind === 'done') expect(await moved()).toBe(1)
            if (end.kind === 'unsent' || end.kind === 'refused') expect(await moved()).toBe(0)
            if (end.kind === 'unknown')
              expect(faultsOfRun.some((fault) => leavesOpen[fault]) || outcomes.includes('unknown')).toBe(true)
          } catch (error) {
            // A look-up of a completed transfer may fail; then nothing was sent.
            expect(isProblem(error), String(error)).toBe(true)
          }
          expect(await moved()).toBeLessThanOrEqual(1)
        }
        expect(outcomes.at(-1)).toBe('done')
        expect(await moved()).toBe(1)
      },
    ),
    { numRuns: 150 },
  )
})
