import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { emptyRoundExpiry, limits, limitsOf, oldestReadableMonth } from '../../src/domain/account/plan-limits.ts'
import {
  type Counter,
  type Credential,
  countedFailures,
  failureMemoryMs,
  knownMs,
  standingOf,
} from '../../src/domain/login-attempts.ts'
import {
  isIpnSignature,
  isTenantSignature,
  isTimely,
  nonceMemoryMs,
  noncePattern,
  signatureWindowMs,
  signIpn,
  signTenantRequest,
  signWebhook,
  timestampPattern,
  verifyWebhook,
} from '../../src/domain/signing.ts'
import { isWithinLength, textLimits } from '../../src/domain/text-limits.ts'

const minute = 60_000
const iso = (at: number) => new Date(at).toISOString()

// 1-tenant-api, "Limits" and "Authentication".
describe('limits of the document', () => {
  test('are the same on every plan', () => {
    expect(limits).toEqual({
      bodyBytes: 64 * 1024,
      timestampWindowSeconds: 300,
      nonceSeconds: 600,
      betsPage: { default: 500, most: 1000 },
      summaryPlayers: 1000,
      ledgerMonthsBack: 3,
      conflictMonths: 2,
      launchSeconds: 60,
      sessionHours: 12,
      idleMinutes: 60,
      apiKeys: 10,
      rotatedKeyHours: 24,
      allowlistEntries: 100,
      statements: 24,
    })
  })

  test('free demo: 3 viewers for 30 minutes, 14 idle days, bets for 7 days; paid: bets for 400 days', () => {
    const demo = { viewers: 3, viewMinutes: 30, idleDays: 14, retentionDays: 7 }
    expect(limitsOf('free', 'live')).toMatchObject(demo)
    expect(limitsOf('free', 'sandbox')).toMatchObject(demo)
    expect(limitsOf('paid', 'live')).toMatchObject({
      viewers: null,
      viewMinutes: null,
      idleDays: null,
      retentionDays: 400,
    })
  })

  test.each([
    ['2026-04-08T00:00:00.000Z', 38, '202603'],
    ['2026-04-08T00:00:00.000Z', 39, '202602'],
    ['2026-04-08T00:00:00.000Z', 37, '202603'],
    ['2026-04-07T23:59:59.999Z', 37, '202603'],
    ['2026-04-08T12:00:00.000Z', 7, '202603'],
    ['2026-05-01T00:00:00.000Z', 61, '202603'],
    ['2026-05-01T00:00:00.000Z', 62, '202602'],
    ['2027-02-05T00:00:00.000Z', 400, '202601'],
    ['2027-02-04T23:59:59.999Z', 400, '202512'],
  ])('at %s bets of %i days reach back to %s', (at, days, month) => {
    expect(oldestReadableMonth(Date.parse(at), days)).toBe(month)
  })

  test('a round without bets is kept until bets of its month can no longer be read, and at least two months', () => {
    const at = Date.parse('2026-01-31T23:59:59.999Z')
    expect(iso(emptyRoundExpiry(at, 'live'))).toBe('2027-03-08T00:00:00.000Z')
    expect(iso(emptyRoundExpiry(at, 'sandbox'))).toBe('2026-03-01T00:00:00.000Z')
  })
})

describe('texts', () => {
  test('have lengths of our own, counted in characters', () => {
    expect(textLimits).toEqual({ nickname: 64, name: 100, ref: 200, message: 500, url: 2000 })
    expect(['', 'a', 'ab', 'abc', '🃏🃏'].map((text) => isWithinLength(text, 2))).toEqual([
      false,
      true,
      true,
      false,
      true,
    ])
    expect([isWithinLength('', 2, 0), isWithinLength('a', 3, 2), isWithinLength('ab', 3, 2)]).toEqual([
      true,
      false,
      true,
    ])
  })
})

describe('signatures', () => {
  const request = {
    method: 'post',
    url: '/api/tenant/v1/wallet/deposit?x=1',
    timestamp: '1773144000',
    nonce: 'abcdefghij012345',
    body: '{"a":1}',
  }
  const hex = (algorithm: string, key: string, text: string) => createHmac(algorithm, key).update(text).digest('hex')

  test('of a request: five lines, keyed with the secret', () => {
    const body = createHash('sha256').update('{"a":1}').digest('hex')
    const text = `POST\n/api/tenant/v1/wallet/deposit?x=1\n1773144000\nabcdefghij012345\n${body}`
    expect(signTenantRequest('s', request)).toBe(hex('sha256', 's', text))
    expect(isTenantSignature('s', request, hex('sha256', 's', text))).toBe(true)
    expect(isTenantSignature('s', request, hex('sha256', 's', text).toUpperCase())).toBe(false)
    expect(isTenantSignature('t', request, hex('sha256', 's', text))).toBe(false)
  })

  test('window of 300 seconds, nonces stored for 600', () => {
    expect([signatureWindowMs, nonceMemoryMs]).toEqual([300_000, 600_000])
    expect(['1'.repeat(8), '1'.repeat(9), '1'.repeat(11), '1'.repeat(12)].map((t) => timestampPattern.test(t))).toEqual(
      [false, true, true, false],
    )
    expect([15, 16, 64, 65].map((length) => noncePattern.test('a'.repeat(length)))).toEqual([false, true, true, false])
  })

  test.each([
    [-300_001, false],
    [-300_000, true],
    [0, true],
    [300_000, true],
    [300_001, false],
  ])('a timestamp %i ms away is accepted: %s', (away, expected) => {
    const now = 1_773_144_000_000
    expect(isTimely('1773144000', now + away)).toBe(expected)
    const header = signWebhook('whs_s', '{}', now)
    expect(verifyWebhook('whs_s', header, '{}', now + away)).toBe(expected ? 'genuine' : 'stale')
  })

  test('of a webhook: the second of sending, a dot and the body', () => {
    const now = 1_773_144_000_999
    const v1 = hex('sha256', 'whs_s', '1773144000.{"a":1}')
    expect(signWebhook('whs_s', '{"a":1}', now)).toBe(`t=1773144000,v1=${v1}`)
    expect(verifyWebhook('whs_s', ` t=1773144000,v1=${v1} `, Buffer.from('{"a":1}'), now)).toBe('genuine')
    expect(verifyWebhook('whs_s', `t=1773144001,v1=${v1}`, '{"a":1}', now)).toBe('forged')
    expect(verifyWebhook('whs_t', `t=1773144000,v1=${v1}`, '{"a":1}', now + 1e9)).toBe('forged')
    for (const header of ['', `t=,v1=${v1}`, `t=1773144000,v1=${v1.slice(1)}`, `v1=${v1},t=1773144000`, `t=1,v1=`])
      expect(verifyWebhook('whs_s', header, '{"a":1}', now)).toBe('malformed')
    expect(verifyWebhook('whs_s', `t=${'1'.repeat(13)},v1=${v1}`, '', now)).toBe('malformed')
  })

  test('of an IPN: HMAC-SHA512 over the body', () => {
    expect(signIpn('k', '{"a":1}')).toBe(hex('sha512', 'k', '{"a":1}'))
    expect(isIpnSignature('k', '{"a":1}', hex('sha512', 'k', '{"a":1}'))).toBe(true)
    expect(isIpnSignature('k', '{"a":2}', hex('sha512', 'k', '{"a":1}'))).toBe(false)
  })
})

describe('failed logins', () => {
  const now = Date.parse('2026-03-10T12:00:00.000Z')
  const standing = (credential: Credential, counter: Counter, failures: number, ago = 0) =>
    standingOf(credential, counter, { failures, lastFailureAt: now - ago }, now)

  // Failures without a delay, the longest delay in minutes, and the failure that locks.
  const table = [
    ['password', 'pair', 5, 15, 20],
    ['password', 'user', 20, 1, null],
    ['password', 'merchant', 100, 1, null],
    ['password', 'address', 50, 1, null],
    ['code', 'pair', 10, 15, 30],
    ['code', 'user', 20, 15, null],
    ['code', 'merchant', 20, 15, 100],
    ['code', 'address', 50, 1, null],
  ] as const
  test.each(table)(
    '%s by %s: %i have no delay, delays end at %i minutes, locked at %s',
    (credential, counter, free, longest, lockedAt) => {
      expect(standing(credential, counter, free)).toEqual({ kind: 'open' })
      expect(standing(credential, counter, free + 1)).toEqual({ kind: 'waiting', waitMs: 1000 })
      expect(standing(credential, counter, free + 2)).toEqual({ kind: 'waiting', waitMs: 2000 })
      expect(standing(credential, counter, free + 3)).toEqual({ kind: 'waiting', waitMs: 4000 })
      const most = { kind: 'waiting', waitMs: longest * minute }
      if (lockedAt === null) {
        expect(standing(credential, counter, free + 11)).toEqual(most)
        expect(standing(credential, counter, 1_000_000)).toEqual(most)
      } else {
        expect(standing(credential, counter, lockedAt - 1)).toEqual(most)
        expect(standing(credential, counter, lockedAt)).toEqual({ kind: 'locked' })
        expect(standing(credential, counter, lockedAt + 1, 1e12)).toEqual({ kind: 'locked' })
      }
    },
  )

  test('a delay passes with time, and a clock that was set back does not extend it', () => {
    expect(standing('password', 'pair', 8, 3999)).toEqual({ kind: 'waiting', waitMs: 1 })
    expect(standing('password', 'pair', 8, 4000)).toEqual({ kind: 'open' })
    expect(standing('password', 'pair', 8, -5000)).toEqual({ kind: 'waiting', waitMs: 4000 })
    expect(standingOf('password', 'pair', { failures: 8, lastFailureAt: null }, now)).toEqual({ kind: 'open' })
  })

  test('failures expire after 24 hours, locks never; a login is known for 30 days', () => {
    const day = 24 * 60 * minute
    expect([failureMemoryMs, knownMs]).toEqual([day, 30 * day])
    const counted = (failures: number, ago: number | null) =>
      countedFailures('password', 'pair', { failures, lastFailureAt: ago === null ? null : now - ago }, now)
    expect([counted(19, day - 1), counted(19, day), counted(20, day), counted(3, null)]).toEqual([19, 0, 20, 3])
  })
})
