import { expect, test } from 'vitest'
import { recordTransferBreaks, transferBreaks } from '../../../../src/operator/reconcile/transfers/breaks.ts'
import type { ComparedTransfer } from '../../../../src/operator/reconcile/transfers/reconcile.ts'
import { aBook, allBreaks } from '../../book-rows.ts'

const missing: ComparedTransfer = {
  ...{ txnId: 't1', result: 'missing-at-platform', line: 2, player: 'Amy', dir: 'in', amount: '5', currency: 'USD' },
  ...{ at: '2026-03-01T20:00:00.000Z', platform: null, differences: [], message: 'The platform has no such transfer' },
}

test('a transfer with a difference is a break about its txnId', () => {
  const [found, ...others] = transferBreaks([missing], 'UTC')
  expect(others).toEqual([])
  expect(found).toMatchObject({
    ...{ kind: 'transfers', subject: 't1', date: '2026-03-01', player: 'amy', currency: 'USD', amount: '5' },
    message: 'The platform has no such transfer',
  })
  expect(transferBreaks([{ ...missing, at: null }], 'UTC')[0]?.date).toBeNull()
})

test('a matched transfer and one without a decision are no break', () => {
  const results = ['matched', 'undecided', 'missing-at-platform'] as const
  const found = transferBreaks(
    results.map((result) => ({ ...missing, txnId: result, result })),
    'UTC',
  )
  expect(found.map(({ subject }) => subject)).toEqual(['missing-at-platform'])
})

test.each([
  ['in', '5', '5'],
  ['out', '5', '-5'],
  ['out', '-5', '-5'],
  ['adjust', '5', '5'],
  ['adjust', '-5', '-5'],
] as const)('the amount of a break has the sign of its transfer: %s %s is %s', (dir, amount, signed) => {
  expect(transferBreaks([{ ...missing, dir, amount }], 'UTC')[0]?.amount).toBe(signed)
})

test('a run clears the breaks that it decided otherwise, and no other', async () => {
  const book = await aBook()
  const run = (id: string) => ({ id, who: 'reconcile transfers' })
  await recordTransferBreaks(
    book,
    run('run-1'),
    ['a', 'b', 'c'].map((txnId) => ({ ...missing, txnId })),
  )
  const again = [
    { ...missing, txnId: 'a', result: 'matched' },
    { ...missing, txnId: 'b', result: 'undecided' },
  ] as const
  await recordTransferBreaks(book, run('run-2'), again)
  const breaks = (await allBreaks(book)).map(({ subject, state }) => [subject, state])
  expect(breaks.sort()).toEqual([
    ['a', 'cleared'],
    ['b', 'open'],
    ['c', 'open'],
  ])
})
