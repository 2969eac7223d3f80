import type { BookTransferRow, BookWalletPlanRow } from '../../db/schema/book.ts'
import { foldUsername } from '../../domain/players/player.ts'
import type { PlanRow } from '../../domain/wallet/batch.ts'
import { atOnce } from '../../kit/map-concurrent.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { casino as casinoContract } from '../../services/casino/api/contract.ts'
import type { Book } from '../book/book.ts'
import { begunWalletPlans, talliesOf } from './batches.ts'
import { resolveTransfer, type TransferDesk, transfer } from './transfer.ts'

/**
 * How a row stands after a run. `done` in this run, `already` before it; `refused` for good; `unknown`: it may have been
 * carried out; `unsent`: tried, and known not to have been; `left`: not tried now.
 */
export const rowOutcomes = ['done', 'already', 'refused', 'unknown', 'unsent', 'left'] as const
export type RowOutcome = (typeof rowOutcomes)[number]

export interface RowResult {
  readonly row: PlanRow
  readonly outcome: RowOutcome
  /** Why it is not done. */
  readonly code: string | null
  readonly message: string | null
  /** The player's balance right after it. */
  readonly balance: string | null
  readonly attempts: number
}

export interface PlanRun {
  readonly planId: string
  readonly rows: readonly PlanRow[]
  /** What the book has of them, by txnId. */
  readonly transfers: ReadonlyMap<string, BookTransferRow>
  /** How many players are worked on at once; the rows of one player go one after another. */
  readonly atOnce: number
  readonly stopOnRefusal: boolean
  /** Sends what was refused in an earlier run once more. */
  readonly retryRefused: boolean
  /** Aborted when no further row is to be begun; the one under way is brought to its end. */
  readonly halt: AbortSignal
  readonly onRow: (result: RowResult) => void
}

export interface PlanRunEnd {
  /** Of every row, in the order of the plan. */
  readonly results: readonly RowResult[]
  /** Why rows were left, where the run itself decided to end: what it ended on. */
  readonly stoppedOn: Problem | undefined
  /** Transfers that are done and whose end the book could not be told. */
  readonly unrecorded: number
}

/** So many rows in a row without an answer, and the platform is taken to be away: the others wait for a better hour. */
const mostSilences = 3

/** Refusals that speak of the request and not of the transfer in it: whatever they say today, the row may go through tomorrow. */
const aboutRequest: ReadonlySet<string> = new Set(casinoContract.common)

/** Whether a transfer that the book has as refused is to be sent again all the same: it was never judged. */
export function isUnjudged(refusal: string | null): boolean {
  return refusal !== null && aboutRequest.has(refusal)
}

/** The plans that were begun and are not finished, the earliest first. */
export async function unfinishedPlans(book: Book): Promise<BookWalletPlanRow[]> {
  const plans = await begunWalletPlans(book)
  const ids = plans.map(({ id }) => id)
  const tallies = await talliesOf(book, ids, isUnjudged)
  return plans.filter(({ id, rows }) => {
    const { done = 0, refused = 0 } = tallies.get(id) ?? {}
    return done + refused < rows
  })
}

/** How a row stands by the book alone. */
export function standingOf(known: BookTransferRow | undefined): 'done' | 'refused' | 'unknown' | 'left' {
  if (known === undefined || known.state === 'new') return 'left'
  if (known.state === 'refused' && isUnjudged(known.refusal)) return 'left'
  return known.state
}

/**
 * Carries out what is not finished of a plan, each row once and through `transfer`. What an earlier run left open is
 * looked up before it is sent again. The rows of one player keep their order: behind one whose end is open nothing of that
 * player's is sent. Ends by itself when the platform is away, when it refuses requests as such, and when the book cannot
 * be written; then the rows that were not begun are `left`, and the same call goes on with them.
 */
export async function carryOutPlan(desk: TransferDesk, run: PlanRun): Promise<PlanRunEnd> {
  const queues = [...playersIn(run.rows).values()]
  const state: RunState = { silences: 0, stoppedOn: undefined, unrecorded: 0 }
  const done = await atOnce(queues, run.atOnce, (rows) => playerDone(desk, run, rows, state))
  const results = new Map(done.flat().map((result) => [result.row.place, result]))
  const { stoppedOn, unrecorded } = state
  return { results: run.rows.flatMap(({ place }) => results.get(place) ?? []), stoppedOn, unrecorded }
}

interface RunState {
  silences: number
  stoppedOn: Problem | undefined
  unrecorded: number
}

/** The rows of each player, in their order; the players in the order in which they come first. */
function playersIn(rows: readonly PlanRow[]): Map<string, PlanRow[]> {
  const players = new Map<string, PlanRow[]>()
  for (const row of rows) {
    const key = foldUsername(row.username)
    const theirs = players.get(key)
    if (theirs) theirs.push(row)
    else players.set(key, [row])
  }
  return players
}

async function playerDone(
  desk: TransferDesk,
  run: PlanRun,
  rows: readonly PlanRow[],
  state: RunState,
): Promise<RowResult[]> {
  const results: RowResult[] = []
  let open: PlanRow | undefined
  for (const row of rows) {
    const known = run.transfers.get(row.txnId)
    const standing = standingOf(known)
    const isOver = standing === 'done' || (standing === 'refused' && !run.retryRefused)
    const mayBegin = !run.halt.aborted && state.stoppedOn === undefined && open === undefined
    const result =
      isOver && known
        ? overBefore(row, known)
        : mayBegin
          ? await rowDone(desk, run, row, known, state)
          : left(row, known, open)
    if (result.outcome === 'unknown' || result.outcome === 'unsent') open ??= row
    results.push(result)
    run.onRow(result)
  }
  return results
}

function overBefore(row: PlanRow, known: BookTransferRow): RowResult {
  const isDone = known.state === 'done'
  return {
    row,
    outcome: isDone ? 'already' : 'refused',
    code: known.refusal,
    message: isDone ? null : 'Refused in an earlier run',
    balance: known.balance,
    attempts: known.attempts,
  }
}

/** Not begun now. What an earlier run left open stays open. */
function left(row: PlanRow, known: BookTransferRow | undefined, open: PlanRow | undefined): RowResult {
  const isOpen = standingOf(known) === 'unknown'
  return {
    row,
    outcome: isOpen ? 'unknown' : 'left',
    code: open === undefined ? null : 'EARLIER_ROW_OPEN',
    message: open === undefined ? null : `It waits for row ${open.place} of the same player`,
    balance: null,
    attempts: known?.attempts ?? 0,
  }
}

async function rowDone(
  desk: TransferDesk,
  run: PlanRun,
  row: PlanRow,
  known: BookTransferRow | undefined,
  state: RunState,
): Promise<RowResult> {
  const { txnId, username, dir, amount, currency } = row
  try {
    const found = known && standingOf(known) === 'unknown' ? await lookedUp(desk, row, known) : undefined
    const result =
      found ?? (await sent(desk, row, { txnId, username, dir, amount, currency, planId: run.planId }, state))
    weigh(result, run, state)
    return result
  } catch (error) {
    // What `transfer` throws was not sent.
    const problem = asProblem(error, run.halt)
    if (problem.code === 'TXN_CONFLICT') {
      const refused = {
        ...nothing(row, known),
        outcome: 'refused' as const,
        code: problem.code,
        message: problem.message,
      }
      weigh(refused, run, state)
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

/** What is given up on a signal rejects with whatever stopped it. */
function asProblem(error: unknown, halt: AbortSignal): Problem {
  if (isProblem(error)) return error
  const code = halt.aborted ? 'INTERRUPTED' : 'UNEXPECTED'
  return new Problem(code, halt.aborted ? 'Given up before it was known' : String(error), {}, { cause: error })
}

const nothing = (row: PlanRow, known: BookTransferRow | undefined) => ({
  row,
  balance: null,
  attempts: known?.attempts ?? 0,
})

/** What became of a row that an earlier run left open, if the platform can tell; otherwise it has to be sent again. */
async function lookedUp(desk: TransferDesk, row: PlanRow, known: BookTransferRow): Promise<RowResult | undefined> {
  try {
    const { row: now, isOurs } = await resolveTransfer(desk, { txnId: row.txnId })
    if (now?.state === 'done')
      return {
        row,
        outcome: isOurs ? 'done' : 'already',
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
        message: 'The platform has another transfer under this txnId',
      }
    return undefined
  } catch (error) {
    // Nothing is lost by sending it again: the id is the same.
    if (isProblem(error) && !error.code.startsWith('STORE_')) return undefined
    throw error
  }
}

async function sent(
  desk: TransferDesk,
  row: PlanRow,
  order: Parameters<typeof transfer>[1],
  state: RunState,
): Promise<RowResult> {
  const end = await transfer(desk, order)
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
  // Given up while it waited for its turn: as if it had not been begun.
  if (end.kind === 'unsent' && code === 'INTERRUPTED') return { ...left(row, undefined, undefined), attempts }
  const outcome = end.kind === 'refused' && isUnjudged(code) ? 'unsent' : end.kind
  return { row, outcome, code, message, balance: null, attempts }
}

/** What a result means for the rows that are not begun yet. */
function weigh({ outcome, code, message }: RowResult, run: PlanRun, state: RunState): void {
  const problem = () => new Problem(code ?? 'UNEXPECTED', message ?? '')
  if (outcome === 'done' || outcome === 'already') state.silences = 0
  if (outcome === 'refused') {
    state.silences = 0
    if (run.stopOnRefusal) state.stoppedOn ??= problem()
  }
  if (outcome !== 'unsent' && outcome !== 'unknown') return
  state.silences += 1
  // "Not you" is said to all rows alike; "not now" may pass.
  const isForAll = code !== null && isUnjudged(code) && code !== 'RATE_LIMITED' && code !== 'INTERNAL_ERROR'
  if (isForAll || state.silences >= mostSilences) state.stoppedOn ??= problem()
}
