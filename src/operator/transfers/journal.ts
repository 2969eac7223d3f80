import type { BookTransferRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import { formatAmount, parseAmount } from '../../domain/money.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'
import { batchHolding } from './batches.ts'

/** The input of a transfer. The amount is validated decimal text. */
export interface TransferInput {
  readonly txnId: string
  readonly username: string
  readonly dir: 'in' | 'out'
  readonly amount: string
  readonly currency: string
  /** The batch it belongs to. */
  readonly planId?: string | undefined
}

/** Outcome of sending a transfer. */
export type TransferEnd =
  | { readonly state: 'done'; readonly balance: string | null }
  | { readonly state: 'refused'; readonly refusal: string }
  /** The request may have been processed. */
  | { readonly state: 'unknown' }
  /** The request cannot have arrived. */
  | { readonly state: 'new' }

export interface TransferQuery {
  readonly states?: readonly BookTransferRow['state'][] | undefined
  readonly username?: string | undefined
  readonly planId?: string | undefined
  readonly limit: number
}

/** Normalizes an input, so that its content is the same in any spelling. */
export function normalized(input: TransferInput): TransferInput {
  return { ...input, amount: formatAmount(parseAmount(input.amount)), currency: input.currency.toUpperCase() }
}

/** A transfer about to be sent. */
export interface PendingTransfer {
  readonly row: BookTransferRow
  /** State before this run; `new` if it was not in the book. */
  readonly before: BookTransferRow['state']
}

/**
 * Stores a transfer and marks it as sent, or finds the one that this input continues. Until its outcome is known, it
 * may have been carried out. A done transfer is not changed. Throws TXN_CONFLICT for a txnId of another transfer of
 * ours, however old: the platform forgets one after months and would carry out both. Throws TXN_CONFLICT also for a
 * txnId of a batch outside that batch, because the batch is what was approved.
 */
export function beginTransfer(book: Book, input: TransferInput): Promise<PendingTransfer> {
  return book.store.write(async (tx) => {
    const known = await rowOf(tx, input.txnId)
    if (known === undefined) return { row: await insertBegun(tx, input), before: 'new' }
    const row = sameTransfer(known, input)
    if (row.state === 'done') return { row, before: row.state }
    return { row: await change(tx, row, { state: 'unknown', attempts: row.attempts + 1 }), before: row.state }
  })
}

async function insertBegun(tx: Tx, input: TransferInput): Promise<BookTransferRow> {
  const { txnId, username, dir, amount, currency, planId = null } = normalized(input)
  const holder = await batchHolding(tx, txnId)
  if (holder !== planId) throw heldByBatch(txnId, holder)
  const row: BookTransferRow = {
    txn_id: txnId,
    username,
    name_key: foldUsername(username),
    dir,
    amount,
    currency,
    state: 'unknown',
    balance: null,
    refusal: null,
    attempts: 1,
    made_at: tx.now,
    changed_at: tx.now,
    plan_id: planId,
  }
  await tx.q.insertInto('book_transfers').values(row).execute()
  return row
}

/** Returns the transfer of an ID; throws TXN_CONFLICT if it is a different one, or one of a batch. */
export async function findTransferFor(book: Book, input: TransferInput): Promise<BookTransferRow | undefined> {
  const { known, holder } = await book.store.read(async (reader) => ({
    known: await rowOf(reader, input.txnId),
    holder: await batchHolding(reader, input.txnId),
  }))
  if (known) return sameTransfer(known, input)
  if (holder !== null && holder !== input.planId) throw heldByBatch(input.txnId, holder)
  return undefined
}

function heldByBatch(txnId: string, planId: string | null): Problem {
  const reason =
    planId === null
      ? `${txnId} belongs to no batch that can be applied`
      : `${txnId} belongs to batch ${planId}; apply it with "countroom wallet apply ${planId}"`
  return new Problem('TXN_CONFLICT', `${reason}. Nothing was sent`, { txnId, planId, remoteCode: null })
}

/** Returns the row if the input is the same transfer: player, direction, amount and currency. */
function sameTransfer(row: BookTransferRow, input: TransferInput): BookTransferRow {
  const { username, dir, amount, currency } = normalized(input)
  const isSame =
    row.name_key === foldUsername(username) && row.dir === dir && row.amount === amount && row.currency === currency
  if (isSame) return row
  const was = `${row.dir === 'in' ? 'a deposit' : 'a withdrawal'} of ${row.amount} ${row.currency}`
  throw new Problem(
    'TXN_CONFLICT',
    `${row.txn_id} is already in the book as ${was}, player ${row.username}; a txnId belongs to one transfer. Nothing was sent. Use another --txn`,
    {
      txnId: row.txn_id,
      known: { username: row.username, dir: row.dir, amount: row.amount, currency: row.currency, state: row.state },
      // A code of our own: the platform was not contacted.
      remoteCode: null,
    },
  )
}

/**
 * Stores the outcome. `sent` is the row as stored before sending; `moreAttempts` counts the attempts after the first
 * one. A done transfer stays done. If another run has sent it since, only "done" may be stored, because our failure
 * says nothing about that run.
 */
export function settleTransfer(
  book: Book,
  sent: BookTransferRow,
  end: TransferEnd,
  moreAttempts = 0,
): Promise<BookTransferRow> {
  return book.store.write(async (tx) => {
    const row = await theRow(tx, sent.txn_id)
    if (row.state === 'done') return row
    if (end.state !== 'done' && row.attempts !== sent.attempts) return row
    return change(tx, row, {
      state: end.state,
      balance: end.state === 'done' ? end.balance : null,
      refusal: end.state === 'refused' ? end.refusal : null,
      attempts: row.attempts + moreAttempts,
    })
  })
}

/** Returns the transfer of an ID, if it is ours. */
export function transferOf(book: Book, txnId: string): Promise<BookTransferRow | undefined> {
  return book.store.read((reader) => rowOf(reader, txnId))
}

/** Returns our transfers, newest first. */
export function listTransfers(
  book: Book,
  { states, username, planId, limit }: TransferQuery,
): Promise<BookTransferRow[]> {
  return book.store.read(({ q }) => {
    let query = q.selectFrom('book_transfers').selectAll()
    if (states !== undefined) query = query.where('state', 'in', states)
    if (username !== undefined) query = query.where('name_key', '=', foldUsername(username))
    if (planId !== undefined) query = query.where('plan_id', '=', planId)
    return query.orderBy('made_at', 'desc').orderBy('txn_id', 'desc').limit(limit).execute()
  })
}

async function rowOf({ q }: Reader, txnId: string): Promise<BookTransferRow | undefined> {
  return q.selectFrom('book_transfers').selectAll().where('txn_id', '=', txnId).executeTakeFirst()
}

async function theRow(reader: Reader, txnId: string): Promise<BookTransferRow> {
  const row = await rowOf(reader, txnId)
  if (!row) throw new Error(`${txnId} was never stored`)
  return row
}

async function change(tx: Tx, row: BookTransferRow, changes: Partial<BookTransferRow>): Promise<BookTransferRow> {
  const changed = { ...changes, changed_at: tx.now }
  await tx.q.updateTable('book_transfers').set(changed).where('txn_id', '=', row.txn_id).execute()
  return { ...row, ...changed }
}
