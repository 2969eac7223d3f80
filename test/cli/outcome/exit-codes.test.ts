import { expect, test } from 'vitest'
import {
  batchCategory,
  categories,
  categoryOf,
  exitOf,
  problemOf,
  reportOf,
} from '../../../src/cli/outcome/exit-codes.ts'
import { diskErrorText } from '../../../src/kit/disk-error.ts'
import { Problem } from '../../../src/kit/problem.ts'

test('the exit codes are the documented ones', () => {
  expect(Object.fromEntries(Object.entries(categories).map(([name, { exit }]) => [name, exit]))).toEqual({
    ok: 0,
    unexpected: 1,
    usage: 2,
    confirmation: 3,
    permission: 4,
    'not-found': 5,
    conflict: 6,
    temporary: 7,
    partial: 8,
    differences: 9,
    'unknown-outcome': 10,
    inconclusive: 11,
    locked: 75,
    configuration: 78,
    'unknown-command': 127,
    stopped: 130,
  })
})

test.each([
  [2, 'INVALID_PARAMETER INVALID_USERNAME INVALID_CURRENCY CURRENCY_NOT_ENABLED INVALID_AMOUNT INVALID_CURSOR'],
  [2, 'CURRENCY_MISMATCH INVALID_JSON PAYLOAD_TOO_LARGE INVALID_REQUEST_PARAMS INVALID_ADDRESS CURRENCY_UNAVAILABLE'],
  [2, 'AMOUNT_TOO_SMALL AMOUNT_TOO_LARGE AMOUNT_OUT_OF_RANGE INVALID_USAGE UNREADABLE_FILE'],
  [3, 'CONFIRMATION_NEEDED CONFIRMATION_REFUSED'],
  [4, 'UNAUTHORIZED IP_NOT_ALLOWED TENANT_SUSPENDED AUTH_REQUIRED INVALID_API_KEY INVALID_TOKEN MFA_REQUIRED'],
  [4, 'INVALID_MFA_CODE FORBIDDEN POLICY_REJECTED'],
  [5, 'NOT_FOUND PLAYER_NOT_FOUND TXN_NOT_FOUND ROUND_NOT_FOUND PROFILE_NOT_FOUND TICKET_NOT_FOUND'],
  [6, 'TXN_CONFLICT INSUFFICIENT_BALANCE QUOTA_EXCEEDED ACCOUNT_LOCKED PLAYER_LOCKED PLAYER_LIMIT CONFLICT FROZEN'],
  [6, 'IDEMPOTENCY_KEY_REUSED LIMIT_EXCEEDED ADDRESS_NOT_WHITELISTED NOT_SUPPORTED'],
  [7, 'RATE_LIMITED INTERNAL_ERROR REMOTE_UNAVAILABLE REMOTE_UNREACHABLE REMOTE_TIMEOUT REMOTE_LOST'],
  [7, 'IDEMPOTENCY_IN_FLIGHT RATE_UNAVAILABLE POOL_EXHAUSTED UPSTREAM_ERROR'],
  [8, 'BATCH_PARTLY'],
  [9, 'DIFFERENCES STALE'],
  [10, 'MONEY_UNKNOWN'],
  [11, 'CANNOT_CONCLUDE'],
  [75, 'LOCKED_BY_ANOTHER'],
  [78, 'BAD_CONFIGURATION'],
  [127, 'UNKNOWN_COMMAND'],
  [1, 'UNEXPECTED SOMETHING_NEW toString'],
])('exit %i is the exit code of %s', (exit, codes) => {
  for (const code of codes.split(' ')) expect([code, exitOf(categoryOf(code))]).toEqual([code, exit])
})

test("a remote refusal keeps the remote's own code next to ours, and our own refusals have none", () => {
  expect(reportOf(new Problem('TXN_CONFLICT', 'No')).remoteCode).toBe('TXN_CONFLICT')
  expect(reportOf(new Problem('MONEY_UNKNOWN', 'No', { remoteCode: 'INTERNAL_ERROR', txnId: 't' }))).toMatchObject({
    code: 'MONEY_UNKNOWN',
    remoteCode: 'INTERNAL_ERROR',
    details: { txnId: 't' },
    retryable: false,
  })
  expect(reportOf(new Problem('INVALID_USAGE', 'No')).remoteCode).toBeNull()
})

test('only errors that allow an unchanged repeat are retryable', () => {
  expect(reportOf(new Problem('RATE_LIMITED', '')).retryable).toBe(true)
  expect(reportOf(new Problem('LOCKED_BY_ANOTHER', '')).retryable).toBe(true)
  expect(reportOf(new Problem('MONEY_UNKNOWN', '')).retryable).toBe(false)
  expect(reportOf(new Problem('INSUFFICIENT_BALANCE', '')).retryable).toBe(false)
})

test('a file that the system refuses is a usage error, and an error without a name is unexpected', () => {
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/etc/x' })
  const folder = Object.assign(new Error('EISDIR: illegal operation on a directory, read'), { code: 'EISDIR' })
  expect(problemOf(folder)).toMatchObject({ code: 'UNREADABLE_FILE' })
  expect(problemOf(denied)).toMatchObject({ code: 'UNREADABLE_FILE', message: '/etc/x: permission denied (EACCES)' })
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', path: '/x/y' })
  expect(problemOf(full).message).toBe(`/x/y: ${diskErrorText(full)}`)
  expect(problemOf(new RangeError('one\ntwo'))).toMatchObject({ code: 'UNEXPECTED', message: 'Unexpected error: one' })
  expect(problemOf('text').message).toBe('Unexpected error: text')
})

test('a batch exits with the code of its worst row, with partial if some were done, and always reports an unknown outcome', () => {
  expect(batchCategory([])).toBe('ok')
  expect(batchCategory(['ok', 'ok'])).toBe('ok')
  expect(batchCategory(['ok', 'conflict'])).toBe('partial')
  expect(batchCategory(['temporary', 'conflict', 'not-found'])).toBe('conflict')
  expect(batchCategory(['temporary', 'temporary'])).toBe('temporary')
  expect(batchCategory(['ok', 'conflict', 'unknown-outcome'])).toBe('unknown-outcome')
})
