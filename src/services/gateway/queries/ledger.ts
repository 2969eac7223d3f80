import type { BalanceRow, EntryRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { type Account, accountName } from '../../../domain/payments/ledger.ts'

export async function balanceOf({ q }: Reader, account: Account): Promise<bigint> {
  const row = await q
    .selectFrom('gateway_balances')
    .select('units')
    .where('account', '=', accountName(account))
    .executeTakeFirst()
  return BigInt(row?.units ?? 0)
}

export function balancesOf({ q }: Reader, owner: string): Promise<BalanceRow[]> {
  return q
    .selectFrom('gateway_balances')
    .selectAll()
    .where('owner', '=', owner)
    .orderBy('currency')
    .orderBy('kind')
    .execute()
}

/** Returns the balance of every account, for the audit of the ledger. */
export function allBalances({ q }: Reader): Promise<BalanceRow[]> {
  return q.selectFrom('gateway_balances').selectAll().orderBy('account').execute()
}

export function allEntries({ q }: Reader): Promise<EntryRow[]> {
  return q.selectFrom('gateway_entries').selectAll().orderBy('posting').orderBy('position').execute()
}

/** Returns the balances of a merchant and of its sub-accounts. */
export function balancesOfMerchant({ q }: Reader, merchant: string): Promise<BalanceRow[]> {
  const subaccounts = q.selectFrom('gateway_subaccounts').select('id').where('merchant', '=', merchant)
  return q
    .selectFrom('gateway_balances')
    .selectAll()
    .where((is) => is.or([is('owner', '=', merchant), is('owner', 'in', subaccounts)]))
    .orderBy('account')
    .execute()
}

/** Number of entries read at once. */
const entriesAtOnce = 2000

/** Reads the postings that touch an account, in the order of time. */
export async function* postingsOf({ q }: Reader, account: string): AsyncGenerator<Pick<EntryRow, 'posting' | 'at'>[]> {
  let after: { at: number; posting: string } | undefined
  for (;;) {
    let query = q.selectFrom('gateway_entries').select(['posting', 'at']).distinct().where('account', '=', account)
    if (after !== undefined) {
      const { at, posting } = after
      query = query.where('at', '>=', at).where((is) => is.or([is('at', '>', at), is('posting', '>', posting)]))
    }
    const rows = await query.orderBy('at').orderBy('posting').limit(entriesAtOnce).execute()
    if (rows.length > 0) yield rows
    after = rows.at(-1)
    if (rows.length < entriesAtOnce) return
  }
}

/** Returns all entries of postings. */
export function entriesOfPostings({ q }: Reader, postings: readonly string[]): Promise<EntryRow[]> {
  return q
    .selectFrom('gateway_entries')
    .selectAll()
    .where('posting', 'in', postings)
    .orderBy('posting')
    .orderBy('position')
    .execute()
}

export async function saveBalance({ q }: Tx, account: Account, units: bigint): Promise<void> {
  await q
    .insertInto('gateway_balances')
    .values({ account: accountName(account), ...account, units: String(units) })
    .onConflict((conflict) => conflict.column('account').doUpdateSet({ units: String(units) }))
    .execute()
}

export async function insertEntry({ q }: Tx, row: EntryRow): Promise<void> {
  await q.insertInto('gateway_entries').values(row).execute()
}

/** Lists the latest entries of an account, newest first. */
export function latestEntries({ q }: Reader, account: string, limit: number): Promise<EntryRow[]> {
  return q
    .selectFrom('gateway_entries')
    .selectAll()
    .where('account', '=', account)
    .orderBy('at', 'desc')
    .orderBy('posting', 'desc')
    .limit(limit)
    .execute()
}
