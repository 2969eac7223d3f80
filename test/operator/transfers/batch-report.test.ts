import { describe, expect, test } from 'vitest'
import type { BookTransferRow, BookWalletApprovalRow } from '../../../src/db/schema/book.ts'
import { foldName } from '../../../src/domain/wallet/approval.ts'
import type { BatchItem } from '../../../src/domain/wallet/batch.ts'
import {
  type ApprovalRules,
  approvalToApply,
  batchReport,
  countedReport,
} from '../../../src/operator/transfers/batch-report.ts'
import { batchRowOf } from '../../../src/operator/transfers/batches.ts'

const day = 86_400_000
const madeAt = Date.UTC(2026, 2, 1)
const noneDone = { done: 0, refused: 0, unknown: 0 }
const ann = { name: 'ann', osUser: 'root', host: 'here' }

const rows = (['in', 'out', 'in', 'in'] as const).map(
  (dir, i): BatchItem => ({
    ...{ place: i + 1, line: i + 2, txnId: `P-${i + 1}`, username: `player${i}`, dir, amount: '50', currency: 'USD' },
    note: null,
  }),
)
const head = batchRowOf(
  {
    ...{ planId: 'P', companyCode: 'DEMO', environment: 'live', target: 'here', source: 'payday.csv' },
    ...{ sourceSha256: 'f', note: null, creates: false, by: ann, rows },
  },
  madeAt,
)

const approvedBy = (name: string, more: Partial<BookWalletApprovalRow> = {}): BookWalletApprovalRow => ({
  ...{ plan_id: 'P', name_key: foldName(name), name, os_user: 'root', host: 'here' },
  ...{ digest: head.digest, approved_at: madeAt },
  ...more,
})

/** Rules at the time the batch was created, with an approval of a second person above this total of USD. */
const rulesAbove = (units: bigint | undefined, now = madeAt): ApprovalRules => ({
  limits: units === undefined ? undefined : new Map([['USD', units]]),
  ...{ days: 7, now },
})
const noLimits = rulesAbove(undefined)
/** Below the total of deposits and withdrawals, 200 USD. */
const below = rulesAbove(1_999_999n)

describe('the state of a batch', () => {
  test('is created, then approved, then started until no row is left or unknown, unless it is canceled', () => {
    const ann = [approvedBy('ann')]
    const begun = { ...head, begun_at: madeAt + 1 }
    expect(batchReport(head, [], noneDone, noLimits).state).toBe('made')
    expect(batchReport(head, ann, noneDone, noLimits).state).toBe('approved')
    expect(batchReport(begun, ann, { done: 2, refused: 1, unknown: 0 }, noLimits)).toMatchObject({
      ...{ state: 'begun', left: 1 },
    })
    expect(batchReport(begun, ann, { done: 2, refused: 1, unknown: 1 }, noLimits).state).toBe('begun')
    expect(batchReport(begun, ann, { done: 3, refused: 1, unknown: 0 }, noLimits)).toMatchObject({
      ...{ state: 'finished', left: 0 },
    })
    const cancelled = { ...begun, cancelled_at: madeAt + 2, cancelled_by: 'ann' }
    expect(batchReport(cancelled, ann, noneDone, noLimits)).toMatchObject({
      ...{ state: 'cancelled', cancelledBy: 'ann' },
    })
  })

  test('counts its rows by the transfers in the book', () => {
    const transfer = (txnId: string, state: BookTransferRow['state'], refusal: string | null = null) =>
      [txnId, { state, refusal } as BookTransferRow] as const
    const transfers = new Map([
      transfer('P-1', 'done'),
      transfer('P-2', 'refused', 'INSUFFICIENT_BALANCE'),
      transfer('P-3', 'unknown'),
      transfer('P-4', 'new'),
    ])
    const report = countedReport({ head, rows, approvals: [], transfers }, noLimits)
    expect(report).toMatchObject({ done: 1, refused: 1, unknown: 1, left: 1 })
  })

  test('states whether its deposits create players', () => {
    const creates = [0, 1].map((each) => batchReport({ ...head, creates: each }, [], noneDone, noLimits).creates)
    expect(creates).toEqual([false, true])
  })
})

describe('a second person', () => {
  test('must approve when deposits and withdrawals together exceed the limit', () => {
    expect(batchReport(head, [], noneDone, noLimits).needsAnother).toBe(false)
    expect(batchReport(head, [], noneDone, rulesAbove(2_000_000n)).needsAnother).toBe(false)
    expect(batchReport(head, [], noneDone, below).needsAnother).toBe(true)
  })

  test('is not the author, in any spelling of the name', () => {
    const reportFor = (...names: string[]) =>
      batchReport(
        head,
        names.map((name) => approvedBy(name)),
        noneDone,
        below,
      )
    expect([reportFor().state, approvalToApply(reportFor())]).toEqual(['made', 'none'])
    expect([reportFor('Ann').state, approvalToApply(reportFor('Ann'))]).toEqual(['made', 'own-only'])
    expect([reportFor('Ann', 'beth').state, approvalToApply(reportFor('Ann', 'beth'))]).toEqual([
      'approved',
      'approved',
    ])
  })

  test('is required for the start only: afterwards any valid approval is enough', () => {
    const own = batchReport({ ...head, begun_at: madeAt }, [approvedBy('ann')], noneDone, below)
    expect(approvalToApply(own)).toBe('approved')
    expect(approvalToApply(batchReport({ ...head, begun_at: madeAt }, [], noneDone, below))).toBe('none')
  })
})

describe('an approval', () => {
  test('is valid for the number of days of the rules, to the millisecond', () => {
    const at = (now: number) => batchReport(head, [approvedBy('ann')], noneDone, rulesAbove(undefined, now))
    const last = at(madeAt + 7 * day - 1)
    expect(last.approvals).toMatchObject([{ by: 'ann', valid: true, until: '2026-03-08T00:00:00.000Z' }])
    expect([last.state, approvalToApply(last)]).toEqual(['approved', 'approved'])
    const expired = at(madeAt + 7 * day)
    expect(expired.approvals).toMatchObject([{ isOfThis: true, valid: false }])
    expect([expired.state, approvalToApply(expired)]).toEqual(['made', 'none'])
  })

  test('of other content does not count', () => {
    const report = batchReport(head, [approvedBy('beth', { digest: 'other' })], noneDone, noLimits)
    expect(report.approvals).toMatchObject([{ by: 'beth', isOfThis: false, valid: false }])
    expect([report.state, approvalToApply(report)]).toEqual(['made', 'none'])
  })
})
