import type { BookTransferRow, BookWalletMarkRow } from '../../db/schema/book.ts'
import { compareMonths, monthOf } from '../../domain/bets/cursor.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { type Around, aroundWith, nothingAround, type WalletRecord } from '../../domain/wallet/balance-proof.ts'
import type { BetRecord } from '../../services/casino/api/schemas/index.ts'
import { amountOf, versionOf } from '../bets/slip-versions.ts'
import type { Reading, Readings, ReadingWork } from './read.ts'
import { checkpointsOf, type WalletRow, walletRows } from './readings.ts'
import type { WalletReasonCode } from './schema.ts'
import { journalFor, type TransfersOf, transfersOfPlayers, type WalletTransfer } from './transfers.ts'

/** The book's data of the players whose wallets are reconciled: readings, transfers and the records between them. */

/** Longest time between our first transfer and the creation of a player by it. */
const creationMs = 300_000

/** A balance reading at which a proof can start or end, from the first one to the current one. */
export interface Checkpoint {
  readonly row: BookWalletMarkRow | null
  readonly kind: 'beginning' | 'begun' | 'proven' | 'pending' | 'now'
  readonly balance: bigint
  readonly held: bigint | null
  readonly at: number
  readonly requestedAt: number
  readonly answeredAt: number
  readonly place: number
  readonly ahead: ReadonlySet<string>
}

/** A player, and the wallet movements between two checkpoints. */
export interface WalletHistory {
  readonly player: string
  readonly username: string
  readonly reading: Reading
  readonly checkpoints: Checkpoint[]
  /** For each checkpoint: the changes by records since the previous one, their number, and neighboring records. */
  readonly records: bigint[]
  readonly revisions: number[]
  readonly around: Around[]
  transfers: WalletTransfer[]
  journal: BookTransferRow[]
  /** Time of the reading that the proof starts with; transfers are read from then on. Null for the player's beginning. */
  readonly firstReadAt: number | null
  /** Reason why the player's beginning cannot be reached, if any. */
  readonly against: WalletReasonCode | undefined
  isUnreadable: boolean
}

/** Returns the players with the book's data: readings since the last proven one, and transfers. */
export async function walletHistories(
  work: ReadingWork,
  { isWhole }: { readonly isWhole: boolean },
  read: Readings,
  usernames: readonly string[],
  leaveOut: (username: string, code: WalletReasonCode) => void,
): Promise<WalletHistory[]> {
  const players = usernames.map(foldUsername)
  const checkpoints = await work.book.store.read((reader) => checkpointsOf(reader, players))
  const gaps = await work.book.store.read(({ q }) =>
    q.selectFrom('book_alarms').select('found_at').where('kind', '=', 'gap').execute(),
  )
  // After a gap in the records between two readings, the later one starts a new proof.
  const gap = Math.max(0, ...gaps.map(({ found_at }) => found_at))
  const known: Known[] = []
  for (const username of usernames) {
    const player = foldUsername(username)
    const reading = read.readings.get(player) ?? 'not-found'
    if (typeof reading === 'string') {
      leaveOut(username, reading === 'playing' ? 'PLAYING' : 'PLAYER_NOT_FOUND')
      continue
    }
    const rows = (checkpoints.get(player) ?? []).filter(
      (row) => row.asked_at > gap && row.currency === reading.player.currency,
    )
    const [first] = rows
    const isBegun = first?.verdict === 'balanced' || (first?.verdict === 'begun' && !isWhole)
    known.push({ player, reading, rows, firstReadAt: isBegun ? first.asked_at : null })
  }
  const journals = Map.groupBy(await work.book.store.read((reader) => journalFor(reader, known)), (row) => row.name_key)
  const transfers = await transfersOfPlayers(work, known)
  return known.map((one) => {
    const journal = journals.get(one.player) ?? []
    const beginning = one.firstReadAt === null ? beginningOf(one.reading, read, journal, gap) : undefined
    return {
      player: one.player,
      username: one.reading.player.username,
      reading: one.reading,
      ...checkpointsWith(one, beginning),
      transfers: transfers.get(one.player) ?? [],
      journal,
      firstReadAt: one.firstReadAt,
      isUnreadable: false,
    }
  })
}

/** A player with its stored readings. */
interface Known extends TransfersOf {
  readonly reading: Reading
  readonly rows: readonly BookWalletMarkRow[]
}

/** Returns the checkpoints of a proof, from the beginning if there is one and no reading has begun the proof. */
function checkpointsWith({ reading, rows }: Known, beginning: Checkpoint | WalletReasonCode | undefined) {
  const hasBeginning = beginning !== undefined && typeof beginning !== 'string'
  const isBegun = rows[0]?.verdict === 'balanced' || (rows[0]?.verdict === 'begun' && !hasBeginning)
  const start = isBegun || !hasBeginning ? [] : [beginning]
  const all = [...start, ...rows.map((row, i) => checkpointOf(row, start.length + i)), nowOf(reading)]
  // Without a beginning and a proven reading there is nothing to compare pending readings with.
  const checkpoints = all[0]?.kind === 'pending' ? [nowOf(reading)] : all
  return {
    checkpoints,
    records: checkpoints.map(() => 0n),
    revisions: checkpoints.map(() => 0),
    around: checkpoints.map(() => nothingAround),
    against: typeof beginning === 'string' ? beginning : undefined,
  }
}

/** Returns the checkpoint of the player's creation with a zero balance, or why the book does not reach back to it. */
function beginningOf(
  { player }: Reading,
  { state, oldestMonth }: Pick<Readings, 'state' | 'oldestMonth'>,
  journal: readonly BookTransferRow[],
  gap: number,
): Checkpoint | WalletReasonCode {
  const at = Date.parse(player.createdAt)
  if ((state.position?.started_from ?? 0) > at) return 'BOOK_BEGINS_LATER'
  if (gap > 0) return 'BOOK_HAS_GAP'
  // Records that the platform has deleted are in the book only if it existed when the player was created. A journal
  // that contains the player's first transfer proves that.
  if (compareMonths(monthOf(at), oldestMonth) < 0 && !isJournalWhole(journal, at)) return 'RETENTION'
  const nothing = {
    row: null,
    balance: 0n,
    held: 0n,
    requestedAt: 0,
    answeredAt: 0,
    place: 0,
    ahead: new Set<string>(),
  }
  return { kind: 'beginning', at, ...nothing }
}

/** Returns whether our own first transfer created the player, so that the journal has all transfers. */
export function isJournalWhole(journal: readonly BookTransferRow[], createdAt: number): boolean {
  const [first] = journal.filter(({ state }) => state === 'done')
  if (first === undefined || first.made_at > createdAt + creationMs) return false
  // Clock differences leave some minutes in which another system may have created the player.
  return first.dir === 'in' && (first.balance === null || amountOf(first.balance) === amountOf(first.amount))
}

export function checkpointOf(row: BookWalletMarkRow, index: number): Checkpoint {
  const kind = row.verdict === 'balanced' ? 'proven' : row.verdict === 'begun' && index === 0 ? 'begun' : 'pending'
  return {
    row,
    kind,
    balance: amountOf(row.balance) ?? 0n,
    held: row.held === null ? null : amountOf(row.held),
    at: row.platform_at,
    requestedAt: row.asked_at,
    answeredAt: row.answered_at,
    place: row.place,
    ahead: new Set(JSON.parse(row.ahead)),
  }
}

function nowOf(reading: Reading): Checkpoint {
  return {
    row: null,
    kind: 'now',
    balance: amountOf(reading.player.balance) ?? 0n,
    held: null,
    at: reading.platformAt,
    requestedAt: reading.requestedAt,
    answeredAt: reading.answeredAt,
    place: reading.place,
    ahead: new Set(reading.ahead.map(keyOf)),
  }
}

export const keyOf = ({ slipId, rev }: { slipId: string; rev: number }) => `${rev} ${slipId}`

/** Reads the records of each player after the first reading, and those after the book's cursor. */
export async function readRecords(
  work: ReadingWork,
  lastPlace: number,
  histories: readonly WalletHistory[],
): Promise<void> {
  const proved = new Map(histories.filter(({ checkpoints }) => checkpoints.length > 1).map((one) => [one.player, one]))
  // Players that were read in the same run have the same place.
  const byPlace = Map.groupBy(proved.values(), ({ checkpoints }) => checkpoints[0]?.place ?? 0)
  await work.book.store.read(async (reader) => {
    for (const [after, some] of byPlace) {
      if (after >= lastPlace) continue
      const range = { after, upTo: lastPlace, players: some.map(({ player }) => player) }
      for await (const rows of walletRows(reader, range)) {
        work.signal?.throwIfAborted()
        for (const row of rows) {
          const one = proved.get(row.name_key)
          if (one) take(one, recordOfRow(row), row.place)
        }
      }
    }
  })
  for (const one of proved.values())
    for (const record of one.reading.ahead) take(one, recordOf(record), Number.POSITIVE_INFINITY)
}

function take(one: WalletHistory, record: WalletRecord | null, place: number): void {
  const { checkpoints, records, revisions, around } = one
  if (place <= (checkpoints[0]?.place ?? 0)) return
  if (record === null) {
    one.isUnreadable = true
    return
  }
  const key = keyOf(record)
  const counts = (checkpoint: Checkpoint) => place <= checkpoint.place || checkpoint.ahead.has(key)
  const first = checkpoints.findIndex(counts)
  if (first > 0) {
    records[first] = (records[first] ?? 0n) + record.delta - record.atStake
    revisions[first] = (revisions[first] ?? 0) + 1
  }
  for (const [i, checkpoint] of checkpoints.entries())
    if (checkpoint.kind !== 'beginning')
      around[i] = aroundWith(around[i] ?? nothingAround, record, checkpoint.at, counts(checkpoint))
}

/** Returns a revision as a wallet movement; null if it cannot be read. */
export function recordOfRow(row: WalletRow): WalletRecord | null {
  try {
    const record = JSON.parse(row.record)
    const { delta, placedAt } = record
    const [units, stake, hold] = [amountOf(delta), amountOf(record.stake), amountOf(record.hold ?? '0')]
    if (units === null || stake === null || hold === null) return null
    const at = { placedAt: Date.parse(placedAt), settledAt: row.settled_at }
    return { slipId: row.slip_id, rev: row.rev, delta: units, atStake: row.rev === 1 ? stake + hold : 0n, ...at }
  } catch {
    return null
  }
}

function recordOf(record: BetRecord): WalletRecord | null {
  const { slipId, rev, delta, stake, hold, placedAt, settledAt, unreadable, isOnsite } = versionOf(record)
  if (unreadable.length > 0) return null
  if (isOnsite) return { slipId, rev, delta: 0n, atStake: 0n, placedAt, settledAt }
  return { slipId, rev, delta, atStake: rev === 1 ? stake + hold : 0n, placedAt, settledAt }
}
