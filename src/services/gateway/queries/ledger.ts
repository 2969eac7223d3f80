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

/** Returns every account, for proving that the ledger sums to zero. */
export function allBalances({ q }: Reader): Promise<BalanceRow[]> {
  return q.selectFrom('gateway_balances').selectAll().orderBy('account').execute()
}

export function allEntries({ q }: Reader): Promise<EntryRow[]> {
  return q.selectFrom('gateway_entries').selectAll().orderBy('posting').orderBy('position').execute()
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
