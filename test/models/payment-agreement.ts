import { expect } from 'vitest'
import { deliveriesAbout } from '../../src/outbox/queries.ts'
import { allBalances } from '../../src/services/gateway/queries/ledger.ts'
import { textOf } from './exact.ts'
import { coins, incrementOf, type Payment } from './payment-facts.ts'
import { asksForMoney, type Gateway } from './payment-model.ts'
import { page, type Real, rootAt, roots } from './payment-steps.ts'

/** Invariants after each step, with any steps before it. */

const phases: Readonly<Record<string, string>> = {
  waiting: 'waiting',
  confirming: 'seen',
  sending: 'paid',
  finished: 'paid',
  partially_paid: 'partly',
  failed: 'failed',
  refunded: 'refunded',
  expired: 'expired',
}

/** Compares every view with the model, whichever is requested first. */
export async function agree(model: Gateway, real: Real, which: number): Promise<void> {
  if (model.payments.length === 0) return
  const { merchant, promises } = real
  const first = rootAt(model, which)
  const isPageFirst = which % 2 === 0
  if (isPageFirst) await agreeOnPage(model, real, first)
  for (const payment of model.payments) model.look(payment)
  const { data, total } = await merchant.client.payments({ query: { sortBy: 'payment_id', limit: 500 } })
  expect(total).toBe(model.payments.length)
  for (const [i, payment] of model.payments.entries()) payment.id ||= data[i]?.payment_id ?? 0
  expect(data).toMatchObject(model.payments.map((payment) => ({ payment_id: payment.id, ...model.view(payment) })))
  for (const seen of data) promises.see(seen, model.now)
  for (const payment of model.payments) {
    const read = await merchant.client.payment({ params: { payment_id: String(payment.id) } })
    expect(read).toEqual(data.find(({ payment_id }) => payment_id === payment.id))
  }
  for (const root of roots(model)) await agreeOnPage(model, real, root)
}

async function agreeOnPage(model: Gateway, real: Real, root: Payment): Promise<void> {
  model.look(root)
  const sight = await page(real, root.id)
  const isPart = root.status === 'expired' && root.paid > 0n
  const isReturning = root.status === 'partially_paid' && root.isRefunding
  const isDue = asksForMoney(root) && !isReturning
  const rest = root.status === 'partially_paid' ? root.due - root.paid : root.due
  const step = incrementOf(root.coin)
  const decimals = coins[root.coin].decimals
  expect(sight).toMatchObject({
    phase: isPart ? 'late' : isReturning ? 'returning' : phases[root.status],
    total: textOf(root.due, decimals),
    paid: textOf(root.paid, decimals),
    now: model.now,
  })
  expect([sight.address !== '', sight.qr !== null]).toEqual([isDue || root.status === 'confirming', isDue])
  if (!isDue) return
  expect(sight).toMatchObject({
    amount: textOf(root.status === 'partially_paid' ? ((rest + step - 1n) / step) * step : rest, decimals),
    until: root.quoteEnd,
    open: root.windowEnd,
  })
  // Without current prices an expired quote stays, and no amount is guaranteed.
  if (model.isQuoteOver(root)) return
  // The stated amount is valid now, and the page shows its expiry.
  expect(sight.until).toBeGreaterThan(model.now)
  real.promises.state(root.id, Number(sight.total), sight.until, model.now)
}

/** Checks without a look-up, because a look-up requotes: every due callback, each once, and the ledger. */
export async function agreeUnseen(model: Gateway, { house, merchant, sub }: Real): Promise<void> {
  for (const payment of model.payments) {
    if (payment.id === 0) continue
    const rows = await house.app.store.read((reader) => deliveriesAbout(reader, merchant.id, String(payment.id)))
    expect(rows.map(({ body }) => JSON.parse(String(body)))).toMatchObject(payment.callbacks)
    expect(rows.map(({ event }) => event)).toHaveLength(payment.callbacks.length)
  }
  await house.proveLedger()
  const rows = await house.app.store.read(allBalances)
  const mine = rows.filter(({ owner, units }) => [merchant.id, sub].includes(owner) && units !== '0')
  const expected = [...model.accounts].filter(([, units]) => units !== 0n)
  expect(Object.fromEntries(mine.map(({ kind, currency, units }) => [`${kind}/${currency}`, units]))).toEqual(
    Object.fromEntries(expected.map(([name, units]) => [name, String(units)])),
  )
  expect(house.failures).toEqual([])
}
