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
import { movedOf, type PlanTotal } from '../../domain/wallet/batch.ts'
import { maybeMoment } from '../../kit/moment.ts'
import { standingOf } from './apply-batch.ts'
import type { PlanTally, StoredBatch } from './batches.ts'

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
  readonly totals: readonly PlanTotal[]
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
  plan: BookWalletPlanRow,
  approvalRows: readonly BookWalletApprovalRow[],
  { done, refused, unknown }: PlanTally,
  rules: ApprovalRules,
): BatchReport {
  // Only `keepWalletPlan` writes this column.
  const totals: PlanTotal[] = JSON.parse(plan.totals)
  const moved = movedOf(totals)
  const needsAnother = aboveLimits(moved, rules.limits).length > 0
  const left = plan.rows - done - refused - unknown
  const approvals = approvalRows.map((row) => batchApproval(plan, row, rules))
  const isApproved =
    standingBy({ digest: plan.digest, madeBy: plan.made_by, approvals }, { needsAnother }) === 'approved'
  const isFinished = left === 0 && unknown === 0
  return {
    planId: plan.id,
    state: stateOf(plan, { isApproved, isFinished }),
    digest: plan.digest,
    source: plan.source,
    sha256: plan.source_sha256,
    note: plan.note,
    creates: plan.creates === 1,
    target: plan.target,
    rows: plan.rows,
    players: plan.players,
    totals,
    moved,
    madeBy: plan.made_by,
    osUser: plan.made_os_user,
    host: plan.made_host,
    madeAt: new Date(plan.made_at).toISOString(),
    needsAnother,
    approvals,
    done,
    refused,
    unknown,
    left,
    begunAt: maybeMoment(plan.begun_at),
    cancelledAt: maybeMoment(plan.cancelled_at),
    cancelledBy: plan.cancelled_by,
  }
}

/** Returns the report of a batch, with its rows counted. */
export function countedReport({ plan, rows, approvals, transfers }: StoredBatch, rules: ApprovalRules): BatchReport {
  const tally = { done: 0, refused: 0, unknown: 0, left: 0 }
  for (const { txnId } of rows) tally[standingOf(transfers.get(txnId))] += 1
  return batchReport(plan, approvals, tally, rules)
}

/**
 * Returns whether the approvals of a batch allow to apply it. A started batch needs any approval of its current content,
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
  plan: BookWalletPlanRow,
  { name, os_user: osUser, host, digest, approved_at: at }: BookWalletApprovalRow,
  { days, now }: ApprovalRules,
): BatchApproval {
  const until = approvalEnd(at, days)
  const isOfThis = digest === plan.digest
  return {
    ...{ by: name, osUser, host, isOfThis, valid: isOfThis && now < until },
    ...{ at: new Date(at).toISOString(), until: new Date(until).toISOString() },
  }
}
