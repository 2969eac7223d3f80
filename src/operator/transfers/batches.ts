import type {
  BookTransferRow,
  BookWalletApprovalRow,
  BookWalletPlanItemRow,
  BookWalletPlanRow,
} from '../../db/schema/book.ts'
import type { Reader } from '../../db/store.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { movementsDigest, type PlanRow, planDigest, totalsOf } from '../../domain/wallet/batch.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'
import type { Person } from './batch-decisions.ts'

export interface PlanDraft {
  readonly planId: string
  readonly companyCode: string
  readonly environment: 'live' | 'sandbox'
  readonly target: string
  readonly source: string
  readonly sourceSha256: string
  readonly note: string | null
  readonly creates: boolean
  readonly by: Person
  readonly rows: readonly PlanRow[]
}

export interface KeptWalletPlan {
  readonly plan: BookWalletPlanRow
  readonly rows: readonly PlanRow[]
  readonly approvals: readonly BookWalletApprovalRow[]
  /** What was begun of it, by txnId. */
  readonly transfers: ReadonlyMap<string, BookTransferRow>
}

/** How many of its transfers stand how. */
export interface PlanTally {
  readonly done: number
  readonly refused: number
  readonly unknown: number
}

/** So many values go into one statement: every engine takes as many. */
const atOnce = 500

/** The row of a plan as it would be kept. */
export function plannedRow(draft: PlanDraft): BookWalletPlanRow {
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
  return { ...about, digest: digestOf(about, rows), made_at: 0, begun_at: null, cancelled_at: null, cancelled_by: null }
}

/**
 * Keeps a plan. Refused with TXN_CONFLICT when a txnId was used meanwhile, and with PLAN_EXISTS when there is a plan that
 * moves the same money and `again` was not said.
 */
export function keepWalletPlan(
  book: Book,
  draft: PlanDraft,
  { again }: { readonly again: boolean },
): Promise<BookWalletPlanRow> {
  const { planId, rows } = draft
  const planned = plannedRow(draft)
  const txnIds = rows.map(({ txnId }) => txnId)
  return book.store.write(async (tx) => {
    const [used] = await usedAmong(tx, txnIds)
    if (used !== undefined)
      throw new Problem('TXN_CONFLICT', `${used.txnId} ${usedText(used)}. No plan was made`, {
        ...used,
        remoteCode: null,
      })
    const namesake = await planRow(tx, planId)
    if (namesake) throw planNamed(namesake)
    const twin = again ? undefined : await twinOf(tx, planned)
    if (twin) throw planExists(twin)
    const row = { ...planned, made_at: tx.now }
    await tx.q.insertInto('book_wallet_plans').values(row).execute()
    for (let at = 0; at < rows.length; at += atOnce)
      await tx.q
        .insertInto('book_wallet_plan_rows')
        .values(rows.slice(at, at + atOnce).map((each) => toItem(planId, each)))
        .execute()
    return row
  })
}

const toItem = (planId: string, { txnId, ...row }: PlanRow): BookWalletPlanItemRow => ({
  ...row,
  plan_id: planId,
  txn_id: txnId,
})

/** A txnId that cannot be taken: it is a transfer of ours, or stands in a plan. */
export interface UsedTxn {
  readonly txnId: string
  readonly planId: string | null
  readonly transfer: Pick<BookTransferRow, 'username' | 'dir' | 'amount' | 'currency' | 'state'> | null
}

export function usedText({ planId, transfer }: UsedTxn): string {
  if (transfer === null) return `stands in the plan ${planId}`
  const was = transfer.dir === 'in' ? 'a deposit' : 'a withdrawal'
  return `is in the book as ${was} of ${transfer.amount} ${transfer.currency}, player ${transfer.username}: one txnId is one transfer for ever`
}

/** Which of these txnIds are taken. Those of a cancelled plan that were never sent are free again. */
export function usedTxnIds(book: Book, txnIds: readonly string[]): Promise<UsedTxn[]> {
  return book.store.read((reader) => usedAmong(reader, txnIds))
}

async function usedAmong({ q }: Reader, txnIds: readonly string[]): Promise<UsedTxn[]> {
  const used = new Map<string, UsedTxn>()
  for (let at = 0; at < txnIds.length; at += atOnce) {
    const some = txnIds.slice(at, at + atOnce)
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

/** The latest plan of the same bytes or of the same movements of money. A cancelled one counts where some of its money moved, or may have. */
export function findTwin(
  book: Book,
  of: { readonly sourceSha256: string; readonly rows: readonly PlanRow[] },
): Promise<BookWalletPlanRow | undefined> {
  const about = { source_sha256: of.sourceSha256, movements: movementsDigest(of.rows) }
  return book.store.read((reader) => twinOf(reader, about))
}

function twinOf({ q }: Reader, of: Pick<BookWalletPlanRow, 'source_sha256' | 'movements'>) {
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

/** That this money was planned before. */
export function planExists(twin: BookWalletPlanRow): Problem {
  const at = new Date(twin.made_at).toISOString()
  return new Problem(
    'PLAN_EXISTS',
    `The plan ${twin.id} of ${at} (${twin.source}, by ${twin.made_by}) moves the same money${standingText(twin)}: say --again if it is meant to move once more. No plan was made`,
    { planId: twin.id, madeAt: at, madeBy: twin.made_by, source: twin.source, begun: twin.begun_at !== null },
  )
}

function standingText({ begun_at: begun, cancelled_at: cancelled }: BookWalletPlanRow): string {
  if (cancelled !== null) return ', and was cancelled when some of it had moved'
  return begun === null ? '' : ', and was begun'
}

/** Refuses an id that a plan has or had, cancelled or not: what was approved under it once is not approved again by its name. */
export async function refuseNamesake(book: Book, planId: string): Promise<void> {
  const namesake = await book.store.read((reader) => planRow(reader, planId))
  if (namesake) throw planNamed(namesake)
}

function planNamed({ id, made_at: at, made_by: by }: BookWalletPlanRow): Problem {
  return new Problem(
    'PLAN_EXISTS',
    `There is a plan ${id} already, made ${new Date(at).toISOString()} by ${by}: an id is one plan for ever. No plan was made`,
    { planId: id, madeAt: new Date(at).toISOString(), madeBy: by },
  )
}

/** The plan of that id with all there is about it; refused with PLAN_NOT_FOUND, and with PLAN_CHANGED when it is not what its digest says. */
export async function walletPlan(book: Book, planId: string): Promise<KeptWalletPlan> {
  const kept = await book.store.read(async (reader) => {
    const plan = await planRow(reader, planId)
    return plan && { plan, ...(await partsOf(reader, planId)) }
  })
  if (!kept) throw new Problem('PLAN_NOT_FOUND', `The book has no plan ${planId}`, { planId })
  refuseChanged(kept)
  return kept
}

async function partsOf({ q }: Reader, planId: string): Promise<Omit<KeptWalletPlan, 'plan'>> {
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

function digestOf(plan: Pick<BookWalletPlanRow, Known>, rows: readonly PlanRow[]): string {
  const {
    id: planId,
    company_code: companyCode,
    source_sha256: sourceSha256,
    made_by: madeBy,
    environment,
    note,
  } = plan
  const creates = plan.creates === 1
  return planDigest({ planId, companyCode, environment, sourceSha256, note, madeBy, creates, rows })
}

function refuseChanged({ plan, rows }: KeptWalletPlan): void {
  const planId = plan.id
  const digest = digestOf(plan, rows)
  if (digest === plan.digest && plan.totals === JSON.stringify(totalsOf(rows))) return
  throw new Problem(
    'PLAN_CHANGED',
    `The plan ${planId} is not what was made: its rows were changed in the book. Nothing is done with it; make it anew`,
    { planId, digest: plan.digest, found: digest },
  )
}

/** The plans, the latest first. */
export function listWalletPlans(book: Book, limit: number): Promise<BookWalletPlanRow[]> {
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

/** Plans that were begun and not cancelled, the earliest first. */
export function begunWalletPlans(book: Book): Promise<BookWalletPlanRow[]> {
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

/** How far each of these plans has come. `isRetried` says of a refusal that it was not the last word. */
export async function talliesOf(
  book: Book,
  planIds: readonly string[],
  isRetried: (refusal: string | null) => boolean,
): Promise<ReadonlyMap<string, PlanTally>> {
  const tallies = new Map<string, PlanTally>(planIds.map((id) => [id, { done: 0, refused: 0, unknown: 0 }]))
  if (planIds.length === 0) return tallies
  const found = await book.store.read(({ q }) =>
    q
      .selectFrom('book_transfers')
      .select(({ fn }) => ['plan_id', 'state', 'refusal', fn.countAll().as('count')])
      .where('plan_id', 'in', planIds)
      .groupBy(['plan_id', 'state', 'refusal'])
      .execute(),
  )
  for (const { plan_id: planId, state, refusal, count } of found) {
    const tally = tallies.get(planId ?? '')
    if (!tally || state === 'new' || (state === 'refused' && isRetried(refusal))) continue
    tallies.set(planId ?? '', { ...tally, [state]: tally[state] + Number(count) })
  }
  return tallies
}

/** The plan in which a txnId stands and which is not cancelled, or null. */
export async function planHolding({ q }: Reader, txnId: string): Promise<string | null> {
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

export function planRow({ q }: Reader, planId: string): Promise<BookWalletPlanRow | undefined> {
  return q.selectFrom('book_wallet_plans').selectAll().where('id', '=', planId).executeTakeFirst()
}
