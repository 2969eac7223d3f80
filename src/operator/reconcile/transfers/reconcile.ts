import type { BookTransferCheckRow, BookTransferRow } from '../../../db/schema/book.ts'
import { formatUnits, parseAmount, playerScale } from '../../../domain/money.ts'
import { foldUsername } from '../../../domain/players/player.ts'
import {
  differencesOf,
  type JournalTransfer,
  journalDifference,
  type LedgerTransfer,
  type PlatformTransfer,
  resultOfMissing,
  type TransferDifference,
  type TransferResult,
  transfersVerdict,
  transferText,
} from '../../../domain/reconcile/transfers.ts'
import type { Client } from '../../../http/contract/contract.ts'
import { mapConcurrent } from '../../../kit/map-concurrent.ts'
import { isProblem } from '../../../kit/problem.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import type { TransferRecord } from '../../../services/casino/api/schemas/index.ts'
import { amountOf } from '../../bets/slip-versions.ts'
import type { Book } from '../../book/book.ts'
import { checksOf, checkText, journalBetween, journalOf, keepChecks } from '../../transfers/lookups.ts'
import { openOfKind } from '../breaks/store.ts'

/**
 * Reconciles the operator's ledger of transfers with the platform and our journal. It only reads from the platform; the
 * book stores the lookups.
 */

export type LookupClient = Pick<Client<typeof casinoContract>, 'transfer' | 'player'>

export interface TransfersWork {
  readonly platform: LookupClient
  readonly book: Book
  /** Current time by which the platform and the ledger count. */
  now(): number
  /** The machine's time, which the book uses for first lookups. */
  here(): number
  readonly signal?: AbortSignal
  /** Called with the number of compared transfers. */
  readonly onStep?: (done: number) => void
}

export interface TransfersOptions {
  readonly ledger: readonly LedgerTransfer[]
  /** Time range of the ledger, to find transfers that it lacks; null if unknown. */
  readonly span: { readonly from: number; readonly to: number } | null
  /** Time during which a missing transfer may still be in progress. */
  readonly freshMs: number
  /** True to look up matched transfers again. */
  readonly isRecheck: boolean
}

export interface ComparedTransfer {
  readonly txnId: string
  readonly result: TransferResult
  readonly line: number | null
  readonly player: string
  readonly dir: LedgerTransfer['dir']
  readonly amount: string
  readonly currency: string
  readonly at: string | null
  /** Record of the platform; null if it has none. */
  readonly platform: {
    readonly player: string
    readonly dir: string
    readonly amount: string
    readonly at: string
  } | null
  readonly differences: readonly TransferDifference[]
  readonly message: string
}

export interface TransfersReconciled {
  readonly verdict: ReturnType<typeof transfersVerdict>
  /** In the order of the file, followed by transfers that the ledger lacks. */
  readonly transfers: readonly ComparedTransfer[]
  readonly doubts: readonly string[]
  /** Number of transfers matched by an earlier run and not looked up again. */
  readonly known: number
}

/** Number of parallel lookups, and number of results stored at once. */
const lookUpsAtOnce = 8
const resultsPerWrite = 25

/**
 * Looks up every transfer of a ledger and compares it. Lookups are stored as they come, and matched ones are not
 * repeated. So an interrupted run, or a longer ledger of the same month, continues where the last one ended.
 */
export async function reconcileTransfers(work: TransfersWork, options: TransfersOptions): Promise<TransfersReconciled> {
  const { ledger } = options
  const ids = ledger.map(({ txnId }) => txnId)
  const [checks, journal] = await work.book.store.read(async (reader) => [
    await checksOf(reader, ids),
    await journalOf(reader, ids),
  ])
  const comparison = new TransferComparison(work, options, { checks, journal })
  const compared: ComparedTransfer[] = []
  for (let i = 0; i < ledger.length; i += resultsPerWrite) {
    work.signal?.throwIfAborted()
    const some = ledger.slice(i, i + resultsPerWrite)
    const results = await mapConcurrent(some, lookUpsAtOnce, (transfer) => comparison.compare(transfer))
    const checked = results.flatMap(({ check }) => check ?? [])
    await work.book.store.write((tx) => keepChecks(tx, checked))
    compared.push(...results.map(({ compared }) => compared))
    work.onStep?.(compared.length)
  }
  const missing = await comparison.missingInLedger()
  const removed = await comparison.removedFromLedger(missing.transfers)
  const transfers = [...compared, ...missing.transfers, ...removed]
  const results = transfers.map(({ result }) => result)
  // Without a row and a time range neither side was read.
  const isNothingChecked = ledger.length === 0 && options.span === null
  return {
    verdict: isNothingChecked ? 'cannot-conclude' : transfersVerdict(results, missing.doubts.length),
    transfers,
    doubts: missing.doubts,
    known: comparison.known,
  }
}

/** Reads transfers and players from the platform. */
class PlatformReader {
  readonly #platform: LookupClient
  readonly #options: { readonly signal?: AbortSignal }
  readonly #currencies = new Map<string, Promise<string | null>>()

  constructor({ platform, signal }: TransfersWork) {
    this.#platform = platform
    this.#options = signal ? { signal } : {}
  }

  /** Finds a transfer: first with the player, which finds it at any age; then without, which finds it with another player. */
  async find({ txnId, username }: LedgerTransfer): Promise<TransferRecord | null> {
    return (await this.#lookUp({ txnId, username })) ?? (await this.#lookUp({ txnId }))
  }

  /** Finds the player's own transfer. One of another player with the same id is not ours. */
  async findOwn(query: { txnId: string; username: string }): Promise<TransferRecord | null> {
    const record = await this.#lookUp(query)
    return record && foldUsername(record.username) === foldUsername(query.username) ? record : null
  }

  async sideOf(record: TransferRecord): Promise<PlatformTransfer> {
    const { username, dir } = record
    return { username, dir, amount: amountOf(record.amount) ?? 0n, currency: await this.#currencyOf(username) }
  }

  /** A transfer record has no currency: it is the player's, fixed when the player was created. */
  #currencyOf(username: string): Promise<string | null> {
    const key = foldUsername(username)
    const pending = this.#currencies.get(key) ?? this.#readCurrency(username)
    this.#currencies.set(key, pending)
    return pending
  }

  async #readCurrency(username: string): Promise<string | null> {
    try {
      return (await this.#platform.player({ query: { username } }, this.#options)).currency
    } catch (error) {
      if (isProblem(error, 'PLAYER_NOT_FOUND')) return null
      throw error
    }
  }

  async #lookUp(query: { txnId: string; username?: string }): Promise<TransferRecord | null> {
    try {
      return await this.#platform.transfer({ query }, this.#options)
    } catch (error) {
      if (isProblem(error, 'TXN_NOT_FOUND')) return null
      throw error
    }
  }
}

/** Data of the book on a ledger's transfers: the checks of earlier runs, and our journal. */
interface BookSide {
  readonly checks: ReadonlyMap<string, BookTransferCheckRow>
  readonly journal: ReadonlyMap<string, BookTransferRow>
}

/** The result of comparing one transfer. */
interface Comparison {
  readonly compared: ComparedTransfer
  /** The check to save in the book; undefined if an earlier run's is still good. */
  readonly check: Parameters<typeof keepChecks>[1][number] | undefined
}

/** Compares the transfers of a ledger with the platform and our journal. */
class TransferComparison {
  readonly #work: TransfersWork
  readonly #options: TransfersOptions
  readonly #reader: PlatformReader
  readonly #book: BookSide
  readonly #ids: ReadonlySet<string>
  #known = 0

  constructor(work: TransfersWork, options: TransfersOptions, book: BookSide) {
    this.#work = work
    this.#options = options
    this.#reader = new PlatformReader(work)
    this.#book = book
    this.#ids = new Set(options.ledger.map(({ txnId }) => txnId))
  }

  /** Number of transfers that an earlier run matched. */
  get known(): number {
    return this.#known
  }

  async compare(transfer: LedgerTransfer): Promise<Comparison> {
    const check = this.#book.checks.get(transfer.txnId)
    const isKnown = check?.result === 'matched' && check.order_text === checkText(transfer) && !this.#options.isRecheck
    if (isKnown) this.#known += 1
    const record = isKnown ? recordOfCheck(check) : await this.#reader.find(transfer)
    if (record === null) return this.#missing(transfer, check)
    const journalSays = journalDifference(transfer, this.#journalTransfer(transfer))
    const theirs = isKnown ? [] : differencesOf(transfer, await this.#reader.sideOf(record))
    const differences = [...theirs, ...(journalSays ? [journalSays] : [])]
    const result = differences.length > 0 ? 'different' : 'matched'
    const atPlatform = theirs.length > 0 ? 'different' : 'matched'
    return {
      check: isKnown ? undefined : { ledger: transfer, result: atPlatform, record },
      compared: comparedTransfer(transfer, result, record, differences, differenceText(transfer, differences)),
    }
  }

  /** Finds the transfers of the ledger's time that our journal has and the ledger lacks. One with an open outcome is looked up. */
  async missingInLedger(): Promise<{ transfers: ComparedTransfer[]; doubts: string[] }> {
    const { span } = this.#options
    if (span === null) return { transfers: [], doubts: [] }
    const rows = await this.#work.book.store.read((reader) => journalBetween(reader, span))
    const transfers: ComparedTransfer[] = []
    const doubts: string[] = []
    for (const row of rows) {
      if (this.#ids.has(row.txn_id)) continue
      const transfer = ledgerOf(row)
      const isDone = row.state === 'done'
      const record = isDone ? null : await this.#reader.findOwn({ txnId: row.txn_id, username: row.username })
      if (!isDone && record === null) doubts.push(doubtText(transfer))
      else transfers.push(comparedTransfer(transfer, 'missing-in-ledger', record, [], missingInLedgerText(transfer)))
    }
    return { transfers, doubts }
  }

  /**
   * Finds the rows of the ledger's time that earlier runs objected to, and that the ledger no longer has. Such a row may have
   * been corrected, hidden, or moved to another file: it stays a difference until a person closes it.
   */
  async removedFromLedger(missing: readonly ComparedTransfer[]): Promise<ComparedTransfer[]> {
    const { span } = this.#options
    if (span === null) return []
    const listed = new Set([...this.#ids, ...missing.map(({ txnId }) => txnId)])
    const open = await this.#work.book.store.read((reader) => openOfKind(reader, 'transfers'))
    const before = open.flatMap(({ subject, detail }): ComparedTransfer[] => {
      // Written by `recordTransferBreaks` alone.
      const each: ComparedTransfer = JSON.parse(detail)
      const at = Date.parse(each.at ?? each.platform?.at ?? '')
      return !listed.has(subject) && at >= span.from && at <= span.to ? [each] : []
    })
    return mapConcurrent(before, lookUpsAtOnce, async (each) =>
      removedTransfer(each, await this.#reader.find(rowOf(each))),
    )
  }

  #missing(transfer: LedgerTransfer, check: BookTransferCheckRow | undefined): Comparison {
    const { now, here } = this.#work
    const isDated = transfer.at !== null
    const result = resultOfMissing(
      {
        madeAt: transfer.at ?? this.#book.journal.get(transfer.txnId)?.made_at ?? null,
        firstLookupAt: check?.first_at ?? here(),
      },
      { now: isDated ? now() : here(), freshMs: this.#options.freshMs },
    )
    const message = missingText(transfer, result, this.#journalTransfer(transfer))
    return {
      check: { ledger: transfer, result: 'missing', record: null },
      compared: comparedTransfer(transfer, result, null, [], message),
    }
  }

  #journalTransfer({ txnId }: LedgerTransfer): JournalTransfer | undefined {
    return journalTransfer(this.#book.journal.get(txnId))
  }
}

function doubtText(transfer: LedgerTransfer): string {
  const { txnId } = transfer
  return `The journal does not have the outcome of ${txnId} (${transferText(transfer)}), and the platform does not have it. To finish it: countroom wallet transfer ${txnId}`
}

const missingInLedgerText = (transfer: LedgerTransfer): string =>
  `${transfer.txnId}: the journal has this ${transferText(transfer)} as done, but the ledger does not have it`

/** A row that a ledger had. */
function rowOf({ txnId, player: username, dir, amount, currency, at }: ComparedTransfer): LedgerTransfer {
  const moment = at === null ? null : Date.parse(at)
  return { txnId, username, dir, amount: parseAmount(amount), currency, at: moment, line: null }
}

function removedTransfer(before: ComparedTransfer, record: TransferRecord | null): ComparedTransfer {
  const row = rowOf(before)
  const summary = `${row.txnId}: this ${transferText(row)} is no longer in the ledger, which covers its time`
  if (record === null)
    return comparedTransfer(row, 'gone-from-ledger', null, [], `${summary}; the platform does not have it`)
  const theirs = `the platform has ${record.dir} ${record.amount} of ${record.username}`
  return comparedTransfer(row, 'gone-from-ledger', record, [], `${summary}; ${theirs}`)
}

/** Converts a transfer of ours to a ledger row. */
export function ledgerOf(row: BookTransferRow): LedgerTransfer {
  const { txn_id: txnId, username, dir, currency, made_at: at } = row
  return { txnId, username, dir, amount: parseAmount(row.amount), currency, at, line: null }
}

/** Returns the platform's record of a stored lookup. */
export function recordOfCheck({ found }: BookTransferCheckRow): TransferRecord | null {
  return found === null ? null : JSON.parse(found)
}

function journalTransfer(row: BookTransferRow | undefined): JournalTransfer | undefined {
  if (!row) return undefined
  const { username, dir, amount, currency, state } = row
  return { username, dir, amount: parseAmount(amount), currency, state }
}

function comparedTransfer(
  transfer: LedgerTransfer,
  result: TransferResult,
  record: TransferRecord | null,
  differences: readonly TransferDifference[],
  message: string,
): ComparedTransfer {
  const { txnId, line, username, dir, amount, currency, at } = transfer
  return {
    txnId,
    result,
    line,
    player: username,
    dir,
    amount: formatUnits(amount, playerScale),
    currency: currency.toUpperCase(),
    at: at === null ? null : new Date(at).toISOString(),
    platform: record && { player: record.username, dir: record.dir, amount: record.amount, at: record.at },
    differences,
    message,
  }
}

function missingText(
  transfer: LedgerTransfer,
  result: 'missing-at-platform' | 'undecided',
  ours: JournalTransfer | undefined,
): string {
  const summary = `${transfer.txnId}: the platform does not have this ${transferText(transfer)}`
  const journal = ours ? `; journal: ${ours.state}` : ''
  if (result === 'undecided') return `${summary} yet; it may be in progress. Run this again later${journal}`
  return `${summary}${journal}`
}

function differenceText(transfer: LedgerTransfer, differences: readonly TransferDifference[]): string {
  if (differences.length === 0) return ''
  const parts = differences.map(({ field, ledger, other }) =>
    field === 'journal'
      ? `the journal has ${other}, the ledger ${ledger}`
      : `${field} ${ledger} in the ledger, ${other} at the platform`,
  )
  return `${transfer.txnId}: ${parts.join('; ')}`
}
