import assert from 'node:assert/strict'
import type { Tx } from '../../db/store.ts'
import { type Account, type AccountKind, accountName, type Entry, posted } from '../../domain/payments/ledger.ts'
import { balanceOf, insertEntry, saveBalance } from './queries/ledger.ts'
import type { Gateway } from './service.ts'

/**
 * Posts entries and updates the balances. Returns `too-little`, without changes, when an account would become negative.
 */
export async function post(
  app: Gateway,
  tx: Tx,
  entries: readonly Entry[],
  ref: string,
): Promise<'posted' | 'too-little'> {
  if (entries.length === 0) return 'posted'
  const before = new Map<string, bigint>()
  for (const { kind, owner, currency } of entries) {
    const account = { kind, owner, currency }
    if (!before.has(accountName(account))) before.set(accountName(account), await balanceOf(tx, account))
  }
  const after = posted(entries, (account) => before.get(accountName(account)) ?? 0n)
  if (after === 'too-little') return 'too-little'
  for (const { account, balance } of after) await saveBalance(tx, account, balance)
  const posting = app.id()
  for (const [position, entry] of entries.entries())
    await insertEntry(tx, {
      posting,
      position,
      account: accountName(entry),
      units: String(entry.units),
      ref,
      at: tx.now,
    })
  return 'posted'
}

/** Posts entries whose funds are known to exist; if they do not, the transaction fails as a bug. */
export async function postOrThrow(app: Gateway, tx: Tx, entries: readonly Entry[], ref: string): Promise<void> {
  assert((await post(app, tx, entries, ref)) === 'posted', `${ref} moves more than the account has`)
}

/** Returns an account from its parts, in order. */
export function accountOf(kind: AccountKind, owner: string, currency: string): Account {
  return { kind, owner, currency }
}
