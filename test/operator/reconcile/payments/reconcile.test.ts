import { describe, expect, test } from 'vitest'
import type { BookCallbackRow } from '../../../../src/db/schema/book.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import type { Book } from '../../../../src/operator/book/book.ts'
import type { PaymentSource } from '../../../../src/operator/callbacks/list-payments.ts'
import { reconcilePayments } from '../../../../src/operator/reconcile/payments/reconcile.ts'
import type { Payment } from '../../../../src/services/gateway/api/schemas.ts'
import { aBook } from '../../book-rows.ts'

const before = Date.UTC(2026, 2, 10, 12)

/** A finished payment of 10 USD that was paid exactly, long before. */
const aPayment = (over: Partial<Payment> = {}): Payment => ({
  ...{ payment_id: 1, payment_status: 'finished', order_id: 'o-1', order_description: null, invoice_id: null },
  ...{ price_amount: 10, price_currency: 'usd', pay_amount: 0.5, actually_paid: 0.5, actually_paid_at_fiat: 10 },
  ...{ pay_currency: 'ltc', pay_address: 'x', outcome_amount: 10, outcome_currency: 'usd', parent_payment_id: null },
  ...{ purchase_id: null, updated_at: '2026-03-10T08:00:00.000Z' },
  ...over,
})

/** A callback about the current state of a payment, received at 2026-03-10 08:00. */
const aCallback = (over: Partial<BookCallbackRow> & { payment?: number; paid?: number } = {}): BookCallbackRow => {
  const { payment = 1, paid = 0.5, ...row } = over
  return {
    ...{ id: `c-${payment}`, channel: 'merchant-ipn', place: payment, owner: null, kind: 'payment' },
    ...{ subject: String(payment), event: 'finished', told_at: null, body: JSON.stringify({ actually_paid: paid }) },
    ...{ body_form: 'text', headers: '[]', signed_at: null, origin: 'received', copies: 1 },
    ...{ received_at: Date.UTC(2026, 2, 10, 8), last_received_at: Date.UTC(2026, 2, 10, 8) },
    ...{ forward_to: null, forwarded_at: null, forward_status: null, forward_error: null },
    ...row,
  }
}

async function aBookWith(...callbacks: readonly BookCallbackRow[]): Promise<Book> {
  const book = await aBook()
  await book.store.write(async ({ q }) => {
    for (const row of callbacks) await q.insertInto('book_callbacks').values(row).execute()
  })
  return book
}

/** A gateway with these pages of payments, and further payments on none of them. */
function aGateway(
  pages: readonly (readonly Payment[])[],
  { total = pages.flat().length, others = [] as readonly number[], failure = undefined as Problem | undefined } = {},
) {
  const lookups: string[] = []
  const source = {
    payments: async ({ query }: { query: { page?: number } }) => ({ data: pages[query.page ?? 0] ?? [], total }),
    payment: async ({ params }: { params: { payment_id: string } }) => {
      lookups.push(params.payment_id)
      if (failure) throw failure
      if (others.includes(Number(params.payment_id))) return aPayment({ payment_id: Number(params.payment_id) })
      throw new Problem('NOT_FOUND', 'no such payment')
    },
  } as unknown as PaymentSource
  return { source, lookups }
}

type Options = Partial<Parameters<typeof reconcilePayments>[0]>
const reconcile = (source: PaymentSource, book: Book | undefined, more: Options = {}) =>
  reconcilePayments({ source, book, orders: undefined, range: {}, before, onChecked: () => {}, ...more })

describe('payments and their callbacks', () => {
  test('are balanced if every payment had its callback, and counted over all pages', async () => {
    const { source } = aGateway([[aPayment()], [aPayment({ payment_id: 2 }), aPayment({ payment_id: 3 })]])
    const rows = [1, 2, 3].map((payment) => aCallback({ payment }))
    const counts: number[] = []
    const end = await reconcile(source, await aBookWith(...rows, aCallback({ payment: 1, id: 'again', place: 9 })), {
      onChecked: (count) => counts.push(count),
    })
    expect(end).toEqual({
      ...{ verdict: 'balanced', payments: 3, callbacks: 4, orders: null, findings: [], ofOrders: 0, doubts: [] },
    })
    expect(counts).toEqual([1, 3, 3])
  })

  test.each([
    ['none arrived', [], 'missing'],
    ['only an older status arrived', [aCallback({ event: 'confirming' })], 'stale'],
    ['only an older sum arrived', [aCallback({ paid: 0.4 })], 'stale'],
  ])('differ if %s', async (_, rows, kind) => {
    const { source } = aGateway([[aPayment()]])
    expect(await reconcile(source, await aBookWith(...rows))).toMatchObject({
      ...{ verdict: 'differences', findings: [{ kind, paymentId: '1', orderId: 'o-1' }], doubts: [] },
    })
  })

  test('differ if the amount due was not paid, to the last decimal', async () => {
    const { source } = aGateway([[aPayment({ actually_paid: 0.500000001 })]])
    expect(await reconcile(source, await aBookWith(aCallback({ paid: 0.500000001 })))).toMatchObject({
      findings: [{ kind: 'overpaid', expected: '0.5 ltc', found: '0.500000001 ltc' }],
    })
  })
})

describe('a payment that changed recently', () => {
  const verdictOf = async (updated: number, ...rows: readonly BookCallbackRow[]) => {
    const { source } = aGateway([[aPayment({ updated_at: new Date(updated).toISOString() })]])
    const { verdict, doubts } = await reconcile(source, await aBookWith(...rows))
    return [verdict, ...doubts]
  }
  const doubt = '1 payment changed recently, so callbacks may be on their way'

  test('may still get a callback: that is in doubt, and no difference', async () => {
    expect(await verdictOf(before + 1)).toEqual(['cannot-conclude', doubt])
    expect(await verdictOf(before + 1, aCallback({ event: 'waiting' }))).toEqual(['cannot-conclude', doubt])
  })

  test('is no longer recent at the limit', async () => {
    expect(await verdictOf(before)).toEqual(['differences'])
  })

  test('is not in doubt once its callback arrived', async () => {
    expect(await verdictOf(before + 1, aCallback())).toEqual(['balanced'])
  })

  test('is counted with the others', async () => {
    const updated_at = new Date(before + 1).toISOString()
    const { source } = aGateway([[aPayment({ updated_at }), aPayment({ payment_id: 2, updated_at })]])
    expect((await reconcile(source, await aBook())).doubts).toEqual([
      '2 payments changed recently, so callbacks may be on their way',
    ])
  })
})

test('without a book the result is inconclusive, and no callbacks are read', async () => {
  const { source, lookups } = aGateway([[aPayment()]])
  const end = await reconcile(source, undefined)
  expect(end).toMatchObject({ verdict: 'cannot-conclude', callbacks: 0, findings: [] })
  expect(end.doubts).toEqual([
    'There is no book, so received callbacks are unknown; "countroom ipn listen" stores them',
  ])
  expect(lookups).toEqual([])
})

test.each([
  [2, 'The gateway counts 2 payments but listed 1, because the list changed during the read'],
  [0, 'The gateway counts 0 payments but listed 1, because the list changed during the read'],
])('a list of one payment that should have %i is in doubt', async (total, doubt) => {
  const { source } = aGateway([[aPayment()]], { total })
  expect(await reconcile(source, await aBookWith(aCallback()))).toMatchObject({
    ...{ verdict: 'cannot-conclude', doubts: [doubt] },
  })
})

describe('a callback about a payment that is not in the list', () => {
  const stranger = aCallback({ payment: 7 })

  test('is a difference if the gateway does not have the payment', async () => {
    const { source, lookups } = aGateway([[aPayment()]])
    const end = await reconcile(source, await aBookWith(aCallback(), stranger))
    expect(end).toMatchObject({
      verdict: 'differences',
      findings: [{ kind: 'unknown', paymentId: '7', orderId: null, expected: null, found: 'finished' }],
    })
    expect(lookups).toEqual(['7'])
  })

  test('is none if the gateway has it outside of the range', async () => {
    const { source } = aGateway([[aPayment()]], { others: [7] })
    expect((await reconcile(source, await aBookWith(aCallback(), stranger))).verdict).toBe('balanced')
  })

  test('is none if it arrived before the range', async () => {
    const book = await aBookWith(aCallback(), { ...stranger, received_at: Date.UTC(2026, 2, 9) })
    const { source, lookups } = aGateway([[aPayment()]])
    const range = { from: '2026-03-10T00:00:00.000Z' }
    expect((await reconcile(source, book, { range })).verdict).toBe('balanced')
    expect(lookups).toEqual([])
    expect((await reconcile(source, book)).verdict).toBe('differences')
  })

  test('is undecided if the gateway is unreachable', async () => {
    const { source } = aGateway([[aPayment()]], { failure: new Problem('REMOTE_UNREACHABLE', 'away') })
    await expect(reconcile(source, await aBookWith(stranger))).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
  })

  test('of another kind, or of our own payouts, is ignored', async () => {
    const { source, lookups } = aGateway([[aPayment()]])
    await reconcile(source, await aBookWith(aCallback(), { ...stranger, kind: 'payout' }))
    expect(lookups).toEqual([])
  })
})

describe('the orders of the merchant', () => {
  const order = { id: 'o-1', amount: 10n * 10n ** 18n, currency: 'usd', isPaid: true }

  test('are balanced if each has its payment', async () => {
    const { source } = aGateway([[aPayment()]])
    expect(await reconcile(source, await aBookWith(aCallback()), { orders: [order] })).toMatchObject({
      ...{ verdict: 'balanced', orders: 1, ofOrders: 0 },
    })
  })

  test('have their differences last, and counted', async () => {
    const { source } = aGateway([[aPayment()]])
    const orders = [
      { ...order, amount: order.amount + 1n },
      { ...order, id: 'o-2' },
    ]
    const { findings, ofOrders } = await reconcile(source, await aBookWith(aCallback({ payment: 7 })), { orders })
    expect(findings.map(({ kind, paymentId, orderId }) => [kind, paymentId, orderId])).toEqual([
      ['missing', '1', 'o-1'],
      ['unknown', '7', null],
      ['underpaid', '1', 'o-1'],
      ['unknown', null, 'o-2'],
    ])
    expect(ofOrders).toBe(2)
  })
})
