import type { BookTransferRow, BookWalletPlanRow } from '../../db/schema/book.ts'
import { foldUsername } from '../../domain/players/player.ts'
import type { BatchItem } from '../../domain/wallet/batch.ts'
import { mapConcurrent } from '../../kit/map-concurrent.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { casino as casinoContract } from '../../services/casino/api/contract.ts'
import type { Book } from '../book/book.ts'
import { begunBatches, talliesOf } from './batches.ts'
import { resolveTransfer, type TransferContext, transfer } from './transfer.ts'

/**
 * State of a row after a run. `done` in this run, `already` before it; `refused`: rejected; `unknown`: may have been carried
 * out; `unsent`: tried, but not carried out; `left`: not tried.
 */
export type RowOutcome = 'done' | 'already' | 'refused' | 'unknown' | 'unsent' | 'left'

export interface RowResult {
  readonly row: BatchItem
  readonly outcome: RowOutcome
  /** Reason why it is not done. */
  readonly code: string | null
  readonly message: string | null
  /** Balance of the player right after the transfer. */
  readonly balance: string | null
  readonly attempts: number
}

export interface BatchRun {
  readonly planId: string
  readonly rows: readonly BatchItem[]
  /** Transfers in the book, by txnId. */
  readonly transfers: ReadonlyMap<string, BookTransferRow>
  /** Number of players processed in parallel; the rows of a player keep their order. */
  readonly concurrency: number
  readonly stopOnRefusal: boolean
  /** Sends rows again that an earlier run rejected. */
  readonly retryRefused: boolean
  /** Aborted when no more rows are started; rows in progress are finished. */
  readonly halt: AbortSignal
  readonly onRow: (result: RowResult) => void
}

export interface BatchRunEnd {
  /** Result of every row, in the order of the batch. */
  readonly results: readonly RowResult[]
  /** Problem on which the run stopped itself. */
  readonly stoppedOn: Problem | undefined
  /** Number of done transfers whose outcome could not be stored. */
  readonly unrecorded: number
}

/** Number of consecutive rows without a response after which the platform counts as unavailable and the run stops. */
const maxUnanswered = 3

/** Errors about the request, not about the transfer in it: the row may succeed later. */
const aboutRequest: ReadonlySet<string> = new Set(casinoContract.common)

/** Returns whether a rejected transfer is sent again, because the platform never validated it. */
export function isUnjudged(refusal: string | null): boolean {
  return refusal !== null && aboutRequest.has(refusal)
}

/** Returns started and unfinished batches, earliest first. */
export async function unfinishedBatches(book: Book): Promise<BookWalletPlanRow[]> {
  const plans = await begunBatches(book)
  const ids = plans.map(({ id }) => id)
  const tallies = await talliesOf(book, ids, isUnjudged)
  return plans.filter(({ id, rows }) => {
    const tally = tallies.get(id)
    return tally === undefined || tally.done + tally.refused < rows
  })
}

/** Returns the state of a row by the book alone. */
export function standingOf(known: BookTransferRow | undefined): 'done' | 'refused' | 'unknown' | 'left' {
  if (known === undefined || known.state === 'new') return 'left'
  if (known.state === 'refused' && isUnjudged(known.refusal)) return 'left'
  return known.state
}

/**
 * Applies the unfinished rows of a batch, each once through `transfer`. Rows with unknown outcome are looked up before
 * they are sent again. The rows of a player keep their order: after a row with unknown outcome, no more of that player
 * are sent. Stops if the platform is unavailable, rejects all requests, or the book cannot be written. Rows that were
 * not started are then `left`, and the same call continues with them.
 */
export async function runTransferBatch(context: TransferContext, run: BatchRun): Promise<BatchRunEnd> {
  const queues = [...playersIn(run.rows).values()]
  const state: RunState = { unanswered: 0, stoppedOn: undefined, unrecorded: 0 }
  const done = await mapConcurrent(queues, run.concurrency, (rows) => playerDone(context, run, rows, state))
  const results = new Map(done.flat().map((result) => [result.row.place, result]))
  const { stoppedOn, unrecorded } = state
  return { results: run.rows.flatMap(({ place }) => results.get(place) ?? []), stoppedOn, unrecorded }
}

interface RunState {
  unanswered: number
  stoppedOn: Problem | undefined
  unrecorded: number
}

/** Groups the rows by player; players and rows keep their order. */
function playersIn(rows: readonly BatchItem[]): Map<string, BatchItem[]> {
  const players = new Map<string, BatchItem[]>()
  for (const row of rows) {
    const key = foldUsername(row.username)
    const theirs = players.get(key)
    if (theirs) theirs.push(row)
    else players.set(key, [row])
  }
  return players
}

async function playerDone(
  context: TransferContext,
  run: BatchRun,
  rows: readonly BatchItem[],
  state: RunState,
): Promise<RowResult[]> {
  const results: RowResult[] = []
  let open: BatchItem | undefined
  for (const row of rows) {
    const known = run.transfers.get(row.txnId)
    const rowStatus = standingOf(known)
    const isOver = rowStatus === 'done' || (rowStatus === 'refused' && !run.retryRefused)
    const mayBegin = !run.halt.aborted && state.stoppedOn === undefined && open === undefined
    const result =
      isOver && known
        ? overBefore(row, known)
        : mayBegin
          ? await rowDone(context, run, row, known, state)
          : left(row, known, open)
    if (result.outcome === 'unknown' || result.outcome === 'unsent') open ??= row
    results.push(result)
    run.onRow(result)
  }
  return results
}

function overBefore(row: BatchItem, known: BookTransferRow): RowResult {
  const isDone = known.state === 'done'
  return {
    row,
    outcome: isDone ? 'already' : 'refused',
    code: known.refusal,
    message: isDone ? null : 'Rejected in an earlier run',
    balance: known.balance,
    attempts: known.attempts,
  }
}

/** Result of a row that was not started. An unknown outcome of an earlier run stays unknown. */
function left(row: BatchItem, known: BookTransferRow | undefined, open: BatchItem | undefined): RowResult {
  const isOpen = standingOf(known) === 'unknown'
  return {
    row,
    outcome: isOpen ? 'unknown' : 'left',
    code: open === undefined ? null : 'EARLIER_ROW_OPEN',
    message: open === undefined ? null : `Waits for row ${open.place} of the same player`,
    balance: null,
    attempts: known?.attempts ?? 0,
  }
}

async function rowDone(
  context: TransferContext,
  run: BatchRun,
  row: BatchItem,
  known: BookTransferRow | undefined,
  state: RunState,
): Promise<RowResult> {
  const { txnId, username, dir, amount, currency } = row
  try {
    const lookupResult = known && standingOf(known) === 'unknown' ? await lookedUp(context, row, known) : undefined
    const result =
      lookupResult ?? (await sent(context, row, { txnId, username, dir, amount, currency, planId: run.planId }, state))
    countOutcome(result, run, state)
    return result
  } catch (error) {
    // If `transfer` throws, nothing was sent.
    const problem = asProblem(error, run.halt)
    if (problem.code === 'TXN_CONFLICT') {
      const refused = {
        ...nothing(row, known),
        outcome: 'refused' as const,
        code: problem.code,
        message: problem.message,
      }
      countOutcome(refused, run, state)
      return refused
    }
    state.stoppedOn ??= problem
    const isOpen = standingOf(known) === 'unknown'
    return {
      ...nothing(row, known),
      outcome: isOpen ? 'unknown' : 'unsent',
      code: problem.code,
      message: problem.message,
    }
  }
}

/** A canceled wait rejects with the reason of the signal. */
function asProblem(error: unknown, halt: AbortSignal): Problem {
  if (isProblem(error)) return error
  const code = halt.aborted ? 'INTERRUPTED' : 'UNEXPECTED'
  return new Problem(code, halt.aborted ? 'Canceled before the outcome was known' : String(error), {}, { cause: error })
}

const nothing = (row: BatchItem, known: BookTransferRow | undefined) => ({
  row,
  balance: null,
  attempts: known?.attempts ?? 0,
})

/** Looks up a row with unknown outcome; undefined if it has to be sent again. */
async function lookedUp(
  context: TransferContext,
  row: BatchItem,
  known: BookTransferRow,
): Promise<RowResult | undefined> {
  try {
    const { row: now, isOurs } = await resolveTransfer(context, { txnId: row.txnId })
    // If another run has it as done and the platform has something else, `transfer` reports the difference and sends nothing.
    if (now?.state === 'done' && isOurs)
      return {
        row,
        outcome: 'done',
        code: null,
        message: null,
        balance: now.balance,
        attempts: now.attempts,
      }
    if (now?.state === 'refused')
      return {
        ...nothing(row, known),
        outcome: 'refused',
        code: now.refusal,
        message: 'The platform has a different transfer with this txnId',
      }
    return undefined
  } catch (error) {
    // Sending it again is safe, because the ID is the same.
    if (isProblem(error) && !error.code.startsWith('STORE_')) return undefined
    throw error
  }
}

async function sent(
  context: TransferContext,
  row: BatchItem,
  input: Parameters<typeof transfer>[1],
  state: RunState,
): Promise<RowResult> {
  const end = await transfer(context, input)
  const { attempts } = end.row
  if (end.kind === 'done') {
    if (end.unrecorded) state.unrecorded += 1
    return {
      row,
      outcome: end.isEarlier ? 'already' : 'done',
      code: null,
      message: null,
      balance: end.balance,
      attempts,
    }
  }
  const { code, message } = end.problem
  // Canceled during throttling: treated as not started.
  if (end.kind === 'unsent' && code === 'INTERRUPTED') return { ...left(row, undefined, undefined), attempts }
  const outcome = end.kind === 'refused' && isUnjudged(code) ? 'unsent' : end.kind
  return { row, outcome, code, message, balance: null, attempts }
}

/** Decides from a result whether more rows are started. */
function countOutcome({ outcome, code, message }: RowResult, run: BatchRun, state: RunState): void {
  const problem = () => new Problem(code ?? 'UNEXPECTED', message ?? '')
  if (outcome === 'done' || outcome === 'already') state.unanswered = 0
  if (outcome === 'refused') {
    state.unanswered = 0
    if (run.stopOnRefusal) state.stoppedOn ??= problem()
  }
  if (outcome !== 'unsent' && outcome !== 'unknown') return
  state.unanswered += 1
  // An authentication error applies to all rows; a rate limit passes.
  const isForAll = code !== null && isUnjudged(code) && code !== 'RATE_LIMITED' && code !== 'INTERNAL_ERROR'
  if (isForAll || state.unanswered >= maxUnanswered) state.stoppedOn ??= problem()
}
