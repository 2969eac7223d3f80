import { expect, test } from 'vitest'
import type { Transport } from '../../src/http/client/transport.ts'
import { transferOf } from '../../src/operator/transfers/journal.ts'
import { resolveTransfer, transfer } from '../../src/operator/transfers/transfer.ts'
import { anOperator } from '../support/worlds/transfers.ts'

const hundred = { txnId: 't-1', username: 'amy', dir: 'in', amount: '100', currency: 'USD' } as const

/** Answers every transfer with one status, in the platform's own format or as an edge would; look-ups succeed. */
const answering =
  (go: Transport, status: number, code: string | null): Transport =>
  (request) => {
    if (!/deposit|withdraw/.test(request.path)) return go(request)
    const body = code ? JSON.stringify({ ok: false, error: { code, message: 'no' } }) : '<html>no</html>'
    return Promise.resolve({ status, headers: {}, body })
  }

// Only "not now", or a 4xx in the platform's own format, proves that nothing was processed.
test.each([
  [400, 'INVALID_PARAMETER', 'refused'],
  [409, 'INSUFFICIENT_BALANCE', 'refused'],
  // These concern only the request, and are still final if nothing else was sent.
  [400, 'INVALID_JSON', 'refused'],
  [404, 'NOT_FOUND', 'refused'],
  [499, 'INVALID_JSON', 'refused'],
  [399, 'INVALID_JSON', 'unknown'],
  [399, 'INSUFFICIENT_BALANCE', 'unknown'],
  [302, null, 'unknown'],
  [400, null, 'unknown'],
  [428, null, 'unknown'],
  [429, null, 'unsent'],
  [429, 'RATE_LIMITED', 'unsent'],
  [430, null, 'unknown'],
  [499, null, 'unknown'],
  [500, 'INTERNAL_ERROR', 'unknown'],
  [500, 'INVALID_JSON', 'unknown'],
  [500, 'INSUFFICIENT_BALANCE', 'unknown'],
  [500, null, 'unknown'],
  [503, 'INTERNAL_ERROR', 'unknown'],
])('after %i %s a transfer is %s', async (status, code, kind) => {
  const { operator, book, balanceOf } = await anOperator()
  const done = await transfer({ ...operator, transport: answering(operator.transport, status, code) }, hundred)
  expect(done.kind).toBe(kind)
  const states = { refused: 'refused', unknown: 'unknown', unsent: 'new' } as const
  expect(await transferOf(book, 't-1')).toMatchObject({ state: states[kind as keyof typeof states] })
  expect(await balanceOf('amy')).toBe('10000')
})

test('a transfer processed by an earlier run is a duplicate of that run, one of this run is not', async () => {
  const { operator, disturb, casino } = await anOperator()
  await casino.deposit({ body: { username: 'amy', txnId: 't-1', amount: '100', currency: 'USD' } })
  expect(await transfer(operator, hundred)).toMatchObject({ kind: 'done', duplicate: true, isEarlier: true })
  disturb('lost-after')
  expect(await transfer(operator, { ...hundred, txnId: 't-2' })).toMatchObject({
    kind: 'done',
    duplicate: true,
    isEarlier: false,
  })
})

test('an unknown outcome is looked up at most three times', async () => {
  const { operator, sent, disturb } = await anOperator()
  disturb('lost-after', ...Array<'unreachable'>(12).fill('unreachable'))
  expect(await transfer(operator, hundred)).toMatchObject({ kind: 'unknown' })
  expect(sent.filter(({ path }) => /transfer$|transfer[?]/.test(path))).toHaveLength(3)
})

test('and at most as often as a transfer is sent', async () => {
  const { operator, sent, disturb } = await anOperator()
  disturb('lost-after', ...Array<'unreachable'>(12).fill('unreachable'))
  await transfer({ ...operator, retryOptions: { ...operator.retryOptions, attempts: 2 } }, hundred)
  expect(sent.filter(({ path }) => /transfer$|transfer[?]/.test(path))).toHaveLength(2)
})

test('a transfer that is not in the book is looked up, and the result is not stored', async () => {
  const { operator, book, casino } = await anOperator()
  await casino.deposit({ body: { username: 'amy', txnId: 'x-1', amount: '7', currency: 'USD' } })
  const result = await resolveTransfer(operator, { txnId: 'x-1' })
  expect(result).toMatchObject({ record: { txnId: 'x-1', amount: '7' }, row: undefined, isOurs: false })
  expect(await transferOf(book, 'x-1')).toBeUndefined()
  expect(await resolveTransfer({ ...operator, book: undefined }, { txnId: 'x-1' })).toEqual(result)
})

test.each([
  [undefined, undefined],
  ['amy', 'amy'],
])('a transfer that is not in the book is looked up with the player %s: %s', async (username, sent) => {
  const { operator, casino } = await anOperator()
  await casino.deposit({ body: { username: 'amy', txnId: 'x-1', amount: '7', currency: 'USD' } })
  const queries: (string | null)[] = []
  const transport: Transport = (request) => {
    queries.push(new URL(request.path, 'http://x').searchParams.get('username'))
    return operator.transport(request)
  }
  await resolveTransfer({ ...operator, transport }, { txnId: 'x-1', username })
  expect(queries).toEqual([sent ?? null])
})
