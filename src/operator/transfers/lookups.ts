import type { BookTransferCheckRow, BookTransferRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import { formatUnits, playerScale } from '../../domain/money.ts'
import { foldUsername } from '../../domain/players/player.ts'
import type { LedgerTransfer } from '../../domain/reconcile/transfers.ts'
import { piecesOf } from '../../kit/pieces.ts'
import type { TransferRecord } from '../../services/casino/api/schemas/index.ts'

/** Stored lookups of transfers, so that matched ones are not requested again. */

/** A normalized lookup: a ledger row with other content is looked up again. */
export function checkText({ username, dir, amount, currency }: LedgerTransfer): string {
  const units = formatUnits(amount, playerScale)
  return JSON.stringify([foldUsername(username), dir, units, currency.toUpperCase()])
}

/** Maximum number of values per statement that every engine accepts. */
const idsAtOnce = 500

export async function checksOf({ q }: Reader, txnIds: readonly string[]): Promise<Map<string, BookTransferCheckRow>> {
  const checks = new Map<string, BookTransferCheckRow>()
  for (const some of piecesOf(txnIds, idsAtOnce))
    for (const row of await q.selectFrom('book_transfer_checks').selectAll().where('txn_id', 'in', some).execute())
      checks.set(row.txn_id, row)
  return checks
}

/** Returns every transfer found at the platform for these players; with `since`, those looked up at that time or later. */
export async function checksOfPlayers(
  { q }: Reader,
  players: readonly string[],
  since = 0,
): Promise<BookTransferCheckRow[]> {
  const rows: BookTransferCheckRow[] = []
  for (const some of piecesOf(players, idsAtOnce))
    for (const row of await q
      .selectFrom('book_transfer_checks')
      .selectAll()
      .where('player', 'in', some)
      .where('checked_at', '>=', since)
      .where('found', 'is not', null)
      .execute())
      rows.push(row)
  return rows
}

/** Result of a lookup. */
export interface Checked {
  readonly ledger: LedgerTransfer
  readonly result: BookTransferCheckRow['result']
  readonly record: TransferRecord | null
}

/** Stores lookups. The time of the first lookup is kept. */
export async function keepChecks({ q, now }: Tx, checks: readonly Checked[]): Promise<void> {
  for (const { ledger, result, record } of checks) {
    const row = {
      // The transfer belongs to the player that the platform returns.
      player: foldUsername(record?.username ?? ledger.username),
      order_text: checkText(ledger),
      adjustment: ledger.dir === 'adjust' ? formatUnits(ledger.amount, playerScale) : null,
      result,
      found: record === null ? null : JSON.stringify(record),
      checked_at: now,
    }
    await q
      .insertInto('book_transfer_checks')
      .values({ txn_id: ledger.txnId, first_at: now, ...row })
      .onConflict((conflict) => conflict.column('txn_id').doUpdateSet(row))
      .execute()
  }
}

/** Returns our transfers of these IDs. */
export async function journalOf({ q }: Reader, txnIds: readonly string[]): Promise<Map<string, BookTransferRow>> {
  const rows = new Map<string, BookTransferRow>()
  for (const some of piecesOf(txnIds, idsAtOnce))
    for (const row of await q.selectFrom('book_transfers').selectAll().where('txn_id', 'in', some).execute())
      rows.set(row.txn_id, row)
  return rows
}

/** Returns our transfers stored in a span that may have been carried out. */
export function journalBetween({ q }: Reader, { from, to }: { from: number; to: number }): Promise<BookTransferRow[]> {
  return q
    .selectFrom('book_transfers')
    .selectAll()
    .where('made_at', '>=', from)
    .where('made_at', '<=', to)
    .where('state', 'in', ['done', 'unknown'])
    .orderBy('made_at')
    .orderBy('txn_id')
    .execute()
}

/** Returns all our transfers of these players. */
export async function journalOfPlayers({ q }: Reader, players: readonly string[]): Promise<BookTransferRow[]> {
  const rows: BookTransferRow[] = []
  for (const some of piecesOf(players, idsAtOnce))
    rows.push(
      ...(await q.selectFrom('book_transfers').selectAll().where('name_key', 'in', some).orderBy('made_at').execute()),
    )
  return rows
}

/** Returns the transfers of these players that were done at or after a time, and those with an unknown outcome, oldest first. */
export async function journalSince(
  { q }: Reader,
  players: readonly string[],
  since: number,
): Promise<BookTransferRow[]> {
  const rows: BookTransferRow[] = []
  for (const some of piecesOf(players, idsAtOnce)) {
    const ofState = (state: BookTransferRow['state']) =>
      q.selectFrom('book_transfers').selectAll().where('name_key', 'in', some).where('state', '=', state)
    rows.push(...(await ofState('done').where('changed_at', '>=', since).execute()))
    rows.push(...(await ofState('unknown').execute()))
  }
  return rows.sort((a, b) => a.made_at - b.made_at)
}
