import type {
  BookTransferRow,
  BookWalletApprovalRow,
  BookWalletPlanItemRow,
  BookWalletPlanRow,
} from '../../db/schema/book.ts'
import type { Reader } from '../../db/store.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { type BatchItem, batchDigest, movementsDigest, totalsOf } from '../../domain/wallet/batch.ts'
import { minuteText } from '../../kit/moment.ts'
import { piecesOf } from '../../kit/pieces.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'
import type { Person } from './batch-decisions.ts'

export interface BatchDraft {
  readonly planId: string
  readonly companyCode: string
  readonly environment: 'live' | 'sandbox'
  readonly target: string
  readonly source: string
  readonly sourceSha256: string
  readonly note: string | null
  readonly creates: boolean
  readonly by: Person
  readonly rows: readonly BatchItem[]
}

export interface StoredBatch {
  readonly head: BookWalletPlanRow
  readonly rows: readonly BatchItem[]
  readonly approvals: readonly BookWalletApprovalRow[]
  /** Started rows, by txnId. */
  readonly transfers: ReadonlyMap<string, BookTransferRow>
}

/** Number of transfers in each state. */
export interface BatchTally {
  readonly done: number
  readonly refused: number
  readonly unknown: number
}

/** Maximum number of values per statement that every engine accepts. */
const atOnce = 500

/** Builds the row of a batch that is made at a time. */
export function batchRowOf(draft: BatchDraft, madeAt: number): BookWalletPlanRow {
  const { planId, rows, by } = draft
  const about = {
    id: planId,
    company_code: draft.companyCode,
    environment: draft.environment,
    target: draft.target,
    source: draft.source,
    source_sha256: draft.sourceSha256,
    movements: movementsDigest(rows),
    note: draft.note,
    creates: draft.creates ? 1 : 0,
    rows: rows.length,
    players: new Set(rows.map(({ username }) => foldUsername(username))).size,
    totals: JSON.stringify(totalsOf(rows)),
    made_by: by.name,
    made_os_user: by.osUser,
    made_host: by.host,
  }
  const initialState = { begun_at: null, cancelled_at: null, cancelled_by: null }
  return { ...about, digest: digestOf(about, rows), made_at: madeAt, ...initialState }
}

/**
 * Stores a batch. Throws TXN_CONFLICT if a txnId was used in the meantime, and PLAN_EXISTS if another batch has the same
 * transfers and `again` is not set.
 */
export function storeBatch(
  book: Book,
  draft: BatchDraft,
  { again }: { readonly again: boolean },
): Promise<BookWalletPlanRow> {
  const { planId, rows } = draft
  const txnIds = rows.map(({ txnId }) => txnId)
  return book.store.write(async (tx) => {
    const [used] = await usedAmong(tx, txnIds)
    if (used !== undefined)
      throw new Problem('TXN_CONFLICT', `${used.txnId} ${usedText(used)}. No batch was created`, {
        ...used,
        remoteCode: null,
      })
    const existing = await batchRow(tx, planId)
    if (existing) throw batchIdTaken(existing)
    const row = batchRowOf(draft, tx.now)
    const duplicate = again ? undefined : await duplicateOf(tx, row)
    if (duplicate) throw batchExists(duplicate)
    await tx.q.insertInto('book_wallet_plans').values(row).execute()
    for (const some of piecesOf(rows, atOnce))
      await tx.q
        .insertInto('book_wallet_plan_rows')
        .values(some.map((each) => toItem(planId, each)))
        .execute()
    return row
  })
}

const toItem = (planId: string, { txnId, ...row }: BatchItem): BookWalletPlanItemRow => ({
  ...row,
  plan_id: planId,
  txn_id: txnId,
})

/** A used txnId: of a transfer of ours, or in a batch. */
export interface UsedTxn {
  readonly txnId: string
  readonly planId: string | null
  readonly transfer: Pick<BookTransferRow, 'username' | 'dir' | 'amount' | 'currency' | 'state'> | null
}

export function usedText({ planId, transfer }: UsedTxn): string {
  if (transfer === null) return `is already in batch ${planId}`
  const was = transfer.dir === 'in' ? 'a deposit' : 'a withdrawal'
  return `is already in the book as ${was} of ${transfer.amount} ${transfer.currency}, player ${transfer.username}; a txnId belongs to one transfer`
}

/** Returns which of these txnIds are used. Those of canceled batches that were never sent can be used again. */
export function usedTxnIds(book: Book, txnIds: readonly string[]): Promise<UsedTxn[]> {
  return book.store.read((reader) => usedAmong(reader, txnIds))
}

async function usedAmong({ q }: Reader, txnIds: readonly string[]): Promise<UsedTxn[]> {
  const used = new Map<string, UsedTxn>()
  for (const some of piecesOf(txnIds, atOnce)) {
    const planned = await q
      .selectFrom('book_wallet_plan_rows')
      .innerJoin('book_wallet_plans', 'book_wallet_plans.id', 'book_wallet_plan_rows.plan_id')
      .select(['txn_id', 'plan_id'])
      .where('txn_id', 'in', some)
      .where('cancelled_at', 'is', null)
      .execute()
    for (const { txn_id: txnId, plan_id: planId } of planned) used.set(txnId, { txnId, planId, transfer: null })
    const sent = await q.selectFrom('book_transfers').selectAll().where('txn_id', 'in', some).execute()
    for (const transfer of sent)
      used.set(transfer.txn_id, { txnId: transfer.txn_id, planId: transfer.plan_id, transfer })
  }
  return txnIds.flatMap((txnId) => used.get(txnId) ?? [])
}

/** Returns the latest batch with the same file or the same transfers. A canceled one counts if some of its transfers were sent. */
export function findDuplicate(
  book: Book,
  of: { readonly sourceSha256: string; readonly rows: readonly BatchItem[] },
): Promise<BookWalletPlanRow | undefined> {
  const about = { source_sha256: of.sourceSha256, movements: movementsDigest(of.rows) }
  return book.store.read((reader) => duplicateOf(reader, about))
}

function duplicateOf({ q }: Reader, of: Pick<BookWalletPlanRow, 'source_sha256' | 'movements'>) {
  return q
    .selectFrom('book_wallet_plans')
    .selectAll()
    .where((eb) => eb.or([eb('source_sha256', '=', of.source_sha256), eb('movements', '=', of.movements)]))
    .where((eb) =>
      eb.or([
        eb('cancelled_at', 'is', null),
        eb.exists(
          eb
            .selectFrom('book_transfers')
            .select('txn_id')
            .whereRef('book_transfers.plan_id', '=', 'book_wallet_plans.id')
            .where('state', 'in', ['done', 'unknown']),
        ),
      ]),
    )
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Creates the problem for a batch with the same transfers. */
export function batchExists(duplicate: BookWalletPlanRow): Problem {
  const at = new Date(duplicate.made_at).toISOString()
  return new Problem(
    'PLAN_EXISTS',
    `Batch ${duplicate.id} of ${minuteText(at)} (${duplicate.source}, by ${duplicate.made_by}) has the same transfers${standingText(duplicate)}. To move the money again, pass --again. No batch was created`,
    {
      planId: duplicate.id,
      madeAt: at,
      madeBy: duplicate.made_by,
      source: duplicate.source,
      begun: duplicate.begun_at !== null,
    },
  )
}

function standingText({ begun_at: begun, cancelled_at: cancelled }: BookWalletPlanRow): string {
  if (cancelled !== null) return ' and was canceled after some were sent'
  return begun === null ? '' : ' and is started'
}

/** Rejects an ID of another batch, canceled or not, because an approval refers to it by its ID. */
export async function refuseUsedId(book: Book, planId: string): Promise<void> {
  const existing = await book.store.read((reader) => batchRow(reader, planId))
  if (existing) throw batchIdTaken(existing)
}

function batchIdTaken({ id, made_at: at, made_by: by }: BookWalletPlanRow): Problem {
  return new Problem(
    'PLAN_EXISTS',
    `Batch ${id} already exists, created ${minuteText(at)} by ${by}. Pass another --id. No batch was created`,
    { planId: id, madeAt: new Date(at).toISOString(), madeBy: by },
  )
}

/** Returns the batch of an ID. Throws PLAN_NOT_FOUND, and PLAN_CHANGED if its content does not match its digest. */
export async function transferBatch(book: Book, planId: string): Promise<StoredBatch> {
  const batch = await book.store.read(async (reader) => {
    const head = await batchRow(reader, planId)
    return head && { head, ...(await partsOf(reader, planId)) }
  })
  if (!batch)
    throw new Problem('PLAN_NOT_FOUND', `The book has no batch ${planId}. To list batches: countroom wallet plans`, {
      planId,
    })
  refuseChanged(batch)
  return batch
}

async function partsOf({ q }: Reader, planId: string): Promise<Omit<StoredBatch, 'head'>> {
  const items = await q
    .selectFrom('book_wallet_plan_rows')
    .selectAll()
    .where('plan_id', '=', planId)
    .orderBy('place')
    .execute()
  const approvals = await q
    .selectFrom('book_wallet_approvals')
    .selectAll()
    .where('plan_id', '=', planId)
    .orderBy('approved_at')
    .orderBy('name_key')
    .execute()
  const transfers = await q.selectFrom('book_transfers').selectAll().where('plan_id', '=', planId).execute()
  return {
    rows: items.map(({ plan_id: _plan, txn_id: txnId, place, line, username, dir, amount, currency, note }) => ({
      ...{ place, line, txnId, username, dir, amount, currency, note },
    })),
    approvals,
    transfers: new Map(transfers.map((transfer) => [transfer.txn_id, transfer])),
  }
}

type Known = 'id' | 'company_code' | 'environment' | 'source_sha256' | 'note' | 'made_by' | 'creates'

function digestOf(head: Pick<BookWalletPlanRow, Known>, rows: readonly BatchItem[]): string {
  const {
    id: planId,
    company_code: companyCode,
    source_sha256: sourceSha256,
    made_by: madeBy,
    environment,
    note,
  } = head
  const creates = head.creates === 1
  return batchDigest({ planId, companyCode, environment, sourceSha256, note, madeBy, creates, rows })
}

function refuseChanged({ head, rows }: StoredBatch): void {
  const planId = head.id
  const digest = digestOf(head, rows)
  if (digest === head.digest && head.totals === JSON.stringify(totalsOf(rows))) return
  throw new Problem(
    'PLAN_CHANGED',
    `The rows of batch ${planId} were changed in the book, outside countroom. Nothing is sent. To create a new batch: countroom help wallet plan`,
    { planId, digest: head.digest, found: digest },
  )
}

/** Returns the batches, newest first. */
export function listTransferBatches(book: Book, limit: number): Promise<BookWalletPlanRow[]> {
  return book.store.read(({ q }) =>
    q
      .selectFrom('book_wallet_plans')
      .selectAll()
      .orderBy('made_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  )
}

/** Returns started batches that are not canceled, earliest first. */
export function begunBatches(book: Book): Promise<BookWalletPlanRow[]> {
  return book.store.read(({ q }) =>
    q
      .selectFrom('book_wallet_plans')
      .selectAll()
      .where('begun_at', 'is not', null)
      .where('cancelled_at', 'is', null)
      .orderBy('begun_at')
      .execute(),
  )
}

/** Returns the progress of each batch. `isRetried` tells whether a rejection is tried again. */
export async function talliesOf(
  book: Book,
  planIds: readonly string[],
  isRetried: (refusal: string | null) => boolean,
): Promise<ReadonlyMap<string, BatchTally>> {
  const tallies = new Map<string, BatchTally>(planIds.map((id) => [id, { done: 0, refused: 0, unknown: 0 }]))
  if (planIds.length === 0) return tallies
  const stateCounts = await book.store.read(({ q }) =>
    q
      .selectFrom('book_transfers')
      .select(({ fn }) => ['plan_id', 'state', 'refusal', fn.countAll().as('count')])
      .where('plan_id', 'in', planIds)
      .groupBy(['plan_id', 'state', 'refusal'])
      .execute(),
  )
  for (const { plan_id: planId, state, refusal, count } of stateCounts) {
    const tally = tallies.get(planId ?? '')
    if (!tally || state === 'new' || (state === 'refused' && isRetried(refusal))) continue
    tallies.set(planId ?? '', { ...tally, [state]: tally[state] + Number(count) })
  }
  return tallies
}

/** Returns the batch of a txnId that is not canceled, or null. */
export async function batchHolding({ q }: Reader, txnId: string): Promise<string | null> {
  const row = await q
    .selectFrom('book_wallet_plan_rows')
    .innerJoin('book_wallet_plans', 'book_wallet_plans.id', 'book_wallet_plan_rows.plan_id')
    .select('plan_id')
    .where('txn_id', '=', txnId)
    .where('cancelled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row?.plan_id ?? null
}

export function batchRow({ q }: Reader, planId: string): Promise<BookWalletPlanRow | undefined> {
  return q.selectFrom('book_wallet_plans').selectAll().where('id', '=', planId).executeTakeFirst()
}
