import { foldUsername } from '../../domain/players/player.ts'
import { type BatchItem, forecast, generatedTxnId, type KnownPlayer } from '../../domain/wallet/batch.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'
import { faultyRows, type RowFault, type TransferFile } from './batch-file.ts'
import { withSimilarNames } from './batch-warnings.ts'
import { batchExists, findDuplicate, usedText, usedTxnIds } from './batches.ts'

/** Rows of a batch before it is stored, and the checks of all of them together. */

/** Returns the rows of a file with their places, and with a txnId for every row. */
export function draftRows({ rows }: TransferFile, planId: string): BatchItem[] {
  return rows.map(({ txnId, ...row }, i): BatchItem => {
    const place = i + 1
    return { ...row, place, txnId: txnId ?? generatedTxnId(planId, place) }
  })
}

/** Returns the rows with the platform's spelling of the names of players that exist. */
export function withPlatformNames(rows: readonly BatchItem[], players: ReadonlyMap<string, KnownPlayer>): BatchItem[] {
  return rows.map((row) => ({
    ...row,
    username: players.get(foldUsername(row.username))?.username ?? row.username,
  }))
}

/** Returns the folded names of players in the rows that do not exist. */
export function newPlayersIn(rows: readonly BatchItem[], players: ReadonlyMap<string, KnownPlayer>): string[] {
  const names = new Set(rows.map(({ username }) => foldUsername(username)))
  return [...names].filter((key) => !players.has(key))
}

/** Rejects transfers that are already in an earlier batch, unless `again` is set. */
export async function refuseDuplicate(
  book: Book,
  batch: { readonly sourceSha256: string; readonly rows: readonly BatchItem[]; readonly again: boolean },
): Promise<void> {
  const duplicate = batch.again ? undefined : await findDuplicate(book, batch)
  if (duplicate) throw batchExists(duplicate)
}

/** Returns the rows whose transfer ID the book has already. */
export async function usedFaults(book: Book, { rows }: TransferFile): Promise<RowFault[]> {
  const lines = new Map(rows.flatMap(({ txnId, line }) => (txnId === undefined ? [] : [[txnId, line] as const])))
  return (await usedTxnIds(book, [...lines.keys()])).map((each) => ({
    ...{ line: lines.get(each.txnId) ?? 0, field: 'txnId', code: 'TXN_CONFLICT' },
    message: `the transfer ID ${each.txnId} ${usedText(each)}`,
  }))
}

/**
 * Returns the rows that the platform would reject now, among those that are valid in the file. Errors about unknown
 * players suggest similar known names. A balance is not forecast for a player with an invalid row.
 */
export function forecastFaults(
  { rows, faults, doubtful }: TransferFile,
  players: ReadonlyMap<string, KnownPlayer>,
  { creates, knownNames }: { readonly creates: boolean; readonly knownNames: readonly string[] },
): Omit<RowFault, 'field'>[] {
  const faulty = new Set(faults.map(({ line }) => line))
  const forecasts = forecast(rows, players, { creates }).filter(
    ({ line, code, username }) =>
      !faulty.has(line) && (code !== 'INSUFFICIENT_BALANCE' || !doubtful.has(foldUsername(username))),
  )
  return withSimilarNames(forecasts, knownNames)
}

/** Rejects all invalid rows at once; the code is that of the first kind: file, book, platform. */
export function refuseFaulty(
  file: TransferFile,
  faults: readonly (Omit<RowFault, 'field'> & { readonly field?: string })[],
  unasked?: Problem,
): void {
  const [first] = faults
  if (!first) return
  const code = file.faults.length > 0 ? 'INVALID_FILE' : first.code
  const { message, detail } = faultyRows(code, faults, file.unit, file.count)
  const note = unasked ? `\nThe platform was not asked about the other rows: ${unasked.message} (${unasked.code})` : ''
  throw new Problem(code, `${message}${note}`, detail)
}
