import { expect, onTestFinished, test } from 'vitest'
import { openBook } from '../../../src/operator/book/book.ts'
import { recordBreaks } from '../../../src/operator/reconcile/breaks/store.ts'
import { openStakes } from '../../../src/operator/tickets/stakes.ts'

test('counts open breaks and transfers with an unknown outcome of the player, each once, in any case of the name', async () => {
  const book = await openBook(':memory:')
  onTestFinished(() => book.close())
  const aBreak = (subject: string, player: string | null, amount: string | null) => ({
    ...({ kind: 'transfers', subject, player, amount, date: '2026-03-01', currency: 'USD', message: 'm' } as const),
    fingerprint: 'f',
    detail: {},
  })
  const aTransfer = (txn_id: string, state: 'unknown' | 'done', amount: string) => ({
    ...({ txn_id, state, amount, username: 'Amy', name_key: 'amy', dir: 'in', currency: 'USD' } as const),
    ...{ balance: null, refusal: null, attempts: 1, made_at: 1, changed_at: 1, plan_id: null },
  })
  await book.store.write(async (tx) => {
    const detected = [
      aBreak('t-1', 'amy', '-5'),
      aBreak('x', null, '7'),
      aBreak('y', 'amy', null),
      aBreak('z', 'bob', '1'),
    ]
    await recordBreaks(tx, { id: 'r', who: 'test' }, { detected, looked: [] })
    await tx.q
      .insertInto('book_transfers')
      .values([aTransfer('t-1', 'unknown', '5'), aTransfer('t-2', 'unknown', '2.5'), aTransfer('t-3', 'done', '9')])
      .execute()
  })
  const stakes = await openStakes(book)
  const of = (customerAccount: string | null) => stakes({ customerAccount, fieldValues: [] })
  expect(of('AMY')).toEqual({ amounts: [{ currency: 'USD', amount: '7.5' }], breaks: 1, transfers: 1, source: 'book' })
  expect([of('bob')?.amounts, of('cho'), of(null)]).toEqual([[{ currency: 'USD', amount: '1' }], null, null])
  const without = await openStakes(undefined)
  expect(without({ customerAccount: 'amy', fieldValues: [{ fieldCode: 'amount', value: '3' }] })?.source).toBe('ticket')
})
