import type { BookTransferCheckRow, BookTransferRow } from '../../db/schema/book.ts'
import type { Reader } from '../../db/store.ts'
import { parseAmount } from '../../domain/money.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { changeOf, differencesOf } from '../../domain/reconcile/transfers.ts'
import { nearMs } from '../../domain/wallet/balance-proof.ts'
import { mapConcurrent } from '../../kit/map-concurrent.ts'
import { piecesOf } from '../../kit/pieces.ts'
import { isProblem } from '../../kit/problem.ts'
import type { TransferRecord } from '../../services/casino/api/schemas/index.ts'
import { amountOf } from '../bets/slip-versions.ts'
import type { Book } from '../book/book.ts'
import { ledgerOf, recordOfCheck } from '../reconcile/transfers/reconcile.ts'
import {
  type Checked,
  checksOf,
  checksOfPlayers,
  journalOfPlayers,
  journalSince,
  keepChecks,
} from '../transfers/lookups.ts'
import type { ReadingWork } from './read.ts'

/** Wallet transfers in the book: our journal, and looked-up transfers of ledgers. */

export interface WalletTransfer {
  readonly txnId: string
  readonly dir: 'in' | 'out' | 'adjust'
  /** Change of the balance; null if the sign of an adjustment is unknown. */
  readonly change: bigint | null
  readonly amount: bigint
  /** `open`: the outcome is unknown. */
  readonly state: 'done' | 'open'
  /** Time at the platform, if looked up. */
  readonly at: number | null
  /** Times by this machine's clock: written to the journal, and outcome known. Null for transfers of others. */
  readonly ours: { readonly madeAt: number; readonly doneAt: number } | null
}

/** A reading as it relates to a transfer. */
export interface ReadAt {
  readonly requestedAt: number
  readonly answeredAt: number
  readonly at: number
}

/** Largest error of a reading's position for our transfers, and of the platform's clock. */
const ourSlackMs = nearMs
const theirSlackMs = 300_000
/** Time after the last attempt during which a missing transfer may still be in progress. */
const openMs = 900_000

/** Returns whether a reading includes a transfer by their times, and whether that is uncertain. */
export function inclusionOf(
  transfer: WalletTransfer,
  read: ReadAt,
): { readonly isIn: boolean; readonly isSure: boolean } {
  const { ours, at } = transfer
  if (ours && ours.doneAt + ourSlackMs <= read.requestedAt) return { isIn: true, isSure: true }
  if (ours && ours.madeAt >= read.answeredAt + ourSlackMs) return { isIn: false, isSure: true }
  // The response arrived before the balance was requested, by the same clock.
  if (ours && ours.doneAt <= read.requestedAt) return { isIn: true, isSure: false }
  if (ours && ours.madeAt >= read.answeredAt) return { isIn: false, isSure: false }
  if (at === null) return { isIn: false, isSure: false }
  return { isIn: at <= read.at, isSure: Math.abs(at - read.at) > theirSlackMs }
}

/** A player, and the first reading whose transfers matter: earlier ones are in its balance. Null for all transfers. */
export interface TransfersOf {
  readonly player: string
  readonly firstReadAt: number | null
}

/** Far beyond every error of a clock and of a transfer's time. */
const sinceSlackMs = 3_600_000

/** Players whose transfers are read from the same time on. */
const playersAtOnce = 500

/**
 * Returns our transfers of these players, those of a player oldest first. Of players with a first reading, only the
 * ones that it may lack.
 */
export async function journalFor(reader: Reader, players: readonly TransfersOf[]): Promise<BookTransferRow[]> {
  const rows: BookTransferRow[] = []
  for (const { names, since } of batchesOf(players))
    rows.push(...(since === null ? await journalOfPlayers(reader, names) : await journalSince(reader, names, since)))
  return rows
}

/** Returns the lookups of these players' transfers, and those of the transfers in the journal, however old. */
async function checksFor(
  reader: Reader,
  players: readonly TransfersOf[],
  journal: readonly BookTransferRow[],
): Promise<BookTransferCheckRow[]> {
  const checks = new Map<string, BookTransferCheckRow>()
  for (const { names, since } of batchesOf(players))
    for (const row of await checksOfPlayers(reader, names, since ?? 0)) checks.set(row.txn_id, row)
  const ours = journal.flatMap(({ txn_id }) => (checks.has(txn_id) ? [] : [txn_id]))
  const known = new Set(players.map(({ player }) => player))
  for (const row of (await checksOf(reader, ours)).values())
    if (row.found !== null && known.has(row.player)) checks.set(row.txn_id, row)
  return [...checks.values()]
}

/** Batches of players, those with nearby readings together, with the earliest time of each batch. */
function* batchesOf(players: readonly TransfersOf[]) {
  const whole = players.filter(({ firstReadAt }) => firstReadAt === null)
  if (whole.length > 0) yield { names: whole.map(({ player }) => player), since: null }
  const others = players
    .flatMap(({ player, firstReadAt }) => (firstReadAt === null ? [] : [{ player, firstReadAt }]))
    .sort((a, b) => a.firstReadAt - b.firstReadAt)
  for (const some of piecesOf(others, playersAtOnce))
    yield { names: some.map(({ player }) => player), since: (some[0]?.firstReadAt ?? 0) - sinceSlackMs }
}

/** Returns the transfers of these players. Our transfers with unknown outcome are looked up, and the results stored. */
export async function transfersOfPlayers(
  work: ReadingWork,
  players: readonly TransfersOf[],
): Promise<Map<string, WalletTransfer[]>> {
  const { journal, checks } = await work.book.store.read(async (reader) => {
    const journal = await journalFor(reader, players)
    return { journal, checks: await checksFor(reader, players, journal) }
  })
  const known = new Set(checks.map(({ txn_id }) => txn_id))
  const open = journal.filter(
    ({ state, attempts, txn_id }) => state === 'unknown' && attempts > 0 && !known.has(txn_id),
  )
  const recordsById = await lookUpRows(work, open)
  const transfers = new Map<string, WalletTransfer[]>()
  const add = (player: string, transfer: WalletTransfer) =>
    transfers.set(player, [...(transfers.get(player) ?? []), transfer])
  const oursBy = new Map(journal.map((row) => [row.txn_id, row]))
  for (const check of checks) {
    const record = recordOfCheck(check)
    if (!record) continue
    const own = oursBy.get(check.txn_id)
    add(check.player, fromRecord(record, own?.name_key === check.player ? own : undefined, check.adjustment))
  }
  for (const row of journal) {
    if (known.has(row.txn_id)) continue
    const record = recordsById.get(row.txn_id)
    if (record) add(row.name_key, fromRecord(record, row, null))
    else if (row.state === 'done' || isOpen(row, work.here())) add(row.name_key, fromJournal(row))
  }
  return transfers
}

const isOpen = ({ state, changed_at }: BookTransferRow, now: number) => state === 'unknown' && now - changed_at < openMs

function fromRecord(
  record: TransferRecord,
  own: BookTransferRow | undefined,
  adjustment: string | null,
): WalletTransfer {
  const amount = amountOf(record.amount) ?? 0n
  const signed = adjustment === null ? null : amountOf(adjustment)
  return {
    txnId: record.txnId,
    dir: record.dir,
    change: changeOf({ dir: record.dir, amount }, signed),
    amount,
    state: 'done',
    at: Date.parse(record.at),
    // Only a direct response has an exact time; a transfer that was looked up later was carried out some time before.
    ours: own?.state === 'done' && own.attempts <= 1 ? { madeAt: own.made_at, doneAt: own.changed_at } : null,
  }
}

function fromJournal(row: BookTransferRow): WalletTransfer {
  const amount = parseAmount(row.amount)
  const change = row.dir === 'in' ? amount : -amount
  const ours = { madeAt: row.made_at, doneAt: row.changed_at }
  return {
    txnId: row.txn_id,
    dir: row.dir,
    change,
    amount,
    state: row.state === 'done' ? 'done' : 'open',
    at: null,
    ours,
  }
}

/** Number of lookups stored at once, and number in parallel. */
const keptAtOnce = 200
const callsAtOnce = 8

/**
 * Looks up these rows of ours at the platform and stores the results, so that an interrupted run continues there. Omits
 * transfers that the platform does not have or has for another player: they moved nothing of this player.
 */
export async function lookUpRows(
  work: Pick<ReadingWork, 'platform' | 'book' | 'signal'>,
  rows: readonly BookTransferRow[],
): Promise<Map<string, TransferRecord>> {
  const recordsById = new Map<string, TransferRecord>()
  for (const some of piecesOf(rows, keptAtOnce)) {
    work.signal?.throwIfAborted()
    const records = await mapConcurrent(some, callsAtOnce, (row) => lookUp(work, row))
    const checks = some.flatMap((row, i): Checked[] => {
      const record = records[i]
      return record ? [{ ledger: ledgerOf(row), result: resultOf(row, record), record }] : []
    })
    await keep(work.book, checks)
    for (const record of records) if (record) recordsById.set(record.txnId, record)
  }
  return recordsById
}

async function lookUp(
  { platform, signal }: Pick<ReadingWork, 'platform' | 'signal'>,
  { txn_id: txnId, username }: BookTransferRow,
): Promise<TransferRecord | null> {
  try {
    const record = await platform.transfer({ query: { txnId, username } }, signal ? { signal } : {})
    return foldUsername(record.username) === foldUsername(username) ? record : null
  } catch (error) {
    if (isProblem(error, 'TXN_NOT_FOUND')) return null
    throw error
  }
}

function resultOf(row: BookTransferRow, record: TransferRecord): Checked['result'] {
  const platform = { username: record.username, dir: record.dir, amount: amountOf(record.amount) ?? 0n, currency: null }
  return differencesOf(ledgerOf(row), platform).length === 0 ? 'matched' : 'different'
}

async function keep(book: Book, checks: readonly Checked[]): Promise<void> {
  if (checks.length > 0) await book.store.write((tx) => keepChecks(tx, checks))
}

/** Returns our transfers of a player that the journal has as done and that were never looked up. */
export function uncheckedOf(
  journal: readonly BookTransferRow[],
  transfers: readonly WalletTransfer[],
): BookTransferRow[] {
  const known = new Set(transfers.flatMap(({ txnId, at }) => (at === null ? [] : [txnId])))
  return journal.filter((row) => row.state === 'done' && !known.has(row.txn_id))
}
