import type { BookWalletApprovalRow, BookWalletPlanRow } from '../../db/schema/book.ts'
import {
  type Approval,
  type ApprovalLimits,
  aboveLimits,
  approvalEnd,
  approvalStanding,
  foldName,
  type Moved,
} from '../../domain/wallet/approval.ts'
import { type BatchTotal, movedOf } from '../../domain/wallet/batch.ts'
import { maybeMoment } from '../../kit/moment.ts'
import { standingOf } from './apply-batch.ts'
import type { BatchTally, StoredBatch } from './batches.ts'

/** Reports of transfer batches: their content, approvals and progress. */

export type BatchState = 'made' | 'approved' | 'begun' | 'finished' | 'cancelled'

export interface BatchReport {
  readonly planId: string
  readonly state: BatchState
  readonly digest: string
  readonly source: string
  readonly sha256: string
  readonly note: string | null
  readonly creates: boolean
  readonly target: string
  readonly rows: number
  readonly players: number
  readonly totals: readonly BatchTotal[]
  readonly moved: readonly Moved[]
  readonly madeBy: string
  readonly osUser: string
  readonly host: string
  readonly madeAt: string
  readonly needsAnother: boolean
  readonly approvals: readonly BatchApproval[]
  readonly done: number
  readonly refused: number
  readonly unknown: number
  readonly left: number
  readonly begunAt: string | null
  readonly cancelledAt: string | null
  readonly cancelledBy: string | null
}

/** An approval of a batch. */
export interface BatchApproval {
  readonly by: string
  readonly osUser: string
  readonly host: string
  readonly at: string
  readonly until: string
  /** True if it is for the current content of the batch. */
  readonly isOfThis: boolean
  readonly valid: boolean
}

/** Settings that apply to approvals. */
export interface ApprovalRules {
  /** Amounts above which a second person must approve; undefined if there are none. */
  readonly limits: ApprovalLimits | undefined
  /** Number of days after which an approval expires. */
  readonly days: number
  /** Epoch milliseconds. */
  readonly now: number
}

/** Returns the report of a batch with its rows already counted. */
export function batchReport(
  head: BookWalletPlanRow,
  approvalRows: readonly BookWalletApprovalRow[],
  { done, refused, unknown }: BatchTally,
  rules: ApprovalRules,
): BatchReport {
  // Only `storeBatch` writes this column.
  const totals: BatchTotal[] = JSON.parse(head.totals)
  const moved = movedOf(totals)
  const needsAnother = aboveLimits(moved, rules.limits).length > 0
  const left = head.rows - done - refused - unknown
  const approvals = approvalRows.map((row) => batchApproval(head, row, rules))
  const isApproved =
    standingBy({ digest: head.digest, madeBy: head.made_by, approvals }, { needsAnother }) === 'approved'
  const isFinished = left === 0 && unknown === 0
  return {
    planId: head.id,
    state: stateOf(head, { isApproved, isFinished }),
    digest: head.digest,
    source: head.source,
    sha256: head.source_sha256,
    note: head.note,
    creates: head.creates === 1,
    target: head.target,
    rows: head.rows,
    players: head.players,
    totals,
    moved,
    madeBy: head.made_by,
    osUser: head.made_os_user,
    host: head.made_host,
    madeAt: new Date(head.made_at).toISOString(),
    needsAnother,
    approvals,
    done,
    refused,
    unknown,
    left,
    begunAt: maybeMoment(head.begun_at),
    cancelledAt: maybeMoment(head.cancelled_at),
    cancelledBy: head.cancelled_by,
  }
}

/** Returns the report of a batch, with its rows counted. */
export function countedReport({ head, rows, approvals, transfers }: StoredBatch, rules: ApprovalRules): BatchReport {
  const tally = { done: 0, refused: 0, unknown: 0, left: 0 }
  for (const { txnId } of rows) tally[standingOf(transfers.get(txnId))] += 1
  return batchReport(head, approvals, tally, rules)
}

/**
 * Returns which approvals a batch has for being applied. A started batch needs any approval of its current content,
 * because the limits were checked before its start.
 */
export function approvalToApply(report: BatchReport): 'none' | 'own-only' | 'approved' {
  return standingBy(report, { needsAnother: report.needsAnother && report.begunAt === null })
}

function standingBy(
  { digest, madeBy, approvals }: Pick<BatchReport, 'digest' | 'madeBy' | 'approvals'>,
  { needsAnother }: { readonly needsAnother: boolean },
) {
  const valid = approvals.flatMap(({ by, valid }): Approval[] => (valid ? [{ nameKey: foldName(by), digest }] : []))
  return approvalStanding({ digest, madeBy }, valid, needsAnother)
}

function stateOf(
  { cancelled_at: cancelledAt, begun_at: begunAt }: BookWalletPlanRow,
  { isApproved, isFinished }: { readonly isApproved: boolean; readonly isFinished: boolean },
): BatchState {
  if (cancelledAt !== null) return 'cancelled'
  if (begunAt !== null) return isFinished ? 'finished' : 'begun'
  return isApproved ? 'approved' : 'made'
}

function batchApproval(
  head: BookWalletPlanRow,
  { name, os_user: osUser, host, digest, approved_at: at }: BookWalletApprovalRow,
  { days, now }: ApprovalRules,
): BatchApproval {
  const until = approvalEnd(at, days)
  const isOfThis = digest === head.digest
  return {
    ...{ by: name, osUser, host, isOfThis, valid: isOfThis && now < until },
    ...{ at: new Date(at).toISOString(), until: new Date(until).toISOString() },
  }
}
