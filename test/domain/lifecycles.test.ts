import { describe, expect, test } from 'vitest'
import { isViewer, viewerLeaseMs, viewingPauseMs, viewingSince } from '../../src/domain/account/viewing.ts'
import { maxAmount, parseAmount } from '../../src/domain/money.ts'
import {
  hasEnded,
  isDue,
  isOpen,
  isPaymentTransition,
  quoteMs,
  serviceFee,
  stepsTo,
  windowMs,
} from '../../src/domain/payments/payment.ts'
import { isPayoutTransition, maxWrongCodes, verifyWithinMs } from '../../src/domain/payments/payout.ts'
import {
  afterCharge,
  billDueAt,
  billLeadMs,
  graceMs,
  paused,
  resumed,
  retryMs,
  type SubscriptionState,
} from '../../src/domain/payments/subscription.ts'
import { endOf, isOnline, sessionIdleMs, sessionMaxMs } from '../../src/domain/players/session.ts'
import { callbackEvidenceOf } from '../../src/domain/reconcile/callback-evidence.ts'
import { creditBalance, debitBalance } from '../../src/domain/wallet/balance.ts'
import { isRoundEvent, roundEventOf, standingEventOf, webhookEvents } from '../../src/domain/webhooks/events.ts'
import { paymentStatuses, payoutStatuses } from '../rulebook/gateway/states.ts'
import { paymentTransitions, payoutTransitions } from '../rulebook/gateway/transitions.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe('a payment', () => {
  test.each(paymentStatuses)('that is %s makes only the transitions of the rulebook', (from) => {
    const next: readonly string[] = paymentTransitions[from]
    for (const to of paymentStatuses) expect(isPaymentTransition(from, to), `${from} to ${to}`).toBe(next.includes(to))
  })

  test('is open for deposits until it is complete, and has an amount due while deposits can add to it', () => {
    expect(paymentStatuses.filter(isOpen)).toEqual(['waiting', 'confirming', 'partially_paid'])
    expect(paymentStatuses.filter(isDue)).toEqual(['waiting', 'partially_paid'])
  })

  test.each([
    ['waiting', 'waiting', []],
    ['waiting', 'confirming', ['confirming']],
    ['waiting', 'confirmed', ['confirming', 'confirmed']],
    ['waiting', 'partially_paid', ['confirming', 'partially_paid']],
    ['waiting', 'failed', ['failed']],
    ['partially_paid', 'confirmed', ['confirming', 'confirmed']],
    ['partially_paid', 'waiting', ['confirming', 'waiting']],
    ['confirmed', 'waiting', []],
    ['waiting', 'finished', []],
    ['confirming', 'finished', []],
    ['failed', 'confirmed', []],
  ] as const)('goes from %s to %s by %j', (from, to, steps) => {
    expect(stepsTo(from, to)).toEqual(steps)
  })

  test('that is paid in part and receives more goes through confirming, no other does', () => {
    expect(stepsTo('partially_paid', 'partially_paid', true)).toEqual(['confirming', 'partially_paid'])
    expect(stepsTo('partially_paid', 'partially_paid')).toEqual([])
    expect(stepsTo('waiting', 'waiting', true)).toEqual([])
    expect(stepsTo('confirming', 'confirming', true)).toEqual([])
  })

  test('is over exactly at its end', () => {
    expect([999, 1000, 1001].map((now) => hasEnded(1000, now))).toEqual([false, true, true])
  })

  test('holds its quote for 20 minutes, is watched for 7 days, and costs half a percent', () => {
    expect([quoteMs, windowMs]).toEqual([20 * minute, 7 * day])
    expect(serviceFee.denominator).toBe(200n * serviceFee.numerator)
  })
})

describe('a payout', () => {
  test.each(payoutStatuses)('that is %s makes only the transitions of the rulebook', (from) => {
    const next: readonly string[] = payoutTransitions[from]
    for (const to of payoutStatuses) expect(isPayoutTransition(from, to), `${from} to ${to}`).toBe(next.includes(to))
  })

  test('waits an hour for its code, and takes ten wrong ones', () => {
    expect([verifyWithinMs, maxWrongCodes]).toEqual([hour, 10])
  })
})

describe('a subscription', () => {
  const now = Date.parse('2026-03-10T12:00:00.000Z')
  const active = (paidUntil: number): SubscriptionState => ({ status: 'active', paidUntil, dueAt: paidUntil })

  test('is retried daily for 7 days, and its bill is mailed a day ahead', () => {
    expect([retryMs, graceMs, billLeadMs]).toEqual([day, 7 * day, day])
    expect(billDueAt(now + 3 * day, now)).toBe(now + 2 * day)
    expect(billDueAt(now + day, now)).toBe(now)
    expect(billDueAt(now + hour, now)).toBe(now)
  })

  test('that is paid continues from the end of its period, and a late one from today', () => {
    expect(afterCharge(active(now), true, 30, now + hour)).toEqual(active(now + 30 * day))
    const late: SubscriptionState = { status: 'past_due', paidUntil: now, dueAt: now + day }
    expect(afterCharge(late, true, 30, now + day)).toEqual(active(now + 31 * day))
  })

  test.each([
    [0, 'past_due', day],
    [day, 'past_due', 2 * day],
    [6 * day, 'past_due', 7 * day],
    [6 * day + 1, 'past_due', 7 * day],
    [7 * day - 1, 'past_due', 7 * day],
    [7 * day, 'cancelled', null],
    [8 * day, 'cancelled', null],
  ] as const)('that is not paid %i ms after its period is %s', (late, status, next) => {
    const dueAt = next === null ? null : now + next
    expect(afterCharge(active(now), false, 30, now + late)).toEqual({ status, paidUntil: now, dueAt })
  })

  test('that is paid during a pause continues from its end, or from today if that is over', () => {
    const pausedUntil = (paidUntil: number): SubscriptionState => ({ status: 'paused', paidUntil, dueAt: null })
    expect(afterCharge(pausedUntil(now + day), true, 30, now)).toEqual(active(now + 31 * day))
    expect(afterCharge(pausedUntil(now), true, 30, now)).toEqual(active(now + 30 * day))
    expect(afterCharge(pausedUntil(now - day), true, 30, now)).toEqual(active(now + 30 * day))
  })

  test('that pauses is not charged, and keeps its paid period when it continues', () => {
    const pause: SubscriptionState = { status: 'paused', paidUntil: now, dueAt: null }
    expect(paused(active(now))).toEqual(pause)
    expect(resumed(pause, now - hour)).toEqual(active(now))
    expect(resumed(pause, now + hour)).toEqual(active(now + hour))
  })
})

// 1-tenant-api, "Limits": at most 12 hours, 60 minutes idle logout.
describe('a session', () => {
  test('lasts 12 hours and 60 idle minutes', () => {
    expect([sessionMaxMs, sessionIdleMs]).toEqual([12 * hour, hour])
  })

  test.each([
    [12 * hour - 1, 0, null],
    [12 * hour, 0, 'EXPIRED'],
    [12 * hour + 1, 2 * hour, 'EXPIRED'],
    [2 * hour, hour - 1, null],
    [2 * hour, hour, 'IDLE'],
    [0, 0, null],
  ])('opened %i ms ago and seen %i ms ago: %s', (opened, seen, end) => {
    const now = 1e12
    const session = { openedAt: now - opened, seenAt: now - seen }
    expect(endOf(session, now)).toBe(end)
    expect(isOnline(session, now)).toBe(end === null)
  })
})

describe('viewing', () => {
  const now = 1e12
  test('pauses after a minute, and a viewer is gone after 45 seconds without a heartbeat', () => {
    expect([viewingPauseMs, viewerLeaseMs]).toEqual([minute, 45_000])
  })

  test.each([
    [minute - 1, 'goes on'],
    [minute, 'begins'],
    [1 - minute, 'goes on'],
    [-minute, 'begins'],
  ])('seen %i ms ago it %s', (seen, what) => {
    const viewing = { since: now - hour, seenAt: now - seen, isOpen: false }
    expect(viewingSince(viewing, now)).toBe(what === 'begins' ? now : now - hour)
    expect(viewingSince(undefined, now)).toBe(now)
  })

  test.each([
    [44_999, true, true],
    [45_000, true, false],
    [0, false, false],
    [-44_999, true, true],
    [-45_000, true, false],
  ])('seen %i ms ago, open %s: takes a place %s', (seen, isOpen, takes) => {
    expect(isViewer({ since: now - hour, seenAt: now - seen, isOpen }, now)).toBe(takes)
    expect(isViewer(undefined, now)).toBe(false)
  })
})

// 1-tenant-api, "Shared types": an amount has at most 15 digits before the point and 4 after it.
describe('a wallet', () => {
  const units = parseAmount
  test.each([
    ['999999999999998.9999', '1', '999999999999999.9999'],
    ['999999999999999.9999', '0.0001', 'too-much'],
    ['0', '0.0001', '0.0001'],
  ])('of %s, %s put in: %s', (balance, amount, after) => {
    expect(creditBalance(units(balance), units(amount))).toBe(after === 'too-much' ? after : units(after))
    expect(maxAmount).toBe(units('999999999999999.9999'))
  })

  test.each([
    ['10', '9.9999', '0.0001'],
    ['10', '10', '0'],
    ['10', '10.0001', 'too-little'],
  ])('of %s, %s taken out: %s', (balance, amount, after) => {
    expect(debitBalance(units(balance), units(amount))).toBe(after === 'too-little' ? after : units(after))
  })
})

// 1-tenant-api, "Events".
describe('webhooks', () => {
  test('three are about a round', () => {
    expect(webhookEvents.filter(isRoundEvent)).toEqual(['bet.settled', 'round.corrected', 'round.voided'])
  })

  test.each([
    ['settled', 1, 'bet.settled'],
    ['settled', 2, 'round.corrected'],
    ['settled', 3, 'round.corrected'],
    ['void', 1, 'round.voided'],
    ['void', 2, 'round.voided'],
  ])('a round that is %s with revision %i is %s', (status, rev, event) => {
    expect(roundEventOf({ status, rev })).toBe(event)
  })

  test.each([
    ['PAID', 'GRACE', 'account.grace'],
    ['GRACE', 'GRACE', undefined],
    ['GRACE', 'DOWNGRADED', 'account.downgraded'],
    ['PAID', 'DOWNGRADED', undefined],
    ['GRACE', 'PAID', 'account.restored'],
    ['DOWNGRADED', 'PAID', 'account.restored'],
    ['FREE', 'PAID', undefined],
    ['SUSPENDED', 'PAID', undefined],
    ['GRACE', 'SUSPENDED', undefined],
    ['DOWNGRADED', 'FREE', undefined],
  ])('an account that goes from %s to %s sends %s', (from, to, event) => {
    expect(standingEventOf(from, to)).toBe(event)
  })
})

test.each([
  [[], 'missing'],
  [[{ status: 'finished', paid: 1 }], 'received'],
  [[{ status: 'finished', paid: 2 }], 'stale'],
  [[{ status: 'confirmed', paid: 1 }], 'stale'],
  [
    [
      { status: 'finished', paid: 1 },
      { status: 'confirmed', paid: 1 },
    ],
    'received',
  ],
])('a finished payment of 1, reported by %j: %s', (callbacks, evidence) => {
  expect(callbackEvidenceOf({ status: 'finished', paid: 1 }, callbacks)).toBe(evidence)
})
