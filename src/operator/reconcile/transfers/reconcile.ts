import type { BookTransferCheckRow, BookTransferRow } from '../../../db/schema/book.ts'
import { formatUnits, parseAmount, playerScale } from '../../../domain/money.ts'
import { foldUsername } from '../../../domain/players/player.ts'
import type { FoundBreak } from '../../../domain/reconcile/breaks.ts'
import {
  differencesOf,
  type JournalTransfer,
  journalDifference,
  type LedgerTransfer,
  orderText,
  type PlatformTransfer,
  resultOfMissing,
  type TransferDifference,
  type TransferResult,
  transfersVerdict,
} from '../../../domain/reconcile/transfers.ts'
import { dayOf } from '../../../domain/time/day.ts'
import type { Client } from '../../../http/contract/contract.ts'
import { atOnce } from '../../../kit/map-concurrent.ts'
import { isProblem } from '../../../kit/problem.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import type { TransferRecord } from '../../../services/casino/api/schemas/index.ts'
import { amountOf } from '../../bets/slip-versions.ts'
import type { Book } from '../../book/book.ts'
import { checksOf, checkText, journalBetween, journalOf, keepChecks } from '../../transfers/lookups.ts'
import { openOfKind } from '../breaks/store.ts'

/** The operator's ledger of transfers held against the platform and our journal. Nothing is changed on any side. */

export type LookingUp = Pick<Client<typeof casinoContract>, 'transfer' | 'player'>

export interface TransfersWork {
  readonly platform: LookingUp
  readonly book: Book
  /** The moment by which the platform and the ledger tell the time. */
  now(): number
  /** This machine's own time, by which the book tells when something was first asked about. */
  here(): number
  readonly signal?: AbortSignal
  /** So many of so many were compared. */
  readonly onStep?: (done: number) => void
}

export interface TransfersOrder {
  readonly ledger: readonly LedgerTransfer[]
  /** The time the ledger covers, for what it lacks; null where it cannot be told. */
  readonly span: { readonly from: number; readonly to: number } | null
  /** How long a transfer that is not found may be still under way. */
  readonly freshMs: number
  /** Whether what was matched before is asked about again. */
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
  /** As the platform has it; null where it does not. */
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
  /** In the order of the file, and behind them those that the ledger lacks. */
  readonly transfers: readonly ComparedTransfer[]
  readonly doubts: readonly string[]
  /** How many of them were matched by an earlier run and not asked about again. */
  readonly known: number
}

/** How many look-ups are on their way at once, and how many results are kept in one go. */
const lookUpsAtOnce = 8
const keptAtOnce = 25

/**
 * Looks every transfer of a ledger up and compares it. What was matched is kept as it goes, so that a run that was broken
 * off, or a longer ledger of the same month, goes on where the last one was.
 */
export async function reconcileTransfers(work: TransfersWork, order: TransfersOrder): Promise<TransfersReconciled> {
  const { ledger } = order
  const desk = await openDesk(work, order)
  const compared: ComparedTransfer[] = []
  for (let i = 0; i < ledger.length; i += keptAtOnce) {
    work.signal?.throwIfAborted()
    const some = ledger.slice(i, i + keptAtOnce)
    const looked = await atOnce(some, lookUpsAtOnce, (transfer) => desk.look(transfer))
    await work.book.store.write((tx) =>
      keepChecks(
        tx,
        looked.flatMap(({ check }) => check ?? []),
      ),
    )
    compared.push(...looked.map(({ compared }) => compared))
    work.onStep?.(compared.length)
  }
  const lacking = await desk.lackingInLedger()
  const gone = await desk.goneFromLedger(lacking.transfers)
  const transfers = [...compared, ...lacking.transfers, ...gone]
  const results = transfers.map(({ result }) => result)
  return {
    verdict: transfersVerdict(results, lacking.doubts.length),
    transfers,
    doubts: lacking.doubts,
    known: desk.known(),
  }
}

async function openDesk(work: TransfersWork, order: TransfersOrder) {
  const { platform, book, now, here, signal } = work
  const ids = order.ledger.map(({ txnId }) => txnId)
  const [checks, journal] = await book.store.read(async (reader) => [
    await checksOf(reader, ids),
    await journalOf(reader, ids),
  ])
  const currencies = new Map<string, Promise<string | null>>()
  const options = signal ? { signal } : {}
  let known = 0

  /** A transfer record does not say its currency: it is the player's, fixed when the player was created. */
  const currencyOf = (username: string): Promise<string | null> => {
    const key = foldUsername(username)
    const asked =
      currencies.get(key) ??
      platform.player({ query: { username } }, options).then(
        ({ currency }) => currency,
        (error) => {
          if (isProblem(error, 'PLAYER_NOT_FOUND')) return null
          throw error
        },
      )
    currencies.set(key, asked)
    return asked
  }

  async function lookUp(query: { txnId: string; username?: string }): Promise<TransferRecord | null> {
    try {
      return await platform.transfer({ query }, options)
    } catch (error) {
      if (isProblem(error, 'TXN_NOT_FOUND')) return null
      throw error
    }
  }

  /** The player's own transfer. One of another player under the same id is none of ours. */
  async function lookUpOwn(query: { txnId: string; username: string }): Promise<TransferRecord | null> {
    const found = await lookUp(query)
    return found && foldUsername(found.username) === foldUsername(query.username) ? found : null
  }

  /** By the player first, which finds it however old it is; then without, which finds it with another player. */
  const find = async ({ txnId, username }: LedgerTransfer) =>
    (await lookUp({ txnId, username })) ?? (await lookUp({ txnId }))

  const platformSide = async (found: TransferRecord): Promise<PlatformTransfer> => ({
    username: found.username,
    dir: found.dir,
    amount: amountOf(found.amount) ?? 0n,
    currency: await currencyOf(found.username),
  })

  return {
    known: () => known,

    async look(transfer: LedgerTransfer) {
      const check = checks.get(transfer.txnId)
      const ours = journalTransfer(journal.get(transfer.txnId))
      const isKnown = check?.result === 'matched' && check.order_text === checkText(transfer) && !order.isRecheck
      if (isKnown) known += 1
      const found = isKnown ? recordOfCheck(check) : await find(transfer)
      if (found === null) {
        const row = journal.get(transfer.txnId)
        const firstAskedAt = check?.first_at ?? here()
        const age =
          transfer.at === null ? { madeAt: row?.made_at ?? null, firstAskedAt } : { madeAt: transfer.at, firstAskedAt }
        const result = resultOfMissing(age, { now: transfer.at === null ? here() : now(), freshMs: order.freshMs })
        return {
          check: { ledger: transfer, result: 'missing' as const, found },
          compared: told(transfer, result, null, [], missingText(transfer, result, ours)),
        }
      }
      const journalSays = journalDifference(transfer, ours)
      const theirs = isKnown ? [] : differencesOf(transfer, await platformSide(found))
      const differences = [...theirs, ...(journalSays ? [journalSays] : [])]
      const result = differences.length > 0 ? 'different' : 'matched'
      return {
        check: isKnown
          ? undefined
          : { ledger: transfer, result: theirs.length > 0 ? ('different' as const) : ('matched' as const), found },
        compared: told(transfer, result, found, differences, differenceText(transfer, differences)),
      }
    },

    /** What our journal has of the ledger's time, and the ledger does not. One whose outcome is open is looked up. */
    async lackingInLedger(): Promise<{ transfers: ComparedTransfer[]; doubts: string[] }> {
      const { span } = order
      if (span === null) return { transfers: [], doubts: [] }
      const listed = new Set(ids)
      const rows = await book.store.read((reader) => journalBetween(reader, span))
      const transfers: ComparedTransfer[] = []
      const doubts: string[] = []
      for (const row of rows) {
        if (listed.has(row.txn_id)) continue
        const transfer = ledgerOf(row)
        const found = row.state === 'done' ? null : await lookUpOwn({ txnId: row.txn_id, username: row.username })
        if (row.state !== 'done' && found === null) {
          doubts.push(
            `Our journal does not know whether ${row.txn_id} (${orderText(transfer)}) was carried out, and the platform does not know it: "countroom wallet transfer ${row.txn_id}" says how to finish it`,
          )
          continue
        }
        const message = `${transfer.txnId}: our journal has this ${orderText(transfer)}, carried out, and the ledger does not`
        transfers.push(told(transfer, 'missing-in-ledger', found, [], message))
      }
      return { transfers, doubts }
    },

    /**
     * What earlier runs found wrong with rows of the ledger's time that it no longer has. Nobody can tell from here whether
     * a row was put right, hidden, or stands in another file: it stays a difference until a person says so.
     */
    async goneFromLedger(lacking: readonly ComparedTransfer[]): Promise<ComparedTransfer[]> {
      const { span } = order
      if (span === null) return []
      const told = new Set([...ids, ...lacking.map(({ txnId }) => txnId)])
      const open = await book.store.read((reader) => openOfKind(reader, 'transfers'))
      const before = open.flatMap(({ subject, detail }): ComparedTransfer[] => {
        // Written by `transferBreaks` alone.
        const each: ComparedTransfer = JSON.parse(detail)
        const at = Date.parse(each.at ?? each.platform?.at ?? '')
        return !told.has(subject) && at >= span.from && at <= span.to ? [each] : []
      })
      return atOnce(before, lookUpsAtOnce, async (each) => goneOf(each, await find(rowOf(each))))
    },
  }
}

/** A row that a ledger had. */
function rowOf({ txnId, player: username, dir, amount, currency, at }: ComparedTransfer): LedgerTransfer {
  const moment = at === null ? null : Date.parse(at)
  return { txnId, username, dir, amount: parseAmount(amount), currency, at: moment, line: null }
}

function goneOf(before: ComparedTransfer, found: TransferRecord | null): ComparedTransfer {
  const row = rowOf(before)
  const what = `${row.txnId}: this ${orderText(row)} is no longer in the ledger, which covers its time`
  if (found === null) return told(row, 'gone-from-ledger', null, [], `${what}; the platform does not know it`)
  const theirs = `the platform has ${found.dir} ${found.amount} of ${found.username}`
  return told(row, 'gone-from-ledger', found, [], `${what}; ${theirs}`)
}

/** A transfer of ours as a ledger would have it. */
export function ledgerOf(row: BookTransferRow): LedgerTransfer {
  const { txn_id: txnId, username, dir, currency, made_at: at } = row
  return { txnId, username, dir, amount: parseAmount(row.amount), currency, at, line: null }
}

/** The platform's record of a look-up that was kept. */
export function recordOfCheck({ found }: BookTransferCheckRow): TransferRecord | null {
  return found === null ? null : JSON.parse(found)
}

function journalTransfer(row: BookTransferRow | undefined): JournalTransfer | undefined {
  if (!row) return undefined
  const { username, dir, amount, currency, state } = row
  return { username, dir, amount: parseAmount(amount), currency, state }
}

function told(
  transfer: LedgerTransfer,
  result: TransferResult,
  found: TransferRecord | null,
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
    platform: found && { player: found.username, dir: found.dir, amount: found.amount, at: found.at },
    differences,
    message,
  }
}

function missingText(
  transfer: LedgerTransfer,
  result: 'missing-at-platform' | 'undecided',
  ours: JournalTransfer | undefined,
): string {
  const what = `${transfer.txnId}: the platform does not know this ${orderText(transfer)}`
  const journal = ours ? `; our journal says ${ours.state}` : ''
  if (result === 'undecided') return `${what} yet, and it may be still under way: run this again later${journal}`
  return `${what}${journal}`
}

function differenceText(transfer: LedgerTransfer, differences: readonly TransferDifference[]): string {
  if (differences.length === 0) return ''
  const parts = differences.map(({ field, ledger, other }) =>
    field === 'journal'
      ? `our journal has ${other}, the ledger ${ledger}`
      : `${field} ${ledger} in the ledger, ${other} at the platform`,
  )
  return `${transfer.txnId}: ${parts.join('; ')}`
}

/** The breaks of what was compared. The subject is the txnId: it names one transfer for ever; the day is the tenant's. */
export function transferBreaks(transfers: readonly ComparedTransfer[], timezone: string): FoundBreak[] {
  return transfers.flatMap((each): FoundBreak[] => {
    if (each.result === 'matched' || each.result === 'undecided') return []
    const sign = each.dir === 'out' && !each.amount.startsWith('-') ? '-' : ''
    return [
      {
        kind: 'transfers',
        subject: each.txnId,
        date: each.at === null ? null : dayOf(Date.parse(each.at), timezone),
        player: foldUsername(each.player),
        currency: each.currency,
        amount: `${sign}${each.amount}`,
        message: each.message,
        fingerprint: JSON.stringify([each.result, each.differences, each.player, each.dir, each.amount, each.currency]),
        detail: each,
      },
    ]
  })
}
