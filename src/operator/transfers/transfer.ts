import type { BookTransferRow } from '../../db/schema/book.ts'
import { limits } from '../../domain/account/plan-limits.ts'
import { isPositiveAmount, parseAmount } from '../../domain/money.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { monthsBefore } from '../../domain/time/calendar.ts'
import { createClient } from '../../http/client/client.ts'
import { type RetryOptions, retrying, type Transport, type WireReply } from '../../http/client/transport.ts'
import type { Client } from '../../http/contract/contract.ts'
import { secondText } from '../../kit/moment.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { casino as casinoContract } from '../../services/casino/api/contract.ts'
import type { TransferRecord } from '../../services/casino/api/schemas/index.ts'
import type { Book } from '../book/book.ts'
import { beginTransfer, settleTransfer, type TransferEnd, type TransferInput, transferOf } from './journal.ts'

/** Dependencies of a money transfer that is carried out exactly once. */
export interface TransferContext {
  /** Stores the transfer before it is sent. */
  readonly book: Book
  /** Signs each request, without retries. */
  readonly transport: Transport
  /** Retry policy. */
  readonly retryOptions: Omit<RetryOptions, 'repeatable'>
  /** Returns the platform's time by its responses, which decides the age of records. */
  readonly platformNow: () => number
  /** No more attempts are made after this is aborted. An attempt in progress is finished. */
  readonly stop?: AbortSignal
}

/** Outcome of a transfer; only `done` and `refused` are final. */
export type Transferred =
  | {
      readonly kind: 'done'
      readonly row: BookTransferRow
      readonly balance: string | null
      /** The platform's `duplicate`: an earlier attempt had carried it out. */
      readonly duplicate: boolean
      /** True if it was carried out before this run; a duplicate can also be an earlier attempt of this run. */
      readonly isEarlier: boolean
      /** Source of the outcome: the response, or a lookup. */
      readonly knownBy: 'reply' | 'look-up'
      /** Error if the outcome "done" could not be stored; the book keeps "unknown". */
      readonly unrecorded?: Problem
    }
  | { readonly kind: 'refused'; readonly row: BookTransferRow; readonly problem: Problem }
  /** Nothing reached the platform: the same call may be repeated. */
  | { readonly kind: 'unsent'; readonly row: BookTransferRow; readonly problem: Problem }
  /** It may have been carried out. Only the same txnId may be sent again. */
  | { readonly kind: 'unknown'; readonly row: BookTransferRow; readonly problem: Problem }

/** Maximum number of lookup attempts; the transfer itself was already tried long enough. */
const lookUpAttempts = 3

type Casino = Client<typeof casinoContract>

/**
 * Carries out a transfer once, however often this is called and wherever an earlier call stopped. The transfer is in
 * the book before the first byte is sent; if it cannot be stored, nothing is sent. All attempts use the same txnId. If
 * no attempt got a clear response, the transfer is looked up; if that does not decide, the outcome is `unknown`. Throws
 * TXN_CONFLICT if the txnId belongs to another transfer of ours, and DIFFERENCES if the book has it as done but the
 * platform does not have it. Throws errors of the store, and of the lookup of a done transfer. In all of these cases
 * nothing was sent.
 */
export async function transfer(context: TransferContext, input: TransferInput): Promise<Transferred> {
  const { row, before } = await beginTransfer(context.book, input)
  if (row.state === 'done') return doneBefore(context, row)
  const sent = await send(context, row)
  // An unknown outcome of an earlier run stays unknown until a response about it.
  const mayHaveArrived = sent.mayHaveArrived || before === 'unknown'
  const more = Math.max(0, sent.attempts - 1)
  if ('reply' in sent) {
    const { balance, duplicate } = sent.reply
    const isEarlier = duplicate && !sent.mayHaveArrived
    return finished(context, row, { balance, duplicate, isEarlier, knownBy: 'reply' }, more)
  }
  if (!mayHaveArrived) {
    if (!isAnswer(sent.problem)) return ended(context, row, 'unsent', sent.problem, { state: 'new' }, more)
    return ended(context, row, 'refused', sent.problem, { state: 'refused', refusal: sent.problem.code }, more)
  }
  return lookUpUnclear(context, row, sent.problem, more)
}

/** Looks up a transfer that may have arrived without a clear response. */
async function lookUpUnclear(
  context: TransferContext,
  row: BookTransferRow,
  problem: Problem,
  more: number,
): Promise<Transferred> {
  const result = await lookUp(clientOf(context, lookUpAttempts), row, context.platformNow)
  if (result === 'unavailable') return ended(context, row, 'unknown', problem, { state: 'unknown' }, more)
  if (result === 'none') {
    // By the document, a response about the transfer itself is final; one about the request is not.
    if (isAboutTransfer(problem))
      return ended(context, row, 'refused', problem, { state: 'refused', refusal: problem.code }, more)
    return ended(context, row, 'unknown', problem, { state: 'unknown' }, more)
  }
  if (isOf(result, row))
    return finished(
      context,
      row,
      { balance: result.balance, duplicate: false, isEarlier: false, knownBy: 'look-up' },
      more,
    )
  return ended(context, row, 'refused', conflictProblem(result), { state: 'refused', refusal: 'TXN_CONFLICT' }, more)
}

/** A done transfer is not sent again: if the platform lost it, that would move the money a second time. */
async function doneBefore(context: TransferContext, row: BookTransferRow): Promise<Transferred> {
  try {
    const record = await clientOf(context).transfer({ query: { txnId: row.txn_id, username: row.username } })
    if (isOf(record, row))
      return { kind: 'done', row, balance: record.balance, duplicate: true, isEarlier: true, knownBy: 'look-up' }
  } catch (error) {
    if (!isProblem(error, 'TXN_NOT_FOUND')) throw error
  }
  throw new Problem(
    'DIFFERENCES',
    `The book has ${row.txn_id} as done at ${secondText(row.changed_at)}, but the casino has no such transfer. Nothing was sent. If the profile now points to another platform, use another --book or another --txn`,
    { txnId: row.txn_id, username: row.username, dir: row.dir, amount: row.amount, currency: row.currency },
  )
}

/** State of a transfer after a lookup. */
export interface Resolved {
  readonly record: TransferRecord
  /** The transfer in our book, if it is ours. */
  readonly row: BookTransferRow | undefined
  /** True if the record is the transfer that our book has under this ID. */
  readonly isOurs: boolean
}

/**
 * Looks up a transfer and updates its state in the book. The player comes from the book if it is not given, because a lookup without
 * player covers four months only. Throws TXN_NOT_FOUND, which for a sent transfer means
 * "not carried out, or still in progress".
 */
export async function resolveTransfer(
  context: Omit<TransferContext, 'book'> & { readonly book: Book | undefined },
  query: { readonly txnId: string; readonly username?: string | undefined },
): Promise<Resolved> {
  const { book } = context
  const row = book && (await transferOf(book, query.txnId))
  const username = query.username ?? row?.username
  const record = await clientOf(context).transfer({
    query: { txnId: query.txnId, ...(username === undefined ? {} : { username }) },
  })
  const isOurs = row !== undefined && isOf(record, row)
  if (!book || !row || row.state === 'done') return { record, row, isOurs }
  if (!isSamePlayer(record, row)) {
    // A record of the requested player says nothing about the player in the book.
    if (username !== undefined && foldUsername(username) !== row.name_key) return { record, row, isOurs }
    if (!isTaken(record, row, context.platformNow()))
      throw new Problem('TXN_NOT_FOUND', `The casino has no transfer ${row.txn_id} of ${row.username}`)
  }
  const end: TransferEnd = isOurs
    ? { state: 'done', balance: record.balance }
    : { state: 'refused', refusal: 'TXN_CONFLICT' }
  return { record, row: await settleTransfer(book, row, end), isOurs }
}

interface Sent {
  readonly attempts: number
  /** True if an attempt without response may have been carried out. */
  readonly mayHaveArrived: boolean
}

/** Sends until a response arrives or the retries end, and remembers whether an attempt may have been carried out. */
async function send(
  context: TransferContext,
  row: BookTransferRow,
): Promise<Sent & ({ reply: { balance: string; duplicate: boolean } } | { problem: Problem })> {
  let attempts = 0
  let mayHaveArrived = false
  const observed: Transport = async (request) => {
    attempts += 1
    try {
      const reply = await context.transport(request)
      if (!isRefusal(reply) && !isResult(reply)) mayHaveArrived = true
      return reply
    } catch (error) {
      if (!isProblem(error) || error.detail['outcome'] !== 'none') mayHaveArrived = true
      throw error
    }
  }
  const { txn_id: txnId, username, amount, currency } = row
  const client = clientOf({ ...context, transport: observed })
  const body = { username, txnId, amount, currency }
  try {
    const reply = row.dir === 'in' ? await client.deposit({ body }) : await client.withdraw({ body })
    return { reply, attempts, mayHaveArrived }
  } catch (error) {
    const problem = asProblem(error)
    // A success with an unreadable body may still be a success.
    const isOpen = mayHaveArrived || problem.detail['outcome'] === 'unknown'
    return { problem, attempts, mayHaveArrived: isOpen }
  }
}

/**
 * Returns whether a response shows that this request was not carried out: 429, or a 4xx in the platform's format. Other responses
 * may come from a proxy, including an unreadable success.
 */
function isRefusal(reply: WireReply): boolean {
  const { status } = reply
  return status === 429 || (status >= 400 && status < 500 && 'code' in (errorOf(reply) ?? {}))
}

/** Returns whether a response is the platform's own success. */
function isResult(reply: WireReply): boolean {
  return 'data' in (errorOf(reply) ?? {})
}

function errorOf({ status, body }: WireReply): object | undefined {
  try {
    return casinoContract.envelope.read(status, JSON.parse(body))
  } catch {
    return undefined
  }
}

/** Looks up a sent transfer at the platform. */
async function lookUp(
  client: Casino,
  row: BookTransferRow,
  platformNow: () => number,
): Promise<TransferRecord | 'none' | 'unavailable'> {
  try {
    const record = await client.transfer({ query: { txnId: row.txn_id, username: row.username } })
    return isTaken(record, row, platformNow()) ? record : 'none'
  } catch (error) {
    return isProblem(error, 'TXN_NOT_FOUND') ? 'none' : 'unavailable'
  }
}

function clientOf({ transport, retryOptions: retry, stop }: Omit<TransferContext, 'book'>, attempts?: number): Casino {
  const { sleep } = retry
  const trying = retrying(transport, {
    ...retry,
    ...(attempts === undefined ? {} : { attempts: Math.min(attempts, retry.attempts ?? attempts) }),
    // The body has its own key, so sending it twice has the effect of once.
    repeatable: () => true,
    // A signal cancels only the wait, never a request in progress.
    sleep: (ms) => (stop === undefined ? sleep(ms) : sleep(ms, stop)),
  })
  return createClient(casinoContract, trying)
}

/** Returns whether a record is the transfer of a row. */
function isOf(record: TransferRecord, row: BookTransferRow): boolean {
  return (
    record.dir === row.dir &&
    isPositiveAmount(record.amount) &&
    parseAmount(record.amount) === parseAmount(row.amount) &&
    isSamePlayer(record, row)
  )
}

function isSamePlayer(record: TransferRecord, row: BookTransferRow): boolean {
  return foldUsername(record.username) === row.name_key
}

/**
 * Returns whether a record decides the outcome of a row with its txnId. One of the same player always does. One of another player
 * blocks the txnId for two months; an older one does not, so the row may still be carried out.
 */
function isTaken(record: TransferRecord, row: BookTransferRow, now: number): boolean {
  return isSamePlayer(record, row) || Date.parse(record.at) > monthsBefore(now, limits.conflictMonths)
}

function conflictProblem(record: TransferRecord): Problem {
  return new Problem(
    'TXN_CONFLICT',
    `The casino has a different transfer with the ID ${record.txnId}: ${record.dir} ${record.amount}, player ${record.username}. Ours was not carried out`,
    { found: record },
  )
}

/** Codes of errors about the request, not about the transfer in it. */
const aboutRequest: ReadonlySet<string> = new Set(casinoContract.common)

/** Returns whether this is the platform's response to this request: a 4xx other than 429. */
function isAnswer({ code, detail }: Problem): boolean {
  const status = detail['status']
  return !code.startsWith('REMOTE_') && typeof status === 'number' && status >= 400 && status < 500 && status !== 429
}

function isAboutTransfer(problem: Problem): boolean {
  return isAnswer(problem) && !aboutRequest.has(problem.code)
}

async function finished(
  { book }: TransferContext,
  row: BookTransferRow,
  done: { balance: string | null; duplicate: boolean; isEarlier: boolean; knownBy: 'reply' | 'look-up' },
  more: number,
): Promise<Transferred> {
  try {
    const settled = await settleTransfer(book, row, { state: 'done', balance: done.balance }, more)
    return { kind: 'done', row: settled, ...done }
  } catch (error) {
    // The money has moved, whether or not the book can store it.
    return { kind: 'done', row, ...done, unrecorded: asProblem(error) }
  }
}

async function ended(
  { book }: TransferContext,
  row: BookTransferRow,
  kind: 'refused' | 'unsent' | 'unknown',
  problem: Problem,
  end: TransferEnd,
  more: number,
): Promise<Transferred> {
  try {
    return { kind, row: await settleTransfer(book, row, end, more), problem }
  } catch {
    // The book keeps "unknown", which is never wrong; the outcome itself matters now.
    return { kind, row, problem }
  }
}

function asProblem(error: unknown): Problem {
  if (isProblem(error)) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new Problem('INTERRUPTED', `Canceled: ${reason}`, {}, { cause: error })
}
