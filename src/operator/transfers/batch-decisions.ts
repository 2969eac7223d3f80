import type { BookWalletApprovalRow, BookWalletPlanRow } from '../../db/schema/book.ts'
import type { Tx } from '../../db/store.ts'
import { foldName } from '../../domain/wallet/approval.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'
import { batchRow, type StoredBatch } from './batches.ts'

/** Decisions about transfer batches: stored completely, approved by their digest, never changed. */

/** A person: the given name, and the user of the machine. */
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

/** Stores an approval of exactly this batch; it replaces an earlier one of the same person. */
export function approveTransferBatch(book: Book, { head }: StoredBatch, by: Person): Promise<BookWalletApprovalRow> {
  return book.store.write(async (tx) => {
    await theOpenBatch(tx, head)
    const row: BookWalletApprovalRow = {
      plan_id: head.id,
      name_key: foldName(by.name),
      name: by.name,
      os_user: by.osUser,
      host: by.host,
      digest: head.digest,
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

/** Marks the batch as started. From then on it can only be resumed. */
export function beginTransferBatch(book: Book, { head }: StoredBatch): Promise<void> {
  return book.store.write(async (tx) => {
    await theOpenBatch(tx, head)
    await tx.q
      .updateTable('book_wallet_plans')
      .set({ begun_at: tx.now })
      .where('id', '=', head.id)
      .where('begun_at', 'is', null)
      .execute()
  })
}

/** Cancels a batch: done rows stay done, unsent rows will never be sent, and their txnIds can be used again. */
export function cancelTransferBatch(book: Book, { head }: StoredBatch, by: Person): Promise<void> {
  return book.store.write(async (tx) => {
    await theOpenBatch(tx, head)
    await tx.q
      .updateTable('book_wallet_plans')
      .set({ cancelled_at: tx.now, cancelled_by: by.name })
      .where('id', '=', head.id)
      .execute()
    // Stored but not sent, or known not to have arrived: no platform has these IDs.
    await tx.q.deleteFrom('book_transfers').where('plan_id', '=', head.id).where('state', '=', 'new').execute()
  })
}

async function theOpenBatch(tx: Tx, { id, digest }: BookWalletPlanRow): Promise<void> {
  const row = await batchRow(tx, id)
  if (row?.digest !== digest || row.cancelled_at !== null)
    throw new Problem('CONFLICT', `Batch ${id} was canceled or changed at the same time`, {
      planId: id,
      remoteCode: null,
    })
}
