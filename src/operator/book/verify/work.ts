import type { Reader } from '../../../db/store.ts'
import { isProblem } from '../../../kit/problem.ts'
import { transferBatch } from '../../transfers/batches.ts'
import type { Book } from '../book.ts'
import { Faults } from './faults.ts'
import type { BookCheck } from './schema.ts'

/** Checks of the operator's work: transfer batches and breaks. */

/** Each batch must have the content that was approved, and each transfer of a batch must belong to one that exists. */
export async function checkBatches(book: Book): Promise<BookCheck> {
  const faults = new Faults('batches')
  const { plans, strays, lost } = await book.store.read(async ({ q }) => ({
    plans: await q.selectFrom('book_wallet_plans').select('id').orderBy('id').execute(),
    strays: await q
      .selectFrom('book_wallet_plan_rows as row')
      .leftJoin('book_wallet_plans as plan', 'plan.id', 'row.plan_id')
      .select(['row.plan_id', 'row.txn_id'])
      .where('plan.id', 'is', null)
      .orderBy('row.plan_id')
      .limit(10)
      .execute(),
    lost: await q
      .selectFrom('book_transfers as transfer')
      .leftJoin('book_wallet_plans as plan', 'plan.id', 'transfer.plan_id')
      .select(['transfer.plan_id', 'transfer.txn_id'])
      .where('transfer.plan_id', 'is not', null)
      .where('plan.id', 'is', null)
      .orderBy('transfer.txn_id')
      .limit(10)
      .execute(),
  }))
  faults.checked = plans.length
  for (const { id } of plans) {
    try {
      await transferBatch(book, id)
    } catch (error) {
      if (!isProblem(error)) throw error
      faults.add(`batch ${id}: ${error.message}`)
    }
  }
  for (const { plan_id: plan, txn_id: txn } of strays)
    faults.add(`the row ${txn} belongs to batch ${plan}, which is missing`)
  for (const { plan_id: plan, txn_id: txn } of lost)
    faults.add(`the transfer ${txn} belongs to batch ${plan}, which is missing`)
  return faults.result()
}

/** The history of a break is append-only: its events are numbered from 1 without gaps. */
export async function checkBreaks({ q }: Reader): Promise<BookCheck> {
  const faults = new Faults('breaks')
  const breaks = await q.selectFrom('book_breaks').select('id').execute()
  const histories = await q
    .selectFrom('book_break_events')
    .select(({ fn }) => [
      'break_id',
      fn.countAll<number>().as('events'),
      fn.max<number>('seq').as('last'),
      fn.min<number>('seq').as('first'),
    ])
    .groupBy('break_id')
    .orderBy('break_id')
    .execute()
  faults.checked = breaks.length
  const known = new Set(breaks.map(({ id }) => id))
  for (const { break_id: id, events, first, last } of histories) {
    if (!known.has(id)) faults.add(`the history names the break ${id}, which is missing`)
    else if (first !== 1 || last !== events) faults.add(`the history of the break ${id} has a gap`)
    known.delete(id)
  }
  for (const id of known) faults.add(`the break ${id} has no history`)
  return faults.result()
}
