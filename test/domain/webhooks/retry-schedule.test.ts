import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { roundEventOf, standingEventOf } from '../../../src/domain/webhooks/events.ts'
import { type Answer, afterAttempt, schedules } from '../../../src/domain/webhooks/retry-schedule.ts'

const schedule = schedules['tenant-webhook']
const silence: Answer = { status: null, reason: 'no answer' }

test('any 2xx acknowledges, after any earlier failures', () => {
  for (let status = 200; status <= 299; status++)
    expect(afterAttempt(schedule, 10, { status }, 0.5)).toEqual({ status: 'delivered' })
  for (const status of [100, 199, 300, 302, 307, 400, 404, 500, 503])
    expect(afterAttempt(schedule, 1, { status }, 0)).toEqual({ status: 'pending', waitMs: 5_000 })
})

test('the waits are 5 s, 30 s, 2, 10 and 30 min, 2, 6, 12 and 24 h; then it fails', () => {
  const waits = Array.from({ length: 9 }, (_, i) => afterAttempt(schedule, i + 1, silence, 0))
  const seconds = [5, 30, 120, 600, 1800, 7200, 21_600, 43_200, 86_400]
  expect(waits).toEqual(seconds.map((each) => ({ status: 'pending', waitMs: each * 1000 })))
  expect(afterAttempt(schedule, 10, silence, 0)).toEqual({ status: 'failed', because: 'given-up' })
})

test('410 stops the retries at once', () => {
  expect(afterAttempt(schedule, 1, { status: 410 }, 0)).toEqual({ status: 'failed', because: 'gone' })
})

test('callbacks of the gateway: each delay is three times the previous one, up to a day, ten attempts by default', () => {
  const ipn = schedules['merchant-ipn']
  const waits = [10, 30, 90, 270, 810, 2430, 7290, 21_870, 65_610, ...Array(10).fill(86_400)]
  expect(ipn.waitsMs).toEqual(waits.map((each) => each * 1000))
  expect(afterAttempt(ipn, 9, silence, 0)).toEqual({ status: 'pending', waitMs: 65_610_000 })
  expect(afterAttempt(ipn, 10, silence, 0)).toEqual({ status: 'failed', because: 'given-up' })
  expect(afterAttempt(ipn, 1, silence, 0, 1)).toEqual({ status: 'failed', because: 'given-up' })
  expect(afterAttempt(ipn, 19, silence, 0, 20)).toEqual({ status: 'pending', waitMs: 86_400_000 })
  expect(afterAttempt(ipn, 20, silence, 0, 20)).toEqual({ status: 'failed', because: 'given-up' })
  expect(afterAttempt(ipn, 1, { status: 410 }, 0)).toEqual({ status: 'pending', waitMs: 10_000 })
})

test('a Retry-After later than the schedule applies, an earlier one changes nothing, one beyond a day is truncated', () => {
  const wait = (retryAfterMs: number) => afterAttempt(schedule, 1, { status: 503, retryAfterMs }, 0)
  expect(wait(60_000)).toEqual({ status: 'pending', waitMs: 60_000 })
  expect(wait(1_000)).toEqual({ status: 'pending', waitMs: 5_000 })
  expect(wait(1e12)).toEqual({ status: 'pending', waitMs: 86_400_000 })
})

test('jitter extends a delay by up to a fifth, and never shortens it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (n, c) => {
        const plain = schedule.waitsMs[n - 1] ?? 0
        const fate = afterAttempt(schedule, n, silence, c)
        const wait = fate.status === 'pending' ? fate.waitMs : 0
        expect(wait).toBeGreaterThanOrEqual(plain)
        expect(wait).toBeLessThan(plain * 1.2)
        expect(Number.isSafeInteger(wait)).toBe(true)
      },
    ),
  )
})

test('half of the jitter is a tenth of the delay', () => {
  const waits = [0, 0.5].map((chance) => afterAttempt(schedule, 1, silence, chance))
  const [plain = 0] = schedule.waitsMs
  expect(waits).toEqual([plain, plain * 1.1].map((waitMs) => ({ status: 'pending', waitMs })))
})

describe('events', () => {
  test("a round's first result settles, later ones correct, a void voids any of them", () => {
    expect(roundEventOf({ status: 'settled', rev: 1 })).toBe('bet.settled')
    expect(roundEventOf({ status: 'settled', rev: 2 })).toBe('round.corrected')
    expect(roundEventOf({ status: 'void', rev: 1 })).toBe('round.voided')
    expect(roundEventOf({ status: 'void', rev: 3 })).toBe('round.voided')
  })

  test('three transitions of an account have names, and no others', () => {
    const states = ['FREE', 'PAID', 'GRACE', 'DOWNGRADED', 'SUSPENDED', 'CLOSED']
    const named = states.flatMap((from) =>
      states.flatMap((to) => {
        const event = standingEventOf(from, to)
        return event && from !== 'SUSPENDED' && from !== 'CLOSED' && from !== 'FREE' ? [`${from}>${to} ${event}`] : []
      }),
    )
    expect(named).toEqual([
      'PAID>GRACE account.grace',
      'GRACE>PAID account.restored',
      'GRACE>DOWNGRADED account.downgraded',
      'DOWNGRADED>PAID account.restored',
      'DOWNGRADED>GRACE account.grace',
    ])
  })
})

test('both channels fail after ten attempts by default, and a missing response has no Retry-After', () => {
  expect([schedules['tenant-webhook'].attempts, schedules['merchant-ipn'].attempts]).toEqual([10, 10])
  const hasty = { waitsMs: [0, 5], attempts: 2, endsAtGone: false }
  expect(afterAttempt(hasty, 1, silence, 0)).toEqual({ status: 'pending', waitMs: 0 })
  expect(afterAttempt(hasty, 1, { status: 500 }, 0)).toEqual({ status: 'pending', waitMs: 0 })
})
