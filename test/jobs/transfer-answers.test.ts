import { expect, test } from 'vitest'
import { transferOf } from '../../src/book/transfers.ts'
import { transfer } from '../../src/jobs/transfers.ts'
import type { Transport } from '../../src/wire/transport.ts'
import { aDesk } from '../support/transfers.ts'

const hundred = { txnId: 't-1', username: 'amy', dir: 'in', amount: '100', currency: 'USD' } as const

/** Answers every transfer with one status, in the platform's own form or as an edge would; look-ups are let through. */
const answering =
  (go: Transport, status: number, isOwn: boolean): Transport =>
  (request) => {
    if (!/deposit|withdraw/.test(request.path)) return go(request)
    const error = { code: 'INVALID_PARAMETER', message: 'no' }
    const body = isOwn ? JSON.stringify({ ok: false, error }) : '<html>no</html>'
    return Promise.resolve({ status, headers: {}, body })
  }

// Only "not now", or a 4xx in the platform's own words, says that nothing was carried out.
test.each([
  [400, true, 'refused'],
  [404, true, 'refused'],
  [409, true, 'refused'],
  [499, true, 'refused'],
  [400, false, 'unknown'],
  [428, false, 'unknown'],
  [429, false, 'unsent'],
  [429, true, 'unsent'],
  [430, false, 'unknown'],
  [499, false, 'unknown'],
  [500, true, 'unknown'],
  [500, false, 'unknown'],
  [503, true, 'unknown'],
  [302, false, 'unknown'],
])('after %i, in its own words %s, a transfer is %s', async (status, isOwn, kind) => {
  const { desk, book, balanceOf } = await aDesk()
  const done = await transfer({ ...desk, transport: answering(desk.transport, status, isOwn) }, hundred)
  expect(done.kind).toBe(kind)
  const states = { refused: 'refused', unknown: 'unknown', unsent: 'new' } as const
  expect(await transferOf(book, 't-1')).toMatchObject({ state: states[kind as keyof typeof states] })
  expect(await balanceOf('amy')).toBe('10000')
})

test('a transfer that an earlier run carried out is a duplicate of that run, one of this run is not', async () => {
  const { desk, disturb, casino } = await aDesk()
  await casino.deposit({ body: { username: 'amy', txnId: 't-1', amount: '100', currency: 'USD' } })
  expect(await transfer(desk, hundred)).toMatchObject({ kind: 'done', duplicate: true, isEarlier: true })
  disturb('lost-after')
  expect(await transfer(desk, { ...hundred, txnId: 't-2' })).toMatchObject({
    kind: 'done',
    duplicate: true,
    isEarlier: false,
  })
})

test('an unclear end is looked up three times at most', async () => {
  const { desk, sent, disturb } = await aDesk()
  disturb('lost-after', ...Array<'unreachable'>(12).fill('unreachable'))
  expect(await transfer(desk, hundred)).toMatchObject({ kind: 'unknown' })
  expect(sent.filter(({ path }) => /transfer$|transfer[?]/.test(path))).toHaveLength(3)
})
