import { foldUsername } from '../../domain/players/player.ts'
import { forecast, type KnownPlayer, madeTxnId, type PlanRow } from '../../domain/wallet/batch.ts'
import type { Book } from '../book/book.ts'
import { faultyRows, type TransferFile } from './batch-file.ts'
import { withSimilarNames } from './batch-warnings.ts'
import { findDuplicate, planExists, usedText, usedTxnIds } from './batches.ts'

/** Rows of a batch before it is stored, and the checks of all of them together. */

/** Returns the rows of a file with their places, and with a txnId for every row. */
export function draftRows({ rows }: TransferFile, planId: string): PlanRow[] {
  return rows.map(({ txnId, ...row }, i): PlanRow => {
    const place = i + 1
    return { ...row, place, txnId: txnId ?? madeTxnId(planId, place) }
  })
}

/** Returns the rows with the platform's spelling of the names of players that exist. */
export function withPlatformNames(rows: readonly PlanRow[], players: ReadonlyMap<string, KnownPlayer>): PlanRow[] {
  return rows.map((row) => ({
    ...row,
    username: players.get(foldUsername(row.username))?.username ?? row.username,
  }))
}

/** Returns the folded names of players in the rows that do not exist. */
export function newPlayersIn(rows: readonly PlanRow[], players: ReadonlyMap<string, KnownPlayer>): string[] {
  const names = new Set(rows.map(({ username }) => foldUsername(username)))
  return [...names].filter((key) => !players.has(key))
}

/** Rejects what the book alone can reject: used transfer IDs and transfers of an earlier batch, unless `again` is set. */
export async function refuseUsed(
  book: Book,
  file: TransferFile,
  { sourceSha256, rows, again }: { sourceSha256: string; rows: readonly PlanRow[]; again: boolean },
): Promise<void> {
  const lines = new Map(file.rows.flatMap(({ txnId, line }) => (txnId === undefined ? [] : [[txnId, line] as const])))
  const used = await usedTxnIds(book, [...lines.keys()])
  // Every ID of a repeated file is used; the useful message is that the file is already in a batch.
  const duplicate = again ? undefined : await findDuplicate(book, { sourceSha256, rows })
  if (duplicate) throw planExists(duplicate)
  if (used.length === 0) return
  const faults = used.map((each) => ({
    ...{ line: lines.get(each.txnId) ?? 0, field: 'txnId', code: 'TXN_CONFLICT' },
    message: `the transfer ID ${each.txnId} ${usedText(each)}`,
  }))
  throw faultyRows('TXN_CONFLICT', faults, file.unit, rows.length)
}

/** Rejects all rows at once that the platform would reject now. Errors about unknown players suggest similar known names. */
export function refuseUncovered(
  { rows, unit }: TransferFile,
  players: ReadonlyMap<string, KnownPlayer>,
  { creates, knownNames }: { readonly creates: boolean; readonly knownNames: readonly string[] },
): void {
  const forecasts = forecast(rows, players, { creates })
  const [first] = forecasts
  if (first) throw faultyRows(first.code, withSimilarNames(forecasts, knownNames), unit, rows.length)
}
