import { expect } from 'vitest'
import { transitions } from './payment-facts.ts'

interface Seen {
  readonly payment_id: number
  readonly payment_status: string
  readonly pay_amount: number
  readonly actually_paid: number
  readonly actually_paid_at_fiat: number
  readonly outcome_amount: number
}

/**
 * Earlier statements to a client, compared with every later statement. It knows no rule of the model, so it detects a
 * broken guarantee that a wrong rule causes in both.
 */
export class Promises {
  readonly last = new Map<number, Seen>()
  readonly quotes = new Map<number, { amount: number; until: number }>()

  /** An amount is due until a stated time: until then later statements must be equal. */
  state(id: number, amount: number, until: number, at: number): void {
    const before = this.quotes.get(id)
    if (before && at < before.until) expect({ amount, until }).toEqual(before)
    this.quotes.set(id, { amount, until })
  }

  see(now: Seen, at: number): void {
    const before = this.last.get(now.payment_id)
    this.last.set(now.payment_id, now)
    if (!before) return
    expect([before.payment_status, canReach(before.payment_status, now.payment_status)]).toEqual([
      before.payment_status,
      true,
    ])
    const quote = this.quotes.get(now.payment_id)
    const isDue = now.payment_status === 'waiting' || now.payment_status === 'partially_paid'
    // Only a refund changes a stated amount within its time, and then nothing is due.
    if (quote && isDue && at < quote.until) expect([quote.amount, now.actually_paid]).toContain(now.pay_amount)
    // A fully paid payment is never undone, and its worth never changes.
    if (['sending', 'finished'].includes(before.payment_status)) {
      expect(['sending', 'finished', 'refunded']).toContain(now.payment_status)
      for (const field of ['pay_amount', 'actually_paid', 'actually_paid_at_fiat', 'outcome_amount'] as const)
        expect([field, now[field]]).toEqual([field, before[field]])
    }
    // A received amount never decreases, unless the payment failed: then clean money is a payment of its own.
    if (now.payment_status !== 'failed') expect(now.actually_paid).toBeGreaterThanOrEqual(before.actually_paid)
  }
}

function canReach(from: string, to: string): boolean {
  const seen = new Set([from])
  for (const each of seen) for (const next of transitions[each] ?? []) seen.add(next)
  return seen.has(to)
}
