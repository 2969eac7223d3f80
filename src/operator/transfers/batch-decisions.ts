import type { BookWalletApprovalRow, BookWalletPlanRow } from '../../db/schema/book.ts'
import type { Tx } from '../../db/store.ts'
import { foldName } from '../../domain/wallet/approval.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'
import { type KeptWalletPlan, planRow } from './batches.ts'

/** The plans of many transfers: kept whole, approved by their digest, and never changed. */

/** Somebody at a machine: the name they go by, and the user the machine knows them as. */
export interface Person {
  readonly name: string
  readonly osUser: string
  readonly host: string
}

export function approvalsOf(book: Book, planIds: readonly string[]): Promise<BookWalletApprovalRow[]> {
  return book.store.read(async ({ q }) =>
    planIds.length === 0
      ? []
      : q
          .selectFrom('book_wallet_approvals')
          .selectAll()
          .where('plan_id', 'in', planIds)
          .orderBy('approved_at')
          .execute(),
  )
}

/** Keeps somebody's yes to exactly this plan; theirs of an earlier time gives way to it. */
export function approveWalletPlan(book: Book, { plan }: KeptWalletPlan, by: Person): Promise<BookWalletApprovalRow> {
  return book.store.write(async (tx) => {
    await theOpenPlan(tx, plan)
    const row: BookWalletApprovalRow = {
      plan_id: plan.id,
      name_key: foldName(by.name),
      name: by.name,
      os_user: by.osUser,
      host: by.host,
      digest: plan.digest,
      approved_at: tx.now,
    }
    const { plan_id: _plan, name_key: _name, ...changes } = row
    await tx.q
      .insertInto('book_wallet_approvals')
      .values(row)
      .onConflict((conflict) => conflict.columns(['plan_id', 'name_key']).doUpdateSet(changes))
      .execute()
    return row
  })
}

/** Notes that rows of it are about to be sent. From the first time on it can no longer be approved, only gone on with. */
export function beginWalletPlan(book: Book, { plan }: KeptWalletPlan): Promise<void> {
  return book.store.write(async (tx) => {
    await theOpenPlan(tx, plan)
    await tx.q
      .updateTable('book_wallet_plans')
      .set({ begun_at: tx.now })
      .where('id', '=', plan.id)
      .where('begun_at', 'is', null)
      .execute()
  })
}

/** Takes a plan out of use: what was done of it stays done, what was never sent never will be, and its txnIds are free again. */
export function cancelWalletPlan(book: Book, { plan }: KeptWalletPlan, by: Person): Promise<void> {
  return book.store.write(async (tx) => {
    await theOpenPlan(tx, plan)
    await tx.q
      .updateTable('book_wallet_plans')
      .set({ cancelled_at: tx.now, cancelled_by: by.name })
      .where('id', '=', plan.id)
      .execute()
    // Written down and not sent, or known not to have arrived: nothing stands behind these ids anywhere.
    await tx.q.deleteFrom('book_transfers').where('plan_id', '=', plan.id).where('state', '=', 'new').execute()
  })
}

async function theOpenPlan(tx: Tx, { id, digest }: BookWalletPlanRow): Promise<void> {
  const row = await planRow(tx, id)
  if (row?.digest !== digest || row.cancelled_at !== null)
    throw new Problem('CONFLICT', `The plan ${id} was cancelled or changed meanwhile`, { planId: id, remoteCode: null })
}
